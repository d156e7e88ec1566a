"""What one can do in the window: its keys, its button, what is said of it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from visualizer.window.showing import Showing


class Action(NamedTuple):
    """A line of the table."""

    name: str
    """Its icon has it too."""
    keys: tuple[str, ...]
    """As arcade.key calls them, with `shift+` before."""
    says: str
    """On the tooltip and in the help."""
    do: Callable[[Showing], None]
    is_on: Callable[[Showing], bool] = lambda showing: False
    """Whether its button is lit."""


PLAYING: Sequence[Action] = (
    Action("restart", ("HOME",), "From the beginning", lambda v: v.playback.restart()),
    Action(
        "turn_back",
        ("shift+LEFT", "PAGEUP"),
        "One turn back",
        lambda v: v.playback.step_turns(-1),
    ),
    Action("step_back", ("LEFT",), "One round back", lambda v: v.playback.step(-1)),
    Action("play", ("SPACE", "K"), "Play or pause", lambda v: v.playback.play_or_pause()),
    Action("step_on", ("RIGHT",), "One round on", lambda v: v.playback.step(1)),
    Action(
        "turn_on",
        ("shift+RIGHT", "PAGEDOWN"),
        "One turn on",
        lambda v: v.playback.step_turns(1),
    ),
    Action("end", ("END",), "To the end of what is known", Showing.to_end),
)
MARKS: Sequence[Action] = (
    Action("mark_back", ("P", "UP"), "To the mark before", lambda v: v.playback.next_mark(-1)),
    Action("mark_on", ("N", "DOWN"), "To the next mark", lambda v: v.playback.next_mark(1)),
)
SPEED: Sequence[Action] = (
    Action("slower", ("MINUS", "NUM_SUBTRACT"), "Slower", lambda v: v.playback.slower()),
    Action(
        "faster",
        ("PLUS", "EQUAL", "NUM_ADD"),
        "Faster",
        lambda v: v.playback.faster(),
    ),
    Action(
        "fastest",
        ("M",),
        "As fast as possible, or normal speed",
        lambda v: v.playback.fastest_or_normal(),
        lambda v: v.playback.is_fastest,
    ),
)
CLOSER = 1.5
VIEW: Sequence[Action] = (
    Action("zoom_in", ("I",), "Closer to the board", lambda v: v.zoom(CLOSER)),
    Action("zoom_out", ("O",), "Farther from the board", lambda v: v.zoom(1 / CLOSER)),
    Action(
        "zoom_fit",
        ("KEY_0", "NUM_0"),
        "The whole board",
        Showing.show_all,
        lambda v: v.is_closer,
    ),
)
WINDOW: Sequence[Action] = (
    Action(
        "full_screen",
        ("F", "F11"),
        "Full screen, or a window again",
        Showing.toggle_full_screen,
        lambda v: v.is_full_screen,
    ),
    Action(
        "help", ("H", "F1"), "All keys and buttons", Showing.toggle_help, lambda v: v.is_help_open
    ),
    Action("close", ("Q",), "Close the window", Showing.close),
)
LET_GO = Action("let_go", ("ESCAPE",), "Close the help, or let go of a piece", Showing.let_go)

GROUPS = (PLAYING, MARKS, SPEED, VIEW, WINDOW)
"""As the buttons stand; the last group at the right edge."""
ACTIONS: Sequence[Action] = (*PLAYING, *MARKS, *SPEED, *VIEW, *WINDOW, LET_GO)

REPEATED = (
    *("turn_back", "step_back", "step_on", "turn_on", "mark_back", "mark_on"),
    *("zoom_in", "zoom_out"),
)
"""While their key is held down."""

KEY_WORDS = {
    "shift+": "Shift ",
    "LEFT": "←",
    "RIGHT": "→",
    "UP": "↑",
    "DOWN": "↓",
    "PAGEUP": "Page ↑",
    "PAGEDOWN": "Page ↓",
    "MINUS": "-",
    "PLUS": "+",
    "SPACE": "Space",
    "HOME": "Home",
    "END": "End",
    "ESCAPE": "Esc",
    "KEY_0": "0",
}
UNSAID = ("EQUAL", "NUM_SUBTRACT", "NUM_ADD", "NUM_0")
"""The same keys by another name."""


def keys_in_words(action: Action) -> list[str]:
    """As they are written on a keyboard."""
    return [_in_words(key) for key in action.keys if key not in UNSAID]


def _in_words(key: str) -> str:
    shift, _, name = key.rpartition("+")
    word = KEY_WORDS.get(name, name)
    return f"{KEY_WORDS['shift+']}{word}" if shift else word


def action_of(key: str) -> Action | None:
    """What a key does; its name as in the table."""
    return next((action for action in ACTIONS if key in action.keys), None)


def named(name: str) -> Action:
    return next(action for action in ACTIONS if action.name == name)
