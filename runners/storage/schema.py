"""Which revision the tables of a database have, and how older ones are upgraded.

A new database gets the tables as they are now. An older one is upgraded by the steps in
migrations/, one after the other, in one transaction. Up to revision 5 they were those of a server
alone; results were kept in databases of their own, whose steps are in migrations/results/.
"""

import logging
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, select, update

from engine.errors import EngineFailure, UsageError
from runners.extras import how_to_install
from runners.storage.database import Database, DiskFull
from runners.storage.database_files import (
    copy_file,
    is_of_full_disk,
    make_file,
    require_not_lost,
    tighten,
)

# All tables belong to `tables` once these modules are executed. A command may have imported the
# modules themselves to be executed later: importing a name out of them does it now.
from runners.storage.game_tables import games  # noqa: F401
from runners.storage.ladder_tables import ladders  # noqa: F401
from runners.storage.tables import about, matches, tables

LOGGER = logging.getLogger("slime_mind.server.upgrade")
STEPS: tuple[str, ...] = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh"),
    *("eighth", "ninth", "tenth"),
    *("designs", "invitations", "strangers", "season_finals", "joining", "recovery"),
    *("drafts", "scheduled", "groups", "sharing", "authoring", "copies", "remote_bots"),
    "without_copies",
)
"""The modules of migrations/; each leads to the next revision."""
REVISION = len(STEPS)
"""The revision of the tables as they are now."""
FIRST = 1
"""That of the first version."""
JOINED = 6
"""The first revision with the tables of results among the others."""
RESULTS_STEPS: tuple[str, ...] = ("results.first", "results.second", "results.joining")
"""The modules that lead from databases of results to the revision JOINED."""
RESULTS_ABOUT = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""Where databases of results had their revision."""


def ensure_schema(database: Database) -> None:
    """Make the tables, or upgrade older ones. Current ones are only read.

    Raises: UsageError for a database of a newer version, of something else, or that was lost;
    DiskFull, EngineFailure.
    """
    try:
        _ensure_schema(database)
    except EngineFailure as error:
        if not is_of_full_disk(error):
            raise
        raise DiskFull(_room_needed(database)) from error


def _ensure_schema(database: Database) -> None:
    path = database.path
    if path is not None:
        _ensure_file(database, path)
    with database.reading() as connection:
        steps = _missing_steps(connection, database)
        if steps is None and path is not None and database.use.is_private:
            require_not_lost(path, is_empty=False)
    if steps == ():
        return
    with database.writing() as connection:
        steps = _missing_steps(connection, database)  # another process may have been first
        if steps is None:
            _make_tables(connection)
        elif steps:
            _keep_copy(database)
            _upgrade(connection, steps)


def _keep_copy(database: Database) -> None:
    """Keep a database as it is before an upgrade, or say how to. Raises: EngineFailure."""
    name = f"before_revision_{REVISION}"
    if database.path is None:
        command = f"pg_dump -Fc -f {name}.dump '{database.url.replace('+psycopg', '')}'"
        kept = f"no copy is kept of a PostgreSQL database: make one before an upgrade ({command})"
    else:
        copy = database.path.with_name(f"{database.path.stem}.{name}{database.path.suffix}")
        copy_file(database.path, copy, is_private=database.use.is_private)
        kept = f"as it was it is kept in {copy}: remove that once all is well"
    LOGGER.warning("%s: is upgraded to revision %s; %s", database.name, REVISION, kept)


def _room_needed(database: Database) -> str:
    full = f"{database.name}: the disk is full, and nothing was changed"
    if database.path is None:
        return f"{full}: make room on the disk of its server, and start again"
    needed = ""
    if database.path.exists():
        needed = f" (for an upgrade {2 * database.path.stat().st_size / 1e6:.1f} MB)"
    return f"{full}: make room in {database.path.parent}{needed}, and start again"


def _ensure_file(database: Database, path: Path) -> None:
    """Make a database's file unless there is one. Raises: UsageError for one that was lost."""
    is_private = database.use.is_private
    if not path.exists():
        make_file(path, lambda beside: _make_tables_in(beside, database), is_private=is_private)
    elif is_private and not path.stat().st_size:  # before SQLite looks, which would drop its log
        require_not_lost(path, is_empty=True)
    if is_private:
        tighten(path)


def _make_tables_in(path: Path, like: Database) -> None:
    with closing(Database(path, like.use)) as database:
        database.name = like.name  # in what is said of errors
        with database.writing() as connection:
            _make_tables(connection)


def _make_tables(connection: Connection) -> None:
    tables.create_all(connection, checkfirst=False)
    connection.execute(insert(about).values(revision=REVISION))


def upgrade(connection: Connection, revision: int) -> None:
    """Upgrade tables of an older revision; 0 for a database without tables."""
    _upgrade(connection, STEPS[revision:])


def _upgrade(connection: Connection, steps: Iterable[str]) -> None:
    for step in steps:
        _run(connection, step, "upgrade")
    if connection.execute(update(about).values(revision=REVISION)).rowcount == 0:
        connection.execute(insert(about).values(revision=REVISION))


def downgrade(connection: Connection, revision: int) -> None:
    """Take tables back to an older revision; what only newer ones hold is lost.

    Raises: UsageError for a revision that they cannot be taken back to.
    """
    present = connection.execute(select(about.c.revision)).scalar() or FIRST
    if not FIRST <= revision <= present <= REVISION:
        raise UsageError(
            f"revision {revision}: the tables are of revision {present}, and can be taken back to "
            f"one from {FIRST} to that"
        )
    for step in reversed(STEPS[revision:present]):
        _run(connection, step, "downgrade")
    connection.execute(update(about).values(revision=revision))


def _run(connection: Connection, step: str, direction: str) -> None:
    """Run a function of a step. Raises: UsageError where alembic is not installed."""
    try:  # imported here: new and current databases do without, and it takes a while
        from alembic.migration import MigrationContext
        from alembic.operations import Operations
    except ImportError as error:
        raise UsageError(
            "the database was written by an older version; to bring it up to date, alembic is "
            f"needed: {how_to_install('postgres')}"
        ) from error
    with Operations.context(MigrationContext.configure(connection)):
        getattr(import_module(f"{__package__}.migrations.{step}"), direction)()


def _missing_steps(connection: Connection, database: Database) -> tuple[str, ...] | None:
    """Return the steps that lead to the present tables; None for a database without tables.

    Raises: UsageError.
    """
    present = inspect(connection).get_table_names()
    if not present:
        return None
    if about.name in present:
        # The first version wrote it after its tables: one that was killed there has none.
        revision = connection.execute(select(about.c.revision)).scalar() or FIRST
        steps = STEPS
    elif {RESULTS_ABOUT.name, matches.name}.issubset(present):
        revision = int(connection.execute(select(RESULTS_ABOUT.c.version_num)).scalar_one())
        steps = RESULTS_STEPS + STEPS[JOINED:]
    else:
        raise UsageError(
            f"{database.name}: holds something else than results and games; choose another "
            f"database with {database.use.option}, or another folder with --out"
        )
    if revision > len(steps):
        raise UsageError(
            f"{database.name}: was written by a newer version (its tables are of revision "
            f"{revision}, these of {REVISION}); install that version"
        )
    return steps[revision:]
