"""The other end of a cluster's crew: plays matches on a machine that shares no disk with ours."""

import os
import shutil
import socket
from pathlib import Path
from threading import local

import msgspec

from engine import ENGINE_VERSION
from engine.bots.finding import Copies, Packed
from engine.errors import EngineFailure
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.shelves import RESULT
from runners.cores import pin_beside_others


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """A job on its way there, with the bots they are known to lack."""

    job: Job
    bots: dict[str, Packed] = {}
    engine: str = ENGINE_VERSION


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """A result on its way back, with the files of its match."""

    result: MatchResult
    files: dict[str, bytes]


class BotsLacking(Exception):
    """The job is to be sent again, with its bots."""


_here = local()
"""Of a thread that plays: its table."""


def play_afar(parcel: Parcel, scratch: Path) -> Brought:
    """Play a match below `scratch`, and leave nothing of it there.

    Raises: BotsLacking; EngineFailure as Referee.play does.
    """
    if parcel.engine != ENGINE_VERSION:
        raise EngineFailure(
            f"{socket.gethostname()}: has Slime Mind {ENGINE_VERSION}, and the runner "
            f"{parcel.engine}; install the same there"
        )
    if not hasattr(_here, "table"):
        _here.table = Table(scratch)
    table: Table = _here.table
    return table.play(parcel)


class Table:
    """Where a thread plays its matches."""

    def __init__(self, scratch: Path) -> None:
        out = scratch / f"slime-mind-{os.getpid()}-{id(self)}"
        self._copies = Copies(out / "bots")
        self._referee = Referee(out)
        self._core = pin_beside_others()

    def play(self, parcel: Parcel) -> Brought:
        for digest, packed in parcel.bots.items():
            self._copies.unpack(digest, packed)
        if not all(map(self._copies.has, parcel.job.spec.bots)):
            raise BotsLacking
        result = self._referee.play(parcel.job)
        folder = Path(result.folder)
        try:
            files = {file.name: file.read_bytes() for file in folder.iterdir()}
        finally:
            shutil.rmtree(folder)
        del files[RESULT]  # it is written anew where it is filed
        return Brought(result=result, files=files)
