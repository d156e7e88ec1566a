"""A child process that shows a match while it is played, and the pipe between the two.

The match is played in our process, and never waits for the viewer: that one reads the file of
lines which grows as the match is recorded. Its stdin is a pipe from us, by whose end it sees
that we are gone.
"""

import _thread
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from engine.support.sanitizing import make_printable, printable_lines
from engine.support.typed_commands import detect_commands
from visualizer.backends import NoViewer
from visualizer.backends.terminal.raw_mode import Modes
from visualizer.watching.render import Render, can_serve, why_no_library, why_no_screen

REPLAY_PY = Path(__file__).resolve().parents[2] / "replay.py"
LIVE, READY, WORDS = "match.jsonl", "ready", "words"
"""The files of a viewer's folder: the match, that it can be shown, and what went wrong."""
PATIENCE_S = 30.0
"""The most seconds for a window to open: a busy machine needs several."""
PAUSE_S = 0.01
FAREWELL_S = 3.0
"""Seconds for a viewer to end by itself before it is killed."""
REMEDY = f"--render terminal shows matches here, {detect_commands().replay} later"
STOPPED_EXIT_CODE = 130
"""The exit code of a viewer that was told to end."""


class Viewer(AbstractContextManager["Viewer"]):
    """A viewer of a match. To be used in a `with`, which ends it."""

    def __init__(self, render: Render, out: Path) -> None:
        """Start the viewer, and wait until it is ready. Raises: NoViewer.

        `out` is where the pictures of bots are kept.
        """
        self.has_our_output = render is Render.TERMINAL
        """Whether the viewer draws in the terminal that our own output goes to."""
        # First of all: where there is no terminal, nothing is to be cleaned up.
        self._modes = Modes() if self.has_our_output and sys.stdout.isatty() else None
        self._folder = Path(tempfile.mkdtemp(prefix="slime-mind-live-"))
        self.live = self._folder / LIVE
        """The file that the lines of the match are written to."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ended_by_us = False
        try:
            self._words = (self._folder / WORDS).open("w+b")
            self._process = self._start(render, out)
            self._wait_until_ready()
        except BaseException:
            self.end()
            raise

    def __exit__(self, *error: object) -> None:
        self.end()

    @property
    def is_closed(self) -> bool:
        """Return whether whoever watched has closed it."""
        return self._process is not None and self._process.poll() is not None

    def wait(self) -> bool:
        """Wait until the viewer is closed. Return whether that was by a Ctrl-C."""
        assert self._process is not None
        try:
            self._process.wait()
        except KeyboardInterrupt:
            self.end()
            return True
        return False

    def end(self) -> None:
        """End the viewer if it still runs, restore the terminal, and remove the files."""
        if self._process is not None:
            self._end(self._process)
        self._restore_terminal()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def words(self) -> str:
        """Return what the viewer has to say to whoever started it; '' for nothing."""
        return printable_lines((self._folder / READY).read_text(encoding="utf-8"))

    @property
    def complaint(self) -> str:
        """Return why the viewer ended early, in a line; '' if it did not."""
        code = self._process.returncode if self._process else 0
        if self._is_ended_by_us or code in (0, STOPPED_EXIT_CODE, None):
            return ""
        return f"the viewer ended early: {self._last_words() or _exit_text(code)}"

    def _start(self, render: Render, out: Path) -> "subprocess.Popen[bytes]":
        # A Ctrl-C must not reach a window: we end it, once the result of the match is known.
        is_apart = render in (Render.WINDOW, Render.WEB)
        return subprocess.Popen(
            [
                *(sys.executable, str(REPLAY_PY), "--live", str(self._folder)),
                *("--render", str(render), "--out", str(out)),
            ],
            stdin=subprocess.PIPE,
            stderr=self._words,
            # We run in the right environment already: checking it again would delay the window.
            env={**os.environ, "SLIME_MIND_NO_BOOTSTRAP": "1"},
            stdout=subprocess.DEVNULL if is_apart else None,
            start_new_session=is_apart,
        )

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE_S
        # A file rather than a pipe: the viewer's stdout may be the terminal it draws in.
        while not (self._folder / READY).exists():
            if self._process.poll() is not None:
                raise NoViewer(self._last_words() or _exit_text(self._process.returncode))
            if time.monotonic() > deadline:
                raise NoViewer(f"the viewer was not ready within {PATIENCE_S:.0f} s")
            time.sleep(PAUSE_S)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        self._is_ended_by_us = process.poll() is None
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(FAREWELL_S)
        if process.poll() is None:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        """Return the last line of the viewer's stderr."""
        self._words.seek(0)
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        return make_printable(lines[-1].removeprefix("error: ")) if lines else ""

    def _restore_terminal(self) -> None:
        """Restore the terminal if the viewer was killed; otherwise it did so itself."""
        process = self._process
        if self._modes is not None and process and process.returncode not in (0, STOPPED_EXIT_CODE):
            self._modes.restore()


class HiddenViewer:
    """Stands for the viewer of a match that is not shown."""

    has_our_output = False
    live: Path | None = None
    is_closed = False
    complaint = ""

    def wait(self) -> bool:
        return False


@contextmanager
def viewer_for(
    render: Render, out: Path, tell: Callable[[str], object]
) -> Iterator[Viewer | HiddenViewer]:
    """Yield the viewer of the match that is played meanwhile.

    Where a window would be shown if there was a screen, `tell` is told why there is none.
    Raises: NoViewer if it was asked for and cannot be had.
    """
    viewer = _open(render, out, tell)
    if viewer is None:
        yield HiddenViewer()
        return
    with viewer:
        yield viewer


def _open(render: Render, out: Path, tell: Callable[[str], object]) -> Viewer | None:
    if render is Render.NONE:
        return None
    if render is Render.TERMINAL:
        return Viewer(render, out)
    if render is Render.WEB:
        return _open_in_browser(out, tell)
    reason = why_no_screen()
    lacking = "" if reason else why_no_library()
    if lacking and render is Render.AUTO and can_serve():
        return _open_in_browser(out, lambda message: tell(f"{lacking}; {message}"))
    reason = reason or lacking
    if not reason:
        try:
            return Viewer(Render.WINDOW, out)
        except NoViewer as problem:
            reason = str(problem)
    elif render is Render.AUTO and not sys.stdout.isatty():
        return None
    if render is Render.WINDOW:
        raise NoViewer(f"--render window: {reason}; {REMEDY}")
    tell(f"not shown: {reason}; {REMEDY}")
    return None


def _open_in_browser(out: Path, tell: Callable[[str], object]) -> Viewer:
    """Open a page, and tell where it is. Raises: NoViewer."""
    viewer = Viewer(Render.WEB, out)
    tell(viewer.words)
    return viewer


def _exit_text(code: int) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


class Parent(AbstractContextManager["Parent"]):
    """The process that plays the match we show. When it ends, we end.

    To be used in a `with`: the folder of the two is removed at the end, whoever lives longer.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.live = folder / LIVE
        threading.Thread(target=self._listen, daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self._remove_folder()

    def tell_ready(self, text: str = "") -> None:
        """Tell the parent that the viewer is ready, so that the match may begin.

        `text` is for whoever started it: where there is something to see, for one.
        """
        written = self._folder / f".{READY}"
        written.write_text(text, encoding="utf-8")
        written.replace(self._folder / READY)  # once it is there, all of it is

    def _listen(self) -> None:
        # Not sys.stdin: Python aborts if it exits while another thread holds its lock.
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as pipe:
            while pipe.read(1):
                pass
        _thread.interrupt_main()
        time.sleep(FAREWELL_S)  # a library that hangs in C code never sees the interrupt
        self._remove_folder()
        os._exit(1)

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
