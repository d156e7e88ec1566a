"""A server on PostgreSQL: its tables, people who play, and a ladder that is played."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection as PipeEnd
from pathlib import Path
from unittest.mock import Mock

import psycopg
import pytest
from sqlalchemy import Connection, make_url

from engine.errors import EngineFailure, UsageError
from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import LadderFixtures
from runners.storage import schema
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState
from runners.storage.leases import LEASE_S, Lease, LeaseLost
from runners.storage.schema import ensure_schema
from server.bots import checking
from server.identity.people import Kind, LinkGone, People
from tests import needs
from tests.postgresql import PASSWORD, PostgreSQL
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import GOOD, await_checks, hand_in, ladder_id
from tests.server.contests.field import (
    bots_in,
    enter_all,
    ladder_in,
    person_in,
    play_until,
    tiny_field,
)
from tests.server.members import Server, serving


@pytest.fixture
def database(postgresql: PostgreSQL) -> Iterator[Database]:
    """Return a new database, with all tables."""
    with closing(Database(postgresql.new_url())) as database:
        ensure_schema(database)
        yield database


def test_before_an_upgrade_it_is_said_how_to_copy_a_database(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with database.transaction() as connection:
        schema.downgrade(connection, schema.REVISION - 1)
    ensure_schema(database)
    (line,) = caplog.messages
    assert "pg_dump -Fc -f " in line
    assert PASSWORD not in line


def test_people_join_begin_a_game_and_move(postgresql: PostgreSQL, tmp_path: Path) -> None:
    with serving(tmp_path, postgresql.new_url()) as server:
        server.organizer("Olga")
        ann, ben = server.member("Ann"), server.member("Ben")
        fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open"}
        path = ann.post("/lobby/new", fields).url.path
        assert ben.post(f"{path}/take", {"team": "2"}).status_code == 200
        (game,) = server.storage.running_games()
        order = {"team": 1, "piece": 1, "step": 0, "order": "A6-B6"}
        answer = ann.client.post(f"/api/v1/games/{game.id}/orders", json=order)
        assert answer.status_code == 200, answer.text
        assert len(server.storage.decisions(game.id)) == 1


@pytest.mark.slow
def test_a_ladder_is_played(database: Database, tmp_path: Path) -> None:
    ladder, _ = tiny_field(database, tmp_path, "ann", "ben")
    rows = play_until(database, tmp_path, ladder, 4)
    assert [row.failures for row in rows[:4]] == [0] * 4


def test_a_link_is_good_for_one_of_those_who_use_it_at_once(database: Database) -> None:
    people = People(database)
    key = people.new_link(Kind.PERSON, made_by=None)

    def join(number: int) -> str:
        try:
            return people.join(key, f"Ann {number}", None).name
        except LinkGone:
            return "gone"

    with ThreadPoolExecutor(6) as threads:
        assert sorted(threads.map(join, range(6)))[1:] == ["gone"] * 5


@pytest.fixture
def ladder(database: Database) -> Ladder:
    """Return a ladder that two bots have entered."""
    ladder = ladder_in(database)
    enter_all(database, ladder, bots_in(database, "ann", "ben"))
    return ladder


@pytest.mark.slow
def test_sets_that_are_added_at_once_have_numbers_of_their_own(
    database: Database, ladder: Ladder
) -> None:
    fixtures = LadderFixtures(database)
    seated = fixtures.find_contenders(ladder.id)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda seed: fixtures.add_set(ladder, seated, seed), range(6)))
    numbers = {fixture.set_number for fixture in fixtures.find_waiting(ladder.id)}
    assert numbers == {1, 2, 3, 4, 5, 6}


def test_times_are_had_back_with_their_zone(database: Database) -> None:
    person = People(database).find_person(person_in(database, "Ann"))
    assert person is not None
    assert person.created_at.utcoffset() is not None


def test_no_message_has_the_password(database: Database) -> None:
    with pytest.raises(EngineFailure, match="cannot be read") as caught, database.reading() as it:
        it.exec_driver_sql("SELECT nothing FROM nowhere")
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize("url", ["nothing", "mysql://ann:word@here/games", "sqlite://"])
def test_what_is_no_database_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UsageError, match=r"--database: .*such as postgresql") as caught:
        Database(url)
    assert "word" not in str(caught.value)


def test_a_lease_is_taken_from_who_has_said_nothing_for_long(database: Database) -> None:
    passed = Mock(return_value=0.0)
    first, second = (Lease(database, "work", passed) for _ in range(2))
    assert first.take()
    assert not second.take()
    passed.return_value = LEASE_S - 1
    first.beat()
    passed.return_value = LEASE_S
    assert not second.take()
    passed.return_value += LEASE_S
    assert second.take()
    with pytest.raises(LeaseLost):
        first.beat()
    second.give_back()
    assert first.take()


def test_who_could_not_give_a_lease_back_takes_it_again_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (Lease(database, "work", lambda: 0.0) for _ in range(2))
    with monkeypatch.context() as away, first.hold():
        away.setattr(first, "give_back", Mock(side_effect=EngineFailure("the database is away")))
    assert not second.take()
    with first.hold():
        first.beat()
    assert second.take()
    with pytest.raises(LeaseLost):
        first.beat()
    assert not first.take()


def test_a_dispatcher_that_was_stopped_too_long_writes_nothing(
    database: Database, ladder: Ladder
) -> None:
    stopped, other = Lease(database, "dispatcher"), Lease(database, "dispatcher")
    assert stopped.take()
    fixtures = LadderFixtures(stopped.database)
    (fixture, *_) = fixtures.add_set(ladder, fixtures.find_contenders(ladder.id), seed=1)
    assert other.take(at_once=True)
    with pytest.raises(LeaseLost):
        fixtures.fail(fixture, "a worker was lost")
    with pytest.raises(LeaseLost):
        fixtures.give_up(fixture, "it is not played")
    (waiting, *_) = LadderFixtures(other.database).find_waiting(ladder.id)
    assert waiting == fixture


@pytest.mark.slow
def test_a_writer_that_stops_is_ended_and_a_reader_is_not(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.storage.database.HOLDUP_S", 1)

    def stop(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT 1")
        time.sleep(2)
        connection.exec_driver_sql("SELECT 2")

    with closing(Database(postgresql.new_url())) as database:
        with database.reading() as reader:
            stop(reader)
        with pytest.raises(EngineFailure, match="idle-in-trans"), database.transaction() as writer:
            stop(writer)


def test_where_the_server_gives_no_more_connections_those_of_a_process_are_shared(
    postgresql: PostgreSQL,
) -> None:
    url = postgresql.new_url()
    with psycopg.connect(postgresql.plain_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 2 PASSWORD 'few'")
    with_few = make_url(url).set(username="few", password="few")
    with closing(Database(with_few.render_as_string(hide_password=False))) as database:

        def read(number: int) -> int:
            with database.reading() as connection:
                connection.exec_driver_sql("SELECT pg_sleep(0.05)")
                return number

        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(read, range(16))) == list(range(16))


def test_what_a_process_of_pages_takes_in_is_checked_at_once(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when the process that checks looks at the database the next time."""
    monkeypatch.setattr(checking, "POLL_INTERVAL_S", 600)
    url = postgresql.new_url()
    with serving(tmp_path, url, new_examiner=ExaminedAtOnce):
        pages = Server(tmp_path, url=url, is_web_only=True)
        with closing(pages):
            ann, ladder = pages.member("Ann"), ladder_id(pages)
            for number in (1, 2):
                bot = {"player_ann.py": GOOD + b"#" * number}
                assert hand_in(ann, bot, name="Muncher", ladder=ladder).status_code == 200
                assert await_checks(pages, "Muncher", number).state is VersionState.ACTIVE


def hold_lease(url: str, said: "PipeEnd[str, str]") -> None:
    """Run in a process that a test stops: hold the lease, and write again after going on."""
    with closing(Database(url)) as database:
        lease = Lease(database, "work")
        with lease.hold():
            said.send("held")
            said.recv()
            try:
                lease.beat()
            except LeaseLost:
                said.send("lost")
            else:
                said.send("written")


@pytest.mark.slow
@needs.call("signal.SIGCONT")
def test_a_process_that_goes_on_after_another_took_over_is_told_so(database: Database) -> None:
    ours, opponent = Pipe()
    process = get_context("spawn").Process(target=hold_lease, args=(database.where, opponent))
    process.start()
    try:
        assert ours.poll(30)
        assert ours.recv() == "held"
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)
        passed = Mock(return_value=0.0)
        other = Lease(database, "work", passed)
        # It may have been stopped while it wrote: then PostgreSQL lets us write soon.
        assert not other.take()
        passed.return_value = LEASE_S
        assert other.take()
        os.kill(process.pid, signal.SIGCONT)
        ours.send("go on")
        assert ours.poll(30)
        assert ours.recv() == "lost"
        other.beat()
    finally:
        process.kill()
        process.join()
