"""Which layers hold on this machine: found out by putting them on and trying to break out."""

import json
import mmap
import os
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from engine.bots.sandbox import ENCLOSES, NEEDS_LINUX, Confinement, Failings, Layer, Level, put_on
from engine.bots.sandbox.bubble import why_no_bubble
from engine.bots.sandbox.process import close_all_but, fork
from engine.bots.sandbox.scope import why_no_scope

TRIAL_MEMORY_MB = 64
TRIAL_CONFINEMENT = Confinement(layers=tuple(Layer), memory_mb=TRIAL_MEMORY_MB, cpu_s=10)


def failings_here() -> Failings:
    """Put every layer on a child of this process, and try what each should prevent."""
    if os.name != "posix":
        return dict.fromkeys(Layer, "this system has nothing of the kind")
    reader, writer = os.pipe()
    pid = fork()
    if pid == 0:
        _run_trials(writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as report:
        lines = report.read().splitlines()
    os.waitpid(pid, 0)
    found = {Layer(layer): why for layer, why in map(json.loads, lines)}
    failings = {layer: why for layer, why in found.items() if why}
    return failings | {layer: "its trial ended" for layer in Layer if layer not in found}


def enclosures_here() -> dict[Level, str]:
    """Return why what a level puts around workers does not hold here; '' if it does."""
    if sys.platform != "linux":
        return dict.fromkeys(ENCLOSES, NEEDS_LINUX)
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        return {
            Level.BWRAP: why_no_bubble(shutil.which("bwrap")),
            Level.CGROUP: why_no_scope(shutil.which("systemd-run")),
        }


def _run_trials(writer: int) -> NoReturn:
    """Write a line per layer: its name, and why it does not hold ('' if it does)."""
    try:
        close_all_but([writer])  # or what this process has open would count among the child's files
        for layer in Layer:
            try:
                put_on(layer, TRIAL_CONFINEMENT, Path(__file__).parent)
                why = "" if _ATTEMPTS[layer]() else "puts itself on, but does not hold"
            except (ImportError, OSError) as error:
                why = str(error)
            os.write(writer, json.dumps((layer, why)).encode() + b"\n")
    finally:  # whatever is raised: else two would go on as this process
        os._exit(0)


def _process_holds() -> bool:
    status = Path("/proc/self/status").read_text()
    return "NoNewPrivs:\t1" in status


def _limits_hold() -> bool:
    return _is_refused(lambda: mmap.mmap(-1, 2 * TRIAL_MEMORY_MB << 20))


def _files_hold() -> bool:
    folder = Path("/tmp")
    return _is_refused(lambda: list(folder.iterdir())) and _is_refused((folder / "out").mkdir)


def _calls_hold() -> bool:
    return _is_refused(socket.socket) and _is_refused(lambda: os.kill(os.getppid(), 0))


_ATTEMPTS: dict[Layer, Callable[[], bool]] = {
    Layer.PROCESS: _process_holds,
    Layer.LIMITS: _limits_hold,
    Layer.FILES: _files_hold,
    Layer.CALLS: _calls_hold,
}


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False
