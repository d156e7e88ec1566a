"""What a server takes at moments: memory, descriptors, processes, its log and its audit rows."""

import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from statistics import median

import msgspec
from sqlalchemy import func, select

from engine.errors import EngineFailure
from runners.storage.database import Database
from runners.storage.game_tables import audit
from tests.endurance import family, read_memory
from tests.hostile_clients.attacked_server import AttackedServer

EVERY_S = 2.0
MAX_MEMORY = 1_500_000_000
"""Bytes above what it began with, at which a run is ended: other programs need theirs."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What a server takes at a moment."""

    web_memory: int
    """Resident, bytes: of the process that answers requests."""
    memory: int
    """Of that and all processes below it."""
    descriptors: int
    """Open in the process that answers requests."""
    processes: int
    log_bytes: int
    log_lines: int
    audit_rows: int


class Sampler:
    """Takes a sample every few seconds."""

    def __init__(self, server: AttackedServer) -> None:
        self._server = server
        self._log_bytes = self._log_lines = self._audit_rows = 0
        self.samples: list[Sample] = []
        self.is_too_much = threading.Event()
        """Set when the server takes more memory than this machine should spare."""

    def sample(self, is_over: threading.Event) -> None:
        """Take samples until it is over, or the server has ended."""
        with closing(Database(self._server.url)) as database:
            while not (is_over.is_set() or self._server.has_ended):
                with suppress(OSError):  # the server ends this moment
                    self.samples.append(self._take_sample(database))
                    grown = self.samples[-1].memory - self.samples[0].memory
                    if grown > MAX_MEMORY:
                        self.is_too_much.set()
                is_over.wait(EVERY_S)

    def _take_sample(self, database: Database) -> Sample:
        pids = list(family(self._server.pid))
        self._read_log()
        with suppress(EngineFailure), database.reading() as connection:
            query = select(func.count()).select_from(audit)
            self._audit_rows = connection.execute(query).scalar_one()
        return Sample(
            web_memory=read_memory(self._server.pid),
            memory=sum(map(_memory_of_living, pids)),
            descriptors=len(list(Path(f"/proc/{self._server.pid}/fd").iterdir())),
            processes=len(pids),
            log_bytes=self._log_bytes,
            log_lines=self._log_lines,
            audit_rows=self._audit_rows,
        )

    def _read_log(self) -> None:
        """Count the lines that are new."""
        with self._server.log.open("rb") as log:
            log.seek(self._log_bytes)
            while content := log.read(1 << 20):
                self._log_bytes += len(content)
                self._log_lines += content.count(b"\n")


def typical(samples: Sequence[Sample]) -> Sample:
    """Return the medians of some samples: a match of the ladder begins and ends between two."""
    return Sample(
        **{
            name: int(median(getattr(sample, name) for sample in samples))
            for name in Sample.__struct_fields__
        }
    )


def highest(samples: Sequence[Sample]) -> Sample:
    """Return the most that there was of each."""
    return Sample(
        **{
            name: max(getattr(sample, name) for sample in samples)
            for name in Sample.__struct_fields__
        }
    )


def _memory_of_living(pid: int) -> int:
    """Return the resident bytes of a process; 0 for one that has ended."""
    with suppress(OSError):
        return read_memory(pid)
    return 0
