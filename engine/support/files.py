"""Write files that are whole or not there, keep them private, and read untrusted ones.

A folder whose group may write, and whose setgid bit is set (chmod 2770), is shared on purpose:
there the group may do what we may, as where web processes and dispatcher are different users.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from engine.errors import EngineFailure, UsageError
from engine.support.signals import deferring_signals

BINARY_FLAG: int = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
TOKEN_BYTES = 4
WRITABLE_BY_ALL = 0o002
"""The bit of a file's mode (chmod(2))."""
OURS, GROUPS = 0o700, 0o070
FILE_MODE = 0o666
ALL_PERMISSIONS = 0o777


def forbid_writing_by_all() -> None:
    """Whatever we and our processes make from now on, not everybody can write it.

    All else is as the user's umask says.
    """
    os.umask(os.umask(WRITABLE_BY_ALL) | WRITABLE_BY_ALL)


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a file of at most so many bytes, whoever put it there.

    Raises: OSError, whose `strerror` says what it is: a pipe, of which the end may never come, a
    device, a folder, too large.
    """
    # Without waiting for somebody who writes into a pipe.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | BINARY_FLAG)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(status.st_size + 1) if status.st_size <= most else b""
    finally:
        os.close(descriptor)
    if max(status.st_size, len(content)) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return content


@contextmanager
def wrap_write_errors(path: Path | None) -> Iterator[None]:
    """Raise an EngineFailure for what cannot be written: that is our failure, and no bot's."""
    try:
        yield
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def atomic_write(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Open a file beside a path, which takes its place when all went well.

    `is_private`: nobody else can read it, whatever the umask. Raises: EngineFailure, naming the
    path.
    """
    beside: Path | None = None
    with wrap_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with deferring_signals():  # a Ctrl-C must not come between the file and its name
                beside = _new_file_beside(path, is_private=is_private)
            yield beside
            beside.replace(path)
        except BaseException:
            if beside is not None:
                beside.unlink(missing_ok=True)
            raise


def _new_file_beside(path: Path, *, is_private: bool) -> Path:
    """Open to whom the umask says; `tempfile` would make it private for good."""
    beside = path.with_name(f".{path.name}-{token_hex(TOKEN_BYTES)}")
    if is_private:
        write_private_file(beside)
    else:
        beside.touch(exist_ok=False)
    return beside


def write_whole(path: Path, content: bytes) -> None:
    """Write beside, then rename. Raises: EngineFailure, naming the path."""
    with atomic_write(path) as beside:
        beside.write_bytes(content)


def make_folder(path: Path) -> None:
    """Make sure of a folder for results. Raises: UsageError if nothing can be written there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise UsageError(
            f"{path}: results cannot be written there: {error.strerror}; "
            "choose another folder with --out"
        ) from error


def is_shared(folder: Path) -> bool:
    """Return whether a folder is shared with its group."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & stat.S_ISGID and mode & stat.S_IWGRP)


def set_private_umask(folder: Path) -> None:
    """Let all that we and our processes make be private; to be called before there are threads.

    `folder`: that of most of it.
    """
    os.umask(ALL_PERMISSIONS & ~_find_allowed_mode(folder))


def write_private_file(path: Path, content: bytes = b"") -> None:
    """Make a new file that nobody else can read. Raises: OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    mode = FILE_MODE & _find_allowed_mode(path.parent)
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        file.write(content)


def make_private_folder(path: Path) -> None:
    """Make sure of a folder that nobody else can read. Raises: OSError."""
    path.mkdir(mode=_find_allowed_mode(path.parent), parents=True, exist_ok=True)


def make_private(path: Path) -> None:
    """Take from everybody else what they may do with a file or folder that there is."""
    with suppress(OSError):  # there is none; or it is another user's, who may have shared it
        status = path.lstat()
        mode = stat.S_IMODE(status.st_mode)
        allowed = _find_allowed_mode(path if stat.S_ISDIR(status.st_mode) else path.parent)
        if not stat.S_ISLNK(status.st_mode) and mode & ALL_PERMISSIONS & ~allowed:
            path.chmod(mode & (allowed | ~ALL_PERMISSIONS))


def _find_allowed_mode(folder: Path) -> int:
    """Return the rights that what is made in a folder may give."""
    return OURS | (GROUPS if is_shared(folder) else 0)
