"""The files of a replay that Pillow draws: a picture of a turn, and animations."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from PIL import Image
from tqdm import tqdm

from engine.support.files import atomic_write
from engine.support.lazy_import import LazyMapping
from visualizer.backends.pillow.painter import Painter
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites
from visualizer.export.clip import Clip
from visualizer.export.mp4 import find_ffmpeg
from visualizer.export.plan import (
    FORMS,
    PICTURE,
    ExportRequest,
    Stretch,
    check_size,
    check_turn,
    frames_per_s,
    make_stretch,
)
from visualizer.model.timeline import ReplayTimeline

BAR = "{l_bar}{bar}| frame {n_fmt}/{total_fmt} [{remaining}]"
WRITERS: Mapping[str, Callable[[Clip, Path], None]] = LazyMapping(
    {
        ".gif": "visualizer.export.animated_pictures:write_gif",
        ".webp": "visualizer.export.animated_pictures:write_webp",
        ".mp4": "visualizer.export.mp4:write_mp4",
    }
)
SAMPLES = 6
"""The number of pictures from which the palette of an animation is taken."""


def write_picture(
    timeline: ReplayTimeline, path: Path, request: ExportRequest, sprites: Sprites
) -> str:
    """Write a picture of a turn, by default of the end. Return what was written, in words."""
    size = check_size(PICTURE, request)
    turn = timeline.last_turn if request.turn is None else request.turn
    check_turn(timeline, "--turn", turn)
    picture = render_picture(timeline, sprites, size, turn, has_drawings=bool(request.drawings))
    with atomic_write(path) as beside:
        picture.save(beside, "PNG", optimize=True)
    return f"{path}: turn {turn}, {'{}x{}'.format(*size)}"


def render_picture(
    timeline: ReplayTimeline,
    sprites: Sprites,
    size: tuple[int, int],
    turn: int,
    *,
    has_drawings: bool = False,
) -> Image.Image:
    """Return a picture of a match at the end of a turn; `size`: width and height, pixels."""
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(turn))
    return Painter(timeline, sprites, size, has_drawings=has_drawings).paint(frame)


def write_clip(
    timeline: ReplayTimeline, path: Path, ending: str, request: ExportRequest, sprites: Sprites
) -> str:
    """Write an animation. Return what was written, in words."""
    form, size = FORMS[ending], check_size(ending, request)
    if ending == ".mp4":
        find_ffmpeg()
    fps = frames_per_s(form, request)
    stretch = make_stretch(timeline, form, request, size)
    painter = Painter(timeline, sprites, size, has_drawings=bool(request.drawings))
    recording = VideoRecording(timeline, painter, stretch, has_camera=ending == ".mp4")
    clip = Clip(
        size=size,
        fps=fps,
        ticks=stretch.ticks,
        pictures=recording.pictures,
        samples=recording.sample_pictures,
    )
    with atomic_write(path) as beside:
        WRITERS[ending](clip, beside)
    seconds = sum(stretch.ticks) / fps
    return f"{path}: {seconds:.1f} s, {'{}x{}'.format(*size)}"


class VideoRecording:
    """Draws the pictures of a part of a replay."""

    def __init__(
        self, timeline: ReplayTimeline, painter: Painter, stretch: Stretch, *, has_camera: bool
    ) -> None:
        self._timeline = timeline
        self._painter = painter
        self._times = stretch.times
        self._captions = stretch.captions
        self._has_camera = has_camera

    def pictures(self) -> Iterator[Image.Image]:
        """Yield the pictures, each painted over by the next, with a progress bar."""
        frame = FrameCursor(self._timeline)
        bar = tqdm(
            self._times,
            unit="frame",
            leave=False,
            dynamic_ncols=True,
            bar_format=BAR,
            disable=None,  # shown only where there is a terminal
        )
        for number, time in enumerate(bar):
            frame.go_to_time(time)
            # In a GIF or WebP a camera that moves takes four times the bytes.
            frame.part = self._timeline.camera.part_at(time) if self._has_camera else None
            frame.caption = self._captions[number]
            yield self._painter.paint(frame)

    def sample_pictures(self) -> Image.Image:
        """Return some of the pictures, stacked."""
        frame, count = FrameCursor(self._timeline), len(self._times)
        chosen = sorted({number * (count - 1) // (SAMPLES - 1) for number in range(SAMPLES)})
        width, height = self._painter.size
        together = Image.new("RGB", (width, height * len(chosen)))
        for row, number in enumerate(chosen):
            frame.go_to_time(self._times[number])
            together.paste(self._painter.paint(frame), (0, row * height))
        return together
