"""Where tests keep files, and the project as each copy of it begins: copied once for all tests."""

import compileall
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import bootstrap
from tests.reaper import reaped

COPIED = (
    *("bootstrap.py", "main.py", "replay.py", "slime_mind_arena", "docs"),
    *("cli", "server", "report", "learning", "runners", "visualizer", "engine", "web", "resources"),
)
FOLDER = "SLIME_MIND_TESTS_FOLDER"
"""The environment variable that tells all processes of a test session where the template is."""
MEMORY = Path("/dev/shm")
ROOM_BYTES = 2 << 30
"""A session keeps less than half of that at once."""


@contextmanager
def room_for_tests() -> Iterator[None]:
    """Make a folder for all files of this test session: the template, and what tests write.

    It goes with the session, even with one that is killed; `--basetemp=FOLDER` keeps what tests
    wrote in their own folders.
    """
    with TemporaryDirectory(prefix="slime-mind-", dir=memory()) as folder:
        Path(folder).chmod(0o711)  # tests become other users, too
        os.environ[FOLDER] = os.environ["TMPDIR"] = folder
        tempfile.tempdir = folder
        with reaped(FOLDER, folder):
            yield


def memory() -> Path | None:
    """Return a folder in memory, where no test waits for a disk; None if there is none.

    Who has chosen another folder by the usual variable gets that.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return None
    disk = os.statvfs(MEMORY)
    can_run = not disk.f_flag & os.ST_NOEXEC
    return MEMORY if can_run and disk.f_bavail * disk.f_frsize >= ROOM_BYTES else None


def compile_project() -> None:
    """Write the bytecode of the project, unless it is there.

    Tests start hundreds of Pythons, which would compile it anew, each for itself: bots' processes
    never write any, and some systems tell all Pythons not to (PYTHONDONTWRITEBYTECODE).
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for name in COPIED:
        compileall.compile_dir(bootstrap.HOME / name, quiet=2)


@cache
def template() -> Path:
    """Return the template's folder, made by whichever process needs it first."""
    with make_once("project") as folder:
        if folder is not None:
            for name in COPIED:
                copy(bootstrap.HOME / name, folder / name)
    return shared_folder("project")


def variant(name: str, files: Mapping[str, str]) -> Path:
    """Return the folder of another template: the project with some files changed or added."""
    with make_once(name) as folder:
        if folder is not None:
            link_all(template(), folder)
            for path, text in files.items():
                change(folder / path, text)
                compileall.compile_file(folder / path, quiet=2)
    return shared_folder(name)


def shared_folder(name: str) -> Path:
    return Path(os.environ[FOLDER]) / name


@contextmanager
def make_once(name: str) -> Iterator[Path | None]:
    """Give a folder to be filled, which then is that of this name; None if there is one."""
    place = shared_folder(name)
    if place.exists():
        yield None
        return
    own = Path(mkdtemp(dir=place.parent))
    yield own
    try:
        own.rename(place)
    except OSError:  # another process was faster
        shutil.rmtree(own)


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        left_out = shutil.ignore_patterns("*.pyc.*", "node_modules")
        shutil.copytree(source, target, ignore=left_out)
    else:
        shutil.copy2(source, target)


def link_all(source: Path, target: Path) -> None:
    """Fill a folder with the same files: much faster than with copies."""
    shutil.copytree(source, target, copy_function=link, dirs_exist_ok=True)


def link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


def change(path: Path, text: str) -> None:
    """Write a file that others may be linked to, which keep what they have."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
