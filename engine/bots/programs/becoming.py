"""A worker that becomes a program: it puts every layer on itself, and then execs, once.

The process stays what it was, with its pid, its pipes and its log; the program finds the engine at
standard input and output.
"""

import errno
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

import msgspec

from engine.bots.log import MAX_LOG_BYTES
from engine.bots.sandbox import Confinement, Layer, warm_up
from engine.bots.sandbox.process import stand_alone
from engine.bots.sandbox.rlimits import MEGABYTE, limit

if sys.platform != "win32":  # where no programs are played
    import resource

OPEN_FILES = 128
MORE_THREADS = 64
"""How many threads a program may have at the least: they are counted by user, of whom more may
run."""
STACK_BYTES = 16 * MEGABYTE
STDIN, STDOUT, STDERR = 0, 1, 2


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker becomes, found by the engine: nothing is looked up inside the sandbox."""

    file: str
    """The absolute path of what is executed."""
    arguments: tuple[str, ...]
    """Its command line, the name of the program first."""
    folder: str
    """The bot's own files, with what was built of them; the program starts there."""
    environment: dict[str, str] = {}
    reads: tuple[str, ...] = ()
    """Files and folders that it may read besides its own and the system's libraries."""
    has_threads: bool = False
    """Whether it may have threads."""
    reserve_mb: int = 0
    """Addresses it may reserve beyond its memory, megabytes."""


def become(
    program: Program, confinement: Confinement, reader: int, writer: int, log: int
) -> NoReturn:
    """Turn this process into a program. Raises: OSError if it cannot be executed."""
    warm_up()  # what is not read by now cannot be read any more
    os.chdir(program.folder)
    entry = os.open(program.file, os.O_RDONLY)
    _take_places(reader, writer, log)
    for name in ("SIGPIPE", "SIGINT"):
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    # A log that is full refuses what comes, and does not end the program.
    if sys.platform != "win32":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for layer in confinement.layers:
        _put_on(layer, program, confinement)
    if Layer.CALLS in confinement.layers:
        from engine.bots.sandbox.syscalls import ENTRY_FD, Profile, shut_off_calls

        os.dup2(entry, ENTRY_FD, inheritable=False)
        os.close(entry)
        entry = ENTRY_FD
        if sys.platform != "win32":
            limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        shut_off_calls(Profile.THREADS if program.has_threads else Profile.PROGRAM)
    if os.execve in os.supports_fd:
        os.execve(entry, program.arguments, program.environment)
    os.execve(program.file, program.arguments, program.environment)


def why_not(error: OSError) -> str:
    """Return why something cannot be executed, for its author."""
    # What begins with #! is looked for by the name of a descriptor, which is closed by then.
    if error.errno in (errno.ENOEXEC, errno.ENOENT):
        return "it is not a program of this machine; of a script, name the interpreter first in run"
    return error.strerror or str(error)


def _take_places(reader: int, writer: int, log: int) -> None:
    """Put the pipes where programs expect them, and close their other descriptors."""
    for source, target in ((reader, STDIN), (writer, STDOUT), (log, STDERR)):
        os.dup2(source, target)
    for descriptor in {reader, writer, log} - {STDIN, STDOUT, STDERR}:
        os.close(descriptor)


def _put_on(layer: Layer, program: Program, confinement: Confinement) -> None:
    match layer:
        case Layer.PROCESS:
            stand_alone(map(Path, (program.file, program.folder, *program.reads)))
        case Layer.LIMITS:
            _limit_resources(program, confinement)
        case Layer.FILES:
            from engine.bots.sandbox.filesystem import (
                DEVICES_OF_PROGRAMS,
                shut_off_files,
                system_paths,
            )

            own = map(Path, (program.file, program.folder, *program.reads))
            shut_off_files((*system_paths(), *own), devices=DEVICES_OF_PROGRAMS)
        case Layer.CALLS:
            pass  # the last one, from which on there is nothing but the exec


def _limit_resources(program: Program, confinement: Confinement) -> None:
    """Limit memory, CPU, threads and files.

    Memory is what can be written: runtimes reserve addresses by the gigabyte. The limit on those
    bounds the tables of pages that even reading would fill.
    """
    if sys.platform != "win32":
        memory = confinement.memory_mb * MEGABYTE
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_FSIZE, MAX_LOG_BYTES)
        limit(resource.RLIMIT_CPU, confinement.cpu_s)
        limit(resource.RLIMIT_MEMLOCK, 0)
        limit(resource.RLIMIT_STACK, STACK_BYTES)
        if hasattr(resource, "RLIMIT_MSGQUEUE"):  # Linux
            limit(resource.RLIMIT_MSGQUEUE, 0)
            threads = _threads_of_all() + MORE_THREADS if program.has_threads else 0
            limit(resource.RLIMIT_NPROC, threads)
            limit(resource.RLIMIT_AS, memory + program.reserve_mb * MEGABYTE)
            limit(resource.RLIMIT_DATA, memory)


def _threads_of_all() -> int:
    """Return how many threads there are on this machine, of which this user's are some."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
