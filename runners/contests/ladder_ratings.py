"""The published ratings of ladders: computed from all results at once, and kept over time."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select

from engine.game import Groups
from engine.streams import parse_seed
from runners.statistics.ratings import ROUNDS, rate
from runners.statistics.scores import PairwiseResults, Score, SideSwappedSet
from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.ladder_tables import fixtures, ratings, versions
from runners.storage.tables import matches
from runners.storage.together import AnyRow, Lookup, Rows

NEWCOMER_SPREAD = 500.0
"""Half the width of the interval of whom nothing is known, Elo."""
INTERVAL_WIDENING = 1.5
"""The interval of a predecessor is wider by so much for the version that takes its place."""
SMALL_FIELD = 200
"""Versions up to which the bootstrap has all its rounds; each takes the cube of their number."""
MIN_ROUNDS = 100
MAX_KEPT_RATINGS = 100
"""About so many ratings of a version are kept over time, besides the present one."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """A rating as it is published."""

    version: str
    at: datetime
    games: int
    elo: float | None
    low: float | None
    """None for no limit."""
    high: float | None

    @property
    def spread(self) -> float:
        """Return half the width of the interval, Elo."""
        if self.elo is None or (self.low is None and self.high is None):
            return NEWCOMER_SPREAD
        one = self.elo if self.low is None else self.low
        other = self.elo if self.high is None else self.high
        return max(other - self.elo, self.elo - one)

    def with_wider_interval(self) -> "Published":
        """Return what is supposed of the version that comes after this one."""
        if self.elo is None:
            return self
        spread = INTERVAL_WIDENING * self.spread
        return msgspec.structs.replace(self, low=self.elo - spread, high=self.elo + spread)


class _Team(msgspec.Struct):
    score: float


class _Scores(msgspec.Struct):
    """What a kept result says of the scores."""

    teams: tuple[_Team, ...]
    groups: Groups = ()


_scores = msgspec.json.Decoder(_Scores)
_seats = msgspec.json.Decoder(tuple[str, ...])

Mark = tuple[int, int]
"""How many results count, and the sum of their numbers: another mark, other ratings."""


def results_mark(connection: Connection, ladder_id: str, until: datetime | None = None) -> Mark:
    """Return what the ratings of a ladder follow from."""
    counted = select(func.count(), func.coalesce(func.sum(fixtures.c.id), 0))
    count, total = connection.execute(counted.where(*_rated_conditions(ladder_id, until))).one()
    return count, total


def load_results(
    connection: Connection, ladder_id: str, until: datetime | None = None
) -> tuple[PairwiseResults, list[str]]:
    """Return all results that count, up to a time, and the versions by their numbers in them."""
    query = (
        select(fixtures.c.set_number, fixtures.c.seed, fixtures.c.seats, matches.c.result)
        .join(matches, matches.c.key == fixtures.c.key)
        .where(*_rated_conditions(ladder_id, until))
        .order_by(fixtures.c.set_number, fixtures.c.id)
    )
    numbers: dict[str, int] = {}
    found = PairwiseResults(_sets_from_rows(connection.execute(query), numbers))
    return found, list(numbers)


def compute_ratings(
    connection: Connection, ladder_id: str, until: datetime | None = None
) -> dict[str, Published]:
    """Return the ratings of all who have played, by version, as all results up to a time say."""
    at = now() if until is None else until
    results, names = load_results(connection, ladder_id, until)
    rounds = max(MIN_ROUNDS, min(ROUNDS, int(ROUNDS * (SMALL_FIELD / (len(names) or 1)) ** 3)))
    return {
        names[rating.entrant]: Published(
            version=names[rating.entrant],
            at=at,
            games=rating.games,
            elo=rating.elo,
            low=rating.low,
            high=rating.high,
        )
        for rating in rate(results, rounds=rounds).ratings
    }


def publish(
    database: Database,
    ladder_id: str,
    found: Mapping[str, Published],
    at: datetime,
    *,
    pinned: datetime | None = None,
) -> None:
    """Keep the ratings of a time; of former ones so many as a chart shows.

    Those of time `pinned`, and of before it, stay. A version without results loses its ratings.
    """
    where = ratings.c.ladder == ladder_id, ratings.c.at <= at
    with database.transaction() as connection:
        times: dict[str, list[datetime]] = {}
        query = select(ratings.c.version, ratings.c.at).where(*where).order_by(ratings.c.at)
        for version, then in connection.execute(query):
            times.setdefault(version, []).append(with_time_zone(then))
        for version, history in times.items():
            drops = list(_replaceable_times(history, at, pinned)) if version in found else history
            if drops:
                of_version = ratings.c.version == version, ratings.c.at.in_(drops)
                connection.execute(delete(ratings).where(*where, *of_version))
        rows = [
            {"ladder": ladder_id, **msgspec.structs.asdict(one), "at": at} for one in found.values()
        ]
        if rows:
            connection.execute(insert(ratings), rows)


def forget_later(
    database: Database, ladder_id: str, at: datetime, *, pinned: datetime | None = None
) -> None:
    """Remove the ratings of times after `at`, which are there if the clock was set back.

    They would be the newest until that time comes again. Those of time `pinned` stay.
    """
    later = [ratings.c.ladder == ladder_id, ratings.c.at > at]
    if pinned is not None:
        later.append(ratings.c.at != pinned)
    database.write(delete(ratings).where(*later))


def find_latest_ratings(
    connection: Connection, ladder_id: str, until: datetime | None = None
) -> dict[str, Published]:
    """Return the newest ratings of a ladder by version, or those of a time."""
    at = ratings.c.ladder == ladder_id
    if until is None:  # whoever is rated is rated at the newest time
        newest_at = connection.execute(select(func.max(ratings.c.at)).where(at)).scalar()
        return {} if newest_at is None else _find_ratings_at(connection, ladder_id, newest_at)
    newest = (
        select(ratings.c.version, func.max(ratings.c.at).label("at"))
        .where(and_(at, ratings.c.at <= until))
        .group_by(ratings.c.version)
        .subquery()
    )
    same = and_(newest.c.version == ratings.c.version, newest.c.at == ratings.c.at)
    query = select(ratings).join(newest, same).where(at)
    return {row.version: struct_from_row(Published, row) for row in connection.execute(query)}


def _find_ratings_at(connection: Connection, ladder_id: str, at: datetime) -> dict[str, Published]:
    """Return the ratings of a time, by version."""
    query = select(
        ratings.c.version, ratings.c.games, ratings.c.elo, ratings.c.low, ratings.c.high
    ).where(ratings.c.ladder == ladder_id, ratings.c.at == at)
    when = with_time_zone(at)
    return {
        version: Published(version=version, at=when, games=games, elo=elo, low=low, high=high)
        for version, games, elo, low, high in connection.execute(query)
    }


def find_rating_histories(
    version_ids: Iterable[str], until: datetime | None = None
) -> Lookup[dict[str, list[Published]]]:
    """Look up the ratings of versions over time, by ladder, the oldest first."""
    query = select(ratings).where(ratings.c.version.in_(list(version_ids))).order_by(ratings.c.at)
    if until is not None:
        query = query.where(ratings.c.at <= until)

    def group(rows: Rows) -> dict[str, list[Published]]:
        found: dict[str, list[Published]] = {}
        for row in rows:
            found.setdefault(row.ladder, []).append(struct_from_row(Published, row))
        return found

    return Lookup(query, group)


def find_predecessor_ratings(database: Database, ladder_id: str) -> dict[str, Published]:
    """Return for each bot the rating that its newest version begins with, by the bot's id.

    That is its own, or that of the newest version before it that has one, with a wider interval.
    """
    with database.reading() as connection:
        known = find_latest_ratings(connection, ladder_id)
        query = select(versions.c.id, versions.c.bot, versions.c.number)
        rows = connection.execute(query.order_by(versions.c.number)).all()
    newest = {row.bot: row.id for row in rows}
    found = {row.bot: known[row.id] for row in rows if row.id in known}
    return {
        bot: rating if rating.version == newest[bot] else rating.with_wider_interval()
        for bot, rating in found.items()
        if rating.elo is not None
    }


def _rated_conditions(ladder_id: str, until: datetime | None) -> list[ColumnElement[bool]]:
    where = [
        fixtures.c.ladder == ladder_id,
        fixtures.c.has_result,
        fixtures.c.is_void.is_(False),
    ]
    return where if until is None else [*where, fixtures.c.played_at < until]


def _sets_from_rows(rows: Iterable[AnyRow], numbers: dict[str, int]) -> Iterator[SideSwappedSet]:
    """Yield the sets of rows that are in their order; number the versions as they come."""
    for _, of_set in groupby(rows, lambda row: row.set_number):
        played = list(of_set)
        scores = tuple(_score_from_row(row, numbers) for row in played)
        yield SideSwappedSet(parse_seed(played[0].seed), scores)


def _score_from_row(row: AnyRow, numbers: dict[str, int]) -> Score:
    versions_of = _seats.decode(row.seats)
    seats = tuple(numbers.setdefault(version, len(numbers)) for version in versions_of)
    result = _scores.decode(row.result)
    return Score(seats, tuple(team.score for team in result.teams), result.groups)


def _replaceable_times(
    history: list[datetime], at: datetime, pinned: datetime | None
) -> Iterator[datetime]:
    """Yield the times, of ratings in order, that those of `at` take the place of."""
    if at in history:
        yield at
        return
    *_, last = history
    if last == pinned or len(history) == 1:
        return
    if last - history[-2] < (at - history[0]) / MAX_KEPT_RATINGS:
        yield last
