"""What a worker's process and its launcher are to the rest of the engine, and which one it gets."""

import os
from pathlib import Path
from typing import Protocol

from engine.bots.channel import Channel
from engine.bots.clock import CpuClock
from engine.bots.forking import ForkLauncher
from engine.bots.sandbox import Failings
from engine.bots.sandbox.process import close_memory
from engine.bots.spawning import SpawnLauncher


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
        """Whether it has ended by itself, or does within this time."""

    def end(self) -> int:
        """Kill it with all it started, and wait: its exit code, or minus the signal's number."""


class Launcher(Protocol):
    """Makes worker processes."""

    failings: Failings
    """The layers of the sandbox that do not hold here, and why."""

    def launch(self, log: Path) -> Process:
        """Raises: EngineFailure if no process can be started."""

    def close(self) -> None: ...


def new_launcher() -> Launcher:
    """The launcher of this platform; SLIME_MIND_LAUNCHER=spawn tries the other one."""
    close_memory()
    if os.name != "posix" or os.environ.get("SLIME_MIND_LAUNCHER") == "spawn":
        return SpawnLauncher()
    return ForkLauncher()
