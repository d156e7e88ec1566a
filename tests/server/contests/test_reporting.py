"""What authors are told of their bots."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from engine.referee import Job
from engine.result import MatchResult
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState, versions
from server.contests.ladder_tables import LadderTables
from server.contests.notices import MAX_NOTICES_PER_PERSON, Notices, count_unseen
from server.contests.reporting import FAR_ELO, Reporter
from tests.runners.contests.executors import OUT, make_result
from tests.server.contests.field import (
    bots_in,
    contest_of,
    enter_all,
    ladder_in,
    person_in,
    play_on_paper,
    rate,
    read_notices,
    results_in,
    version_in,
)
from visualizer.model.story import compute_losing_turn, losing_turn


def test_the_author_of_a_bot_in_quarantine_is_told_why(database: Database) -> None:
    ladder, (bad, good) = ladder_in(database), bots_in(database, "bad", "good")
    enter_all(database, ladder, [bad, good])
    reporter = Reporter(database, LadderTables(database))
    contest = contest_of(database, ladder, reporter.on_match_played)
    play_on_paper(contest, 6, lambda job: make_result(job, out="bad"))
    words = "bad, version 1, broke in 3 matches in a row and plays no more until you hand in "
    assert [(one.words, one.path) for one in Notices(database).of(bad.person, 9)] == [
        (f"{words}another version: {OUT}", f"/bots/{bad.id}")
    ]


def test_the_first_loss_to_a_bot_that_is_rated_far_below_is_told_once(database: Database) -> None:
    ladder, (strong, weak) = ladder_in(database), bots_in(database, "strong", "weak")
    enter_all(database, ladder, [strong, weak])
    rate(database, ladder.id, {strong.version: 1500 + FAR_ELO, weak.version: 1500})
    reporter = Reporter(database, LadderTables(database))
    contest = contest_of(database, ladder, reporter.on_match_played)
    play_on_paper(contest, 4, lambda job: wins(job, "weak"))
    assert [(one.words, one.path) for one in Notices(database).of(strong.person, 9)] == [
        (
            "strong lost for the first time to weak, which is rated 200 lower",
            f"/matches/{results_in(database, ladder)[0].public_id}",
        )
    ]
    assert read_notices(database, weak.person) == []


def wins(job: Job, name: str) -> MatchResult:
    """Return a result of a match that the bot of this name has won."""
    seat = [bot.name for bot in job.contestants].index(name)
    return replace(make_result(job, name), winner=seat + 1)


def test_a_new_best_rank_is_told(database: Database) -> None:
    ladder, bots = ladder_in(database, name="Tiny", matches_per_day=1), bots_in(database, "a", "b")
    enter_all(database, ladder, bots)
    play_on_paper(contest_of(database, ladder), 10)
    ann, ben = (bot.version for bot in bots)
    reporter = Reporter(database, LadderTables(database))
    for elos in ({ann: 1600, ben: 1400}, {ann: 1500, ben: 1501}, {ann: 1600, ben: 1400}):
        reporter.on_ratings_published(ladder.id, rate(database, ladder.id, elos))
    assert read_notices(database, bots[1].person) == ["b leads Tiny"]
    assert read_notices(database, bots[0].person) == []  # it led before


def test_a_new_version_has_its_predecessors_rating_until_it_has_played(database: Database) -> None:
    ladder, (bot, other) = ladder_in(database), bots_in(database, "ann", "ben")
    enter_all(database, ladder, [bot, other])
    before = rate(database, ladder.id, {bot.version: 1600})[bot.version]
    version_in(database, bot, "second", number=2, state=VersionState.QUARANTINED)
    former = update(versions).where(versions.c.id == bot.version)
    database.write(former.values(state=VersionState.FORMER))
    table = LadderTables(database).table(ladder, None)
    own = next(one for one in table.standings if one.bot == bot.id)
    assert (own.version, own.is_provisional, own.elo) == ("second", True, 1600)
    assert own.rating is not None
    assert own.rating.spread > before.spread


def test_only_the_newest_notices_are_kept(database: Database) -> None:
    person = person_in(database, "Ann")
    notices = Notices(database)
    for number in range(MAX_NOTICES_PER_PERSON + 5):
        notices.tell([person], f"number {number}", "/")
    saved = notices.of(person, 2 * MAX_NOTICES_PER_PERSON)
    assert [saved[0].words, saved[-1].words] == [f"number {MAX_NOTICES_PER_PERSON + 4}", "number 5"]
    assert database.read(count_unseen(person)) == [MAX_NOTICES_PER_PERSON]
    notices.mark_seen(person, saved[1].id)
    assert database.read(count_unseen(person)) == [1]


@pytest.mark.parametrize(
    ("scores", "seat", "turn"),
    [
        ([(0, 0), (2, 0), (2, 1), (2, 3), (2, 4)], 0, 3),  # it led to the end of turn 2
        ([(0, 0), (0, 1), (0, 5), (0, 6)], 0, 2),  # it never led; turn 2 cost the most
        ([(0, 0), (0, 1), (3, 1), (3, 4)], 0, 3),
        ([(0, 0), (0, 1)], 1, None),  # it did not lose
        ([(0, 0)], 0, None),
        ([(5, 5, 5), (4, 6, 5), (3, 5, 9)], 1, 2),
    ],
)
def test_the_turn_from_which_a_match_was_lost(
    scores: list[tuple[float, ...]], seat: int, turn: int | None
) -> None:
    assert compute_losing_turn(scores, seat) == turn


def test_a_replay_that_is_gone_tells_no_turn(tmp_path: Path) -> None:
    assert losing_turn(tmp_path / "none", 0) is None
