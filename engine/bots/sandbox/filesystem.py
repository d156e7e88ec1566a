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
    devices: tuple[str, ...] = DEVICES,
) -> None:
    """Leave this process what it needs to read, and to write if anything.

    Raises: OSError where there is no Landlock.
    """
    from landlockpy import AccessFS, Ruleset, Scope  # installed on Linux alone

    load, list_too = AccessFS.READ_FILE | AccessFS.EXECUTE, AccessFS.READ_DIR
    with Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL) as ruleset:
        for path in readable:
            ruleset.allow_path(path, load | list_too if _is_folder(path) else load)
        for path in writable:
            ruleset.allow_path(path, ruleset.handled_fs)
        for path in _existing_devices(devices):
            ruleset.allow_path(path, AccessFS.READ_FILE | AccessFS.WRITE_FILE)
        ruleset.restrict()


def warm_up() -> None:
    """Do what costs milliseconds the first time: load the library, its flags, and the paths."""
    from landlockpy import Ruleset, Scope

    for path in interpreter_roots():
        _is_folder(path)
    _existing_devices(DEVICES)
    Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL).close()


@cache
def interpreter_paths() -> list[Path]:
    """Return the standard library, installed packages, and the system's shared libraries."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [Path(sysconfig.get_path(name)) for name in names]
    return _existing([*paths, Path(sys.base_prefix, "lib"), *map(Path, SYSTEM)])


@cache
def interpreter_roots() -> list[Path]:
    """Return the interpreter's paths without links, and without those that lie in another."""
    paths = {path.resolve() for path in interpreter_paths()}
    return sorted(path for path in paths if paths.isdisjoint(path.parents))


@cache
def system_paths() -> list[Path]:
    """Return the system's shared libraries, which every program needs."""
    return _existing(map(Path, SYSTEM))


@cache
def _existing_devices(names: tuple[str, ...]) -> list[Path]:
    return _existing(map(Path, names))


@cache
def _is_folder(path: Path) -> bool:
    return path.is_dir()


def _existing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.exists()]
