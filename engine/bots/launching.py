"""Worker processes and their launchers: plain, in a bubblewrap or in a cgroup."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

from engine.bots.channel import Channel
from engine.bots.clock import CpuClock
from engine.bots.forking import ForkLauncher
from engine.bots.log import MAX_LOG_BYTES, read_part
from engine.bots.process_start import ENVIRONMENT, Needs
from engine.bots.sandbox import (
    ENCLOSES,
    NEEDS_LINUX,
    PLAYED_ANYWHERE,
    Failings,
    Level,
    require_strict,
)
from engine.bots.sandbox.process import close_memory
from engine.bots.sandbox.scope import (
    INTERPRETER_MB,
    kill_scope,
    new_unit,
    why_no_scope,
    words_for_scope,
)
from engine.bots.sandbox.trials import failings_here
from engine.bots.spawning import WORKER_COMMAND, SpawnedProcess, SpawnLauncher, spawn
from engine.bots.zygote import TryBubbleRequest
from engine.errors import EngineFailure, SandboxMissing
from engine.support.sanitizing import one_line
from engine.support.standard_streams import open_closed_streams

PATIENCE_S = 10
PAUSE_S = 0.001


class Process(Protocol):
    """A worker's process, as its launcher knows it."""

    channel: Channel
    pid: int
    cpu_clock: CpuClock | None

    def pause(self) -> None:
        """Stop it until it is resumed, where that can be asked."""

    def resume(self) -> None: ...

    def interrupt(self) -> bool:
        """Ask it to drop the present call; False where that cannot be asked."""

    def has_ended(self, patience_ms: int) -> bool:
        """Return whether it has ended by itself, or does within this time."""

    def end(self) -> int:
        """Kill it with all it started, and wait: its exit code, or minus the signal's number."""


class Launcher(Protocol):
    """Makes worker processes."""

    failings: Failings
    """The layers of the sandbox that do not hold here, and why."""

    def launch(self, log: int, needs: Needs) -> Process:
        """Start a worker; `log` is a descriptor.

        Raises: EngineFailure if no process can be started.
        """

    def close(self) -> None: ...


def new_launcher(level: Level = Level.DEFAULT) -> Launcher:
    """Return the launcher of a level. Raises: SandboxMissing if it is not available here."""
    close_memory()
    open_closed_streams()  # or a pipe of a bot would have the number of a stream
    if level in ENCLOSES and sys.platform != "linux":
        raise make_refusal(level, NEEDS_LINUX)
    match level:
        case Level.BWRAP:
            return BubbleLauncher()
        case Level.CGROUP:
            return ScopeLauncher()
        case Level.STRICT:
            return _require_strict_launcher(_launcher_of_this_platform())
    return _launcher_of_this_platform()


def require(level: Level) -> None:
    """Raises: SandboxMissing if this level is not available here."""
    if level not in PLAYED_ANYWHERE:
        new_launcher(level).close()


def _launcher_of_this_platform() -> Launcher:
    """Return the usual launcher; SLIME_MIND_LAUNCHER=spawn tries that of other platforms."""
    if os.name != "posix" or os.environ.get("SLIME_MIND_LAUNCHER") == "spawn":
        return SpawnLauncher()
    return ForkLauncher()


def _require_strict_launcher(launcher: Launcher) -> Launcher:
    try:
        require_strict(launcher.failings)
    except SandboxMissing:
        launcher.close()
        raise
    return launcher


class BubbleLauncher(ForkLauncher):
    """Forks each worker into a bubblewrap of its own (Linux)."""

    def __init__(self) -> None:
        """Raises: SandboxMissing if bubblewrap does not hold here."""
        self._bwrap = shutil.which("bwrap")
        super().__init__()
        if why := self._ask(TryBubbleRequest(self._bwrap)):
            self.close()
            raise make_refusal(Level.BWRAP, why)


class ScopeLauncher:
    """Spawns each worker through systemd-run, which becomes it, in a cgroup of its own (Linux)."""

    def __init__(self) -> None:
        """Raises: SandboxMissing if scopes do not hold here."""
        systemd_run = shutil.which("systemd-run")
        if why := why_no_scope(systemd_run):
            raise make_refusal(Level.CGROUP, why)
        assert systemd_run is not None
        self._systemd_run = systemd_run
        self.failings = failings_here()

    def launch(self, log: int, needs: Needs) -> "ScopedProcess":
        unit = new_unit()
        arguments = words_for_scope(
            self._systemd_run,
            unit,
            memory_mb=needs.memory_mb + INTERPRETER_MB,
            tasks=needs.tasks,
            environment=ENVIRONMENT,
        )
        process = ScopedProcess(spawn([*arguments, *WORKER_COMMAND], os.environ, log), unit)
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


def make_refusal(level: Level, why: object) -> SandboxMissing:
    """Return an error in the words of a user who asked for this level."""
    return SandboxMissing(
        f"--sandbox {level}: does not hold on this machine: {why} (docs/sandbox.md says more)"
    )


def _is_started(process: SpawnedProcess) -> bool:
    """Wait until systemd-run has become the worker: before that, no failure is a bot's."""
    deadline = time.monotonic() + PATIENCE_S
    command = Path(f"/proc/{process.pid}/cmdline")
    while not process.has_ended(0) and time.monotonic() < deadline:
        if command.read_bytes().startswith(os.fsencode(WORKER_COMMAND[0]) + b"\0"):
            return True
        time.sleep(PAUSE_S)
    return False


def _last_words(log: int) -> str:
    content = read_part(log, MAX_LOG_BYTES, 0).rstrip(b"\0")
    lines = content.decode(errors="replace").splitlines()
    return one_line(lines[-1]) if lines else "it says nothing"
