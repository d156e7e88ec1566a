"""Ratings over time, in the database."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import (
    INTERVAL_WIDENING,
    MAX_KEPT_RATINGS,
    NEWCOMER_SPREAD,
    Published,
    compute_ratings,
    find_latest_ratings,
    find_predecessor_ratings,
    find_rating_histories,
    forget_later,
)
from runners.storage.database import Database, now
from runners.storage.ladder_tables import fixtures
from tests.runners.contests.executors import make_result
from tests.server.contests.field import (
    Made,
    bots_in,
    contest_of,
    enter_all,
    ladder_in,
    play_on_paper,
    rate,
    results_in,
    version_in,
)

HOUR = timedelta(hours=1)


def elos(database: Database, ladder: Ladder) -> Mapping[str, float | None]:
    with database.reading() as connection:
        found = find_latest_ratings(connection, ladder.id)
    return {version: one.elo for version, one in found.items()}


@pytest.fixture
def ladder(database: Database) -> Ladder:
    return ladder_in(database)


@pytest.fixture
def bot(database: Database) -> Made:
    return bots_in(database, "alpha")[0]


@pytest.mark.parametrize("is_freeze", [False, True])
def test_where_the_clock_was_set_back_ratings_of_before_go_except_those_of_a_freeze(
    database: Database, ladder: Ladder, bot: Made, is_freeze: bool
) -> None:
    at = now()
    rate(database, ladder.id, {bot.version: 1600}, at)
    forget_later(database, ladder.id, at - HOUR, pinned=at if is_freeze else None)
    assert elos(database, ladder) == ({bot.version: 1600} if is_freeze else {})


def times(database: Database, bot: Made) -> list[datetime]:
    """Return when a bot's version was rated, as far as that is kept."""
    (histories,) = database.read(find_rating_histories([bot.version]))
    return [one.at for history in histories.values() for one in history]


def test_many_ratings_are_thinned_out_and_the_first_and_newest_stay(
    database: Database, ladder: Ladder, bot: Made
) -> None:
    at = now()
    for number in range(3 * MAX_KEPT_RATINGS):
        rate(database, ladder.id, {bot.version: 1500 + number}, at + number * HOUR)
    found = times(database, bot)
    assert MAX_KEPT_RATINGS / 2 < len(found) < 2 * MAX_KEPT_RATINGS
    assert (found[0], found[-1]) == (at, at + (3 * MAX_KEPT_RATINGS - 1) * HOUR)


def test_the_ratings_of_a_freeze_stay_among_newer_ones(
    database: Database, ladder: Ladder, bot: Made
) -> None:
    at = now()
    before = at + 50 * HOUR
    frozen = before + HOUR / 100  # so near that another one would be dropped
    moments = [at, before, frozen, *(frozen + n * HOUR for n in range(1, 4))]
    for moment in moments:
        rate(database, ladder.id, {bot.version: 1500}, moment, pinned=frozen)
    assert times(database, bot) == moments


def test_a_version_whose_results_are_gone_has_no_rating(
    database: Database, ladder: Ladder, bot: Made
) -> None:
    at = now()
    rate(database, ladder.id, {bot.version: 1500}, at)
    rate(database, ladder.id, {}, at + HOUR)
    assert times(database, bot) == []


@pytest.mark.parametrize(
    ("elo", "low", "high", "spread"),
    [
        (1500, 1490, 1600, 100),
        (1500, 1300, 1510, 200),
        (1500, None, 1600, 100),
        (1500, 1300, None, 200),
        (1500, None, None, NEWCOMER_SPREAD),
        (None, None, None, NEWCOMER_SPREAD),
    ],
)
def test_a_rating_is_as_sure_as_the_wider_side_of_its_interval(
    elo: float | None, low: float | None, high: float | None, spread: float
) -> None:
    one = Published(version="v", at=now(), games=9, elo=elo, low=low, high=high)
    assert one.spread == spread


def test_a_new_version_begins_where_its_predecessor_was_and_less_sure(
    database: Database, ladder: Ladder
) -> None:
    old, changed = bots_in(database, "ann", "ben")
    rate(database, ladder.id, {one.version: 1600 for one in (old, changed)})
    version_in(database, changed, "next", number=2)
    begin = find_predecessor_ratings(database, ladder.id)
    assert {bot: (one.elo, one.spread) for bot, one in begin.items()} == {
        old.id: (1600, 9),
        changed.id: (1600, 9 * INTERVAL_WIDENING),
    }


def test_ratings_follow_from_all_results_that_count_up_to_a_time(
    database: Database, ladder: Ladder
) -> None:
    ann, ben = bots_in(database, "ann", "ben")
    enter_all(database, ladder, [ann, ben])
    play_on_paper(contest_of(database, ladder), 6, lambda job: make_result(job, "ann"))
    made, later = [row.id for row in results_in(database, ladder)], now() + HOUR
    for of, values in ((made[:2], {"is_void": True}), (made[4:], {"played_at": later})):
        database.write(update(fixtures).where(fixtures.c.id.in_(of)).values(values))
    with database.reading() as connection:
        by_then = compute_ratings(connection, ladder.id, later)
        at_last = compute_ratings(connection, ladder.id)
    assert {one.games for one in by_then.values()} == {2}
    assert {one.games for one in at_last.values()} == {4}
    best, worst = at_last[ann.version].elo, at_last[ben.version].elo
    assert best is not None
    assert worst is not None
    assert best > worst
