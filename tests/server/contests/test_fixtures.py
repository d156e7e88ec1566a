"""Matches of a ladder in the database: nobody plays them, and what is kept of them is made up."""

import pytest
from sqlalchemy import select, update

from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import BREAKS, NOT_PLAYING, LadderFixture, LadderFixtures
from runners.contests.playing import MAX_TRIES
from runners.storage.database import Database, Stale
from runners.storage.ladder_tables import VersionState, fixtures, versions
from server.identity.people import People
from tests.server.contests.field import Made, bot_in, enter_all, ladder_in, make_result, person_in


@pytest.fixture
def ladder(database: Database) -> Ladder:
    return ladder_in(database)


@pytest.fixture
def two(database: Database, ladder: Ladder) -> list[Made]:
    """Return two bots that have entered."""
    made = [bot_in(database, person_in(database, name), name) for name in ("Ann", "Ben")]
    enter_all(database, ladder, made)
    return made


def a_set(database: Database, ladder: Ladder, seed: int = 1) -> list[LadderFixture]:
    known = LadderFixtures(database)
    return known.add_set(ladder, known.find_contenders(ladder.id), seed)


def waiting(database: Database, ladder: Ladder) -> list[int]:
    return [one.id for one in LadderFixtures(database).find_waiting(ladder.id)]


def why(database: Database, fixture: LadderFixture) -> str:
    with database.reading() as connection:
        query = select(fixtures.c.why).where(fixtures.c.id == fixture.id)
        return str(connection.execute(query).scalar_one())


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
    assert known.save_result(fixture, make_result(fixture), "slime_mind") == []
    with pytest.raises(Stale):
        known.save_result(fixture, make_result(fixture), "slime_mind")
    known.give_up(other, "it is not wanted")
    with pytest.raises(Stale):
        known.save_result(other, make_result(other), "slime_mind")
    assert waiting(database, ladder) == []


def test_who_breaks_in_three_matches_in_a_row_is_in_quarantine(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    bad, known, found = two[0], LadderFixtures(database), []
    ends = ["crashed", "", *["crashed"] * BREAKS]
    for number, end in enumerate(ends):
        fixture = a_set(database, ladder, number)[0]
        found.append(
            known.save_result(fixture, make_result(fixture, outs={bad.version: end}), "slime_mind")
        )
    assert found == [[]] * (len(ends) - 1) + [[bad.version]]
    with database.reading() as connection:
        query = select(versions.c.state, versions.c.why).where(versions.c.id == bad.version)
        assert connection.execute(query).one() == (
            VersionState.QUARANTINED,
            "it broke in 3 matches in a row; the last one: crashed",
        )


def test_a_match_that_cannot_be_played_is_given_up_after_three_tries(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    known, (fixture, other) = LadderFixtures(database), a_set(database, ladder)
    for _ in range(MAX_TRIES - 1):
        known.fail(fixture, "the disk is full")
    assert waiting(database, ladder) == [fixture.id, other.id]
    known.fail(fixture, "the disk is full")
    assert waiting(database, ladder) == [other.id]
    assert why(database, fixture) == "the disk is full"


def test_nobody_waits_for_a_bot_that_plays_no_more(
    database: Database, ladder: Ladder, two: list[Made]
) -> None:
    known, (fixture, _) = LadderFixtures(database), a_set(database, ladder)
    known.drop_idle(ladder.id)
    assert fixture.id in waiting(database, ladder)
    with database.transaction() as connection:
        former = update(versions).where(versions.c.id == two[0].version)
        connection.execute(former.values(state=VersionState.FORMER))
    known.drop_idle(ladder.id)
    assert waiting(database, ladder) == []
    assert why(database, fixture) == NOT_PLAYING


@pytest.mark.parametrize("leave", ["ban", "delete"])
def test_bots_of_who_is_banned_or_has_left_play_no_more(
    database: Database, ladder: Ladder, two: list[Made], leave: str
) -> None:
    known, people = LadderFixtures(database), People(database)
    a_set(database, ladder)
    if leave == "ban":
        people.set_banned(two[0].person, is_banned=True)
    else:
        people.delete(two[0].person)
    assert [one.version for one in known.find_contenders(ladder.id)] == [two[1].version]
    known.drop_idle(ladder.id)
    assert waiting(database, ladder) == []
