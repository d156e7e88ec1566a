"""Every kind of file, opened again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

from engine.errors import EngineFailure, UsageError
from engine.replays.reading import Replay
from tests import needs
from tests.golden.record import replay_path
from tests.visualizer.timelines import read_timeline
from visualizer.backends.pillow.painter import Painter
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites
from visualizer.export import mp4
from visualizer.export.exporting import export
from visualizer.export.plan import ExportRequest

SIZE = (480, 270)
HOLD_S = 2.5
PAUSE_S = 0.5
needs_ffmpeg = needs.mark(
    shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg and ffprobe (of one package)"
)


def export_match(path: Path, **request: Any) -> str:
    """Export a match of 60 turns."""
    return export(
        Replay(replay_path("small")), path, ExportRequest(**request), Sprites("slime_mind")
    )


def frame_at(turn: int, size: tuple[int, int]) -> Image.Image:
    timeline = read_timeline(replay_path("small"))
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(turn))
    return Painter(timeline, Sprites("slime_mind"), size).paint(frame)


def read_frames(path: Path) -> list[tuple[Image.Image, int]]:
    """All frames of an animation as they are shown, and how long, in milliseconds."""
    frames = []
    with Image.open(path) as animation:
        for frame in ImageSequence.Iterator(animation):
            frame.load()
            frames.append((frame.convert("RGB"), int(frame.info["duration"])))
    return frames


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the difference of two pictures, of 255 at most."""
    return float(np.abs(np.asarray(one, int) - np.asarray(other.convert("RGB"), int)).mean())


def test_a_picture_shows_the_end_unless_a_turn_is_asked_for(tmp_path: Path) -> None:
    export_match(tmp_path / "end.png", size=SIZE)
    export_match(tmp_path / "turn.png", size=SIZE, turn=7)
    for name, turn in (("end", 60), ("turn", 7)):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.convert("RGB").tobytes() == frame_at(turn, SIZE).tobytes()


def test_what_was_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a" / "turn.png"
    assert export_match(path, turn=7).startswith(f"{path}: turn 7, 1920x1080, ")


def test_a_page_can_be_opened_at_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "match.html"
    assert export_match(path, turn=7).startswith(f"{path}#t=7: 60 turns, ")
    assert path.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_an_animation_has_the_frames_and_lasts_as_long_as_asked(
    ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"clip.{ending}"
    export_match(path, first=51, last=60, fps=8, speed=1.0, size=SIZE)
    frames = read_frames(path)
    assert frames[0][0].size == SIZE
    assert len(frames) <= 10 / 4 * 8 + 2
    lasts_ms = sum(duration for _, duration in frames)
    assert lasts_ms == pytest.approx((10 / 4 + HOLD_S) * 1000, abs=2 * 125)
    assert frames[-1][1] >= HOLD_S * 1000


@pytest.mark.parametrize(("ending", "tolerance"), [("gif", 3.0), ("webp", 6.0)])
def test_the_frames_of_an_animation_are_those_of_the_match(
    ending: str, tolerance: float, tmp_path: Path
) -> None:
    path = tmp_path / f"clip.{ending}"
    export_match(path, first=1, last=20, fps=4, speed=1.0, size=SIZE)
    frames = read_frames(path)
    assert len(frames) == 21
    for turn in (5, 10, 20):
        assert difference(frames[turn][0], frame_at(turn, SIZE)) < tolerance
    assert difference(frames[20][0], frames[2][0]) > 0.3


@pytest.mark.slow
def test_a_long_match_is_made_short_enough_to_be_shared(tmp_path: Path) -> None:
    path = tmp_path / "clip.gif"
    replay = Replay(replay_path("crowded"))  # 30 seconds at four turns per second
    export(replay, path, ExportRequest(), Sprites("slime_mind"))
    lasts_ms = sum(duration for _, duration in read_frames(path))
    assert lasts_ms == pytest.approx((20 + HOLD_S) * 1000, abs=300)
    assert path.stat().st_size < 3_000_000


def test_one_turn_alone_can_be_shown(tmp_path: Path) -> None:
    export_match(tmp_path / "clip.gif", first=7, last=7, speed=0.5, fps=20, size=SIZE)
    frames = read_frames(tmp_path / "clip.gif")
    assert len(frames) > 2
    assert difference(frames[0][0], frame_at(6, SIZE)) < 4
    assert difference(frames[-1][0], frame_at(7, SIZE)) < 4


@needs_ffmpeg
def test_a_video_has_the_frames_and_lasts_as_long_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    export_match(path, first=1, last=20, fps=10, speed=2.5, size=SIZE)
    stream = probe(path)
    assert (stream["width"], stream["height"]) == SIZE
    assert int(stream["nb_frames"]) == 20 + 2 + PAUSE_S * 10
    assert float(stream["duration"]) == pytest.approx(int(stream["nb_frames"]) / 10)
    assert stream["pix_fmt"] == "yuv420p"


@needs_ffmpeg
def test_the_frames_of_a_video_are_those_of_the_match(tmp_path: Path) -> None:
    video, last = tmp_path / "clip.mp4", tmp_path / "last.png"
    export_match(video, last=20, size=SIZE)
    command = ["ffmpeg", "-v", "error", "-sseof", "-0.5", "-i", video, "-frames:v", "1", last]
    subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL)
    with Image.open(last) as picture:
        assert difference(frame_at(20, SIZE), picture) < 5


def probe(path: Path) -> Any:
    command = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)["streams"][0]


def test_without_ffmpeg_both_remedies_and_gif_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(UsageError, match=r"apt install ffmpeg.*imageio-ffmpeg.*\.gif"):
        export_match(tmp_path / "clip.mp4")
    assert list(tmp_path.iterdir()) == []


def a_tool(folder: Path, script: str) -> str:
    path = folder / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo no such codec >&2; exit 1", "no such codec"),
        ("cat > /dev/null; echo disk full >&2; exit 3", "disk full"),
        ("exit 9", "it said nothing"),
        ("exec 0<&-; exit 0", "it said nothing"),
    ],
)
def test_what_a_failing_ffmpeg_says_is_told(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    tool = a_tool(tmp_path / "bin", script)
    monkeypatch.setattr(mp4, "find_ffmpeg", lambda: tool)
    monkeypatch.setattr("visualizer.export.drawn_files.find_ffmpeg", lambda: tool)
    with pytest.raises(EngineFailure, match=f"ffmpeg failed.*{message}"):
        export_match(tmp_path / "clip.mp4", last=10, size=SIZE)
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


@pytest.mark.parametrize("stopped_in", [0, 15])
@pytest.mark.parametrize(
    "ending", ["png", "gif", "webp", pytest.param("mp4", marks=needs.program("ffmpeg"))]
)
def test_what_was_there_stays_until_the_new_file_is_whole(
    ending: str, stopped_in: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"clip.{ending}"
    path.write_text("before")
    painting = Painter.paint
    calls = iter(range(1_000))

    def fail(painter: Painter, frame: FrameCursor) -> Image.Image:
        if ending == "png" or next(calls) == stopped_in:
            raise KeyboardInterrupt
        return painting(painter, frame)

    monkeypatch.setattr(Painter, "paint", fail)
    with pytest.raises(KeyboardInterrupt):
        export_match(path, size=SIZE)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
