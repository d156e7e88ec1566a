"""A cgroup of its own for each worker: a transient scope of systemd, exact to the byte.

`systemd-run --scope` asks systemd for the scope, goes into it, and becomes the worker: same
process, same parent. The limits are those the kernel keeps for the whole cgroup, so that they
hold for memory of every kind and for all processes that a bot could start.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

INTERPRETER_MB = 64
"""What Python, the engine and numpy take before a bot is loaded, and room beside it."""
TRIAL_MAX_TASKS = 8
"""Processes and threads of the trial."""
CGROUPS_FOLDER = Path("/sys/fs/cgroup")
ENV = shutil.which("env", path=os.defpath) or "/usr/bin/env"
TRIED_MB = 64
PATIENCE_S = 20
BREAK_OUT = f"""
import threading, time
print("begun", flush=True)
try:
    for _ in range({TRIAL_MAX_TASKS}):
        threading.Thread(target=time.sleep, args=({PATIENCE_S},), daemon=True).start()
    print("processes", flush=True)
except RuntimeError:
    pass
b"x" * ({2 * TRIED_MB} << 20)
print("memory", flush=True)
"""


def new_unit() -> str:
    """Return a name for a scope that no other one has."""
    return f"slime-mind-{os.getpid()}-{token_hex(4)}.scope"


def words_for_scope(
    systemd_run: str,
    unit: str,
    *,
    memory_mb: int,
    environment: Mapping[str, str],
    tasks: int = TRIAL_MAX_TASKS,
) -> list[str]:
    """Return what stands before a command that is to run in a scope, with this environment."""
    manager = [] if sys.platform != "win32" and os.geteuid() == 0 else ["--user"]
    limits = (f"MemoryMax={memory_mb}M", "MemorySwapMax=0", f"TasksMax={tasks}")
    return [
        *(systemd_run, *manager, "--scope", f"--unit={unit}"),
        *("--quiet", "--collect", "--no-ask-password"),
        *(f"--property={limit}" for limit in limits),
        # systemd-run itself needs our environment, to find systemd.
        *("--", ENV, "-i", *(f"{name}={value}" for name, value in environment.items())),
    ]


def kill_scope(pid: int, unit: str) -> None:
    """Kill all that is in the scope of a worker, wherever it went."""
    with suppress(OSError):  # the worker is gone, and the scope with it
        home = scope_in(Path(f"/proc/{pid}/cgroup").read_text(), unit)
        if home is not None:
            (home / "cgroup.kill").write_text("1")


def scope_in(cgroups: str, unit: str) -> Path | None:
    """Return the folder of this scope, if these lines of /proc/PID/cgroup lead there.

    What was not moved there lies in a cgroup of the engine's, which is not to be killed.
    """
    for line in cgroups.splitlines():
        if line.startswith("0::/") and line.endswith(f"/{unit}"):
            return CGROUPS_FOLDER / line.removeprefix("0::/")
    return None


def why_no_scope(systemd_run: str | None) -> str:
    """Return why scopes do not hold here, '' if they do: one is started, and overstepped."""
    if systemd_run is None:
        return "there is no systemd-run, which comes with systemd"
    before = words_for_scope(systemd_run, new_unit(), memory_mb=TRIED_MB, environment={})
    try:
        done = subprocess.run(
            [*before, sys.executable, "-s", "-P", "-c", BREAK_OUT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    begun, *overstepped = done.stdout.split() or [""]
    if not begun:
        text = done.stderr.strip().replace("\n", "; ") or f"it ended with {done.returncode}"
        return f"systemd-run could not start one: {text}"
    if overstepped:
        return f"one was started, but does not limit {' and '.join(overstepped)}"
    return ""
