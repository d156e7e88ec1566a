"""What is shown of a run: while it is played what there is so far, and then all of it."""

import threading
from collections import OrderedDict

from engine.replays.live import LiveReplay
from engine.streams import seed_text
from server.runs.runs import OPEN, Run
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import sprites_of
from visualizer.model.timeline import ReplayTimeline

MOST_KEPT = 10
"""Runs that are over, of which what is shown is kept in memory."""


class RunScenes:
    """What is shown of runs that are over. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._whole = OrderedDict[str, bytes]()

    def whole(self, run: Run) -> bytes | None:
        """Return all there is to see of a run; None while it is played."""
        if run.state in OPEN:
            return None
        with self._lock:
            content = self._whole.get(run.id)
        if content is None:
            content = RunStory(run).next()
        if content is not None:
            with self._lock:
                self._whole[run.id] = content
                self._whole.move_to_end(run.id)
                while len(self._whole) > MOST_KEPT:
                    self._whole.popitem(last=False)
        return content


class RunStory:
    """A run as one page is told of it, message by message."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._replay: LiveReplay | None = None
        self._page: GrowingPage | None = None
        self._is_new = True
        self.is_over = False
        """Whether everything was told."""

    def next(self) -> bytes | None:
        """Return what is new since the last call; None where nothing is."""
        is_played = self._run.state not in OPEN  # asked first: then nothing more is written
        if self._replay is None and self._has_begun():
            self._replay = LiveReplay(self._run.live)
            self._page = self._new_page(self._replay)
        if self._replay is None or self._page is None:
            self.is_over = is_played
            return None
        begun = self._replay.beginnings
        is_longer = self._replay.read_on()
        if self._replay.beginnings != begun:  # the match was void, and is played again
            self._page, self._is_new = self._new_page(self._replay), True
        self.is_over = is_played or not self._replay.is_growing
        if not (is_longer or self._is_new or self.is_over):
            return None
        return self._message(self._page)

    def _message(self, page: GrowingPage) -> bytes:
        since = None if self._is_new else page.moments - 1
        self._is_new = False
        page.grow()
        seed = self._run.job.spec.seed
        about = {
            "isGrowing": not self.is_over,
            "isWhole": True,
            "isContinuable": False,
            "follows": False,
            "seats": list(self._run.names),
            "seed": seed_text(seed) if self.is_over else None,
            "seedHash": None,
        }
        return page.message(since, about)

    def _has_begun(self) -> bool:
        """Return whether there is a line to read; without one, reading would wait."""
        try:
            with self._run.live.open("rb") as file:
                return b"\n" in file.read(1 << 16)
        except FileNotFoundError:
            return False

    def _new_page(self, replay: LiveReplay) -> GrowingPage:
        digests = [bot.digest for bot in replay.bots]
        sprites = sprites_of(replay.game.name, digests, self._run.live.parent)
        return GrowingPage(ReplayTimeline(replay), sprites)
