"""Series of drafts in the database, where each process of a server finds them."""

from datetime import timedelta
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import delete, insert, select, update

from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import draft_series
from server.identity.text_limits import FIELDS
from server.runs.run_rows import State

LOST_AFTER = timedelta(minutes=15)
"""A series of which nothing was heard for so long was of a process that was killed."""
KEPT = timedelta(days=7)
MAX_GAMES = 200
LOST_TEXT = "The server was ended meanwhile: start it again."
OPEN = (State.WAITING, State.PLAYING)


class SeriesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a draft is to play, and how many games at most: an even number."""

    against: Annotated[str, Meta(max_length=FIELDS["opponent"])]
    games: Annotated[int, Meta(ge=2, le=MAX_GAMES)] = 40
    preset: Annotated[str, Meta(max_length=FIELDS["game"])] | None = None


class SeriesMade(Struct, frozen=True):
    """The series that was begun."""

    id: str


class SeriesAnswer(Struct, kw_only=True):
    """How a series of a draft stands."""

    id: str
    draft: str
    against: str
    """The name of the other bot."""
    state: State = State.WAITING
    played: int = 0
    of: int
    """The games at most: a verdict may come before."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    best: float | None = None
    """The lead of the draft in Elo, from complete pairs; null where there is no limit."""
    low: float | None = None
    """The ends of its interval of 95 %."""
    high: float | None = None
    confidence: float = 0.95
    verdict: str = ""
    """In words, for as far as it was played."""
    is_decided: bool = False


class SeriesRows:
    """The series of all processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, series: SeriesAnswer) -> None:
        """Add a series, and drop those of weeks before."""
        row = {"id": series.id, "draft": series.draft, **_series_to_row(series)}
        with self._database.transaction() as connection:
            connection.execute(delete(draft_series).where(draft_series.c.changed_at < now() - KEPT))
            connection.execute(insert(draft_series).values(row))

    def save(self, series: SeriesAnswer) -> None:
        """Write how a series stands."""
        where = draft_series.c.id == series.id
        self._database.write(update(draft_series).where(where).values(_series_to_row(series)))

    def find(self, series_id: str) -> SeriesAnswer | None:
        query = select(draft_series).where(draft_series.c.id == series_id)
        row = self._database.fetch_row(query)
        if row is None:
            return None
        series = msgspec.json.decode(row.content, type=SeriesAnswer)
        if series.state in OPEN and with_time_zone(row.changed_at) < now() - LOST_AFTER:
            series.state, series.verdict = State.FAILED, LOST_TEXT
        return series

    def fail_unfinished(self) -> None:
        """Say of all that are not over that they are lost: nobody plays them."""
        query = select(draft_series.c.content).where(draft_series.c.state.in_(OPEN))
        found = [
            msgspec.json.decode(content, type=SeriesAnswer)
            for content in self._database.fetch_column(query)
        ]
        for series in found:
            series.state, series.verdict = State.FAILED, LOST_TEXT
            self.save(series)


def _series_to_row(series: SeriesAnswer) -> dict[str, object]:
    return {
        "content": msgspec.json.encode(series).decode(),
        "state": series.state,
        "changed_at": now(),
    }
