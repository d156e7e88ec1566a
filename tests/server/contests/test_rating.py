"""Ratings over time, in the database."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import LadderFixtures
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
    publish,
)
from runners.storage.database import Database, now
from runners.storage.ladder_tables import fixtures
from tests.server.contests.field import (
    Made,
    bot_in,
    enter_all,
    ladder_in,
    make_result,
    person_in,
    version_in,
)

HOUR = timedelta(hours=1)


def rate(database: Database, ladder: Ladder, version: str, elo: float, at: datetime) -> None:
    found = Published(version=version, at=at, games=10, elo=elo, low=elo - 9, high=elo + 9)
    publish(database, ladder.id, {version: found}, at)


def elos(database: Database, ladder: Ladder) -> Mapping[str, float | None]:
    with database.reading() as connection:
        return {
            version: one.elo for version, one in find_latest_ratings(connection, ladder.id).items()
        }


def test_ratings_of_before_the_clock_was_set_back_do_not_stay_the_newest(
    database: Database,
) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    rate(database, ladder, bot.version, 1600, at)
    forget_later(database, ladder.id, at - HOUR)
    rate(database, ladder, bot.version, 1500, at - HOUR)
    assert elos(database, ladder) == {bot.version: 1500}


def test_ratings_of_a_freeze_stay_though_the_clock_was_set_back(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    rate(database, ladder, bot.version, 1600, at)
    forget_later(database, ladder.id, at - HOUR, pinned=at)
    assert elos(database, ladder) == {bot.version: 1600}


def times(database: Database, bot: Made) -> list[datetime]:
    """Return when a bot's version was rated, as far as that is kept."""
    (histories,) = database.read(find_rating_histories([bot.version]))
    return [one.at for history in histories.values() for one in history]


def test_many_ratings_are_thinned_out_and_the_first_and_newest_stay(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    for number in range(3 * MAX_KEPT_RATINGS):
        rate(database, ladder, bot.version, 1500 + number, at + number * HOUR)
    found = times(database, bot)
    assert MAX_KEPT_RATINGS / 2 < len(found) < 2 * MAX_KEPT_RATINGS
    assert (found[0], found[-1]) == (at, at + (3 * MAX_KEPT_RATINGS - 1) * HOUR)


def test_the_ratings_of_a_freeze_stay_among_newer_ones(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    before = at + 50 * HOUR
    frozen = before + HOUR / 100  # so near that another one would be dropped
    moments = [at, before, frozen, *(frozen + n * HOUR for n in range(1, 4))]
    for moment in moments:
        found = Published(version=bot.version, at=moment, games=9, elo=1500, low=1400, high=1600)
        publish(database, ladder.id, {bot.version: found}, moment, pinned=frozen)
    assert times(database, bot) == moments


def test_a_version_whose_results_are_gone_has_no_rating(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    rate(database, ladder, bot.version, 1500, at)
    publish(database, ladder.id, {}, at + HOUR)
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


def test_a_new_version_begins_where_its_predecessor_was_and_less_sure(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    old, changed = (bot_in(database, person_in(database, name), name) for name in ("Ann", "Ben"))
    found = {
        one.version: Published(version=one.version, at=at, games=9, elo=1600, low=1500, high=1700)
        for one in (old, changed)
    }
    publish(database, ladder.id, found, at)
    version_in(database, changed, "next", number=2)
    begin = find_predecessor_ratings(database, ladder.id)
    assert {bot: (one.elo, one.spread) for bot, one in begin.items()} == {
        old.id: (1600, 100),
        changed.id: (1600, 100 * INTERVAL_WIDENING),
    }


def test_ratings_follow_from_all_results_that_count_up_to_a_time(database: Database) -> None:
    ladder, known = ladder_in(database), LadderFixtures(database)
    ann, ben = (bot_in(database, person_in(database, name), name) for name in ("Ann", "Ben"))
    enter_all(database, ladder, [ann, ben])
    made = [
        one
        for seed in range(3)
        for one in known.add_set(ladder, known.find_contenders(ladder.id), seed)
    ]
    for fixture in made:
        scores = [float(version == ann.version) for version in fixture.seats]
        known.save_result(fixture, make_result(fixture, scores), "slime_mind")
    later = now() + HOUR
    with database.transaction() as connection:
        of = {"void": [one.id for one in made[:2]], "later": [one.id for one in made[4:]]}
        void = update(fixtures).where(fixtures.c.id.in_(of["void"])).values(is_void=True)
        connection.execute(void)
        after = update(fixtures).where(fixtures.c.id.in_(of["later"])).values(played_at=later)
        connection.execute(after)
    with database.reading() as connection:
        by_then = compute_ratings(connection, ladder.id, later)
        at_last = compute_ratings(connection, ladder.id)
    assert {one.games for one in by_then.values()} == {2}
    assert {one.games for one in at_last.values()} == {4}
    best, worst = at_last[ann.version].elo, at_last[ben.version].elo
    assert best is not None
    assert worst is not None
    assert best > worst
