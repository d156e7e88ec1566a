"""Packs what was made into small archives, and unpacks them."""

import gzip
import io
import sqlite3
import tarfile
from collections.abc import Iterator
from pathlib import Path
from socket import gethostname

HERE = Path(__file__).parent
WRITTEN = (
    ("matches", "result", ""),
    ("failures", "words", ""),
    ("leases", "holder", gethostname()),
)
"""Where a database may name this machine: the folder of all, or another text."""
HOUSE_BYTES = 2_000
"""Bots of people are smaller here; those of the house are copied anew by any server."""


def archive(name: str) -> Path:
    """Return the committed archive of a golden database."""
    return HERE / f"{name}.tar.gz"


def pack(folder: Path, name: str) -> None:
    """Pack the databases of a folder of results, and the results and bots beside them."""
    home = f"{folder.absolute().parent}/"
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        for path in sorted(_list_packed(folder)):
            if path.suffix == ".sqlite":
                _tidy(path, home)
            packed = path.read_bytes()
            if path.suffix == ".json":
                packed = packed.replace(home.encode(), b"")
            assert home.encode() not in packed, path
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.size = len(packed)
            tar.addfile(entry, io.BytesIO(packed))
    archive(name).write_bytes(gzip.compress(content.getvalue(), mtime=0))


def unpack(name: str, folder: Path) -> None:
    """Unpack an archive into a folder."""
    with tarfile.open(archive(name)) as tar:
        tar.extractall(folder, filter="data")


def _list_packed(folder: Path) -> Iterator[Path]:
    yield from folder.glob("*.sqlite")
    yield from folder.glob("matches/[!.]*/match.json")
    for bot in folder.glob("bots/*/*.py"):
        if len(list(bot.parent.iterdir())) == 1 and bot.stat().st_size < HOUSE_BYTES:
            yield bot


def _tidy(path: Path, home: str) -> None:
    """Leave no path of this machine in a database, nothing removed, and nothing beside it."""
    connection = sqlite3.connect(path)
    with connection:
        present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        for table, column, written in WRITTEN:
            if table in present:
                cleaned = f"UPDATE {table} SET {column} = replace({column}, ?, '')"
                connection.execute(cleaned, [written or home])
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
