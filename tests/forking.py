"""Commands that are forked from a Python which has imported the project already."""

import atexit
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import bootstrap

PATIENCE_S = 150


def run_forked(
    project: Path, parts: list[str], cwd: Path, env: Mapping[str, str], *, plays_here: bool = False
) -> tuple[int, str, str]:
    """Run a command line of a project; its exit code, its output, and its errors.

    `plays_here`: in its own process, as `tests.played_here` does.
    """
    server = fork_server(project)
    with NamedTemporaryFile() as out, NamedTemporaryFile() as err:
        files = {"out": out.name, "err": err.name}
        code = server.run(arguments=parts, cwd=str(cwd), env=env, plays_here=plays_here, **files)
        return code, out.read().decode(), err.read().decode()


@cache
def fork_server(project: Path) -> "ForkServer":
    return ForkServer(project)


class ForkServer:
    """One for all tests of this process, started when the first one needs it."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._start()
        atexit.register(self._end)

    def run(self, **request: object) -> int:
        """Have a command run, and wait for it; nothing it started may outlive a test."""
        if self._process.poll() is not None:  # something on this machine has killed it
            self._end()
            self._start()
        self._stdin.write(json.dumps(request).encode() + b"\n")
        pid = int(self._stdout.readline())
        try:
            return self._exit_code()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            self._end()
            self._start()
            raise

    def _exit_code(self) -> int:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            if not selector.select(PATIENCE_S):
                raise TimeoutError(f"a command takes longer than {PATIENCE_S} s")
        return int(self._stdout.readline())

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", str(self._project)],
            cwd=bootstrap.HOME,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # what we wait for must not have been read already
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()
