"""The server that is attacked: a real one, with few descriptors, and who lives on it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import bootstrap
from runners.storage.database import Database
from runners.storage.schema import DATABASE, ensure_schema
from tests.shell import ENVIRONMENT, PATIENCE_S, free_port
from tests.soak.league import new_ladder
from tests.soak.visitors import Visitor

DESCRIPTORS = 512
LIMITED = ("sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$@"', "sh")
"""Runs a command that may open so many files and sockets, and cannot raise that."""


class AttackedServer:
    """`main.py serve` with SQLite, which plays one match of its ladder at a time."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.out = folder / "results"
        self.log = log
        self.url = f"sqlite:///{self.out / DATABASE}"
        self.ports: Sequence[int] = (free_port(),)
        with closing(Database(self.url)) as database:
            ensure_schema(database)
            self.ladder = new_ladder(database, self.out)
        self._process = self._start()

    @property
    def port(self) -> int:
        return self.ports[0]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Return whether it has ended by itself."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End it, and all that it has started."""
        if self.has_ended:
            return
        os.killpg(self.pid, signal.SIGTERM)
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        main = (sys.executable, "-m", "tests.hostile_clients.serving", "--out", str(self.out))
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [
                    *LIMITED,
                    *main,
                    "serve",
                    "--guests-write",
                    "--port",
                    str(self.port),
                    "--jobs",
                    "1",
                ],
                cwd=bootstrap.HOME,
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


@contextmanager
def attacked_server(folder: Path, log: Path) -> Iterator[AttackedServer]:
    """Serve as long as the block lasts."""
    with closing(AttackedServer(folder, log)) as server:
        Visitor(server).insist("GET", "/healthz/ready")
        yield server
