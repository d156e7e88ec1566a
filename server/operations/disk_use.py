"""How much space a server takes, and for what."""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
from sqlalchemy import func, select

from engine.result_folder import ResultFolder
from runners.contests.retention import contest_matches
from runners.storage.database import Database
from runners.storage.tables import tables

MAX_TABLES = 10
"""The tables that are named, those with most rows."""


class DiskUse(msgspec.Struct, frozen=True, kw_only=True):
    """What takes how much."""

    database_bytes: int
    rows: Sequence[tuple[str, int]]
    """Tables with most rows."""
    folders: Sequence[tuple[str, int]]
    """Folders and files of the folder of results, in bytes."""
    contests: Sequence[tuple[str, int]]
    """Replays and logs of ladders and tournaments, in bytes: they are in the folder `matches`."""


def measure_disk_use(database: Database, out: Path) -> DiskUse:
    """Return what takes how much: of all the largest first. Raises: EngineFailure."""
    matches = out / ResultFolder.MATCHES
    of_match = {one.name: _size(Path(one)) for one in _entries(matches)}
    contests = [
        (one.name, sum(of_match.get(key, 0) for key in {key for key, _ in one.played}))
        for one in contest_matches(database)
    ]
    folders = [
        (one.name, sum(of_match.values()) if Path(one) == matches else _size(Path(one)))
        for one in _entries(out)
    ]
    with database.reading() as connection:
        counts = [
            (name, connection.execute(select(func.count()).select_from(table)).scalar_one())
            for name, table in tables.tables.items()
        ]
    return DiskUse(
        database_bytes=database.find(database.size()),
        rows=_largest_first(counts)[:MAX_TABLES],
        folders=_largest_first(folders),
        contests=_largest_first(contests),
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it is not there, or the server has removed it meanwhile
        return []


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder, following no links."""
    if path.is_dir() and not path.is_symlink():
        return sum(_size(Path(entry)) for entry in _entries(path))
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _largest_first(sizes: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted((one for one in sizes if one[1]), key=lambda one: -one[1])
