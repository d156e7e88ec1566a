"""The actions of the terminal: the same keys as in the window."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from visualizer.backends.terminal.terminal_model import TerminalModel


class Action(NamedTuple):
    """A line of the help."""

    keys: tuple[str, ...]
    in_words: str
    says: str
    do: Callable[[TerminalModel], object]


ACTIONS: Sequence[Action] = (
    Action(("space", "k"), "Space", "play or pause", lambda v: v.playback.play_or_pause()),
    Action(("left",), "←", "one step back", lambda v: v.playback.step(-1)),
    Action(("right",), "→", "one step forward", lambda v: v.playback.step(1)),
    Action(
        ("shift left", "page up", ","),
        "Shift ←  Page ↑  ,",
        "one turn back",
        lambda v: v.playback.step_turns(-1),
    ),
    Action(
        ("shift right", "page down", "."),
        "Shift →  Page ↓  .",
        "one turn forward",
        lambda v: v.playback.step_turns(1),
    ),
    Action(("p", "up"), "P  ↑", "previous event", lambda v: v.playback.next_mark(-1)),
    Action(("n", "down"), "N  ↓", "next event", lambda v: v.playback.next_mark(1)),
    Action(("-", "_"), "-", "slower", lambda v: v.playback.slower()),
    Action(("+", "="), "+", "faster", lambda v: v.playback.faster()),
    Action(
        ("m",),
        "M",
        "maximum or normal speed",
        lambda v: v.playback.fastest_or_normal(),
    ),
    Action(("home",), "Home", "restart", lambda v: v.playback.restart()),
    Action(("end",), "End", "to the end", TerminalModel.to_end),
    Action(("d",), "D", "what bots log on or off", TerminalModel.toggle_notes),
    Action(("h", "?", "f1"), "H", "this help", TerminalModel.toggle_help),
    Action(("escape",), "Esc", "close the help", TerminalModel.close_help),
    Action(("q",), "Q", "quit", TerminalModel.quit),
)
BY_KEY = {key: action for action in ACTIONS for key in action.keys}
SHORT = (
    ("Space", "play"),
    ("Q", "quit"),
    ("H", "help"),
    ("← →", "step"),
    ("Page ↑↓", "turn"),
    ("+ -", "speed"),
    ("N P", "events"),
)
"""The keys in the line at the bottom; in a narrow terminal the last ones are omitted."""


def obey(model: TerminalModel, key: str) -> None:
    """Do what a key stands for; a capital letter is the same as a small one."""
    action = BY_KEY.get(key) or BY_KEY.get(key.lower())
    if action is not None:
        action.do(model)
