"""The state of the terminal viewer: replays, playhead, help. No terminal in it."""

from math import inf

from visualizer.backends.terminal.themes import Colors, colors_of
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.latest_events import Narration
from visualizer.model.playback import Playback
from visualizer.model.timeline import ReplayTimeline


class ReplayView:
    """A replay that is shown, and its cursor."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites) -> None:
        self.timeline = timeline
        self.colors: Colors = colors_of(sprites)
        self._load()

    def _load(self) -> None:
        self.beginnings = self.timeline.replay.beginnings
        self.cursor = Cursor(self.timeline)
        self.narration = Narration(self.timeline)

    def read_on(self, budget_s: float = inf) -> None:
        """Read what was recorded meanwhile; a match that began anew is shown anew."""
        self.timeline.read_on(budget_s)
        if self.beginnings != self.timeline.replay.beginnings:
            self._load()

    def go(self, position: int) -> None:
        self.cursor.seek(position)

    @property
    def name(self) -> str:
        return str(self.timeline.replay.game.title)

    @property
    def turn(self) -> int:
        return self.timeline.turn_at(self.cursor.position)

    @property
    def last_turn(self) -> int:
        """Return the last turn of the match; while it is played, the last possible one."""
        replay = self.timeline.replay
        if not replay.is_growing:
            return replay.last_turn
        return int(replay.game.standing(self.cursor.state).last_turn)

    @property
    def mark_kinds(self) -> list[str]:
        """Return the kinds of events of the timeline, in order."""
        return self.timeline.mark_kinds


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
        self._wanted_turn = turn

    def tick(self, seconds: float, budget_s: float) -> None:
        """Let time pass: read on, play, and follow the playhead."""
        for view in self.views:
            beginnings = view.beginnings
            view.read_on(budget_s)
            if view.beginnings != beginnings:
                self.playback.restart()
        if self._wanted_turn:
            self._go_to_wanted_turn()
        self.playback.advance(seconds)
        for number, view in enumerate(self.views):
            view.go(self.playback.position(number))

    def _go_to_wanted_turn(self) -> None:
        """Go to the turn that was asked for, once it is recorded."""
        self.playback.seek_turn(self._wanted_turn)
        are_over = all(view.timeline.is_over for view in self.views)
        if are_over or self.playback.end >= self._wanted_turn:
            self._wanted_turn = 0

    @property
    def is_live(self) -> bool:
        """Return whether a match is still being played or read."""
        return not all(view.timeline.is_over for view in self.views)

    def to_end(self) -> None:
        self.playback.seek_turn(self.playback.end)

    def toggle_help(self) -> None:
        self.is_help_open = not self.is_help_open

    def toggle_notes(self) -> None:
        self.shows_notes = not self.shows_notes

    def close_help(self) -> None:
        self.is_help_open = False

    def quit(self) -> None:
        self.is_over = True
