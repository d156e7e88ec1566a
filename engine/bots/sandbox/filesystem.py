"""Landlock: which files a worker can open (Linux; no root needed).

Read-only: the interpreter, its libraries, and the bot's own private copy. Nothing else can
be opened, listed, made or removed; no TCP; and, as far as the kernel knows these, no
abstract sockets and no signals out of the worker's domain.
"""

import sys
import sysconfig
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from engine.bots.sandbox.landlock import Access, Ruleset, restrict

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache")
DEVICES_OF_PROGRAMS = ("/dev/null", "/dev/urandom", "/dev/random")
"""The same without /dev/zero, which can be mapped as shared memory that no limit counts."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
MAX_PREPARED = 16

_prepared: dict[tuple[tuple[str, int, int], ...], Ruleset] = {}
"""The rulesets of workers that were forked last, by the files and folders that these read. Which
file a path was belongs to it: a rule is about that file, and not about another of its name."""


def shut_off_files(
    readable: Iterable[Path], writable: Iterable[Path] = (), devices: tuple[str, ...] = DEVICES
) -> None:
    """Leave this process what it needs to read, and to write if anything.

    Raises: OSError where there is no Landlock.
    """
    with _make_ruleset(readable, writable, devices) as ruleset:
        restrict(ruleset.descriptor)


def prepare_ruleset(reads: tuple[str, ...]) -> int | None:
    """Return the descriptor of a ruleset for a worker that reads these besides Python.

    It is made before the fork, once for many workers; None where it cannot be made here. Each
    worker restricts itself by it, and closes it before its bot runs, so that none adds to it.
    """
    try:
        key = tuple((path, (found := Path(path).stat()).st_dev, found.st_ino) for path in reads)
        if key not in _prepared:
            ruleset = _make_ruleset((*interpreter_roots(), *map(Path, reads)))
            if len(_prepared) == MAX_PREPARED:
                _prepared.pop(next(iter(_prepared))).close()
            _prepared[key] = ruleset
        return _prepared[key].descriptor
    except OSError:  # which the worker meets itself, and says
        return None


def _make_ruleset(
    readable: Iterable[Path], writable: Iterable[Path] = (), devices: tuple[str, ...] = DEVICES
) -> Ruleset:
    load, list_too = Access.READ_FILE | Access.EXECUTE, Access.READ_DIR
    with ExitStack() as if_it_fails:
        ruleset = if_it_fails.enter_context(Ruleset())
        for path in readable:
            ruleset.allow(path, load | list_too if _is_folder(path) else load)
        for path in writable:
            ruleset.allow(path, ruleset.files)
        for path in _existing_devices(devices):
            ruleset.allow(path, Access.READ_FILE | Access.WRITE_FILE)
        if_it_fails.pop_all()
    return ruleset


def warm_up() -> None:
    """Do what costs time the first time: look up the paths, and make a ruleset."""
    for path in interpreter_roots():
        _is_folder(path)
    _existing_devices(DEVICES)
    with Ruleset():
        pass


@cache
def interpreter_paths() -> list[Path]:
    """Return the standard library, installed packages, and the system's shared libraries."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [Path(sysconfig.get_path(name)) for name in names]
    return _keep_existing([*paths, Path(sys.base_prefix, "lib"), *map(Path, SYSTEM)])


@cache
def interpreter_roots() -> list[Path]:
    """Return the interpreter's paths without links, and without those that lie in another."""
    paths = {path.resolve() for path in interpreter_paths()}
    return sorted(path for path in paths if paths.isdisjoint(path.parents))


@cache
def system_paths() -> list[Path]:
    """Return the system's shared libraries, which every program needs."""
    return _keep_existing(map(Path, SYSTEM))


@cache
def _existing_devices(names: tuple[str, ...]) -> list[Path]:
    return _keep_existing(map(Path, names))


@cache
def _is_folder(path: Path) -> bool:
    return path.is_dir()


def _keep_existing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.exists()]
