"""The protocols of a worker's process and its launcher, and the choice of the launcher."""

import os
import sys
from typing import Protocol

from engine.bots.channel import Channel
from engine.bots.clock import CpuClock
from engine.bots.containers import BubbleLauncher, ScopeLauncher, refusal
from engine.bots.forking import ForkLauncher
from engine.bots.process_start import Needs
from engine.bots.sandbox import (
    ENCLOSES,
    NEEDS_LINUX,
    PLAYED_ANYWHERE,
    Failings,
    Level,
    require_strict,
)
from engine.bots.sandbox.process import close_memory
from engine.bots.spawning import SpawnLauncher
from engine.errors import SandboxMissing
from engine.support.standard_streams import open_closed_streams


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
        raise refusal(level, NEEDS_LINUX)
    match level:
        case Level.BWRAP:
            return BubbleLauncher()
        case Level.CGROUP:
            return ScopeLauncher()
        case Level.STRICT:
            return _strict(_launcher_of_this_platform())
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


def _strict(launcher: Launcher) -> Launcher:
    try:
        require_strict(launcher.failings)
    except SandboxMissing:
        launcher.close()
        raise
    return launcher
