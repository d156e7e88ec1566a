"""Matches of a ladder in the database: nobody plays them, and what is kept of them is made up."""

import pytest
from sqlalchemy import select, update

from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import BREAKS, NOT_PLAYING, LadderFixture, LadderFixtures
from runners.contests.playing import MAX_TRIES
from runners.storage.database import Database, Stale
from runners.storage.ladder_tables import VersionState, fixtures, versions
from server.identity.people import People
from tests.runners.contests.fields import a_result
from tests.server.contests.field import Made, bots_in, enter_all, ladder_in


@pytest.fixture
def ladder(database: Database) -> Ladder:
    return ladder_in(database)


@pytest.fixture
def two(database: Database, ladder: Ladder) -> list[Made]:
    """Return two bots that have entered."""
    made = bots_in(database, "ann", "ben")
    enter_all(database, ladder, made)
    return made


def a_set(database: Database, ladder: Ladder, seed: int = 1) -> list[LadderFixture]:
    known = LadderFixtures(database)
    return known.add_set(ladder, known.find_contenders(ladder.id), seed)


def waiting(database: Database, ladder: Ladder) -> list[int]:
    return [one.id for one in LadderFixtures(database).find_waiting(ladder.id)]


def why(database: Database, fixture: LadderFixture) -> str:
    return str(database.fetch_value(select(fixtures.c.why).where(fixtures.c.id == fixture.id)))


def test_a_set_is_one_map_from_both_sides(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    first, second = a_set(database, ladder, seed=7)
    assert (first.seed, second.seed) == (7, 7)
    assert first.seats == second.seats[::-1]
    assert set(first.seats) == {one.version for one in two}
    assert waiting(database, ladder) == [first.id, second.id]


def test_a_match_has_one_result(database: Database, ladder: Ladder, two: list[Made]) -> None:
    known, (fixture, other) = LadderFixtures(database), a_set(database, ladder)
    assert known.save_result(fixture, a_result(fixture.key, (1, 0)), "slime_mind") == []
    known.give_up(other, "it is not wanted")
    for one in (fixture, other):
        with pytest.raises(Stale):
            known.save_result(one, a_result(one.key, (1, 0)), "slime_mind")
    assert waiting(database, ladder) == []


def test_who_breaks_in_three_matches_in_a_row_is_in_quarantine(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    bad, known, found = two[0], LadderFixtures(database), []
    breaks = [True, False, *[True] * BREAKS]
    for number, is_broken in enumerate(breaks):
        fixture = a_set(database, ladder, number)[0]
        broken = [fixture.seats.index(bad.version)] * is_broken
        result = a_result(fixture.key, (1, 0), broken)
        found.append(known.save_result(fixture, result, "slime_mind"))
    assert found == [[]] * (len(breaks) - 1) + [[bad.version]]
    query = select(versions.c.state, versions.c.why).where(versions.c.id == bad.version)
    why = "it broke in 3 matches in a row; the last one: crash: it broke"
    assert [*map(tuple, database.fetch_all(query))] == [(VersionState.QUARANTINED, why)]


def test_a_match_that_cannot_be_played_is_given_up_after_three_tries(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    known, (fixture, other) = LadderFixtures(database), a_set(database, ladder)
    for tries in range(1, MAX_TRIES + 1):
        assert fixture.id in waiting(database, ladder)
        assert known.fail(fixture, "the disk is full") == tries
    assert waiting(database, ladder) == [other.id]
    assert why(database, fixture) == "the disk is full"


@pytest.mark.parametrize("leave", ["ban", "delete", "hand in"])
def test_nobody_waits_for_a_bot_that_plays_no_more(
    database: Database, ladder: Ladder, two: list[Made], leave: str
) -> None:
    known, (fixture, other) = LadderFixtures(database), a_set(database, ladder)
    assert known.drop_idle(ladder.id) == set()
    if leave == "ban":
        People(database).set_banned(two[0].person, is_banned=True)
    elif leave == "delete":
        People(database).delete(two[0].person)
    else:
        former = update(versions).where(versions.c.id == two[0].version)
        database.write(former.values(state=VersionState.FORMER))
    assert [one.version for one in known.find_contenders(ladder.id)] == [two[1].version]
    assert known.drop_idle(ladder.id) == {fixture.id, other.id}
    assert waiting(database, ladder) == []
    assert why(database, fixture) == NOT_PLAYING
