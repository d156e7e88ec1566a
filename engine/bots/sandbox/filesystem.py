"""Landlock: which files a worker can open (Linux; no root needed).

Read-only: the interpreter, its libraries, and the bot's own private copy. Nothing else can
be opened, listed, made or removed; no TCP; and, as far as the kernel knows these, no
abstract sockets and no signals out of the worker's domain.
"""

import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache")
DEVICES_OF_PROGRAMS = ("/dev/null", "/dev/urandom", "/dev/random")
"""The same without /dev/zero, which can be mapped as shared memory that no limit counts."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def shut_off_files(
    readable: Iterable[Path],
    writable: Iterable[Path] = (),
    devices: Iterable[str] = DEVICES,
) -> None:
    """Leave this process what it needs to read, and to write if anything.

    Raises: OSError where there is no Landlock.
    """
    from landlockpy import AccessFS, Ruleset, Scope  # installed on Linux alone

    load = AccessFS.READ_FILE | AccessFS.EXECUTE
    with Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL) as ruleset:
        for path in readable:
            ruleset.allow_path(path, load | AccessFS.READ_DIR if path.is_dir() else load)
        for path in writable:
            ruleset.allow_path(path, ruleset.handled_fs)
        for path in _existing(map(Path, devices)):
            ruleset.allow_path(path, AccessFS.READ_FILE | AccessFS.WRITE_FILE)
        ruleset.restrict()


def warm_up() -> None:
    """Do what costs milliseconds the first time: load the library, its flags, and the paths."""
    from landlockpy import Ruleset, Scope

    interpreter_paths()
    Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL).close()


@cache
def interpreter_paths() -> list[Path]:
    """Return the standard library, installed packages, and the system's shared libraries."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [Path(sysconfig.get_path(name)) for name in names]
    return _existing([*paths, Path(sys.base_prefix, "lib"), *map(Path, SYSTEM)])


@cache
def system_paths() -> list[Path]:
    """Return the system's shared libraries, which every program needs."""
    return _existing(map(Path, SYSTEM))


def _existing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.exists()]
