"""What authors are told of their bots."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_fixtures import LadderFixture, LadderFixtures
from runners.contests.ladder_ratings import Published, compute_ratings, publish
from runners.storage.database import Database, now
from runners.storage.ladder_tables import VersionState, versions
from runners.storage.store import StoredResult
from runners.storage.tables import matches
from server.contests.ladder_tables import LadderTables
from server.contests.notices import MAX_NOTICES_PER_PERSON, Notices, count_unseen
from server.contests.reporting import FAR_ELO, Reporter
from tests.server.contests.field import (
    Made,
    enter_all,
    person_in,
    playing,
    real_bot_in,
    results_in,
    tiny_ladder_in,
    version_in,
)
from tests.shell import eventually
from visualizer.model.story import compute_losing_turn, losing_turn


def read_notices(database: Database, person: str) -> list[str]:
    return [notice.words for notice in Notices(database).of(person, 100)]


def rate(database: Database, ladder_id: str, elos: Mapping[str, float]) -> dict[str, Published]:
    """Publish these ratings."""
    at = now()
    found = {
        version: Published(version=version, at=at, games=10, elo=elo, low=elo - 9, high=elo + 9)
        for version, elo in elos.items()
    }
    publish(database, ladder_id, found, at)
    return found


@pytest.mark.slow
def test_the_author_of_a_bot_in_quarantine_is_told_why(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database)
    bad = real_bot_in(database, tmp_path, "bad", "import os; os._exit(1)")
    enter_all(database, ladder, [bad, real_bot_in(database, tmp_path, "good")])
    reporter = Reporter(database, LadderTables(database))
    with playing(database, tmp_path, on_played=reporter.on_match_played):
        assert eventually(lambda: read_notices(database, bad.person))
    (words,) = read_notices(database, bad.person)
    assert words.startswith("bad, version 1, broke in 3 matches in a row and plays no more")
    assert Notices(database).of(bad.person, 1)[0].path == f"/bots/{bad.id}"


@pytest.mark.slow
def test_the_first_loss_to_a_bot_that_is_rated_far_below_is_told_once(
    database: Database, tmp_path: Path
) -> None:
    ladder = tiny_ladder_in(database)
    strong, weak = (real_bot_in(database, tmp_path, name) for name in ("strong", "weak"))
    enter_all(database, ladder, [strong, weak])
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 2)
    rate(database, ladder.id, {strong.version: 1500 + FAR_ELO, weak.version: 1500})
    contenders = {one.version: one for one in LadderFixtures(database).find_contenders(ladder.id)}
    reporter = Reporter(database, LadderTables(database))
    for row in results_in(database, ladder):
        fixture, lost = make_lost(database, row, strong)
        seated = tuple(contenders[one] for one in fixture.seats)
        reporter.on_match_played(LadderMatch(fixture, seated), lost, [])
    upsets = Notices(database).of(strong.person, 100)
    assert [(one.words, one.path) for one in upsets] == [
        (
            "strong lost for the first time to weak, which is rated 200 lower",
            f"/matches/{results_in(database, ladder)[0].public_id}",
        )
    ]
    assert read_notices(database, weak.person) == []


def make_lost(database: Database, row: Any, bot: Made) -> tuple[LadderFixture, StoredResult]:
    """Let a match that was played have been lost by a bot; return it with its result."""
    seats = msgspec.json.decode(row.seats, type=tuple[str, ...])
    result = msgspec.json.decode(row.result, type=StoredResult)
    teams = tuple(
        msgspec.structs.replace(team, score=0.0 if version == bot.version else 1.0)
        for version, team in zip(seats, result.teams, strict=True)
    )
    winner = next(team for team, version in enumerate(seats, 1) if version != bot.version)
    lost = msgspec.structs.replace(result, winner=winner, teams=teams)
    with database.transaction() as connection:
        changed = update(matches).where(matches.c.key == row.key)
        connection.execute(changed.values(result=msgspec.json.encode(lost).decode()))
    fixture = LadderFixture(
        id=row.id,
        public_id=row.public_id,
        ladder=row.ladder,
        set_number=row.set_number,
        seats=seats,
        seed=0,
        key=row.key,
        failures=0,
    )
    return fixture, lost


@pytest.mark.slow
def test_a_new_best_rank_is_told(database: Database, tmp_path: Path) -> None:
    ladder = tiny_ladder_in(database, name="Tiny", matches_per_day=1)
    bots: list[Made] = [real_bot_in(database, tmp_path, name) for name in ("ann", "ben")]
    enter_all(database, ladder, bots)
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 10)
    ann, ben = (bot.version for bot in bots)
    reporter = Reporter(database, LadderTables(database))
    for elos in ({ann: 1600, ben: 1400}, {ann: 1500, ben: 1501}, {ann: 1600, ben: 1400}):
        reporter.on_ratings_published(ladder.id, rate(database, ladder.id, elos))
    assert read_notices(database, bots[1].person) == ["ben leads Tiny"]
    assert read_notices(database, bots[0].person) == []  # it led before


@pytest.mark.slow
def test_a_new_version_has_its_predecessors_rating_until_it_has_played(
    database: Database, tmp_path: Path
) -> None:
    ladder = tiny_ladder_in(database)
    bots = [real_bot_in(database, tmp_path, name) for name in ("ann", "ben")]
    enter_all(database, ladder, bots)
    with playing(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 10)
    with database.reading() as connection:
        before = compute_ratings(connection, ladder.id)[bots[0].version]
        publish_at = before.at
    publish(database, ladder.id, {bots[0].version: before}, publish_at)
    version_in(database, bots[0], "second", number=2, state=VersionState.QUARANTINED)
    with database.transaction() as connection:
        former = versions.update().where(versions.c.id == bots[0].version)
        connection.execute(former.values(state=VersionState.FORMER))
    table = LadderTables(database).table(ladder, None)
    own = next(one for one in table.standings if one.bot == bots[0].id)
    assert own.version == "second"
    assert own.is_provisional
    assert own.elo == before.elo
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
