"""A display to open windows on: an existing or a virtual one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from engine.bots.sandbox.process import die_with_parent

WHAT_IS_MISSING = "a screen (DISPLAY), or Xvfb for a virtual one (Debian, Ubuntu: apt install xvfb)"
SCREEN = "3840x2160x24"


def can_have_one() -> bool:
    return bool(os.environ.get("DISPLAY") or shutil.which("Xvfb"))


@contextmanager
def display() -> Iterator[str]:
    """Run with a display, and return its name for DISPLAY."""
    own = os.environ.get("DISPLAY")
    if own:
        yield own
        return
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(
        command,
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent,  # noqa: PLW1509 - benchmarks have one thread
    ) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as pipe:
                yield f":{pipe.readline().strip()}"
        finally:
            server.terminate()
