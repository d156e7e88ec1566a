"""The ladders are played, whatever happens meanwhile."""

import os
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select

from engine.errors import EngineFailure
from engine.referee import Job
from engine.result import MatchResult
from runners.contests import publishing
from runners.contests.ladder_ratings import compute_ratings, find_latest_ratings
from runners.contests.ladders import Ladders
from runners.contests.playing import MAX_TRIES
from runners.execution.local_executor import Processes
from runners.execution.pool import Ending, Pool
from runners.storage.database import Database
from runners.storage.ladder_tables import EntryState, fixtures, players
from runners.storage.store import StoredResult
from tests import needs
from tests.engine.bots.matches import find_children
from tests.processes import kill, read_command
from tests.runners.contests.executors import make_result
from tests.server.contests.field import (
    bot_in,
    bots_in,
    contest_of,
    enter_all,
    ladder_in,
    person_in,
    play_on_paper,
    playing,
    real_bot_in,
    results_in,
    tiny_field,
    tiny_ladder_in,
)
from tests.shell import eventually

NAMES = ("ann", "ben", "cem")


def names_in(jobs: list[Job]) -> list[set[str]]:
    return [{one.name for one in job.contestants} for job in jobs]


def test_only_entered_bots_of_different_authors_meet(database: Database) -> None:
    ladder, ann = ladder_in(database), person_in(database, "Ann")
    other, _ = bots_in(database, "other", "outsider")
    enter_all(database, ladder, [*(bot_in(database, ann, name) for name in ("one", "two")), other])
    met = names_in(play_on_paper(contest_of(database, ladder), 12))
    assert set(map(frozenset, met)) == {frozenset({"one", "other"}), frozenset({"two", "other"})}


@pytest.mark.slow
def test_a_paused_ladder_is_played_on_when_it_runs_again(
    database: Database, tmp_path: Path
) -> None:
    ladder, bots = tiny_field(database, tmp_path, *NAMES, is_paused=True)
    running = tiny_ladder_in(database)
    enter_all(database, running, bots)
    with playing(database, tmp_path) as player:
        assert eventually(lambda: len(results_in(database, running)) >= 2)
        assert results_in(database, ladder) == []
        Ladders(database).change(replace(ladder, is_paused=False))
        player.wake()
        assert eventually(lambda: len(results_in(database, ladder)) >= 2)


def test_who_breaks_in_three_matches_in_a_row_plays_no_more(database: Database) -> None:
    ladder, received = ladder_in(database), list[str]()
    bad, *sound = bots_in(database, "bad", *NAMES)
    enter_all(database, ladder, [bad, *sound])
    contest = contest_of(database, ladder, lambda match, result, out: received.extend(out))
    met = names_in(play_on_paper(contest, 60, lambda job: make_result(job, out="bad")))
    assert received == [bad.version]
    assert 3 <= sum("bad" in names for names in met) <= 4  # one was being played
    given_up = database.fetch_column(select(fixtures.c.why).where(fixtures.c.why != ""))
    assert set(given_up) <= {"one of its bots plays no more"}


def test_a_withdrawn_bot_plays_no_more(database: Database) -> None:
    ladder, bots = ladder_in(database), bots_in(database, *NAMES)
    enter_all(database, ladder, bots)
    contest = contest_of(database, ladder)
    waiting = [*islice(contest.open_fixtures(), 6)]
    assert any(bots[0].version in one.fixture.seats for one in waiting)
    out = EntryState.WITHDRAWN
    Ladders(database).set_state(ladder.id, bots[0].id, out, was=[EntryState.PLAYING])
    met = names_in(play_on_paper(contest, 6))
    assert set(map(frozenset, met)) == {frozenset({"ben", "cem"})}


def test_where_matches_are_to_be_tried_again_no_new_ones_are_drawn(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.contests.ladder_contest.MAX_FAILING", 1)
    ladder, received = ladder_in(database), list[BaseException]()
    enter_all(database, ladder, bots_in(database, "ann", "ben"))
    contest = contest_of(database, ladder, on_failure=received.append)
    failing, other = islice(contest.open_fixtures(), 2)
    error = EngineFailure("the disk is full")
    assert contest.fail(failing, error) == 1
    assert received == [error]
    open_ones = {failing.fixture.id, other.fixture.id}
    assert {one.fixture.id for one in contest.open_fixtures()} == open_ones
    for count in range(2, MAX_TRIES + 1):
        assert contest.fail(failing, error) == count
    assert len([*islice(contest.open_fixtures(), 9)]) == 9  # that one is given up
    query = select(fixtures.c.why, fixtures.c.failures, fixtures.c.has_result)
    (row,) = database.fetch_all(query.where(fixtures.c.why != ""))
    assert tuple(row) == ("the disk is full", MAX_TRIES, False)


def test_an_author_over_the_limit_of_the_day_waits(database: Database) -> None:
    ladder = ladder_in(database, cpu_s_per_day=0.05)
    enter_all(database, ladder, bots_in(database, "hungry", *NAMES))

    def burn(job: Job) -> MatchResult:
        result = make_result(job)
        teams = [
            replace(team, cpu=replace(team.cpu, total_ms=50 * (team.bot.name == "hungry")))
            for team in result.teams
        ]
        return replace(result, teams=tuple(teams))

    met = names_in(play_on_paper(contest_of(database, ladder), 12, burn))
    assert 1 <= sum("hungry" in names for names in met) <= 4  # given out before one was played
    later = names_in(play_on_paper(contest_of(database, ladder), 12, burn))
    assert not any("hungry" in names for names in later)


@pytest.mark.slow
def test_all_results_are_kept_with_their_replays_and_ratings_are_those_of_all_at_once(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "PAUSE_S", 0.1)
    ladder = tiny_ladder_in(database, matches_per_day=1)
    moves = ["return 'SPLITLEFT'", "return 'BITEUP'", "return 'LEFT'"]
    bots = [real_bot_in(database, tmp_path, *bot) for bot in zip(NAMES, moves, strict=True)]
    enter_all(database, ladder, bots)

    def published() -> Counter[str]:
        with database.reading() as connection:
            known = find_latest_ratings(connection, ladder.id)
        return Counter({version: one.games for version, one in known.items()})

    with playing(database, tmp_path):
        assert eventually(lambda: published().total() >= 20)
        assert eventually(lambda: published().total() == 2 * len(results_in(database, ladder)))
    with database.reading() as connection:
        at_once = compute_ratings(connection, ladder.id)
        saved = find_latest_ratings(connection, ladder.id)
    assert {one.version for one in bots} == set(saved)
    for version, rating in at_once.items():
        assert replace(rating, at=saved[version].at) == saved[version]
    rows = results_in(database, ladder)
    assert whole_sets(rows)
    assert len({row.seed for row in rows[0:6:2]}) == 3
    first = msgspec.json.decode(rows[0].result, type=StoredResult)
    assert first.key == rows[0].key
    assert first.replay is not None
    assert Path(first.replay).is_file()
    known = database.fetch_all(select(players).where(players.c.fixture == rows[0].id))
    assert [row.score for row in known] == list(first.scores)
    assert [row.is_out for row in known] == [False, False]


@needs.call("signal.SIGKILL")
def test_a_killed_process_loses_no_match(database: Database, tmp_path: Path) -> None:
    ladder, _ = tiny_field(database, tmp_path, *NAMES)

    def has_played(count: int) -> bool:
        return len(results_in(database, ladder)) >= count

    others = find_children(os.getpid())  # of other tests in this process
    with playing(database, tmp_path):
        assert eventually(partial(has_played, 2))
        for _ in range(2):
            before = len(results_in(database, ladder))
            for child in set(find_children(os.getpid())).difference(others):
                if b"resource_tracker" not in read_command(child):
                    kill(child)
            assert eventually(partial(has_played, before + 4))
    assert database.fetch_all(select(fixtures.c.why).where(fixtures.c.why != "")) == []
    assert whole_sets(results_in(database, ladder))


@pytest.mark.slow
def test_a_second_dispatcher_waits_and_takes_over(database: Database, tmp_path: Path) -> None:
    ladder, _ = tiny_field(database, tmp_path, *NAMES)
    with playing(database, tmp_path) as first, playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 4)
        first.close()
        before = len(results_in(database, ladder))
        assert eventually(lambda: len(results_in(database, ladder)) >= before + 4)
    assert whole_sets(results_in(database, ladder))


def test_without_bots_it_waits_and_ends_promptly(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database)
    with playing(database, tmp_path):
        pass
    assert results_in(database, ladder) == []


def test_what_is_ended_while_it_is_started_again_plays_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pool(Processes(tmp_path, 1)) as pool:
        monkeypatch.setattr(Processes, "restart", lambda processes: pool.end_for_good())
        with pytest.raises(Ending):
            pool._restart()


def test_all_authors_of_a_small_field_of_smac_sit_at_one_table(database: Database) -> None:
    ladder, bots = ladder_in(database, "smac"), bots_in(database, *NAMES, game="smac")
    enter_all(database, ladder, bots)
    play_on_paper(contest_of(database, ladder), 3)
    rows = results_in(database, ladder)
    seats = [msgspec.json.decode(row.seats) for row in rows]
    assert {row.set_number for row in rows} == {1}
    assert sorted(seats[0]) == sorted(bot.version for bot in bots)
    assert seats[1:] == [seats[0][1:] + seats[0][:1], seats[0][2:] + seats[0][:2]]
    with database.reading() as connection:
        found = compute_ratings(connection, ladder.id)
    assert {one.games for one in found.values()} == {6}  # a match counts for each other


def whole_sets(rows: list[Any]) -> bool:
    """Return whether every set but the last two was played once in each rotation, none twice."""
    counts = Counter(row.set_number for row in rows)
    assert len({row.key for row in rows}) == len(rows)
    return all(counts[number] == 2 for number in range(1, max(counts) - 1))
