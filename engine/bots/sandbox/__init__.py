"""What a worker may touch: decided here, before any line of the bot runs.

Four layers, each a file beside this one. A worker puts them on itself, in this order: what
needs rights comes before what takes them away.
"""

import os
import sys
from collections.abc import Container
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from engine.errors import SandboxMissing


class Layer(StrEnum):
    """A mechanism that confines a worker."""

    PROCESS = "process"
    LIMITS = "limits"
    FILES = "files"
    CALLS = "calls"


PURPOSE = {
    Layer.PROCESS: "it ends with the engine; no rights, not even root's; nobody reads its memory",
    Layer.LIMITS: "memory, CPU, open files, and the size of what it writes are bounded",
    Layer.FILES: "it reads Python and its own files, nothing else, and writes none (Landlock)",
    Layer.CALLS: "no processes, threads, network, signals to others, locks (seccomp)",
}
DANGER = {
    Layer.PROCESS: "could outlive the match",
    Layer.LIMITS: "could fill memory and disk",
    Layer.FILES: "could read and change your files",
    Layer.CALLS: "could start processes and use the network",
}


Failings = dict[Layer, str]
"""Layer -> why it does not hold on this machine; a layer that holds is not in it."""


class Level(StrEnum):
    """How much an organizer asks for."""

    STRICT = "strict"
    DEFAULT = "default"
    BWRAP = "bwrap"
    CGROUP = "cgroup"
    OFF = "off"


ENCLOSES = {
    Level.BWRAP: "a bubblewrap around each bot: no other process, network or file is there",
    Level.CGROUP: "a cgroup around each bot: memory of all kinds and processes are bounded",
}
"""What levels beyond `default` put around a worker, which it cannot put on itself."""
NEEDS_LINUX = "it needs Linux"


PLAYED_ANYWHERE = frozenset({Level.DEFAULT, Level.OFF})
"""The levels that no machine and no user is refused."""


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """The layers and limits that one worker puts on itself."""

    layers: tuple[Layer, ...]
    memory_mb: int
    cpu_s: int
    """CPU time after which the kernel ends it, should all else fail."""


def confine(confinement: Confinement, *reads: Path, ruleset: int | None = None) -> None:
    """Called by the worker on itself; `reads` is what it may read besides Python.

    `ruleset`: a descriptor of what Landlock allows then, prepared before the fork; it is closed.
    Raises: OSError if a layer does not hold: no bot runs then.
    """
    warm_up()  # what is not read by now cannot be read any more
    for layer in confinement.layers:
        put_on(layer, confinement, *reads, ruleset=ruleset)
    if ruleset is not None:
        os.close(ruleset)


def put_on(
    layer: Layer, confinement: Confinement, *reads: Path, ruleset: int | None = None
) -> None:
    """Put on one layer. Raises: OSError."""
    # Imported by name: each exists on some systems only.
    match layer:
        case Layer.PROCESS:
            from engine.bots.sandbox.filesystem import interpreter_roots
            from engine.bots.sandbox.process import stand_alone

            stand_alone((*interpreter_roots(), *reads))
        case Layer.LIMITS:
            from engine.bots.sandbox.rlimits import limit_resources

            limit_resources(memory_mb=confinement.memory_mb, cpu_s=confinement.cpu_s)
        case Layer.FILES if ruleset is not None:
            from engine.bots.sandbox.landlock import restrict

            restrict(ruleset)
        case Layer.FILES:
            from engine.bots.sandbox.filesystem import interpreter_roots, shut_off_files

            shut_off_files((*interpreter_roots(), *reads))
        case Layer.CALLS:
            from engine.bots.sandbox.syscalls import shut_off_calls

            shut_off_calls()


@cache
def warm_up() -> None:
    """Import and make, once and before the forks, what every worker will need."""
    if sys.platform == "linux":
        from engine.bots.sandbox import filesystem, rlimits, syscalls  # noqa: F401

        with suppress(ImportError, OSError):
            filesystem.warm_up()
            for profile in syscalls.Profile:
                syscalls.filter_of_this_machine(profile)


def require_strict(failings: Failings) -> None:
    """Raises: SandboxMissing unless every layer holds, and not for root."""
    if failings:
        why = "; ".join(f"{layer}: {reason}" for layer, reason in failings.items())
        raise SandboxMissing(f"--sandbox strict: not all layers hold on this machine: {why}")
    if sys.platform != "win32" and os.geteuid() == 0:
        raise SandboxMissing(
            "--sandbox strict: root could take limits off again; play as an ordinary user"
        )


def layers_for(level: Level, missing: Container[Layer]) -> tuple[Layer, ...]:
    """Return what a worker puts on at this level, of what the system offers."""
    if os.name != "posix":
        return ()
    wanted = (Layer.PROCESS,) if level is Level.OFF else tuple(Layer)
    return tuple(layer for layer in wanted if layer not in missing)


def is_root() -> bool:
    """Return whether this process is the system's root, for whom some limits do not count."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
