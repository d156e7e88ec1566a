"""The processes of a deployment, each started as its unit or container starts it."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.shell import Shell, finish


class Deployed:
    """A process that serves."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Wait until it serves."""
        assert process.stdout is not None
        self._process = process
        self.port = 0
        self.lines: list[str] = []
        """What it has said until then."""
        for line in process.stdout:
            self.lines.append(line)
            self.port = int((re.search(r"serving at: .*:(\d+)/", line) or [0, self.port])[1])
            if line.startswith("Ctrl-C"):
                break
        assert self.port

    def kill(self) -> None:
        """End it without a farewell."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def deployed(
    shell: Shell, parts: Sequence[str], env: Mapping[str, str], **options: Any
) -> Iterator[Deployed]:
    """Run a process as a unit or container does, at a port that is free; `options`: of Popen."""
    parts = [
        "0" if before == "--port" else word
        for before, word in zip(["", *parts[:-1]], parts, strict=True)
    ]
    process = shell.start(*parts, env=os.environ | env, **options)
    try:
        yield Deployed(process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            assert finish(process).code == 130
