"""A bot's build: in a sandbox of its own, without network, with limits on all of it together.

The compiler and all that it starts are one session, which nothing in it can leave; whoever watches
it ends it as a whole.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from mmap import PAGESIZE
from pathlib import Path
from typing import NoReturn

import msgspec

from engine.bots.process_start import (
    ENVIRONMENT,
    PYTHON,
    ROOT,
    START_CODE,
    as_engine_failure,
    kill_group,
)
from engine.bots.sandbox import Failings, Layer, warm_up
from engine.bots.sandbox.process import stand_alone
from engine.bots.sandbox.rlimits import MEGABYTE, limit

if sys.platform != "win32":  # where no programs are played
    import resource

WALL_S = 300
"""Wall time of a build, seconds."""
CPU_S = 300
"""CPU time of each process of it, seconds."""
MEMORY_MB = 2_048
"""Memory of all its processes together, megabytes."""
MAX_PROCESSES = 64
DISK_MB = 512
"""What it may write, megabytes."""
FILE_MB = 256
MAX_FILES = 20_000
"""How many files and folders there may be. The largest builds known, in Go, make some 3,000."""
LOG_BYTES = 1_000_000
POLL_INTERVAL_S = 0.1
"""How often its processes are counted."""
POLLS_PER_MEASURE = 10
"""So many looks later the disk is measured again."""
OPEN_FILES = 1_024
READS = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives", "/proc/self")


class BuildJob(msgspec.Struct, frozen=True, kw_only=True):
    """What the process that becomes the compiler is told."""

    file: str
    arguments: tuple[str, ...]
    folder: str
    """Where it works: the copy of the bot's files, which it may write."""
    scratch: str
    """A folder for what it needs meanwhile, which is removed."""
    reads: tuple[str, ...]
    environment: dict[str, str]
    layers: tuple[Layer, ...]


class BuildFailed(Exception):
    """A bot's program could not be made, in one line; `output` is what the tools said."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def layers_of_builds(failings: Failings) -> tuple[Layer, ...]:
    """Return what holds here of the layers that a build can be put into."""
    return tuple(layer for layer in Layer if layer not in failings)


def run_build(job: BuildJob, log: Path) -> None:
    """Run a build to its end. Raises: BuildFailed; EngineFailure if it could not be started."""
    command = [*PYTHON, START_CODE.format("programs.building"), "0", str(ROOT)]
    with log.open("wb") as output, as_engine_failure():
        process = subprocess.Popen(
            command,
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(msgspec.json.encode(job))
        why = _watch(process, (Path(job.folder), Path(job.scratch)))
    finally:
        kill_group(process.pid)
        process.wait()
    if why or process.returncode:
        raise _make_failure(job, process.returncode, why, log)


def main(_: int) -> NoReturn:
    """Be the process that becomes the compiler."""
    job = msgspec.json.decode(os.read(0, MEGABYTE), type=BuildJob)
    try:
        _exec_build(job)
    except OSError as error:
        os.write(2, f"{job.arguments[0]}: {error}\n".encode())
    os._exit(1)


def _exec_build(job: BuildJob) -> None:
    """Raises: OSError."""
    from engine.bots.sandbox import filesystem, syscalls

    warm_up()
    syscalls.filter_of_this_machine(syscalls.Profile.BUILD)
    os.chdir(job.folder)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for layer in job.layers:
        match layer:
            case Layer.PROCESS:
                stand_alone(map(Path, (job.folder, *job.reads)))
            case Layer.LIMITS:
                _limit_resources()
            case Layer.FILES:
                reads = [path for word in (*READS, *job.reads) if (path := Path(word)).exists()]
                filesystem.shut_off_files(reads, map(Path, (job.folder, job.scratch)))
            case Layer.CALLS:
                syscalls.shut_off_calls(syscalls.Profile.BUILD)
    os.execve(job.file, job.arguments, job.environment)


def _limit_resources() -> None:
    if sys.platform != "win32":
        for what, value in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_CPU, CPU_S),
            (resource.RLIMIT_FSIZE, FILE_MB * MEGABYTE),
            (resource.RLIMIT_DATA, MEMORY_MB * MEGABYTE),
            (resource.RLIMIT_NOFILE, OPEN_FILES),
        ):
            limit(what, value)


def _watch(process: "subprocess.Popen[bytes]", folders: Sequence[Path]) -> str:
    """Wait until it has ended; return what it had too much of, '' if nothing."""
    deadline, looks = time.monotonic() + WALL_S, 0
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_INTERVAL_S)
        looks += 1
        if time.monotonic() > deadline:
            return f"takes more than {WALL_S} s"
        why = _find_excess(process.pid)
        if not why and (looks % POLLS_PER_MEASURE == 0 or process.returncode is not None):
            why = _excess_in(folders)
        if why or process.returncode is not None:
            return why


def _find_excess(session: int) -> str:
    """Return what a session has too much of now, '' if nothing."""
    sizes = list(_read_memory_sizes(session))
    if len(sizes) > MAX_PROCESSES:
        return f"starts more than {MAX_PROCESSES} processes"
    if sum(sizes) > MEMORY_MB * MEGABYTE:
        return f"takes more than {MEMORY_MB} MB of memory"
    return ""


def _read_memory_sizes(session: int) -> Iterator[int]:
    """Yield the bytes of memory of each process of a session (Linux; else nothing)."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has ended
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                yield int(fields[21]) * PAGESIZE


def _excess_in(folders: Iterable[Path]) -> str:
    """Return what there is too much of in these folders, '' if nothing."""
    size = 0
    for number, entry in enumerate(_entries_in(folders), 1):
        if number > MAX_FILES:  # it ends here: looking through all would hold us up
            return f"makes more than {MAX_FILES} files and folders"
        with suppress(OSError):  # it has been removed
            size += entry.lstat().st_size
    return f"writes more than {DISK_MB} MB" if size > DISK_MB * MEGABYTE else ""


def _entries_in(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        for directory, within, names in os.walk(folder):
            for name in (*within, *names):
                yield Path(directory, name)


def _make_failure(job: BuildJob, status: int, why: str, log: Path) -> BuildFailed:
    with log.open("rb") as file:
        output = file.read(LOG_BYTES).decode("utf-8", "replace")
    tool = job.arguments[0]
    if why:
        return BuildFailed(f"its build {why}", output)
    ended = (
        f"was ended by signal {signal.Signals(-status).name}"
        if status < 0
        else f"ended with exit code {status}"
    )
    first = _telling_line(output)
    return BuildFailed(f"{tool} {ended}{': ' if first else ''}{first}", output)


def _telling_line(output: str) -> str:
    """Return the line of a compiler's output that says most: the first one with an error."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or [""])[0]
