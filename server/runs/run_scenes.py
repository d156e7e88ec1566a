"""What is shown of a run: while it is played what there is so far, and then all of it."""

import tempfile
import threading
from collections import OrderedDict
from pathlib import Path

from engine.replays.live import LiveReplay
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from engine.result_folder import REPLAY
from server.runs.run_rows import OPEN, Run
from server.runs.runs import Runs
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import sprites_of
from visualizer.model.timeline import ReplayTimeline

MOST_KEPT = 10
"""Runs that are over, of which what is shown is kept in memory."""


class RunScenes:
    """What is shown of runs that are over. May be used from any thread."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._lock = threading.Lock()
        self._whole = OrderedDict[str, bytes]()

    def whole(self, run: Run) -> bytes | None:
        """Return all there is to see of a run; None while it is played."""
        if run.state in OPEN:
            return None
        with self._lock:
            content = self._whole.get(run.id)
        if content is None:
            content = RunStory(self._runs, run.id).next()
        if content is not None:
            with self._lock:
                self._whole[run.id] = content
                self._whole.move_to_end(run.id)
                while len(self._whole) > MOST_KEPT:
                    self._whole.popitem(last=False)
        return content


class RunStory:
    """A run as one page is told of it, message by message."""

    def __init__(self, runs: Runs, run_id: str) -> None:
        self._runs = runs
        self._run_id = run_id
        self._replay: LiveReplay | None = None
        self._page: GrowingPage | None = None
        self._is_new = True
        self.is_over = False
        """Whether everything was told."""

    def next(self) -> bytes | None:
        """Return what is new since the last call; None where nothing is."""
        run = self._runs.find(self._run_id)  # asked first: then nothing more is written
        if run is None:
            self.is_over = True
            return None
        is_played = run.state not in OPEN
        if run.is_confidential:
            return self._public(run) if is_played else None
        if self._replay is None and _has_begun(self._runs.live(run)):
            self._replay = LiveReplay(self._runs.live(run))
            self._page = self._new_page(self._replay, run)
        if self._replay is None or self._page is None:
            self.is_over = is_played
            return None
        begun = self._replay.beginnings
        is_longer = self._replay.read_on()
        if self._replay.beginnings != begun:  # the match was void, and is played again
            self._page, self._is_new = self._new_page(self._replay, run), True
        self.is_over = is_played or not self._replay.is_growing
        if not (is_longer or self._is_new or self.is_over):
            return None
        return self._message(self._page, run)

    def _public(self, run: Run) -> bytes | None:
        """Return all there is to see, with hashes in place of source that is somebody's own."""
        self.is_over = True
        if not self._runs.replay(run).exists():
            return None
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / REPLAY
            write_public_copy(Replay(self._runs.replay(run)), copy)
            return self._message(self._new_page(Replay(copy), run), run)

    def _message(self, page: GrowingPage, run: Run) -> bytes:
        since = None if self._is_new else page.moments - 1
        self._is_new = False
        page.grow()
        about = {
            "isGrowing": not self.is_over,
            "isWhole": True,
            "isContinuable": False,
            "follows": False,
            "seats": list(run.names),
            "seed": run.seed if self.is_over else None,
            "seedHash": None,
        }
        return page.message(since, about)

    def _new_page(self, replay: Replay, run: Run) -> GrowingPage:
        sprites = sprites_of(replay.game.name, run.digests, self._runs.live(run).parent)
        return GrowingPage(ReplayTimeline(replay), sprites)


def _has_begun(path: Path) -> bool:
    """Return whether there is a line to read; without one, reading would wait."""
    try:
        with path.open("rb") as file:
            return b"\n" in file.read(1 << 16)
    except FileNotFoundError:
        return False
