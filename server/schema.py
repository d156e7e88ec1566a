"""Which revision the tables of a server's database have, and how older ones are upgraded.

A new database gets the tables as they are now. An older one is upgraded by the steps in
migrations/, one after the other, in one transaction.
"""

from contextlib import closing
from importlib import import_module
from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, update

from engine.errors import UsageError
from server.arena import tables as arena_tables  # noqa: F401 - they are among all tables, too
from server.database import Database, tables
from server.database_files import make_file, require_not_lost, tighten
from server.tables import about

STEPS = ("first", "second", "third", "fourth", "fifth")
"""The modules of server/migrations; each leads to the next revision."""
REVISION = len(STEPS)
"""The revision of the tables as they are now."""
FIRST = 1
"""That of the first version."""


def ensure_schema(database: Database) -> None:
    """Make the tables, or upgrade older ones. Current ones are only read.

    Raises: UsageError for a database of a newer version, of something else, or that was lost;
    EngineFailure.
    """
    path = database.path
    if path is not None:
        _ensure_file(path)
    with database.reading() as connection:
        revision = _revision(connection, database)
        if revision == REVISION:
            return
        if path is not None and revision is None:
            require_not_lost(path, is_empty=False)
    with database.writing() as connection:
        revision = _revision(connection, database)  # another process may have been first
        if revision is None:
            _make_tables(connection)
        elif revision < REVISION:
            upgrade(connection, revision)


def _ensure_file(path: Path) -> None:
    """Make a database's file unless there is one. Raises: UsageError for one that was lost."""
    if not path.exists():
        make_file(path, _make_tables_in)
    elif not path.stat().st_size:  # looked at before SQLite does, which would drop its log
        require_not_lost(path, is_empty=True)
    tighten(path)


def _make_tables_in(path: Path) -> None:
    with closing(Database(path)) as database, database.writing() as connection:
        _make_tables(connection)


def _make_tables(connection: Connection) -> None:
    tables.create_all(connection)
    connection.execute(insert(about).values(revision=REVISION))


def upgrade(connection: Connection, revision: int) -> None:
    """Upgrade tables of an older revision; 0 for a database without tables."""
    # Imported here: new and current databases do without, and it takes a while.
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    with Operations.context(MigrationContext.configure(connection)):
        for step in STEPS[revision:]:
            import_module(f"server.migrations.{step}").upgrade()
    if connection.execute(update(about).values(revision=REVISION)).rowcount == 0:
        connection.execute(insert(about).values(revision=REVISION))


def downgrade(connection: Connection, revision: int) -> None:
    """Take tables back to an older revision; what only newer ones hold is lost.

    Raises: UsageError for a revision that they cannot be taken back to.
    """
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    present = connection.execute(select(about.c.revision)).scalar() or FIRST
    if not FIRST <= revision <= present <= REVISION:
        raise UsageError(
            f"revision {revision}: the tables are of revision {present}, and can be taken back to "
            f"one from {FIRST} to that"
        )
    with Operations.context(MigrationContext.configure(connection)):
        for step in reversed(STEPS[revision:present]):
            import_module(f"server.migrations.{step}").downgrade()
    connection.execute(update(about).values(revision=revision))


def _revision(connection: Connection, database: Database) -> int | None:
    """Return the revision, None for a database without tables. Raises: UsageError."""
    present = inspect(connection).get_table_names()
    if not present:
        return None
    if about.name not in present:
        raise UsageError(f"{database.name}: holds something else than games; choose another --out")
    # Kept here and not in a table of alembic's: the first version looks at it and refuses ours.
    # The first version wrote it after its tables: one that was killed there has none.
    revision = connection.execute(select(about.c.revision)).scalar() or 1
    if revision > REVISION:
        raise UsageError(
            f"{database.name}: was written by a newer version (its tables are of revision "
            f"{revision}, these of {REVISION}); install that version"
        )
    return revision
