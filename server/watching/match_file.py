"""A match whose lines another process writes, as those who watch it may see it."""

import secrets
from collections.abc import Callable
from pathlib import Path

from engine.errors import BadReplay
from engine.game import AnyGame
from engine.replays.live import LiveReplay
from engine.replays.public_copy import PublicReplay, PublicView
from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from engine.streams import seed_hash, seed_text
from server.watching.live_scene import EventSource
from server.watching.scene_messages import CONFIDENTIAL, describe_match, late_words
from server.watching.visibility import Role, VisiblePart, WatchedMatch, find_visible_part
from visualizer.backends.page import first_board_svg
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline

SEARCHED_BYTES = 1 << 16
"""The first line of a record is shorter."""


class MatchFile(EventSource):
    """Reads the file of a match as it grows."""

    shows_notes = False
    """Whether what a bot drew and logged is shown: its author watches, and nobody else."""
    is_confidential = False
    """Whether somebody who plays in it shows no source."""

    def __init__(self, path: Path, role: Role, load_sprites: Callable[[Replay], Sprites]) -> None:
        """`path`: the file that grows; `role`: of whoever is shown the match."""
        super().__init__()
        self._path = path
        self._role = role
        self._load_sprites = load_sprites
        self._source: LiveReplay | None = None
        self._size = -1
        self._beginnings = self._lines_read = self._asides_read = 0
        self._record: Replay | None = None
        self._has_ended = False
        self._public: PublicReplay | None = None
        """What the page draws, where that is less than the record."""
        self._view: PublicView
        self._process = ""
        """Tells the moments of this object from those of others, which have read otherwise."""

    def has_news(self) -> bool:
        """Return whether the file has another size than when it was read, or is gone."""
        try:
            return self._path.stat().st_size != self._size
        except FileNotFoundError:
            return self._source is not None

    def read_new_entries(self) -> None:
        """Take in what was played meanwhile. Raises: BadReplay."""
        if not self.has_news():
            return
        if self._source is None:
            if not has_first_line(self._path):
                return
            self._size = self._path.stat().st_size
            self._source = LiveReplay(self._path)
        else:
            self._size = self._path.stat().st_size
            self._source.read_new_entries()
        self.take(self._source)

    def take(self, source: Replay) -> None:
        """Add what a record has more than at the last call, as far as it may be seen."""
        # What was hidden while it was played is not shown here at its end, but by `render_whole`.
        part = self.find_part(source.game)
        if part is VisiblePart.AFTER_THE_END:
            late = late_words(source.game.title)
            self.why_hidden = CONFIDENTIAL if self.is_confidential else late
            self._record = source
            return
        is_anew = isinstance(source, LiveReplay) and source.beginnings != self._beginnings
        if self.page is None or is_anew:  # it was void, and is played again
            self._open_source(source, part)
        self._record = source
        assert self.page is not None
        if self.shows_notes:
            for aside in source.asides[self._asides_read :]:
                if isinstance(aside, NotesAside):
                    self.page.take_notes(aside)
            self._asides_read = len(source.asides)
        ends = source.outcome is not None and not self._has_ended
        if source.line_count > self._lines_read or ends:
            # Never before the board is there that the match begins with.
            self._publish(source, ends=ends)
            self.page.grow()
            self.moments.append(f"{self._process}-{len(self.moments)}")

    def find_part(self, game: AnyGame, *, is_over: bool = False) -> VisiblePart:
        """Return what whoever is shown the match may see of it."""
        match = WatchedMatch(game, is_over, is_confidential=self.is_confidential)
        return find_visible_part(self._role, match)

    def draw_first_board(self) -> bytes:
        """Return the board that the match begins with as SVG; b"" where it is not shown yet.

        Raises: BadReplay before it is there.
        """
        source = Replay(self._path)
        if self.find_part(source.game) is VisiblePart.AFTER_THE_END:
            return b""
        if not source.line_count:
            raise BadReplay(f"{self._path}: has no board yet")
        public = PublicReplay(source.spec, source.bots)
        view = PublicView(source.game, source.spec, len(source.bots))
        public.add(view.public_entries(source.entries_of_line(0)))
        timeline = ReplayTimeline(public)
        timeline.read_new_entries()
        return first_board_svg(timeline, self._load_sprites(source)).encode()

    def _open_source(self, source: Replay, part: VisiblePart) -> None:
        self._beginnings = source.beginnings
        self._process = secrets.token_hex(4)
        self._lines_read = self._asides_read = 0
        self._has_ended = False
        self.moments = []
        self._public = None
        if part is VisiblePart.PUBLIC_VIEW:
            self._public = PublicReplay(source.spec, source.bots)
            self._view = PublicView(source.game, source.spec, len(source.bots))
        self.page = GrowingPage(ReplayTimeline(self._public or source), self._load_sprites(source))

    def _publish(self, source: Replay, *, ends: bool) -> None:
        """Let the public know what was recorded since the last call."""
        if self._public is not None:
            for number in range(self._lines_read, source.line_count):
                self._public.add(self._view.public_entries(source.entries_of_line(number)))
            if ends and source.outcome is not None:
                self._public.end(source.outcome)
        self._lines_read = source.line_count
        self._has_ended = self._has_ended or ends

    @property
    def record(self) -> Replay:
        """Return what was read of the match. Only once something was."""
        assert self._record is not None
        return self._record

    @property
    def has_begun(self) -> bool:
        return self._record is not None

    def describe(self) -> dict[str, object]:
        """Return what a page says of the match besides what happens in it."""
        record = self.record
        is_over = record.outcome is not None
        return describe_match(
            (bot.name for bot in record.bots),
            is_over=is_over,
            is_whole=is_over and record.game.open_information,
            seed=seed_text(record.spec.seed),
            seed_hash=seed_hash(record.spec.seed),
        )


def has_first_line(path: Path) -> bool:
    """Return whether there is a line to read; without one, reading would wait."""
    try:
        with path.open("rb") as file:
            return b"\n" in file.read(SEARCHED_BYTES)
    except FileNotFoundError:
        return False
