"""Results that last: a database with what every match came to, and which tournaments there are.

A result stands under its match's key. It is written once, whole, as soon as it is known;
running a tournament is playing the specs whose results are not here yet.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec
from sqlalchemy import func, insert, select

from engine.bots.fault import Cause
from engine.errors import BadResult
from engine.record import Contestant
from engine.result import CpuUse, MatchResult
from runners.database import Database, is_there
from runners.schema import entrants, failures, matches, tournaments

BATCH = 500
"""Keys asked for at once; SQLite takes a thousand."""


class KeptTeam(msgspec.Struct, frozen=True, kw_only=True):
    """One team's side of a kept result (engine.result.TeamResult has the words)."""

    bot: Contestant
    score: float
    faults: dict[Cause, int]
    details: dict[Cause, str]
    restarts: int
    out: str | None
    cpu: CpuUse
    left: str = ""


class KeptResult(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a match beside its folder: all but the spec, which its key stands for."""

    key: str
    winner: int | None
    reason: str
    turns: int
    teams: tuple[KeptTeam, ...]
    fingerprint: str
    replay: str | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """Of each team, in the game's own points."""
        return tuple(team.score for team in self.teams)


class Store:
    """The results in the database at a URL.

    Raises: EngineFailure where it cannot be read or written; BadResult for what is no result.
    """

    def __init__(self, url: str) -> None:
        """Opens it, or makes it. Raises: UsageError for a URL or a database that will not do."""
        self._database = Database(url)

    @property
    def shown(self) -> str:
        """Its URL, for people."""
        return self._database.shown

    def close(self) -> None:
        self._database.close()

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Hold what nobody else does meanwhile. Raises: Held."""
        return self._database.lock(name)

    def results(self, keys: Iterable[str]) -> dict[str, KeptResult]:
        """Those that are here, by key."""
        found: dict[str, KeptResult] = {}
        remaining = iter(keys)
        with self._database.reading() as connection:
            while batch := list(islice(remaining, BATCH)):
                rows = connection.execute(
                    select(matches.c.key, matches.c.result).where(matches.c.key.in_(batch))
                )
                found |= {key: self._decoded(text) for key, text in rows}
        return found

    def add(self, result: MatchResult) -> KeptResult:
        """Keep a result, unless there is one under its key; the one that is kept."""
        kept = msgspec.convert(result, KeptResult, from_attributes=True)
        row = {
            "key": result.key,
            "game": result.spec.game,
            "result": msgspec.json.encode(kept).decode(),
            "played_at": _now(),
        }
        with self._database.writing() as connection:
            is_first = self._database.insert_new(connection, matches, row)
        return kept if is_first else self.results([result.key])[result.key]

    def add_failure(self, key: str, words: str) -> None:
        """A match that could not be played, for no bot's fault."""
        row = {"key": key, "words": words, "failed_at": _now()}
        with self._database.writing() as connection:
            connection.execute(insert(failures).values(row))

    def failures(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """The words of every failure of these matches."""
        wanted, found = set(keys), dict[str, list[str]]()
        with self._database.reading() as connection:
            rows = connection.execute(select(failures.c.key, failures.c.words))
            for key, words in rows:
                if key in wanted:
                    found.setdefault(key, []).append(words)
        return found

    def tournament_names(self) -> list[str]:
        """The one begun last comes last."""
        with self._database.reading() as connection:
            order = select(tournaments.c.name).order_by(tournaments.c.begun_at)
            return [name for (name,) in connection.execute(order)]

    def plan(self, name: str) -> str | None:
        """A tournament's plan as it was kept, JSON."""
        with self._database.reading() as connection:
            chosen = select(tournaments.c.plan).where(tournaments.c.name == name)
            row = connection.execute(chosen).one_or_none()
        return None if row is None else str(row[0])

    def entrants(self, name: str) -> list[str]:
        """A tournament's entrants in the order of entry, JSON each."""
        with self._database.reading() as connection:
            chosen = select(entrants.c.entrant).where(entrants.c.tournament == name)
            return [text for (text,) in connection.execute(chosen.order_by(entrants.c.number))]

    def keep_tournament(self, name: str, plan: str, field: Mapping[int, str]) -> None:
        """Keep a new plan, or new (or changed) entrants of an old one; all of it or nothing."""
        with self._database.writing() as connection:
            row = {"name": name, "plan": plan, "begun_at": _now()}
            self._database.insert_new(connection, tournaments, row)
            for number, entrant in field.items():
                mine = (entrants.c.tournament == name) & (entrants.c.number == number)
                connection.execute(entrants.delete().where(mine))
                values = {"tournament": name, "number": number, "entrant": entrant}
                connection.execute(insert(entrants).values(values))

    def count(self) -> int:
        """How many results there are."""
        with self._database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(matches)).scalar_one())

    def _decoded(self, text: str) -> KeptResult:
        try:
            return msgspec.json.decode(text, type=KeptResult)
        except msgspec.MsgspecError as error:
            where = self._database.shown
            raise BadResult(f"{where}: a result cannot be understood: {error}") from error


def existing_store(url: str) -> Store | None:
    """The database at a URL; None where it would be a new file, which is not made.

    Raises: UsageError for a URL or a database that will not do.
    """
    return Store(url) if is_there(url) else None


def default_url(out: Path, game: str) -> str:
    """One SQLite file per game, beside the matches."""
    return f"sqlite:///{out / f'{game}.sqlite'}"


def _now() -> datetime:
    return datetime.now(UTC)
