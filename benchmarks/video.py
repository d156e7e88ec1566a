"""A whole match to MP4: drawn and encoded, against the same frames encoded ready-made."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PIL import Image

from benchmarks.table import Effort, Figure, Target, interleaved
from engine.errors import UsageError
from engine.replay import Replay, newest_replay
from visualizer.export.clip import Clip
from visualizer.export.mp4 import encoder, find_ffmpeg, write_mp4
from visualizer.film import Film
from visualizer.picture.frame_cursor import FrameCursor
from visualizer.picture.painter import Painter
from visualizer.sprites import Sprites

HOME = Path(__file__).resolve().parents[1]
BOTS = ("-1", "player_three", "-2", "player_three", "--seed", "3")
"""A match of 1000 turns, with up to a hundred slimes."""
TURNS = 1_000
ORDERS = 30
"""A turn has about so many."""
SIZE = (960, 544)
FPS = 30
REPEATS = 3


def measure(effort: Effort) -> list[Figure]:
    """Nothing where there is no ffmpeg."""
    with suppress(UsageError):
        find_ffmpeg()
        return _measure(effort)
    return []


def _measure(effort: Effort) -> list[Figure]:
    turns = min(TURNS, effort.orders // ORDERS)
    short = Effort(repeats=min(REPEATS, effort.repeats), orders=effort.orders, calls=effort.calls)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        filming = Filming(_play(folder, turns), folder)
        filming.draw_all()
        pair = interleaved(short, filming.drawn_s, filming.ready_made_s)
        drawing_s = filming.drawing_s()
    return [
        Figure(
            name="video",
            what=f"{turns} turns to MP4 at 960x544; the same frames ready-made",
            unit="s",
            ours=pair.ours,
            reference=pair.reference,
            target=Target.at_most(2),
        ),
        Figure(
            name="video drawing",
            what="the drawing alone",
            unit="frames/s",
            ours=turns / drawing_s,
        ),
    ]


def _play(folder: Path, turns: int) -> Film:
    command = [sys.executable, HOME / "main.py", *BOTS, "--set", f"max_turns={turns}"]
    options = ["--out", folder, "--quiet", "--render", "none"]
    subprocess.run(
        [str(word) for word in (*command, *options)],
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    film = Film(Replay(newest_replay(folder)))
    film.read_on()
    return film


class Filming:
    """A frame for every turn of a film, drawn each time, or ready-made in a file."""

    def __init__(self, film: Film, folder: Path) -> None:
        self._film = film
        self._raw = folder / "frames"
        self._video = folder / "video.mp4"
        self._sprites = Sprites(film.replay.game.name)

    def pictures(self) -> Iterator[Image.Image]:
        painter, frame = Painter(self._film, self._sprites, SIZE), FrameCursor(self._film)
        for turn in range(1, self._film.last_turn + 1):
            frame.go_to(self._film.end_of(turn))
            yield painter.paint(frame)

    def draw_all(self) -> None:
        with self._raw.open("wb") as file:
            for picture in self.pictures():
                file.write(picture.tobytes())

    def drawing_s(self) -> float:
        with _timed() as seconds:
            for _ in self.pictures():
                pass
        return seconds[0]

    def drawn_s(self) -> float:
        ticks = [1] * self._film.last_turn
        clip = Clip(size=SIZE, fps=FPS, ticks=ticks, pictures=self.pictures, samples=_unused)
        with _timed() as seconds:
            write_mp4(clip, self._video)
        return seconds[0]

    def ready_made_s(self) -> float:
        each = SIZE[0] * SIZE[1] * 3
        with (
            _timed() as seconds,
            encoder(SIZE, FPS, self._video) as pipe,
            self._raw.open("rb") as file,
        ):
            while content := file.read(each):
                pipe.write(content)
        return seconds[0]


@contextmanager
def _timed() -> Iterator[list[float]]:
    """The seconds, afterwards."""
    seconds: list[float] = []
    began = time.perf_counter()
    yield seconds
    seconds.append(time.perf_counter() - began)


def _unused() -> Image.Image:
    raise NotImplementedError
