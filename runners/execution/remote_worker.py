"""A cluster's worker: plays matches on a machine that shares no disk with the runner."""

import os
import shutil
import socket
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import local

import msgspec

from engine import ENGINE_VERSION
from engine.bots.finding import Copies, Packed
from engine.bots.imports import find_installed_modules
from engine.bots.programs.languages import NotAllowed, require_tools
from engine.bots.programs.manifest import MANIFEST, BadManifest, read_manifest
from engine.catalog import DEFAULT_GAME, find_package_code
from engine.errors import EngineFailure, SandboxMissing
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.result_folder import RESULT
from engine.spec import MatchSpec
from runners.execution.cores import pin_beside_others

ENGINE = Path(__file__).resolve().parents[2] / "engine"
DIGEST_LETTERS = 16


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """A machine, and the code that it plays with."""

    host: str
    version: str
    code: str
    """The digest of the engine with its games, and of the package of the game that is played."""

    def __str__(self) -> str:
        return f"{self.host} (Slime Mind {self.version}, code {self.code})"


def worker_identity(game: str = DEFAULT_GAME) -> Identity:
    """Return the identity of this process where it plays a game."""
    code = "+".join(map(code_digest, (ENGINE, *find_package_code(game))))
    return Identity(host=socket.gethostname(), version=ENGINE_VERSION, code=code)


class RemoteJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job on its way to a worker, with the bots that the worker is known to lack."""

    job: Job
    bots: dict[str, Packed] = {}
    runner: Identity


def make_remote_job(job: Job, bots: Mapping[str, Packed] | None = None) -> RemoteJob:
    """Return a job with the identity of this process."""
    return RemoteJob(job=job, bots=dict(bots or {}), runner=worker_identity(job.spec.game))


class RemoteResult(msgspec.Struct, frozen=True, kw_only=True):
    """A result on its way back, with the files of its match."""

    result: MatchResult
    files: dict[str, bytes]


class BotsMissing(Exception):
    """The job is to be sent again, with its bots."""


class CodeMismatch(EngineFailure):
    """Two machines would play one match differently; their names."""


def require_same_code(runner: Identity, worker: Identity) -> None:
    """Raises: CodeMismatch."""
    if worker.code != runner.code:
        raise CodeMismatch(
            f"the worker {worker} and the runner {runner} have different code; install the same "
            "on both"
        )


_thread = local()
"""Each thread that plays has its own worker in it."""


def play_remotely(remote_job: RemoteJob, scratch: Path) -> RemoteResult:
    """Play a match below `scratch`, and leave nothing of it there.

    Raises: BotsMissing; CodeMismatch; EngineFailure and SandboxMissing as Referee.play does, and
    EngineFailure where this machine lacks a package or what another language needs.
    """
    require_same_code(remote_job.runner, worker_identity(remote_job.job.spec.game))
    if not hasattr(_thread, "worker"):
        _thread.worker = _MatchWorker(scratch)
    worker: _MatchWorker = _thread.worker
    return worker.play(remote_job)


class _MatchWorker:
    """Plays the matches of one thread, in a folder and on a core of its own."""

    def __init__(self, scratch: Path) -> None:
        out = scratch / f"slime-mind-{os.getpid()}-{id(self)}"
        self._copies = Copies(out / "bots")
        self._referee = Referee(out)
        self._core = pin_beside_others()

    def play(self, remote_job: RemoteJob) -> RemoteResult:
        for digest, packed in remote_job.bots.items():
            self._copies.unpack(digest, packed)
        if not all(map(self._copies.has, remote_job.job.spec.bots)):
            raise BotsMissing
        host = socket.gethostname()
        if why := self._why_not_playable(remote_job.job.spec):
            raise EngineFailure(f"{host}: {why}")
        try:
            result = self._referee.play(remote_job.job)
        except SandboxMissing as error:
            raise SandboxMissing(f"{host}: {error}") from error
        folder = Path(result.folder)
        try:
            files = {file.name: file.read_bytes() for file in folder.iterdir()}
        finally:
            shutil.rmtree(folder)
        del files[RESULT]  # the runner writes its own when it stores the match
        return RemoteResult(result=msgspec.structs.replace(result, host=host), files=files)

    def _why_not_playable(self, spec: MatchSpec) -> str:
        """Return what this machine lacks for these bots, as none of them is to be blamed for it."""
        lacking = sorted(set(spec.packages) - find_installed_modules())
        if lacking:
            return f"{', '.join(lacking)} may be imported by bots, and is not installed there"
        for entry in map(self._copies.find_path, spec.bots):
            if entry.name == MANIFEST:
                try:
                    require_tools(read_manifest(entry.read_bytes()))
                except NotAllowed as error:
                    return f"{error}; give all workers the same languages"
                except BadManifest:  # that is told where it is played
                    continue
        return ""


@cache
def code_digest(folder: Path = ENGINE) -> str:
    """Return the digest of the engine with its games, as it was first asked for.

    A process keeps the code that it has loaded, whatever becomes of the files later.
    """
    content = sha256()
    files = [folder] if folder.is_file() else folder.rglob("*")
    for file in sorted(filter(_is_hashed, files)):
        name, text = file.relative_to(folder).as_posix(), file.read_bytes()
        if file.suffix == ".py":
            text = text.replace(b"\r\n", b"\n")  # as Git writes it on Windows
        content.update(f"{len(name)}:{name}{len(text)}:".encode() + text)
    return content.hexdigest()[:DIGEST_LETTERS]


def _is_hashed(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
