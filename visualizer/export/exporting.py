"""One film into one file."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from PIL import Image
from tqdm import tqdm

from engine.errors import UsageError
from engine.files import write_whole, written_beside
from engine.replay import Replay
from visualizer.export.clip import Clip
from visualizer.export.gif import write_gif
from visualizer.export.mp4 import find_ffmpeg, write_mp4
from visualizer.export.plan import (
    FORMS,
    PAGE,
    PICTURE,
    Stretch,
    Wishes,
    check_ending,
    check_size,
    check_turn,
    frames_per_s,
    stretch_of,
)
from visualizer.export.webp import write_webp
from visualizer.film import Film
from visualizer.page import page_of
from visualizer.picture.frame_cursor import FrameCursor
from visualizer.picture.painter import Painter
from visualizer.sprites import Sprites

BAR = "{l_bar}{bar}| frame {n_fmt}/{total_fmt} [{remaining}]"
WRITERS: Mapping[str, Callable[[Clip, Path], None]] = {
    ".gif": write_gif,
    ".webp": write_webp,
    ".mp4": write_mp4,
}
SAMPLES = 6
"""Pictures from which the colours of an animation are taken."""


def export(replay: Replay, path: Path, wishes: Wishes, sprites: Sprites) -> str:
    """Write a file of the kind its ending says; what was written, in words.

    Raises: UsageError for what cannot be as wished, before anything is drawn.
    """
    ending = check_ending(path, wishes)
    _check_place(path)
    film = Film(replay)
    film.read_on()
    if ending == PAGE:
        return _export_page(film, path, wishes, sprites)
    if ending == PICTURE:
        return _export_picture(film, path, wishes, sprites)
    return _export_clip(film, path, ending, wishes, sprites)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written: {error.strerror}; choose another place"
        ) from error


def _export_page(film: Film, path: Path, wishes: Wishes, sprites: Sprites) -> str:
    turn = "" if wishes.turn is None else f"#t={check_turn(film, '--turn', wishes.turn)}"
    write_whole(path, page_of(film, sprites))
    return f"{path}{turn}: {film.last_turn} turns, {_amount(path)}"


def _export_picture(film: Film, path: Path, wishes: Wishes, sprites: Sprites) -> str:
    """By default of the end."""
    size = check_size(PICTURE, wishes)
    turn = film.last_turn if wishes.turn is None else wishes.turn
    position = film.end_of(check_turn(film, "--turn", turn))
    frame = FrameCursor(film)
    frame.go_to(position)
    with written_beside(path) as beside:
        Painter(film, sprites, size).paint(frame).save(beside, "PNG", optimize=True)
    return f"{path}: turn {turn}, {'{}x{}'.format(*size)}, {_amount(path)}"


def _export_clip(film: Film, path: Path, ending: str, wishes: Wishes, sprites: Sprites) -> str:
    form, size = FORMS[ending], check_size(ending, wishes)
    if ending == ".mp4":
        find_ffmpeg()
    fps = frames_per_s(form, wishes)
    stretch = stretch_of(film, form, wishes, size)
    filming = Filming(film, Painter(film, sprites, size), stretch)
    clip = Clip(
        size=size,
        fps=fps,
        ticks=stretch.ticks,
        pictures=filming.pictures,
        samples=filming.samples,
    )
    with written_beside(path) as beside:
        WRITERS[ending](clip, beside)
    seconds = sum(stretch.ticks) / fps
    return f"{path}: {seconds:.1f} s, {'{}x{}'.format(*size)}, {_amount(path)}"


class Filming:
    """Draws the pictures of a stretch of a film."""

    def __init__(self, film: Film, painter: Painter, stretch: Stretch) -> None:
        self._film = film
        self._painter = painter
        self._positions = stretch.positions

    def pictures(self) -> Iterator[Image.Image]:
        """One after the other, each painted over by the next; a bar tells how far we are."""
        frame = FrameCursor(self._film)
        bar = tqdm(
            self._positions,
            unit="frame",
            leave=False,
            dynamic_ncols=True,
            bar_format=BAR,
            disable=None,  # shown only where there is a terminal
        )
        for position in bar:
            frame.go_to(position)
            yield self._painter.paint(frame)

    def samples(self) -> Image.Image:
        """Some of them below each other."""
        frame, count = FrameCursor(self._film), len(self._positions)
        chosen = sorted({number * (count - 1) // (SAMPLES - 1) for number in range(SAMPLES)})
        width, height = self._painter.size
        together = Image.new("RGB", (width, height * len(chosen)))
        for row, number in enumerate(chosen):
            frame.go_to(self._positions[number])
            together.paste(self._painter.paint(frame), (0, row * height))
        return together


def _amount(path: Path) -> str:
    """`1.3 MB`."""
    count = path.stat().st_size
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.0f} KB"
