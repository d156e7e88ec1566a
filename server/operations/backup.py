"""Backups of a server: all of its folder in one file, made while it runs, and back again."""

import sqlite3
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath

from engine.errors import EngineFailure, UsageError
from engine.result_folder import SQLITE, OutName
from engine.support.files import atomic_write, make_folder
from engine.support.staging import StagingFolder
from runners.storage.schema import BESIDE, DATABASE, copy_file
from server.games.game_storage import GameStorage
from server.operations.copying import LEFT_OUT, copy_database

CHUNK_BYTES = 1 << 20


def back_up(out: Path, file: Path, url: str | None = None) -> int:
    """Write all of a server's folder into a zip; return how many files it holds.

    `url`: of its database, where that is not a file of the folder. The databases are copied first,
    each as it is at one moment: what they name is there by then. Raises: UsageError, EngineFailure.
    """
    if url is None and not (out / DATABASE).exists():
        raise UsageError(f"{out}: there is no server's database there ({DATABASE}); see --out")
    if file.resolve().is_relative_to(out.resolve()):
        raise UsageError(f"{file}: lies in the folder that is saved; choose another place for it")
    count = 0
    with (
        atomic_write(file, is_private=True) as beside,
        zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as zipped,
    ):
        for path in sorted(out.glob(f"*{SQLITE}")):
            if url is None or path.name != DATABASE:
                _add_database(zipped, path)
                count += 1
        if url is not None:
            _add_server(zipped, url)
            count += 1
        for path in _files_in(out):
            with suppress(FileNotFoundError):  # the server has removed it meanwhile
                zipped.write(path, path.relative_to(out).as_posix())
                count += 1
    return count


def restore(file: Path, out: Path, url: str | None = None) -> int:
    """Unpack a backup into a folder that is empty, or is made; return how many files there are.

    `url`: of an empty database for what is to be there, and not in the folder. Raises: UsageError,
    EngineFailure.
    """
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out}: is not empty; restore into another folder with --out")
    make_folder(out)
    try:
        with zipfile.ZipFile(file) as zipped:
            names = _validate_names(file, zipped)
            return _unpack_and_check(zipped, names, out, url)
    except FileNotFoundError as error:
        raise UsageError(f"{file}: there is no such file") from error
    except (zipfile.BadZipFile, IsADirectoryError) as error:
        raise UsageError(f"{file}: is not a backup, or is damaged: {error}") from error
    except OSError as error:
        raise EngineFailure(f"{out}: cannot be written: {error.strerror or error}") from error


def _add_database(zipped: zipfile.ZipFile, path: Path) -> None:
    """Add a database as it is at one moment, whoever writes to it. Raises: EngineFailure."""
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        copied = Path(folder) / path.name
        try:
            copy_file(path, copied, is_private=True)
            with closing(sqlite3.connect(copied)) as target:
                _leave_out(target)
                (state,) = target.execute("PRAGMA quick_check").fetchone()
        except sqlite3.Error as error:
            raise EngineFailure(f"{path}: cannot be copied: {error}") from error
        if state != "ok":
            raise EngineFailure(f"{path}: is damaged: {state}")
        zipped.write(copied, path.name)


def _leave_out(copied: sqlite3.Connection) -> None:
    """Remove the rows that a copy of a server does not have, so that no bytes of them remain."""
    copied.execute("PRAGMA secure_delete=ON")
    there = {name for (name,) in copied.execute("SELECT name FROM sqlite_master")}
    with copied:
        for table in LEFT_OUT:
            if table.name in there:  # the database may be another one, or an older one
                copied.execute(f"DELETE FROM {table.name}")


def _add_server(zipped: zipfile.ZipFile, url: str) -> None:
    """Add a database of a server, as the file that it would be. Raises: UsageError, EngineFailure.

    So a backup can be restored anywhere, whatever it was made of.
    """
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        copied = Path(folder) / DATABASE
        copy_database(url, copied)
        zipped.write(copied, DATABASE)


def _files_in(out: Path) -> Iterator[Path]:
    """Yield the files that are finished; what is hidden is being made, or is a lock."""
    for path in sorted(out.rglob("*")):
        parts = path.relative_to(out).parts
        if any(part.startswith(".") for part in parts) or path.name.endswith(BESIDE):
            continue
        is_database = len(parts) == 1 and path.suffix == SQLITE
        with suppress(FileNotFoundError):
            if not is_database and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _validate_names(file: Path, zipped: zipfile.ZipFile) -> list[str]:
    """Return the names of all files. Raises: UsageError for a zip that is no backup of ours."""
    names = zipped.namelist()
    if DATABASE not in names:
        raise UsageError(f"{file}: is not a backup: it holds no {DATABASE}")
    for name in names:
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts or "\\" in name or name.endswith("/"):
            raise UsageError(f"{file}: is not a backup: it holds {name!r:.80}")
    return names


def _unpack_and_check(zipped: zipfile.ZipFile, names: list[str], out: Path, url: str | None) -> int:
    """Unpack beside, look whether the database can be read, and move all into place."""
    staging_folder = StagingFolder(out / OutName.RESTORED)
    try:
        staging_folder.make()
        for name in names:
            zipped.extract(name, staging_folder.path)
        GameStorage(staging_folder.path / DATABASE).close()  # of a newer version: refused here
        if url is not None:
            copy_database(staging_folder.path / DATABASE, url)
            (staging_folder.path / DATABASE).unlink()
            names = [name for name in names if name != DATABASE]
        for path in staging_folder.path.iterdir():
            path.rename(out / path.name)
    finally:
        staging_folder.drop()
    return len(names)
