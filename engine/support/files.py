"""Write files that are whole or not there, and read untrusted files."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from engine.errors import EngineFailure, UsageError
from engine.support.private_files import private_file
from engine.support.signals import signals_held

BINARY: int = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
TOKEN_BYTES = 4
WRITABLE_BY_ALL = 0o002
"""The bit of a file's mode (chmod(2))."""


def never_writable_by_all() -> None:
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
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | BINARY)
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
def written_beside(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Open a file beside a path, which takes its place when all went well.

    `is_private`: nobody else can read it, whatever the umask. Raises: EngineFailure, naming the
    path.
    """
    beside: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with signals_held():  # a Ctrl-C must not come between the file and its name
                beside = _new_file_beside(path, is_private=is_private)
            yield beside
            beside.replace(path)
        except BaseException:
            if beside is not None:
                beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror or error}") from error


def _new_file_beside(path: Path, *, is_private: bool) -> Path:
    """Open to whom the umask says; `tempfile` would make it private for good."""
    beside = path.with_name(f".{path.name}-{token_hex(TOKEN_BYTES)}")
    if is_private:
        private_file(beside)
    else:
        beside.touch(exist_ok=False)
    return beside


def write_whole(path: Path, content: bytes) -> None:
    """Write beside, then rename. Raises: EngineFailure, naming the path."""
    with written_beside(path) as beside:
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
