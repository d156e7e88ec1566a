"""A match that is being played, as the public may know it, for a page that is told what is new."""

from collections.abc import Mapping

from engine.replays.public_copy import PublicReplay, PublicView
from engine.replays.reading import Replay
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline


class PublicPage:
    """What pages are told of a match since it began; nothing else of its record leaves here."""

    def __init__(self, source: Replay, sprites: Sprites) -> None:
        self._lines_read = 0
        self._public = PublicReplay(source.spec, source.bots)
        self._view = PublicView(source.game, source.spec, len(source.bots))
        self.page = GrowingPage(ReplayTimeline(self._public), sprites)

    @property
    def moments(self) -> int:
        """Return how often something was added."""
        return self.page.moments

    def take(self, source: Replay) -> bool:
        """Add what the record has more than at the last call; return whether that was anything."""
        new = range(self._lines_read, source.line_count)
        for number in new:
            self._public.add(self._view.entries(source.entries_of_line(number)))
        self._lines_read = source.line_count
        ends = source.outcome is not None and self._public.outcome is None
        if source.outcome is not None and ends:
            self._public.end(source.outcome)
        if new or ends:  # never before the board is there that the match begins with
            self.page.grow()
            return True
        return False

    def message(self, since: int | None, about: Mapping[str, object]) -> bytes:
        """Return what a page needs that knows the match up to a moment; None: nothing."""
        return self.page.message(since, about)
