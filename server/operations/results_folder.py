"""The folder of results: how much space it takes, and that it has vanished, as with its disk.

A hidden file marks the folder with which a server began: below a mount point there is another
folder, without it, which must not be filled in its place.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
from sqlalchemy import func, select

from engine.errors import UsageError
from engine.result_folder import ResultFolder
from runners.contests.retention import contest_matches
from runners.storage.database import Database
from runners.storage.tables import tables
from server.http.parts import Report, ignore_report

MARK_FILE = ".results-of-server"
MAX_TABLES = 10
"""The tables that are named, those with most rows."""


class ResultsFolder:
    """The folder of results of a server, which may vanish and come back."""

    def __init__(self, out: Path, report: Report = ignore_report) -> None:
        """`report` takes a sentence for the operator."""
        self._mark = out / MARK_FILE
        self._report = report
        self._is_marked = False
        self._was_there = True
        self.words = (
            f"the folder of results {out} has vanished: mount its disk again; until then nothing "
            "is played or taken in"
        )

    def start(self) -> None:
        """Mark the folder, so that it is known again. Raises: UsageError."""
        try:
            self._mark.parent.mkdir(parents=True, exist_ok=True)
            self._mark.touch()
        except OSError as error:
            raise UsageError(f"{self._mark}: cannot be written: {error.strerror}") from error
        self._is_marked = True

    def is_there(self) -> bool:
        """Return whether the folder is there, and tell the operator when that changes."""
        is_there = not self._is_marked or os.path.exists(self._mark)  # noqa: PTH110 - never raises
        if is_there is not self._was_there:
            self._was_there = is_there
            self._report("the folder of results is there again" if is_there else self.words)
        return is_there


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
    of_match = {one.name: _total_bytes(Path(one)) for one in _list_entries(matches)}
    contests = [
        (one.name, sum(of_match.get(key, 0) for key in {key for key, _ in one.played}))
        for one in contest_matches(database)
    ]
    folders = [
        (one.name, sum(of_match.values()) if Path(one) == matches else _total_bytes(Path(one)))
        for one in _list_entries(out)
    ]
    with database.reading() as connection:
        counts = [
            (name, connection.execute(select(func.count()).select_from(table)).scalar_one())
            for name, table in tables.tables.items()
        ]
    return DiskUse(
        database_bytes=database.find(database.size_bytes()),
        rows=_sort_by_size(counts)[:MAX_TABLES],
        folders=_sort_by_size(folders),
        contests=_sort_by_size(contests),
    )


def _list_entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it is not there, or the server has removed it meanwhile
        return []


def _total_bytes(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder, following no links."""
    if path.is_dir() and not path.is_symlink():
        return sum(_total_bytes(Path(entry)) for entry in _list_entries(path))
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _sort_by_size(sizes: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted((one for one in sizes if one[1]), key=lambda one: -one[1])
