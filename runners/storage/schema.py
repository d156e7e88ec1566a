"""The tables of a database of results, and which version of them it has.

A new database gets the tables as they are now. An older one is brought up to date by alembic,
which is why it is needed only there.
"""

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
)

from engine.errors import UsageError
from runners.extras import how_to_install

REVISION = "0002"
"""The revision of the tables below; each change of them has a file in migrations/versions/."""
MIGRATIONS = Path(__file__).with_name("migrations")

tables = MetaData()

matches = Table(
    "matches",
    tables,
    Column("key", String(64), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("result", Text, nullable=False),
    Column("played_at", DateTime(timezone=True), nullable=False),
)
failures = Table(
    "failures",
    tables,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("key", String(64), nullable=False, index=True),
    Column("words", Text, nullable=False),
    Column("failed_at", DateTime(timezone=True), nullable=False),
)
tournaments = Table(
    "tournaments",
    tables,
    Column("name", String(200), primary_key=True),
    Column("plan", Text, nullable=False),
    Column("begun_at", DateTime(timezone=True), nullable=False),
)
entrants = Table(
    "entrants",
    tables,
    Column("tournament", String(200), ForeignKey("tournaments.name"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entrant", Text, nullable=False),
)

secrets = Table(
    "secrets",
    tables,
    Column("series", String(64), primary_key=True),
    Column("secret", String(34), nullable=False),
    Column("drawn_at", DateTime(timezone=True), nullable=False),
)

revisions = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""Alembic's own; it has one row."""


def is_current(connection: Connection) -> bool:
    """Return whether the database has our tables as they are now."""
    return _revision(connection) == REVISION


def ensure_schema(connection: Connection) -> None:
    """Make the tables, or bring older ones up to date.

    Raises: UsageError for a database of a newer version, or of something else.
    """
    revision = _revision(connection)
    if revision is None:
        tables.create_all(connection)
        revisions.create(connection)
        connection.execute(insert(revisions).values(version_num=REVISION))
    elif revision > REVISION:
        raise UsageError(
            f"was written by a newer version (its tables are of revision {revision}, "
            f"these of {REVISION}); install that version"
        )
    elif revision < REVISION:
        _upgrade(connection)


def _revision(connection: Connection) -> str | None:
    """Return the revision, None for an empty database. Raises: UsageError for other tables."""
    present = set(inspect(connection).get_table_names())
    if not present:
        return None
    if {revisions.name, matches.name} <= present:
        revision = connection.execute(select(revisions.c.version_num)).scalar()
        if revision is not None and revision.isdigit():
            return str(revision)
    raise UsageError("holds something else than results; choose another database with --results")


def _upgrade(connection: Connection) -> None:
    try:
        from alembic import command
        from alembic.config import Config
    except ImportError as error:
        raise UsageError(
            "was written by an older version; to bring it up to date, alembic is needed: "
            f"{how_to_install('postgres')}"
        ) from error
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
