"""The ladders are played, whatever happens meanwhile."""

import os
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from engine.bots.finding import Copies, resolve
from engine.errors import EngineFailure
from engine.play_options import PlayOptions
from runners.contests import publishing
from runners.contests.contests import Ladder
from runners.contests.ladder_contest import LadderContest
from runners.contests.ladder_ratings import compute_ratings, find_latest_ratings
from runners.contests.ladders import Ladders
from runners.contests.playing import MAX_TRIES
from runners.execution.local_executor import Processes
from runners.execution.pool import Ending, Pool
from runners.planning import bots_folder
from runners.storage.database import Database
from runners.storage.ladder_tables import EntryState, VersionState, fixtures, players, versions
from runners.storage.store import StoredResult
from tests import needs
from tests.engine.bots.matches import find_children
from tests.processes import kill, read_command
from tests.server.contests.field import (
    Made,
    bot_in,
    enter_all,
    ladder_in,
    person_in,
    playing,
    real_bot_in,
    results_in,
    tiny_ladder_in,
)
from tests.shell import eventually


def three_bots(database: Database, out: Path) -> list[Made]:
    return [real_bot_in(database, out, name) for name in ("ann", "ben", "cem")]


@pytest.mark.slow
def test_bots_of_a_ladder_meet_on_the_same_map_from_both_sides(
    database: Database, tmp_path: Path
) -> None:
    ladder = tiny_ladder_in(database)
    bots = three_bots(database, tmp_path)
    enter_all(database, ladder, bots)
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 6)
    rows = results_in(database, ladder)
    for first, second in zip(rows[0:6:2], rows[1:6:2], strict=True):
        assert first.set_number == second.set_number
        assert first.seed == second.seed
        seats = [msgspec.json.decode(row.seats) for row in (first, second)]
        assert seats[0] == seats[1][::-1]
    assert len({row.seed for row in rows[0:6:2]}) == 3
    first = msgspec.json.decode(rows[0].result, type=StoredResult)
    assert first.key == rows[0].key
    assert first.replay is not None
    assert Path(first.replay).is_file()
    known = database.fetch_all(select(players).where(players.c.fixture == rows[0].id))
    assert [row.score for row in known] == list(first.scores)
    assert [row.is_out for row in known] == [False, False]


@pytest.mark.slow
def test_only_entered_bots_of_different_authors_meet(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database)
    ann = person_in(database, "Ann")
    own = [real_bot_in(database, tmp_path, name, person=ann) for name in ("one", "two")]
    other, outsider = (real_bot_in(database, tmp_path, name) for name in ("other", "outsider"))
    enter_all(database, ladder, [*own, other])
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 6)
    seen = {tuple(sorted(msgspec.json.decode(row.seats))) for row in results_in(database, ladder)}
    assert seen == {tuple(sorted((one.version, other.version))) for one in own}
    assert outsider.version not in {version for pair in seen for version in pair}


@pytest.mark.slow
def test_a_paused_ladder_is_played_on_when_it_runs_again(
    database: Database, tmp_path: Path
) -> None:
    ladder, ladders = tiny_ladder_in(database, is_paused=True), Ladders(database)
    running = tiny_ladder_in(database)
    bots = three_bots(database, tmp_path)
    enter_all(database, ladder, bots)
    enter_all(database, running, bots)
    with playing(database, tmp_path) as player:
        assert eventually(lambda: len(results_in(database, running)) >= 2)
        assert results_in(database, ladder) == []
        ladders.change(msgspec.structs.replace(ladder, is_paused=False))
        player.wake()
        assert eventually(lambda: len(results_in(database, ladder)) >= 2)


@pytest.mark.slow
def test_who_breaks_in_three_matches_in_a_row_plays_no_more(
    database: Database, tmp_path: Path
) -> None:
    ladder = tiny_ladder_in(database)
    bad = real_bot_in(database, tmp_path, "bad", "import os; os._exit(1)")
    enter_all(database, ladder, [bad, *three_bots(database, tmp_path)])
    received: list[str] = []

    def state() -> Any:
        with database.reading() as connection:
            query = select(versions.c.state, versions.c.why).where(versions.c.id == bad.version)
            return connection.execute(query).one()

    with playing(database, tmp_path, on_played=lambda match, result, out: received.extend(out)):
        assert eventually(lambda: state().state == VersionState.QUARANTINED)
        assert eventually(lambda: received == [bad.version])
        before = len(results_in(database, ladder))
        assert eventually(lambda: len(results_in(database, ladder)) >= before + 4)
    assert "broke in 3 matches in a row" in state().why
    rows = results_in(database, ladder)
    assert sum(bad.version in row.seats for row in rows) <= 4  # one was being played
    with database.reading() as connection:
        given_up = select(fixtures.c.why).where(fixtures.c.why != "")
        assert set(connection.execute(given_up).scalars()) <= {"one of its bots plays no more"}


@pytest.mark.slow
def test_a_withdrawn_bot_plays_no_more(database: Database, tmp_path: Path) -> None:
    ladder, ladders = tiny_ladder_in(database), Ladders(database)
    bots = three_bots(database, tmp_path)
    enter_all(database, ladder, bots)
    with playing(database, tmp_path) as player:
        assert eventually(lambda: len(results_in(database, ladder)) >= 3)
        out = EntryState.WITHDRAWN
        ladders.set_state(ladder.id, bots[0].id, out, was=[EntryState.PLAYING])
        player.wake()
        before = len(results_in(database, ladder))
        assert eventually(lambda: len(results_in(database, ladder)) >= before + 6)
    late = results_in(database, ladder)[before + 4 :]
    assert not any(bots[0].version in row.seats for row in late)


@pytest.mark.slow
def test_a_match_that_cannot_be_played_is_given_up_after_three_tries(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.contests.player.BACK_OFF_S", (0.5, 1.0))
    ladder = tiny_ladder_in(database)
    bots = three_bots(database, tmp_path)[:2]
    enter_all(database, ladder, bots)
    with database.transaction() as connection:  # no copy of it is there
        gone = update(versions).where(versions.c.id == bots[0].version)
        connection.execute(gone.values(digest="f" * 16))

    def given_up() -> Any:
        with database.reading() as connection:
            query = select(fixtures).where(fixtures.c.why != "")
            return connection.execute(query.order_by(fixtures.c.id)).first()

    with playing(database, tmp_path):
        assert eventually(lambda: given_up() is not None)
    row = given_up()
    assert "no copy of a bot with digest ffffffffffffffff" in row.why
    assert (row.failures, row.has_result) == (3, False)


def test_where_matches_are_to_be_tried_again_no_new_ones_are_drawn(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.contests.ladder_contest.MAX_FAILING", 1)
    ladder = tiny_ladder_in(database)
    enter_all(database, ladder, three_bots(database, tmp_path)[:2])
    received: list[BaseException] = []
    contest = LadderContest(
        database, ladder, PlayOptions(), on_played=lambda *_: None, on_failure=received.append
    )
    failing, other = islice(contest.open_fixtures(), 2)
    error = EngineFailure("the disk is full")
    assert contest.fail(failing, error) == 1
    assert received == [error]
    assert {one.fixture.id for one in contest.open_fixtures()} == {
        failing.fixture.id,
        other.fixture.id,
    }
    for count in range(2, MAX_TRIES + 1):
        assert contest.fail(failing, error) == count
    assert len([*islice(contest.open_fixtures(), 9)]) == 9  # that one is given up


@pytest.mark.slow
def test_an_author_over_the_limit_of_the_day_waits(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database, cpu_s_per_day=0.05)
    burns = "end = time.process_time() + 0.05\nwhile time.process_time() < end: pass"
    hungry = real_bot_in(database, tmp_path, "hungry", f"import time\n{burns}")
    enter_all(database, ladder, [hungry, *three_bots(database, tmp_path)])
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 12)
    own = sum(hungry.version in row.seats for row in results_in(database, ladder))
    assert 1 <= own <= 4  # those that were given out before the first of them was played


@pytest.mark.slow
def test_ratings_are_those_of_all_results_at_once(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "PAUSE_S", 0.1)
    ladder = tiny_ladder_in(database, matches_per_day=1)
    moves = ["return 'SPLITLEFT'", "return 'BITEUP'", "return 'LEFT'"]
    names = ("ann", "ben", "cem")
    bots = [
        real_bot_in(database, tmp_path, name, move) for name, move in zip(names, moves, strict=True)
    ]
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
        assert msgspec.structs.replace(rating, at=saved[version].at) == saved[version]


@needs.call("signal.SIGKILL")
def test_a_killed_process_loses_no_match(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database)
    enter_all(database, ladder, three_bots(database, tmp_path))
    others = find_children(os.getpid())  # of other tests in this process
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 2)
        for _ in range(2):
            before = len(results_in(database, ladder))
            for child in set(find_children(os.getpid())).difference(others):
                if b"resource_tracker" not in read_command(child):
                    kill(child)
            assert eventually(partial(has_played, database, ladder, before + 4))
    with database.reading() as connection:
        assert connection.execute(select(fixtures.c.why).where(fixtures.c.why != "")).all() == []
    assert whole_sets(results_in(database, ladder))


@pytest.mark.slow
def test_a_second_dispatcher_waits_and_takes_over(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database)
    enter_all(database, ladder, three_bots(database, tmp_path))
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


@pytest.mark.slow
def test_all_authors_of_a_small_field_of_smac_sit_at_one_table(
    database: Database, tmp_path: Path
) -> None:
    ladder = ladder_in(database, "smac")
    bots: list[Made] = []
    for name in ("player_one", "player_two", "player_four"):
        bot = resolve(name, bots_folder("smac"))
        Copies(tmp_path / "bots").save(bot)
        author = person_in(database, f"author of {name}")
        bots.append(bot_in(database, author, name, game="smac", digest=bot.digest))
    enter_all(database, ladder, bots)
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 3)
    rows = results_in(database, ladder)[:3]
    seats = [msgspec.json.decode(row.seats) for row in rows]
    assert {row.set_number for row in rows} == {1}
    assert sorted(seats[0]) == sorted(bot.version for bot in bots)
    assert seats[1:] == [seats[0][1:] + seats[0][:1], seats[0][2:] + seats[0][:2]]
    with database.reading() as connection:
        found = compute_ratings(connection, ladder.id)
    played = len(results_in(database, ladder))
    assert {one.games for one in found.values()} == {2 * played}  # a match counts for each other


def has_played(database: Database, ladder: Ladder, matches: int) -> bool:
    return len(results_in(database, ladder)) >= matches


def whole_sets(rows: list[Any]) -> bool:
    """Return whether every set but the last two was played once in each rotation, none twice."""
    counts = Counter(row.set_number for row in rows)
    assert len({row.key for row in rows}) == len(rows)
    return all(counts[number] == 2 for number in range(1, max(counts) - 1))
