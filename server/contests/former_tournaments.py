"""Tournaments of older versions, which kept plans and results in a file of their own."""

from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from runners.storage.database import RESULTS, Database, aware
from runners.storage.database_files import BESIDE
from runners.storage.schema import ensure_schema
from runners.storage.tables import contests, entrants, failures, matches

FILE = "tournaments.sqlite"
"""The name of the file in the folder of --out."""
MOVED = "tournaments.sqlite.moved"
"""Its name once all of it is in the database."""


def move_in(database: Database, out: Path) -> int:
    """Move the tournaments of a file into the database; return how many there were.

    All of them or none; one that is killed in between begins again. Raises: EngineFailure,
    UsageError.
    """
    file = out / FILE
    if not file.exists():
        return 0
    with closing(Database(file, RESULTS)) as former:
        ensure_schema(former)
        with former.reading() as reader, database.writing() as writer:
            count = _move(reader, writer, database)
    file.rename(out / MOVED)
    for end in BESIDE:
        with suppress(FileNotFoundError):
            file.with_name(f"{FILE}{end}").unlink()
    return count


def _move(reader: Connection, writer: Connection, database: Database) -> int:
    known = set(writer.execute(select(contests.c.name).where(contests.c.plan == "")).scalars())
    found = [row for row in reader.execute(select(contests)) if row.name in known]
    for row in found:
        mine = contests.c.name == row.name
        writer.execute(update(contests).where(mine).values(plan=row.plan))
        of_it = select(entrants).where(entrants.c.contest == row.name)
        for entrant in reader.execute(of_it).mappings():
            writer.execute(insert(entrants).values(dict(entrant)))
    if found:
        for result in reader.execute(select(matches)).mappings():
            at = aware(result["played_at"])
            database.insert_new(writer, matches, {**result, "played_at": at})
        for failure in reader.execute(select(failures)):
            values = {"key": failure.key, "words": failure.words}
            writer.execute(insert(failures).values(**values, failed_at=aware(failure.failed_at)))
    return len(found)
