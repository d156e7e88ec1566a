"""A Dask cluster of real processes, each as somebody would start it on a machine of its own."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes.util import find_library
from pathlib import Path
from typing import Any

import bootstrap
from tests import needs
from tests.shell import eventually, free_port

needs_seccomp = needs.mark(find_library("seccomp"), "libseccomp")

WITHOUT_LANDLOCK = (
    "-c",
    """
import errno, runpy, sys
import pyseccomp

filters = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
filters.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "landlock_create_ruleset")
filters.load()
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
""",
)
"""Python's words before a module's name that run it as if on a kernel without Landlock."""


class Machines:
    """A scheduler and its workers, each a process of its own."""

    def __init__(
        self,
        folder: Path,
        *,
        python: Path | str = sys.executable,
        cwd: Path = bootstrap.HOME,
        protocol: str = "tcp",
        options: tuple[str, ...] = (),
        is_grouped: bool = False,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """`options` stand behind every command; `is_grouped`: each has a session of its own.

        `settings`: of Dask, as environment variables without what all of them begin with.
        """
        self._is_grouped = is_grouped
        named = {f"DASK_DISTRIBUTED__{name}": value for name, value in (settings or {}).items()}
        self._environment = {**os.environ, **named}
        self._folder, self._python, self._cwd, self._options = folder, python, cwd, options
        self._port = str(free_port())
        self._protocol = protocol
        self.address = f"{protocol}://127.0.0.1:{self._port}"
        self.running: list[subprocess.Popen[bytes]] = []

    def set(self, name: str, value: object) -> None:
        """Set an environment variable of whatever is started from now on."""
        self._environment[name] = str(value)

    def start_scheduler(self) -> "subprocess.Popen[bytes]":
        place = ("--host", "127.0.0.1", "--port", self._port, "--protocol", self._protocol)
        return self._start("scheduler", *place, "--no-show", cwd=self._cwd)

    def start_worker(
        self, cwd: Path | None = None, before: tuple[str, ...] = ("-m",)
    ) -> "subprocess.Popen[bytes]":
        """Start a worker without a nanny, which would start it again.

        `cwd` is the tree it plays with; `before` are Python's words before the name of Dask's
        module.
        """
        scratch = ("--local-directory", str(self._folder / "scratch"))
        parts = (self.address, "--nthreads", "1", "--no-nanny", *scratch)
        return self._start("worker", *parts, cwd=cwd or self._cwd, before=before)

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()

    def logs(self) -> str:
        """Return what all of them have written so far, each below its name."""
        files = sorted(self._folder.glob("dask-*.log"))
        return "".join(f"-- {file.name}\n{file.read_text(errors='replace')}" for file in files)

    def _start(
        self, what: str, *parts: str, cwd: Path, before: tuple[str, ...] = ("-m",)
    ) -> "subprocess.Popen[bytes]":
        command = (str(self._python), *before, f"distributed.cli.dask_{what}")
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / f"dask-{len(self.running):02}-{what}.log").open("wb") as log:
            process = subprocess.Popen(
                [*command, *parts, "--no-dashboard", *self._options],
                cwd=cwd,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=self._is_grouped,
            )
        self.running.append(process)
        return process


@contextmanager
def cluster_in(folder: Path, **options: Any) -> Iterator[Machines]:
    """Run a scheduler, without workers yet; a test that fails shows what all of them wrote."""
    machines = Machines(folder, **options)
    try:
        machines.start_scheduler()
        assert eventually(lambda: is_listening(machines.address))
        yield machines
    finally:
        machines.stop()
        sys.stderr.write(machines.logs())


def is_listening(address: str) -> bool:
    host, _, port = address.partition("://")[2].partition(":")
    with socket.socket() as finder:
        return finder.connect_ex((host, int(port))) == 0
