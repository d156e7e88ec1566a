"""A bot's own files: looked at before they are read, and never read beyond their limits."""

import math
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import NamedTuple

from engine.errors import BadBot
from engine.support.sanitizing import one_line

MEGABYTE = 1_000_000
MAX_SOURCE_BYTES = 1 * MEGABYTE
"""The size of all .py files of a bot, bytes."""
MAX_TOTAL_BYTES = 32 * MEGABYTE
"""The size of all files of a bot, bytes."""
INTO_DATA = (
    "put tables into a data file: a bot that is a folder with an __init__.py may have "
    f"{MAX_TOTAL_BYTES // MEGABYTE} MB of files, and opens one as Path(__file__).with_name('NAME')"
)
"""What to do about too much source."""
MAX_FILES = 1_000
MAX_ENTRIES = 10_000
"""How many folders and files are looked at, with those passed over, such as `.git`."""
SUFFIX = ".py"
OPEN_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))
"""A file that became a link or a pipe since it was looked at is neither followed nor waited for."""


class _File(NamedTuple):
    """The result of `lstat` for a file."""

    parts: tuple[str, ...]
    """The name, relative to the bot."""
    path: Path
    size: int


def read_files(path: Path, ignored: Collection[str] = ()) -> dict[str, bytes]:
    """Return the bot's own files: relative name and content, in order of names.

    What has an ignored name at the top of the folder is none of them.

    Raises: BadBot for what is no ordinary file, or for too much, before anything is read.
    """
    found = (
        sorted(_files_in_folder(path, ignored))
        if path.is_dir()
        else [_require_ordinary_file(path, (path.name,), _file_status(path))]
    )
    why = why_too_large([("/".join(file.parts), file.size) for file in found])
    if why:
        raise BadBot(f"{one_line(path)}: {why}")
    return {"/".join(file.parts): _read_unchanged(file) for file in found}


def digest_of_files(files: dict[str, bytes], *, is_folder: bool, letters: int) -> str:
    """Return so many letters of the hash of a bot's files.

    A file's name is no part of it: a copy under another name is the same bot.
    """
    content = sha256()
    for name, text in files.items():
        label = name if is_folder else ""
        content.update(f"{len(label)}:{label}{len(text)}:".encode() + text)
    return content.hexdigest()[:letters]


Signature = tuple[tuple[tuple[str, ...], int, int, int, int], ...]
"""All that lies in a folder: name, inode, size, and when its content and it itself were changed."""


def compute_signature(folder: Path) -> Signature:
    """Return what tells whether a folder, or anything in it, was changed. Raises: BadBot."""
    found = (((), _file_status(folder)), *((parts, about) for parts, _, about in _walk(folder)))
    return tuple(
        sorted(
            (parts, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
            for parts, about in found
        )
    )


def is_passed_over(name: str) -> bool:
    """Return whether a file or folder of this name beside a bot's files is not one of them."""
    return name.startswith(".") or name == "__pycache__"


def _files_in_folder(folder: Path, ignored: Collection[str]) -> Iterator[_File]:
    """Yield the files of a folder and its folders, in no order, up to a limit."""
    files = 0

    def is_left_out(parts: tuple[str, ...]) -> bool:
        return is_passed_over(parts[-1]) or (len(parts) == 1 and parts[0] in ignored)

    for parts, path, about in _walk(folder, is_left_out):
        if not S_ISDIR(about.st_mode):
            files += 1
            _require_count(files, MAX_FILES, folder, "files")
            yield _require_ordinary_file(path, parts, about)


def _walk(
    folder: Path, is_left_out: Callable[[tuple[str, ...]], bool] = lambda parts: False
) -> Iterator[tuple[tuple[str, ...], Path, os.stat_result]]:
    """Yield all that is in a folder and its folders: its name in parts, its path, what it is."""
    todo: list[tuple[str, ...]] = [()]
    entries = 0
    while todo:
        outer = todo.pop()
        for name in _names_in(folder.joinpath(*outer)):
            entries += 1
            _require_count(entries, MAX_ENTRIES, folder, "files and folders, hidden ones included")
            parts = (*outer, name)
            if is_left_out(parts):
                continue
            path = folder.joinpath(*parts)
            about = _file_status(path)
            if S_ISDIR(about.st_mode):
                todo.append(parts)
            yield parts, path, about


def _names_in(folder: Path) -> Iterator[str]:
    """Yield names as they come: a listing of a huge folder is not waited for."""
    try:
        with os.scandir(folder) as listing:
            for entry in listing:
                yield entry.name
    except OSError as error:
        raise BadBot(f"{one_line(folder)}: cannot be read: {error.strerror}") from error


def _file_status(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as error:
        raise BadBot(f"{one_line(path)}: cannot be read: {error.strerror}") from error


def _require_ordinary_file(path: Path, parts: tuple[str, ...], about: os.stat_result) -> _File:
    """Raises: BadBot unless it is an ordinary file."""
    shown = one_line(path)
    if S_ISLNK(about.st_mode):
        raise BadBot(f"{shown}: a link; a bot's folder may hold files only")
    if not S_ISREG(about.st_mode):
        raise BadBot(
            f"{shown}: a pipe, socket or device; a bot's folder may hold ordinary files only"
        )
    try:
        path.name.encode()
    except UnicodeEncodeError as error:
        raise BadBot(f"{shown}: the name of this file is not UTF-8; rename it") from error
    return _File(parts, path, about.st_size)


def _read_unchanged(file: _File) -> bytes:
    """Raises: BadBot if there is more by now than there was when it was looked at, or less."""
    try:
        with open(file.path, "rb", opener=_open_at_once) as opened:
            is_file = S_ISREG(os.fstat(opened.fileno()).st_mode)
            content = opened.read(file.size + 1) if is_file else b""
    except OSError as error:
        raise BadBot(f"{one_line(file.path)}: cannot be read: {error.strerror}") from error
    if not is_file or len(content) != file.size:
        raise BadBot(f"{one_line(file.path)}: was changed while it was being read; start again")
    return content


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | OPEN_FLAGS)


def _require_count(count: int, most: int, folder: Path, what: str) -> None:
    if count > most:
        raise BadBot(
            f"{one_line(folder)}: has more than {most} {what}, and a bot may have {most}; remove "
            "some, or put what belongs together into one file"
        )


def why_too_large(files: Sequence[tuple[str, int]]) -> str | None:
    """Return why a bot may not have files of these names and sizes; None if it may."""
    sources = [(name, size) for name, size in files if name.endswith(SUFFIX)]
    source = f"source ({SUFFIX} files)"
    why = _why_too_large(MAX_SOURCE_BYTES, sources, source)
    return f"{why}; {INTO_DATA}" if why else _why_too_large(MAX_TOTAL_BYTES, files, "files")


def _why_too_large(most: int, files: Sequence[tuple[str, int]], what: str) -> str | None:
    total = sum(size for _, size in files)
    if total <= most:
        return None
    name, size = max(files, key=lambda file: file[1])
    return (
        f"a bot may have {format_megabytes(most)} of {what}, and this one has "
        f"{format_megabytes(total)}; the largest is {one_line(name)} with {format_megabytes(size)}"
    )


def format_megabytes(count: int) -> str:
    """Return a size in decimal megabytes, rounded up: what exceeds a limit is seen to."""
    return f"{math.ceil(100 * count / MEGABYTE) / 100:.2f}".rstrip("0").rstrip(".") + " MB"
