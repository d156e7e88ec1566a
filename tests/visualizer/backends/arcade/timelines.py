"""Films of small matches, whole and growing, to be watched in tests."""

from pathlib import Path

from engine.replays.live import LiveReplay
from tests.engine.recorded import a_spec, read_lines, record
from tests.visualizer.timelines import read_timeline
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline


def a_replay(folder: Path, *, seed: int = 1) -> Path:
    """Make a replay of 45 turns, with kills, splits, merges and faults."""
    path = folder / f"{seed}.jsonl.gz"
    if not path.exists():
        record(path, spec=a_spec(seed=seed), dice=seed)
    return path


def a_timeline(folder: Path, *, seed: int = 1) -> ReplayTimeline:
    return read_timeline(a_replay(folder, seed=seed))


def a_model(*timelines: ReplayTimeline) -> WindowModel:
    """Stopped at the beginning."""
    model = WindowModel(
        [
            ReplayView(timeline, Sprites(timeline.replay.game.name), timeline.replay.path.parent)
            for timeline in timelines
        ]
    )
    model.playback.pause()
    return model


class Growing:
    """A match that is being played: its lines are written when the test says so."""

    def __init__(self, folder: Path) -> None:
        self._lines = read_lines(a_replay(folder))
        self._path = folder / "live"
        self.write(2)
        self.timeline = ReplayTimeline(LiveReplay(self._path))

    def write(self, lines: int) -> None:
        """Write so many more."""
        now, self._lines = self._lines[:lines], self._lines[lines:]
        with self._path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in now))

    def end(self) -> None:
        self.write(len(self._lines))

    def begin_anew(self, folder: Path) -> None:
        """The match was void, and is played again."""
        self._lines = read_lines(a_replay(folder, seed=2))
        self.write(10)
