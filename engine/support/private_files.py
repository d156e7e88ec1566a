"""Keep files private, whatever the umask: accounts, backups, bots' sources.

A folder whose group may write, and whose setgid bit is set (chmod 2770), is shared on purpose:
there the group may do what we may, as where web processes and dispatcher are different users.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

OURS, GROUPS = 0o700, 0o070
FILE = 0o666
ALL = 0o777


def is_shared(folder: Path) -> bool:
    """Return whether a folder is shared with its group."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & stat.S_ISGID and mode & stat.S_IWGRP)


def private_from_now_on(folder: Path) -> None:
    """Let all that we and our processes make be private; to be called before there are threads.

    `folder`: that of most of it.
    """
    os.umask(ALL & ~_allowed_in(folder))


def private_file(path: Path, content: bytes = b"") -> None:
    """Make a new file that nobody else can read. Raises: OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    mode = FILE & _allowed_in(path.parent)
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        file.write(content)


def private_folder(path: Path) -> None:
    """Make sure of a folder that nobody else can read. Raises: OSError."""
    path.mkdir(mode=_allowed_in(path.parent), parents=True, exist_ok=True)


def make_private(path: Path) -> None:
    """Take from everybody else what they may do with a file or folder that there is."""
    with suppress(OSError):  # there is none; or it is another user's, who may have shared it
        status = path.lstat()
        mode = stat.S_IMODE(status.st_mode)
        allowed = _allowed_in(path if stat.S_ISDIR(status.st_mode) else path.parent)
        if not stat.S_ISLNK(status.st_mode) and mode & ALL & ~allowed:
            path.chmod(mode & (allowed | ~ALL))


def _allowed_in(folder: Path) -> int:
    """Return the rights that what is made in a folder may give."""
    return OURS | (GROUPS if is_shared(folder) else 0)
