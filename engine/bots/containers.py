"""Workers in an enclosure that is asked for by name: a bubblewrap, or a cgroup."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from engine.bots.forking import ForkLauncher
from engine.bots.log import MOST_BYTES, read_part
from engine.bots.process_start import ENVIRONMENT, Needs
from engine.bots.sandbox import Level
from engine.bots.sandbox.scope import (
    INTERPRETER_MB,
    kill_scope,
    new_unit,
    why_no_scope,
    words_for_scope,
)
from engine.bots.sandbox.trials import failings_here
from engine.bots.spawning import WORKER, SpawnedProcess, spawn
from engine.bots.zygote import EncloseRequest, Request, TryBubbleRequest
from engine.errors import EngineFailure, SandboxMissing
from engine.support.sanitizing import one_line

PATIENCE_S = 10
PAUSE_S = 0.001


class BubbleLauncher(ForkLauncher):
    """Forks each worker into a bubblewrap of its own (Linux)."""

    def __init__(self) -> None:
        """Raises: SandboxMissing if bubblewrap does not hold here."""
        self._bwrap = shutil.which("bwrap")
        super().__init__()
        if why := self._ask(TryBubbleRequest(self._bwrap)):
            self.close()
            raise refusal(Level.BWRAP, why)

    def _wish(self, needs: Needs) -> Request:
        assert self._bwrap is not None
        return EncloseRequest(needs.has_numpy, self._bwrap, tuple(map(str, needs.reads)))


class ScopeLauncher:
    """Spawns each worker through systemd-run, which becomes it, in a cgroup of its own (Linux)."""

    def __init__(self) -> None:
        """Raises: SandboxMissing if scopes do not hold here."""
        systemd_run = shutil.which("systemd-run")
        if why := why_no_scope(systemd_run):
            raise refusal(Level.CGROUP, why)
        assert systemd_run is not None
        self._systemd_run = systemd_run
        self.failings = failings_here()

    def launch(self, log: int, needs: Needs) -> "ScopedProcess":
        unit = new_unit()
        words = words_for_scope(
            self._systemd_run,
            unit,
            memory_mb=needs.memory_mb + INTERPRETER_MB,
            tasks=needs.tasks,
            environment=ENVIRONMENT,
        )
        process = ScopedProcess(spawn([*words, *WORKER], os.environ, log), unit)
        if not _is_started(process):
            process.end()
            raise EngineFailure(f"systemd-run started no process for a bot: {_last_words(log)}")
        return process

    def close(self) -> None:
        """Do nothing: a scope ends with its worker."""


class ScopedProcess(SpawnedProcess):
    """A worker in a scope, which ends with all that is in it."""

    def __init__(self, process: "subprocess.Popen[bytes]", unit: str) -> None:
        super().__init__(process)
        self._unit = unit

    def end(self) -> int:
        kill_scope(self.pid, self._unit)
        return super().end()


def refusal(level: Level, why: object) -> SandboxMissing:
    """Return an error in the words of a user who asked for this level."""
    return SandboxMissing(
        f"--sandbox {level}: does not hold on this machine: {why} (docs/sandbox.md says more)"
    )


def _is_started(process: SpawnedProcess) -> bool:
    """Wait until systemd-run has become the worker: before that, no failure is a bot's."""
    deadline = time.monotonic() + PATIENCE_S
    command = Path(f"/proc/{process.pid}/cmdline")
    while not process.has_ended(0) and time.monotonic() < deadline:
        if command.read_bytes().startswith(os.fsencode(WORKER[0]) + b"\0"):
            return True
        time.sleep(PAUSE_S)
    return False


def _last_words(log: int) -> str:
    content = read_part(log, MOST_BYTES, 0).rstrip(b"\0")
    lines = content.decode(errors="replace").splitlines()
    return one_line(lines[-1]) if lines else "it says nothing"
