"""MP4: raw pictures through a pipe to ffmpeg, which encodes one while we draw the next."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

from PIL import Image, ImageFile

from engine.errors import EngineFailure, UsageError
from engine.support.signals import deferring_signals
from visualizer.export.clip import Clip

FFMPEG_MISSING = (
    "MP4 needs ffmpeg, and there is none: install it (Debian, Ubuntu: apt install ffmpeg; "
    "macOS: brew install ffmpeg), or install the extra 'video' of this project "
    "(pip install imageio-ffmpeg), or export to .gif or .webp, which need neither"
)
X264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-tune", "animation")
# Without these some players guess other colors than they were made with.
COLORS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p"),
    *("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
)
PIPE_BYTES = 1 << 20
"""The largest pipe that Linux grants an unprivileged process."""
PIXEL_BYTES = 3
MAX_PICTURES_AHEAD = 8
"""Pictures that are drawn and not yet written, at most."""
LAST_WORDS = 300
"""The most letters of ffmpeg's error message."""


def write_mp4(clip: Clip, path: Path) -> None:
    """Write a video. Raises: UsageError without ffmpeg; EngineFailure if it fails."""
    with open_encoder(clip.size, clip.fps, path) as pipe, _writer_thread(pipe) as write:
        for picture, ticks in zip(clip.pictures(), clip.ticks, strict=True):
            content = _pixel_bytes(picture)
            for _ in range(ticks):
                write(content)


def find_ffmpeg() -> str:
    """Return the system's ffmpeg, else that of the extra `video`. Raises: UsageError."""
    system = shutil.which("ffmpeg")
    if system:
        return system
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise UsageError(FFMPEG_MISSING) from error


def _pixel_bytes(picture: Image.Image) -> bytes:
    """Return the pixels of a picture, row by row.

    Pillow does that in blocks, whose memory it gets from the system anew each time: in one
    block it takes a tenth of the time.
    """
    ImageFile.MAXBLOCK = max(ImageFile.MAXBLOCK, picture.width * picture.height * PIXEL_BYTES)
    return picture.tobytes()


@contextmanager
def _writer_thread(pipe: IO[bytes]) -> Iterator[Callable[[bytes], None]]:
    """Yield what hands pictures to a thread that writes them: the next is drawn meanwhile.

    Raises: OSError, where the other end has gone.
    """
    waiting, failures = Queue[bytes | None](MAX_PICTURES_AHEAD), list[OSError]()

    def write_all() -> None:
        while (content := waiting.get()) is not None:
            if not failures:
                try:
                    pipe.write(content)
                except OSError as error:
                    failures.append(error)

    def write(content: bytes) -> None:
        if failures:
            raise failures[0]
        waiting.put(content)

    thread = Thread(target=write_all, daemon=True)
    with deferring_signals():  # those are for the thread that draws
        thread.start()
    try:
        yield write
    finally:
        waiting.put(None)
        thread.join()
    if failures:
        raise failures[0]


def _ffmpeg_command(ffmpeg: str, size: tuple[int, int], fps: float, path: Path) -> list[str]:
    width, height = size
    pictures = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}")
    codec = X264 if _has_x264(ffmpeg) else ()  # else it takes what it has for MP4
    return [
        *(ffmpeg, "-v", "error", "-y", *pictures, "-r", f"{fps:g}", "-i", "-"),
        *(*codec, *COLORS, "-movflags", "+faststart", "-f", "mp4", str(path.absolute())),
    ]


def _has_x264(ffmpeg: str) -> bool:
    command = [ffmpeg, "-hide_banner", "-encoders"]
    known = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return b"libx264" in known.stdout


@contextmanager
def open_encoder(size: tuple[int, int], fps: float, path: Path) -> Iterator[IO[bytes]]:
    """Yield a pipe to ffmpeg for the RGB pixels of picture after picture; it ends afterwards.

    It has a session of its own, so that a Ctrl-C reaches us alone, and we end it.
    Raises: UsageError without ffmpeg; EngineFailure if it fails.
    """
    command = _ffmpeg_command(find_ffmpeg(), size, fps, path)
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
        assert process.stdin is not None
        _enlarge_pipe(process.stdin)
        is_whole = False
        try:
            with suppress(BrokenPipeError):  # it will tell why
                yield process.stdin
                process.stdin.close()
                is_whole = True
            code = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
            with suppress(OSError):
                process.stdin.close()
            process.wait()
        if code or not is_whole:
            raise EngineFailure(f"ffmpeg failed ({command[0]}): {_last_output(log)}")


def _enlarge_pipe(pipe: IO[bytes]) -> None:
    """Enlarge the pipe, so that we and ffmpeg wait for each other less."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # no more is allowed: it is only slower
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _last_output(log: IO[bytes]) -> str:
    log.seek(0)
    text = log.read().decode(errors="replace").strip()
    return text[-LAST_WORDS:] or "it said nothing"
