"""What one can do in the terminal: the same keys as in the window."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from visualizer.terminal.viewing import Viewing


class Action(NamedTuple):
    """A line of the help."""

    keys: tuple[str, ...]
    in_words: str
    says: str
    do: Callable[[Viewing], object]


ACTIONS: Sequence[Action] = (
    Action(("space", "k"), "Space", "play or pause", lambda v: v.playback.play_or_pause()),
    Action(("left",), "←", "one round back", lambda v: v.playback.step(-1)),
    Action(("right",), "→", "one round on", lambda v: v.playback.step(1)),
    Action(
        ("shift left", "page up", ","),
        "Shift ←  Page ↑  ,",
        "one turn back",
        lambda v: v.playback.step_turns(-1),
    ),
    Action(
        ("shift right", "page down", "."),
        "Shift →  Page ↓  .",
        "one turn on",
        lambda v: v.playback.step_turns(1),
    ),
    Action(("p", "up"), "P  ↑", "to the mark before", lambda v: v.playback.next_mark(-1)),
    Action(("n", "down"), "N  ↓", "to the next mark", lambda v: v.playback.next_mark(1)),
    Action(("-", "_"), "-", "slower", lambda v: v.playback.slower()),
    Action(("+", "="), "+", "faster", lambda v: v.playback.faster()),
    Action(
        ("m",),
        "M",
        "as fast as possible, or normal speed",
        lambda v: v.playback.fastest_or_normal(),
    ),
    Action(("home",), "Home", "from the beginning", lambda v: v.playback.restart()),
    Action(("end",), "End", "to the end of what is known", Viewing.to_end),
    Action(("h", "?", "f1"), "H", "this help", Viewing.toggle_help),
    Action(("escape",), "Esc", "close the help", Viewing.close_help),
    Action(("q",), "Q", "quit", Viewing.quit),
)
BY_KEY = {key: action for action in ACTIONS for key in action.keys}
SHORT = (
    ("Space", "play"),
    ("Q", "quit"),
    ("H", "help"),
    ("← →", "round"),
    ("Page ↑↓", "turn"),
    ("+ -", "speed"),
    ("N P", "marks"),
)
"""For the line at the bottom; what comes last is left out last."""


def obey(viewing: Viewing, key: str) -> None:
    """Do what a key stands for; a capital letter is the same as a small one."""
    action = BY_KEY.get(key) or BY_KEY.get(key.lower())
    if action is not None:
        action.do(viewing)
