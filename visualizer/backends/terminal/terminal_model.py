"""The state of the terminal viewer: replays, playhead, help. No terminal in it."""

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from visualizer.backends.terminal.themes import Colors, picture_colors
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.latest_events import Narration
from visualizer.model.playback import Playback
from visualizer.model.story import Story
from visualizer.model.timeline import ReplayTimeline


class ReplayView:
    """A replay that is shown, and its cursor."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites) -> None:
        self.timeline = timeline
        self.colors: Colors = picture_colors(sprites)
        self._load()

    def _load(self) -> None:
        self.beginnings = self.timeline.replay.beginnings
        self.cursor = Cursor(self.timeline)
        self.narration = Narration(self.timeline)
        self.story = Story(self.timeline)

    def read_new_entries(self, budget_s: float = inf) -> None:
        """Read what was recorded meanwhile; a match that began anew is shown anew."""
        self.timeline.read_new_entries(budget_s)
        if self.beginnings != self.timeline.replay.beginnings:
            self._load()

    @property
    def last_turn(self) -> int:
        """Return the last turn of the match; while it is played, the last possible one."""
        replay = self.timeline.replay
        if not replay.is_growing:
            return replay.last_turn
        return int(replay.game.standing(self.cursor.state).last_turn)


class TerminalModel:
    """The state that keys change."""

    def __init__(self, views: list[ReplayView], turn: int = 0) -> None:
        self.views = views
        self.playback = Playback([view.timeline for view in views])
        self.is_help_open = False
        self.shows_notes = True
        """Whether the words of bots are shown beside their orders."""
        self.is_over = False
        """Whether the viewer has quit."""
        self.playback.wanted_turn = turn or None

    def tick(self, seconds: float, budget_s: float) -> None:
        """Let time pass: read on, play, and follow the playhead."""
        for view in self.views:
            beginnings = view.beginnings
            view.read_new_entries(budget_s)
            if view.beginnings != beginnings:
                self.playback.restart()
        self.playback.advance(seconds)
        for number, view in enumerate(self.views):
            view.cursor.seek(self.playback.position(number))

    @property
    def is_live(self) -> bool:
        """Return whether a match is still being played or read."""
        return not all(view.timeline.is_over for view in self.views)

    def toggle_help(self) -> None:
        self.is_help_open = not self.is_help_open

    def toggle_notes(self) -> None:
        self.shows_notes = not self.shows_notes

    def close_help(self) -> None:
        self.is_help_open = False

    def quit(self) -> None:
        self.is_over = True


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
    Action(("p", "up"), "P  ↑", "previous key moment", lambda v: v.playback.go_to_mark(-1)),
    Action(("n", "down"), "N  ↓", "next key moment", lambda v: v.playback.go_to_mark(1)),
    Action(("-", "_"), "-", "slower", lambda v: v.playback.slow_down()),
    Action(("+", "="), "+", "faster", lambda v: v.playback.speed_up()),
    Action(("m",), "M", "maximum or normal speed", lambda v: v.playback.toggle_fastest()),
    Action(("u",), "U", "fold quiet turns", lambda v: v.playback.toggle_folds()),
    Action(("home",), "Home", "restart", lambda v: v.playback.restart()),
    Action(("end",), "End", "to the end", lambda v: v.playback.to_end()),
    Action(("d",), "D", "what bots log on or off", TerminalModel.toggle_notes),
    Action(("h", "?", "f1"), "H", "this help; Esc closes it", TerminalModel.toggle_help),
    Action(("q",), "Q", "quit", TerminalModel.quit),
)
CLOSE_HELP = Action(("escape",), "Esc", "close the help", TerminalModel.close_help)
BY_KEY = {key: action for action in (*ACTIONS, CLOSE_HELP) for key in action.keys}
SHORT = (
    ("Space", "play"),
    ("Q", "quit"),
    ("H", "help"),
    ("← →", "step"),
    ("Page ↑↓", "turn"),
    ("+ -", "speed"),
    ("N P", "moments"),
)
"""The keys in the line at the bottom; in a narrow terminal the last ones are omitted."""


def handle_key(model: TerminalModel, key: str) -> None:
    """Do what a key stands for; a capital letter is the same as a small one."""
    action = BY_KEY.get(key) or BY_KEY.get(key.lower())
    if action is not None:
        action.do(model)
