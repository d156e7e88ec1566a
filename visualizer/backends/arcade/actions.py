"""The actions of the window: their keys, buttons and descriptions."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from visualizer.backends.arcade.window_model import WindowModel
from visualizer.drawing.bot_drawings import MAX_ROWS


class Action(NamedTuple):
    """An action, as a line of the table below."""

    name: str
    """Also the name of its icon."""
    keys: tuple[str, ...]
    """Keys by their names in arcade.key, `shift+` before."""
    says: str
    """The text of the tooltip and of the help."""
    do: Callable[[WindowModel], None]
    is_on: Callable[[WindowModel], bool] = lambda model: False
    """Whether its button is lit."""


PLAYING: Sequence[Action] = (
    Action("restart", ("HOME",), "Restart", lambda v: v.playback.restart()),
    Action(
        "turn_back", ("shift+LEFT", "PAGEUP"), "One turn back", lambda v: v.playback.step_turns(-1)
    ),
    Action("step_back", ("LEFT",), "One step back", lambda v: v.playback.step(-1)),
    Action("play", ("SPACE", "K"), "Play or pause", lambda v: v.playback.play_or_pause()),
    Action("step_on", ("RIGHT",), "One step forward", lambda v: v.playback.step(1)),
    Action(
        "turn_on",
        ("shift+RIGHT", "PAGEDOWN"),
        "One turn forward",
        lambda v: v.playback.step_turns(1),
    ),
    Action("end", ("END",), "To the end", lambda v: v.playback.to_end()),
)
MARKS: Sequence[Action] = (
    Action("mark_back", ("P", "UP"), "Previous key moment", lambda v: v.playback.go_to_mark(-1)),
    Action("mark_on", ("N", "DOWN"), "Next key moment", lambda v: v.playback.go_to_mark(1)),
)
SPEED: Sequence[Action] = (
    Action("slower", ("MINUS", "NUM_SUBTRACT"), "Slower", lambda v: v.playback.slow_down()),
    Action("faster", ("PLUS", "EQUAL", "NUM_ADD"), "Faster", lambda v: v.playback.speed_up()),
    Action(
        "fastest",
        ("M",),
        "Maximum or normal speed",
        lambda v: v.playback.toggle_fastest(),
        lambda v: v.playback.is_fastest,
    ),
)
ZOOM_FACTOR = 1.5
VIEW: Sequence[Action] = (
    Action("zoom_in", ("I",), "Zoom in", lambda v: v.zoom(ZOOM_FACTOR)),
    Action("zoom_out", ("O",), "Zoom out", lambda v: v.zoom(1 / ZOOM_FACTOR)),
    Action(
        "zoom_fit",
        ("KEY_0", "NUM_0"),
        "The whole board; then, of a large map, the fight",
        WindowModel.show_all,
        lambda v: v.is_closer and not v.is_looking,
    ),
)
WINDOW: Sequence[Action] = (
    Action(
        "full_screen",
        ("F", "F11"),
        "Full screen on or off",
        WindowModel.toggle_full_screen,
        lambda v: v.is_full_screen,
    ),
    Action("light", ("T",), "Light or dark theme", WindowModel.toggle_light, lambda v: v.is_light),
    Action("help", ("H", "F1"), "Help", WindowModel.toggle_help, lambda v: v.is_help_open),
    Action("close", ("Q",), "Close the window", WindowModel.request_close),
)
DESELECT = Action("deselect", ("ESCAPE",), "Close the help, or deselect", WindowModel.deselect)
DRAWINGS = Action(
    "drawings",
    ("D",),
    "Drawings of the bots on or off; 1 to 9: one of them",
    WindowModel.toggle_drawings,
)


FOLLOW = Action(
    "follow", ("B",), "Follow the selected piece, or let it go", WindowModel.toggle_following
)
SOUNDS = Action("sounds", ("S",), "Sounds on or off", lambda v: v.sounds.toggle())
FOLDS = Action(
    "folds", ("U",), "Fold or unfold quiet stretches", lambda v: v.playback.toggle_folds()
)
WITHOUT_BUTTON: Sequence[Action] = (FOLLOW, FOLDS, SOUNDS, DRAWINGS, DESELECT)


def _switch(number: int) -> Action:
    """Return the action that switches one group of drawings on or off, from 1."""
    return Action(
        f"drawings_{number}",
        (f"KEY_{number}", f"NUM_{number}"),
        f"Drawings {number} on or off",
        lambda model: model.toggle_group(number),
    )


SWITCHES: Sequence[Action] = tuple(_switch(number) for number in range(1, MAX_ROWS + 1))
"""Actions that the help names together."""

GROUPS = (PLAYING, MARKS, SPEED, VIEW, WINDOW)
"""The groups of buttons in their order; the last stands at the right edge."""
ACTIONS: Sequence[Action] = (*PLAYING, *MARKS, *SPEED, *VIEW, *WINDOW, *WITHOUT_BUTTON)

REPEATED = (
    *("turn_back", "step_back", "step_on", "turn_on", "mark_back", "mark_on"),
    *("zoom_in", "zoom_out"),
)
"""The actions that repeat while their key is held down."""

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
KEYS_LEFT_OUT_OF_HELP = ("EQUAL", "NUM_SUBTRACT", "NUM_ADD", "NUM_0")
"""Keys that are not listed: other names of listed ones."""


def keys_in_words(action: Action) -> list[str]:
    """Return the names of an action's keys as written on a keyboard."""
    return [_key_text(key) for key in action.keys if key not in KEYS_LEFT_OUT_OF_HELP]


def _key_text(key: str) -> str:
    shift, _, name = key.rpartition("+")
    word = KEY_WORDS.get(name, name)
    return f"{KEY_WORDS['shift+']}{word}" if shift else word


def find_action_by_key(key: str) -> Action | None:
    """Return the action of a key, by its name in the table."""
    return next((action for action in (*ACTIONS, *SWITCHES) if key in action.keys), None)


def find_action_by_name(name: str) -> Action:
    return next(action for action in ACTIONS if action.name == name)
