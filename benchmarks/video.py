"""A whole match to MP4: drawing and encoding, compared with encoding alone."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PIL import Image

from benchmarks.command_line import run_main
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.errors import UsageError
from engine.replays.reading import Replay, newest_replay
from visualizer.export.clip import Clip
from visualizer.export.mp4 import open_encoder, find_ffmpeg, write_mp4
from visualizer.model.timeline import ReplayTimeline
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.backends.pillow.painter import Painter
from visualizer.drawing.sprites import Sprites

BOTS = ("-1", "player_three", "-2", "player_three", "--seed", "3")
"""A match of 1000 turns, with up to a hundred slimes."""
TURNS = 1_000
ORDERS = 30
"""A turn has about so many."""
SIZE = (960, 544)
FPS = 30
REPEATS = 3


def measure(effort: Effort) -> list[Figure]:
    """Measure a video; nothing where there is no ffmpeg."""
    with suppress(UsageError):
        find_ffmpeg()
        return _measure(effort)
    return []


def _measure(effort: Effort) -> list[Figure]:
    turns = min(TURNS, effort.orders // ORDERS)
    short = Effort(repeats=min(REPEATS, effort.repeats), orders=effort.orders, calls=effort.calls)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recording = VideoRecording(_play(folder, turns), folder)
        recording.draw_all()
        pair = measure_interleaved(short, recording.measure_s, recording.ready_made_s)
        drawing_s = recording.drawing_s()
    return [
        figure("video", "s", pair, Target.at_most(1.3)).says(
            f"{turns} turns to MP4 at 960x544; the same frames, drawn before"
        ),
        figure("video drawing", "frames/s", turns / drawing_s).says("the drawing alone"),
    ]


def _play(folder: Path, turns: int) -> ReplayTimeline:
    options = ("--out", folder, "--quiet", "--render", "none")
    run_main(*BOTS, "--set", f"max_turns={turns}", *options)
    timeline = ReplayTimeline(Replay(newest_replay(folder)))
    timeline.read_new_entries()
    return timeline


class VideoRecording:
    """The frames of every turn of a match, drawn each time or read from a file."""

    def __init__(self, timeline: ReplayTimeline, folder: Path) -> None:
        self._timeline = timeline
        self._raw = folder / "frames"
        self._video = folder / "video.mp4"
        self._sprites = Sprites(timeline.replay.game.name)

    def pictures(self) -> Iterator[Image.Image]:
        painter, frame = Painter(self._timeline, self._sprites, SIZE), FrameCursor(self._timeline)
        for turn in range(1, self._timeline.last_turn + 1):
            frame.go_to(self._timeline.turn_end(turn))
            yield painter.paint(frame)

    def draw_all(self) -> None:
        with self._raw.open("wb") as file:
            for picture in self.pictures():
                file.write(picture.tobytes())

    def drawing_s(self) -> float:
        with _timing() as seconds:
            for _ in self.pictures():
                pass
        return seconds[0]

    def measure_s(self) -> float:
        ticks = [1] * self._timeline.last_turn
        clip = Clip(
            size=SIZE, fps=FPS, ticks=ticks, pictures=self.pictures, samples=_refuse_samples
        )
        with _timing() as seconds:
            write_mp4(clip, self._video)
        return seconds[0]

    def ready_made_s(self) -> float:
        each = SIZE[0] * SIZE[1] * 3
        with (
            _timing() as seconds,
            open_encoder(SIZE, FPS, self._video) as pipe,
            self._raw.open("rb") as file,
        ):
            while content := file.read(each):
                pipe.write(content)
        return seconds[0]


@contextmanager
def _timing() -> Iterator[list[float]]:
    """Time a block; the seconds are there afterwards."""
    seconds: list[float] = []
    began = time.perf_counter()
    yield seconds
    seconds.append(time.perf_counter() - began)


def _refuse_samples() -> Image.Image:
    raise NotImplementedError
