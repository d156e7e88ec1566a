"""Results that last: a database with what every match came to, and which tournaments there are.

A result stands under its match's key. It is written once, whole, as soon as it is known;
running a tournament is playing the specs whose results are not here yet.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Engine,
    ForeignKey,
    Insert,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    make_url,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from engine.bots.fault import Cause
from engine.errors import BadResult, EngineFailure, UsageError
from engine.files import make_folder
from engine.record import Contestant
from engine.result import CpuUse, MatchResult

BATCH = 500
"""Keys asked for at once; SQLite takes a thousand."""

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
    Column("tournament", ForeignKey("tournaments.name"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entrant", Text, nullable=False),
)


class KeptTeam(msgspec.Struct, frozen=True, kw_only=True):
    """One team's side of a kept result (engine.result.TeamResult has the words)."""

    bot: Contestant
    score: float
    faults: dict[Cause, int]
    details: dict[Cause, str]
    restarts: int
    out: str | None
    cpu: CpuUse


class KeptResult(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a match beside its folder: all but the spec, which its key stands for."""

    key: str
    winner: int | None
    reason: str
    turns: int
    teams: tuple[KeptTeam, ...]
    fingerprint: str
    replay: str | None = None


class Store:
    """The database at a URL. Raises EngineFailure where it cannot be read or written."""

    def __init__(self, url: str) -> None:
        """Opens it, or makes it. Raises: UsageError for a URL that is none."""
        try:
            self.url = make_url(url)
            self._engine: Engine = create_engine(self.url)
        except (ArgumentError, ImportError) as error:
            raise UsageError(_no_database(url, error)) from error
        if self.is_sqlite and self.url.database:
            make_folder(Path(self.url.database).parent)
            event.listen(self._engine, "connect", _settle_sqlite)
        with self._writing() as connection:
            tables.create_all(connection)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def close(self) -> None:
        self._engine.dispose()

    def results(self, keys: Iterable[str]) -> dict[str, KeptResult]:
        """Those that are here, by key."""
        found: dict[str, KeptResult] = {}
        remaining = iter(keys)
        with self._reading() as connection:
            while batch := list(islice(remaining, BATCH)):
                rows = connection.execute(
                    select(matches.c.key, matches.c.result).where(matches.c.key.in_(batch))
                )
                found |= {key: msgspec.json.decode(text, type=KeptResult) for key, text in rows}
        return found

    def add(self, result: MatchResult) -> KeptResult:
        """Keep a result, unless there is one under its key: the first one stays."""
        text = msgspec.json.encode(result).decode()
        kept = msgspec.json.decode(text, type=KeptResult)
        row = {
            "key": result.key,
            "game": result.spec.game,
            "result": msgspec.json.encode(kept).decode(),
            "played_at": _now(),
        }
        with self._writing() as connection:
            connection.execute(self._insert_new(matches, row))
        return kept

    def add_failure(self, key: str, words: str) -> None:
        """A match that could not be played, for no bot's fault."""
        row = {"key": key, "words": words, "failed_at": _now()}
        with self._writing() as connection:
            connection.execute(insert(failures).values(row))

    def failures(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """The words of every failure of these matches."""
        wanted, found = set(keys), dict[str, list[str]]()
        with self._reading() as connection:
            rows = connection.execute(select(failures.c.key, failures.c.words))
            for key, words in rows:
                if key in wanted:
                    found.setdefault(key, []).append(words)
        return found

    def tournament_names(self) -> list[str]:
        """The one begun last comes last."""
        with self._reading() as connection:
            order = select(tournaments.c.name).order_by(tournaments.c.begun_at)
            return [name for (name,) in connection.execute(order)]

    def plan(self, name: str) -> str | None:
        """A tournament's plan as it was kept, JSON."""
        with self._reading() as connection:
            chosen = select(tournaments.c.plan).where(tournaments.c.name == name)
            row = connection.execute(chosen).one_or_none()
        return None if row is None else str(row[0])

    def entrants(self, name: str) -> list[str]:
        """A tournament's entrants in the order of entry, JSON each."""
        with self._reading() as connection:
            chosen = select(entrants.c.entrant).where(entrants.c.tournament == name)
            return [text for (text,) in connection.execute(chosen.order_by(entrants.c.number))]

    def keep_tournament(self, name: str, plan: str, field: Mapping[int, str]) -> None:
        """Keep a new plan, or new (or changed) entrants of an old one; all of it or nothing."""
        with self._writing() as connection:
            row = {"name": name, "plan": plan, "begun_at": _now()}
            connection.execute(self._insert_new(tournaments, row))
            for number, entrant in field.items():
                mine = (entrants.c.tournament == name) & (entrants.c.number == number)
                connection.execute(entrants.delete().where(mine))
                values = {"tournament": name, "number": number, "entrant": entrant}
                connection.execute(insert(entrants).values(values))

    def count(self) -> int:
        """How many results there are."""
        with self._reading() as connection:
            return int(connection.execute(select(func.count()).select_from(matches)).scalar_one())

    def _insert_new(self, table: Table, row: dict[str, Any]) -> Insert:
        dialect: Any = sqlite if self.is_sqlite else postgresql
        inserting: Insert = dialect.insert(table).values(row).on_conflict_do_nothing()
        return inserting

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._naming("read"), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._naming("written"), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _naming(self, what: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            where = self.url.render_as_string(hide_password=True)
            raise EngineFailure(f"{where}: results cannot be {what}: {cause}") from error
        except msgspec.MsgspecError as error:
            where = self.url.render_as_string(hide_password=True)
            raise BadResult(f"{where}: a result cannot be understood: {error}") from error


def default_url(out: Path, game: str) -> str:
    """One SQLite file per game, beside the matches."""
    return f"sqlite:///{out / f'{game}.sqlite'}"


def _settle_sqlite(connection: Any, _: Any) -> None:
    """Readers and the writer do not wait for each other; what is committed outlives a kill."""
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA busy_timeout=10000")


def _no_database(url: str, error: Exception) -> str:
    if isinstance(error, ImportError):
        return (
            f"--results: no driver for this kind of database ({error}); for PostgreSQL install "
            "the extra 'postgres': pip install 'slime-mind[postgres]'"
        )
    return (
        f"--results '{url}': is no database URL; such as sqlite:///results/mine.sqlite or "
        "postgresql+psycopg://user@host/name"
    )


def _now() -> datetime:
    return datetime.now(UTC)
