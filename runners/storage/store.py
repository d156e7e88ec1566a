"""The results of matches and the tournaments in a database.

A result stands under its match's key. It is written once, whole, as soon as it is known;
running a tournament is playing the specs whose results are not here yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial, wraps
from itertools import groupby, islice
from pathlib import Path
from time import monotonic, sleep
from typing import Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import URL, Connection, func, insert, select

from engine.bots.sandbox import Layer
from engine.errors import BadResult, UnknownGame
from engine.fault import Cause
from engine.game import Groups, find_winners
from engine.replays.writing import Contestant
from engine.result import CpuUse, MatchResult
from engine.result_folder import SQLITE
from engine.streams import parse_seed, seed_text
from engine.support.sanitizing import one_line
from runners.storage.database import (
    RESULTS_USE,
    Database,
    DatabaseGone,
    Stale,
    is_there,
    now,
    with_time_zone,
)
from runners.storage.leases import Lease
from runners.storage.schema import ensure_schema
from runners.storage.tables import contests, entrants, failures, matches, secrets
from runners.storage.together import Lookup

P = ParamSpec("P")
T = TypeVar("T")

PAUSE_S = 0.5
"""Between two tries to reach a database that is away."""
BATCH_SIZE = 500
"""Keys in one query; older versions of SQLite take no more than 999 variables."""


class StoredTeam(msgspec.Struct, frozen=True, kw_only=True):
    """One team's side of a kept result (engine.result.TeamResult has the words)."""

    bot: Contestant
    score: float
    faults: dict[Cause, int]
    details: dict[Cause, str]
    restarts: int
    out: str | None
    cpu: CpuUse
    left: str = ""


class StoredResult(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a match beside its folder: all but the spec, which its key stands for."""

    key: str
    winner: int | None
    reason: str
    turns: int
    teams: tuple[StoredTeam, ...]
    fingerprint: str
    replay: str | None = None
    host: str = ""
    gaps: tuple[Layer, ...] = ()
    void_tries: tuple[str, ...] = ()
    groups: Groups = ()

    @property
    def scores(self) -> tuple[float, ...]:
        """Return the score of each team, in the game's own points."""
        return tuple(team.score for team in self.teams)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the team that won, or those of the group that did; () for a draw."""
        return find_winners(self.scores, self.groups)


def outlasting_restarts(
    method: Callable[Concatenate["Store", P], T],
) -> Callable[Concatenate["Store", P], T]:
    """Let a method of a store try again where its database is away, as long as that may take."""

    @wraps(method)
    def again(self: "Store", /, *args: P.args, **kwargs: P.kwargs) -> T:
        end = monotonic() + self.database.use.patience_s
        while True:
            try:
                return method(self, *args, **kwargs)
            except DatabaseGone:
                if monotonic() >= end:
                    raise
            sleep(PAUSE_S)

    return again


class Store:
    """The results of a database.

    Raises: EngineFailure where it cannot be read or written; BadResult for what is no result.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def display_url(self) -> str:
        """Return its URL without a password."""
        return self.database.url

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def hold_lease(self, work: str) -> Iterator["Store"]:
        """Do some work that nobody else does meanwhile; yield the store to write to.

        Raises: LockHeld; LeaseLost, later, where another process has taken over.
        """
        lease = Lease(self.database, work)
        with lease.hold(watches=True):
            yield Store(lease.database)

    @outlasting_restarts
    def load_results(self, keys: Iterable[str]) -> dict[str, StoredResult]:
        """Return the results that are stored, by key."""
        found: dict[str, StoredResult] = {}
        remaining = iter(keys)
        with self.database.reading() as connection:
            while batch := list(islice(remaining, BATCH_SIZE)):
                rows = connection.execute(
                    select(matches.c.key, matches.c.result).where(matches.c.key.in_(batch))
                )
                found |= {key: self._decode_result(text) for key, text in rows}
        return found

    def add(self, result: MatchResult) -> StoredResult:
        """Keep a result, unless there is one under its key; the one that is kept."""
        return self.add_stored_result(
            result.spec.game, msgspec.convert(result, StoredResult, from_attributes=True)
        )

    @outlasting_restarts
    def add_stored_result(self, game: str, stored: StoredResult) -> StoredResult:
        """Do the same with a result as another database has it."""
        with self.database.transaction() as connection:
            is_first = insert_result(self.database, connection, game, stored)
        return stored if is_first else self.load_results([stored.key])[stored.key]

    @outlasting_restarts
    def add_failure(self, key: str, message: str) -> None:
        """Store why a match could not be played, for no bot's fault."""
        row = {"key": key, "words": message, "failed_at": now()}
        self.database.write(insert(failures).values(row))

    def load_failures(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """Return the words of every failure of these matches."""
        wanted, found = set(keys), dict[str, list[str]]()
        for row in self.database.fetch_all(select(failures.c.key, failures.c.words)):
            if row.key in wanted:
                found.setdefault(row.key, []).append(row.words)
        return found

    def tournament_names(self) -> list[str]:
        """Return the names of all tournaments, the one begun last at the end."""
        begun = select(contests.c.name).where(contests.c.plan != "")
        return self.database.fetch_column(begun.order_by(contests.c.begun_at))

    def begun_at(self, name: str) -> datetime | None:
        """Return when a tournament began, UTC; None for none of this name."""
        query = select(contests.c.begun_at).where(contests.c.name == name)
        at = self.database.fetch_value(query)
        return None if at is None else with_time_zone(at)

    def is_of_server(self, name: str) -> bool:
        """Return whether a tournament is one of a server."""
        query = select(contests.c.ladder).where(contests.c.name == name)
        return self.database.fetch_value(query) is not None

    def load_plan(self, name: str) -> str | None:
        """Return a tournament's plan as it was stored, JSON."""
        return self.database.find(find_plan(name))

    def save_tournament(
        self,
        name: str,
        plan: str,
        field: Mapping[int, str],
        *,
        kind: str | None = None,
        new_of: str | None = None,
        break_s: int = 0,
    ) -> None:
        """Keep a new plan, or new (or changed) entrants of an old one; all of it or nothing.

        `kind`: its format. `new_of`: the ladder of a server whose bots play a new tournament, with
        so long a break between its rounds. Raises, then: Stale if there is one of this name.
        """
        with self.database.transaction() as connection:
            at = now()
            row = {"name": name, "plan": plan, "begun_at": at, "ladder": new_of}
            row |= {"break_s": break_s, "settled_at": at if new_of else None, "format": kind}
            is_new = self.database.insert_new(connection, contests, row)
            if new_of is not None and not is_new:
                raise Stale
            insert_entrants(connection, name, field)

    def last_played_at(self, keys: Iterable[str]) -> datetime | None:
        """Return when the last of some matches was played, UTC; None where none was."""
        times = []
        remaining = iter(keys)
        with self.database.reading() as connection:
            while some := list(islice(remaining, BATCH_SIZE)):
                newest = select(func.max(matches.c.played_at)).where(matches.c.key.in_(some))
                times.append(connection.execute(newest).scalar())
        return max((with_time_zone(at) for at in times if at is not None), default=None)

    def get_or_create_secret(self, series: str, secret: int) -> int:
        """Return the secret that a series was begun with, or else this one, which is kept."""
        chosen = select(secrets.c.secret).where(secrets.c.series == series)
        stored = self.database.fetch_value(chosen)
        if stored is None:  # read again after writing: another process may have been first
            row = {"series": series, "secret": seed_text(secret), "drawn_at": now()}
            with self.database.transaction() as connection:
                self.database.insert_new(connection, secrets, row)
                stored = connection.execute(chosen).scalar_one()
        with self.report_bad_rows("the secret of a series"):
            return parse_seed(stored)

    def count(self) -> int:
        """Return how many results there are."""
        return int(self.database.fetch_value(select(func.count()).select_from(matches)))

    def _decode_result(self, text: str) -> StoredResult:
        with self.report_bad_rows("a result"):
            return msgspec.json.decode(text, type=StoredResult)

    @contextmanager
    def report_bad_rows(self, what: str) -> Iterator[None]:
        """Turn errors of decoding into BadResult: anybody may have written there."""
        try:
            yield
        except (msgspec.MsgspecError, ValueError, TypeError, RecursionError, UnknownGame) as error:
            raise BadResult(
                f"{self.display_url}: {what} cannot be understood: {one_line(error)}"
            ) from error


def insert_result(
    database: Database, connection: Connection, game: str, result: StoredResult
) -> bool:
    """Keep a result in a transaction; return False where there is one under its key already."""
    row = {
        "key": result.key,
        "game": game,
        "result": msgspec.json.encode(result).decode(),
        "played_at": now(),
    }
    return database.insert_new(connection, matches, row)


def insert_entrants(connection: Connection, name: str, field: Mapping[int, str]) -> None:
    """Keep entrants of a tournament, by number; those that have one before are replaced."""
    for number, entrant in field.items():
        # Deleted and inserted, as databases replace rows in different ways.
        where = (entrants.c.contest == name) & (entrants.c.number == number)
        connection.execute(entrants.delete().where(where))
        values = {"contest": name, "number": number, "entrant": entrant}
        connection.execute(insert(entrants).values(values))


def open_store(url: str) -> Store:
    """Open or make a database of results. Raises: UsageError for a URL that will not do."""
    database = Database(url, RESULTS_USE)
    try:
        ensure_schema(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


def existing_store(url: str) -> Store | None:
    """Return the database at a URL; None where it would be a new file, which is not made.

    Raises: UsageError for a URL or a database that will not do.
    """
    return open_store(url) if is_there(url) else None


def default_url(out: Path, game: str) -> str:
    """Return the URL of a game's SQLite file, beside the matches."""
    return URL.create("sqlite", database=str(out / f"{game}{SQLITE}")).render_as_string()


def find_plan(name: str) -> Lookup[str | None]:
    """Look up a tournament's plan as it was stored, JSON."""
    query = select(contests.c.plan).where(contests.c.name == name)
    return Lookup(query, lambda rows: (rows[0].plan or None) if rows else None)


def find_entrants(name: str) -> Lookup[list[str]]:
    """Look up a tournament's entrants in the order of registration, JSON each."""
    query = select(entrants.c.entrant).where(entrants.c.contest == name).order_by(entrants.c.number)
    return Lookup(query, lambda rows: [row.entrant for row in rows])


def find_entrants_of_all() -> Lookup[dict[str, list[str]]]:
    """Look up the entrants of all tournaments of a server, by the names of those."""
    begun = select(contests.c.name).where(contests.c.ladder.is_not(None))
    here = select(entrants).where(entrants.c.contest.in_(begun))
    by_contest = partial(groupby, key=lambda row: row.contest)
    return Lookup(
        here.order_by(entrants.c.contest, entrants.c.number),
        lambda rows: {name: [one.entrant for one in of] for name, of in by_contest(rows)},
    )
