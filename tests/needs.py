"""What a test needs that not every machine has. Tests are skipped by this module alone.

A skip names the call, file or program that is missing, and is decided by looking for that very
thing, never by the name of a system.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.shell import has_ipv6


def skip(what: str, *, is_of_module: bool = False) -> NoReturn:
    """Skip the test, or the module that is imported, that calls this: it needs `what`."""
    pytest.skip(f"needs {what}", allow_module_level=is_of_module)


def mark(is_there: object, what: str) -> pytest.MarkDecorator:
    """Return the mark of tests that need `what`."""
    return pytest.mark.skipif(not is_there, reason=f"needs {what}")


def call(name: str) -> pytest.MarkDecorator:
    """Return the mark of tests that need a function or constant of Python, as in `os.fork`."""
    return mark(has_call(name), name)


def require_call(name: str) -> None:
    """Skip the test that is running where Python has no such function."""
    if not has_call(name):
        skip(name)


def module(name: str) -> Any:
    """Return a module of Python; where there is none, skip the module that asks for it."""
    try:
        return __import__(name, globals())
    except ImportError:
        skip(f"the module {name}", is_of_module=True)


def libc(name: str, purpose: str = "") -> pytest.MarkDecorator:
    """Return the mark of tests that need a function of the C library."""
    return mark(has_libc(name), f"{name}({purpose}) of the C library")


def path(name: str) -> pytest.MarkDecorator:
    """Return the mark of tests that need a file of the system, as in `/proc/self/stat`."""
    return mark(Path(name).exists(), name)


def program(*names: str, package: str = "") -> pytest.MarkDecorator:
    """Return the mark of tests that need one of these programs; `package`: Debian's with it."""
    return mark(any(map(shutil.which, names)), _programs(names, package))


def require_program(*names: str, package: str = "") -> None:
    """Skip the test that is running where there is none of these programs."""
    if not any(map(shutil.which, names)):
        skip(_programs(names, package))


def mount(folder: Path, options: str) -> None:
    """Mount a disk in memory, or change its options; skip the test where that cannot be."""
    parts = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    is_there = shutil.which("mount") is not None
    if not is_there or subprocess.run(parts, capture_output=True, check=False).returncode != 0:
        skip("mount -t tmpfs, which root alone may do, where the system allows it")


@contextmanager
def disk(folder: Path, options: str) -> Iterator[Path]:
    """Yield a folder that is a disk in memory meanwhile."""
    folder.mkdir(exist_ok=True)
    mount(folder, options)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def has_call(name: str) -> bool:
    home, _, attribute = name.partition(".")
    try:
        return hasattr(__import__(home, globals()), attribute)
    except ImportError:
        return False


def has_libc(name: str) -> bool:
    try:
        return hasattr(ctypes.CDLL(None), name)
    except (OSError, TypeError):  # Windows has no library of the program itself
        return False


@cache
def _keeps_modes() -> bool:
    """Return whether a file has the mode that chmod(2) gives it; Windows keeps one bit of it."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0o640)
        return Path(file.name).stat().st_mode & 0o777 == 0o640


def _programs(names: tuple[str, ...], package: str) -> str:
    return " or ".join(names) + (f" (Debian's package {package})" if package else "")


FORK = call("os.fork")
FLOCK = call("fcntl.flock")
MKFIFO = call("os.mkfifo")
PROC = path("/proc/self/stat")
SHELL = path("/bin/sh")
CADDY = program("caddy", package="caddy")
COMPILER = program("gcc", "cc", package="gcc")
IPV6 = mark(has_ipv6(), "socket.AF_INET6 with the address ::1")
NPM_PACKAGES = mark(
    (Path(__file__).parents[1] / "web" / "node_modules").exists() and shutil.which("npm"),
    "npm, and node_modules as `npm ci` makes it",
)
MODES = mark(_keeps_modes(), "chmod(2) that keeps the mode of a file")
ROOT = mark(getattr(os, "geteuid", lambda: -1)() == 0, "os.chown by root")
SANDBOX = libc("prctl", "PR_SET_SECCOMP")
"""The layers of the sandbox that stand on prctl(2), which Linux alone has."""
