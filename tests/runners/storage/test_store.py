"""Results that last, in a file and on a PostgreSQL server alike."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import msgspec
import psycopg
import pytest
from sqlalchemy import Connection, create_engine, text

import bootstrap
from engine.errors import BadResult, EngineFailure, UsageError
from engine.fault import Cause
from runners.commands import commands_for
from runners.contests.organizer import playing_alone
from runners.storage import leases
from runners.storage.database import DatabaseGone, without_password
from runners.storage.leases import Lease, LeaseLost
from runners.storage.schema import REVISION
from runners.storage.store import Store, default_url, existing_store, find_entrants, open_store
from tests import needs
from tests.postgresql import PASSWORD, PostgreSQL
from tests.runners.results import a_match_result, a_spec, a_team
from tests.server.contests.field import ladder_in
from tests.shell import eventually


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(open_store(url)) as store:
        yield store


def database_file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def check_integrity(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        (words,) = connection.execute("PRAGMA integrity_check").fetchone()
        return str(words)


def change(url: str, *statements: str) -> None:
    """Change a database as somebody else might."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_a_result_comes_back_as_it_was_put_in(store: Store) -> None:
    team = a_team("Ünlük")
    result = a_match_result(teams=(team, a_team("b\0b")), winner=None)
    saved = store.add(result)
    assert store.load_results([result.key]) == {result.key: saved}
    assert (saved.key, saved.winner, saved.reason) == (result.key, None, "last turn")
    assert [team.bot for team in saved.teams] == [team.bot for team in result.teams]


def test_faults_come_back_by_cause(store: Store) -> None:
    team = msgspec.structs.replace(
        a_team("ann"),
        faults={Cause.EXCEPTION: 3},
        details={Cause.EXCEPTION: "it broke"},
        out="crash",
    )
    store.add(a_match_result(teams=(team, a_team("bob"))))
    (saved,) = store.load_results([a_spec().key]).values()
    assert saved.teams[0].faults == {Cause.EXCEPTION: 3}
    assert saved.teams[0].details == {Cause.EXCEPTION: "it broke"}


def test_results_are_found_among_thousands(store: Store) -> None:
    keys = [store.add(a_match_result(seed)).key for seed in range(3)]
    others = [f"key {number}" for number in range(2_000)]
    assert set(store.load_results([*others, *keys])) == set(keys)
    assert store.count() == 3


def test_the_first_result_stays_and_is_what_a_later_one_comes_to(store: Store) -> None:
    first = store.add(a_match_result(fingerprint="first"))
    assert store.add(a_match_result(fingerprint="second")) == first
    assert store.load_results([first.key]) == {first.key: first}
    assert store.count() == 1


def test_failures_are_counted_apart_from_results(store: Store) -> None:
    for words in ("no memory", "no processes"):
        store.add_failure("some", words)
    store.add_failure("other", "unheard of")
    assert store.load_failures(["some", "none"]) == {"some": ["no memory", "no processes"]}
    assert store.count() == 0


def test_a_tournament_comes_back_with_its_entrants_in_the_order_of_entry(store: Store) -> None:
    store.save_tournament("spring", "a plan", {0: "ann", 1: "bob"})
    store.save_tournament("autumn", "another plan", {0: "cat"})
    store.save_tournament("spring", "a plan", {1: "bob 2", 2: "dan"})
    assert store.tournament_names() == ["spring", "autumn"]
    assert store.load_plan("spring") == "a plan"
    assert store.database.find(find_entrants("spring")) == ["ann", "bob 2", "dan"]
    assert store.load_plan("winter") is None


def test_the_plan_of_a_tournament_never_changes(store: Store) -> None:
    for plan in ("first", "second"):
        store.save_tournament("spring", plan, {})
    assert store.load_plan("spring") == "first"


def test_the_secret_of_a_series_is_the_one_it_was_begun_with(url: str) -> None:
    with closing(open_store(url)) as store:
        assert store.get_or_create_secret("ann against bob", 2**128 - 1) == 2**128 - 1
        assert store.get_or_create_secret("ann against cid", 7) == 7
    with closing(open_store(url)) as store:
        assert store.get_or_create_secret("ann against bob", 8) == 2**128 - 1


def test_of_two_that_begin_a_series_at_once_both_get_one_secret(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(url)) as first, closing(open_store(url)) as second:
        writing = first.database.transaction

        def after_the_other() -> AbstractContextManager[Connection]:
            second.get_or_create_secret("ann against bob", 2)
            return writing()

        monkeypatch.setattr(first.database, "transaction", after_the_other)
        assert first.get_or_create_secret("ann against bob", 1) == 2


def test_results_are_there_after_closing_and_opening(url: str) -> None:
    with closing(open_store(url)) as store:
        saved = store.add(a_match_result())
    with closing(open_store(url)) as store:
        assert store.load_results([saved.key]) == {saved.key: saved}


def test_somebody_reads_while_results_are_written(store: Store, url: str) -> None:
    with closing(open_store(url)) as reader:
        for seed in range(20):
            key = store.add(a_match_result(seed)).key
            assert set(reader.load_results([key])) == {key}
            assert reader.count() == seed + 1


def test_looking_for_results_makes_no_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'some.sqlite'}"
    assert existing_store(url) is None
    assert not list(tmp_path.iterdir())
    open_store(url).close()
    store = existing_store(url)
    assert store is not None
    store.close()


def test_two_can_open_a_new_database_at_once(url: str) -> None:
    opened: list[Store] = []
    openers = [Thread(target=lambda: opened.append(open_store(url))) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert [store.count() for store in opened] == [0] * 4
    for store in opened:
        store.close()


WRITER = """
import sys
from runners.storage.store import Store, open_store
from tests.runners.results import a_match_result

store = open_store(sys.argv[1])
seed = store.count()
while True:
    key = store.add(a_match_result(seed)).key
    print(key, flush=True)
    seed += 1
"""


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_a_writer_killed_again_and_again_loses_nothing_it_reported(url: str) -> None:
    reported: list[str] = []
    for round_ in range(6):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, url],
            cwd=bootstrap.HOME,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        reported += [writer.stdout.readline().strip() for _ in range(1 + 7 * round_)]
        writer.send_signal(signal.SIGKILL)
        rest = writer.communicate()[0]
        reported += rest.splitlines() if rest.endswith("\n") else rest.splitlines()[:-1]
    with closing(open_store(url)) as store:
        assert set(store.load_results(reported)) == set(reported)
        assert len(set(reported)) == len(reported)
        assert store.count() - len(reported) in range(7), "one written and not reported a kill"
    if url.startswith("sqlite"):
        assert check_integrity(database_file(url)) == "ok"


def test_words_that_are_no_url_are_refused_without_repeating_them() -> None:
    with pytest.raises(UsageError, match="--results: is no URL of a database: expected") as refused:
        open_store(f"postgresql+psycopg//me:{PASSWORD}@host/x")
    assert PASSWORD not in str(refused.value)


def test_a_driver_that_is_not_installed_is_named() -> None:
    with pytest.raises(UsageError, match=r"no driver .*pip install '\.\[postgres\]'"):
        open_store("postgresql+asyncpg://me@host/x")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.sqlite"
    file.write_text("my diary" * 1_000)
    with pytest.raises(EngineFailure, match=r"mine\.sqlite: .*file is not a database"):
        open_store(f"sqlite:///{file}")
    assert file.read_text() == "my diary" * 1_000


def test_a_database_of_something_else_is_left_alone(url: str, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    change(url, "CREATE TABLE diary (day text)")
    with pytest.raises(UsageError, match="holds something else than results") as refused:
        open_store(url)
    assert PASSWORD not in str(refused.value)
    change(url, "INSERT INTO diary VALUES ('monday')")


def test_a_database_of_a_newer_version_is_refused(url: str) -> None:
    open_store(url).close()
    change(url, "UPDATE about SET revision = 9999")
    with pytest.raises(UsageError, match=f"newer version .*9999, these of {REVISION}"):
        open_store(url)


def test_a_result_that_cannot_be_understood_is_told(store: Store, url: str) -> None:
    key = store.add(a_match_result()).key
    change(url, "UPDATE matches SET result = '{}'")
    with pytest.raises(BadResult, match=r"a result cannot be understood: .*`key`"):
        store.load_results([key])


def test_a_secret_that_cannot_be_understood_is_told(store: Store, url: str) -> None:
    store.get_or_create_secret("ann against bob", 7)
    change(url, "UPDATE secrets SET secret = 'x'")
    with pytest.raises(BadResult, match="the secret of a series cannot be understood: 'x' is not"):
        store.get_or_create_secret("ann against bob", 8)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with needs.disk(tmp_path / "disk", "size=64k"):
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path / "disk")], check=True)
        with pytest.raises(UsageError, match="disk: results cannot be written there: Read-only"):
            open_store(f"sqlite:///{tmp_path / 'disk' / 'some.sqlite'}")


def test_results_in_a_folder_that_became_read_only_are_kept(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with needs.disk(disk, "size=2048k"):
        url = f"sqlite:///{disk / 'some.sqlite'}"
        with closing(open_store(url)) as store:
            saved = store.add(a_match_result(1))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(EngineFailure, match=r"some\.sqlite: cannot be "):
            open_store(url).add(a_match_result(2))
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        with closing(open_store(url)) as store:
            assert set(store.load_results([saved.key])) == {saved.key}


def test_results_in_a_folder_that_is_read_only_can_be_read(tmp_path: Path) -> None:
    disk = tmp_path / "read only 100% disk"
    with needs.disk(disk, "size=2048k"):
        url = f"sqlite:///{disk / 'some.sqlite'}"
        with closing(open_store(url)) as store:
            saved = store.add(a_match_result(1))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with closing(open_store(url)) as store:
            assert store.load_results([saved.key]) == {saved.key: saved}
            with pytest.raises(EngineFailure, match=r"cannot be written: .*readonly"):
                store.add(a_match_result(2))


def test_a_disk_without_room_for_the_tables_is_told_and_left_as_it_was(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with needs.disk(disk, "size=256k"):
        with pytest.raises(
            EngineFailure, match=r"some\.sqlite: the disk is full, and nothing was changed"
        ):
            open_store(f"sqlite:///{disk / 'some.sqlite'}")
        assert list(disk.iterdir()) == []


def test_a_full_disk_costs_no_result_and_playing_goes_on_once_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with (
        needs.disk(disk, "size=1600k"),
        closing(open_store(f"sqlite:///{disk / 'some.sqlite'}")) as store,
    ):
        ballast = disk / "ballast"
        ballast.write_bytes(b"x" * 150_000)
        written: list[str] = []
        with pytest.raises(EngineFailure, match=r"cannot be written: .*full"):
            written.extend(store.add(a_match_result(seed)).key for seed in range(10_000))
        assert set(store.load_results(written)) == set(written)
        ballast.unlink()
        assert store.add(a_match_result(10_000)).key
        assert set(store.load_results(written)) == set(written)
        assert check_integrity(disk / "some.sqlite") == "ok"


def test_a_wrong_password_is_told_and_not_shown(postgresql: PostgreSQL) -> None:
    url = postgresql.url().replace(PASSWORD, "wrong-word")
    with pytest.raises(EngineFailure, match="password authentication failed") as failure:
        open_store(url)
    assert "wrong-word" not in str(failure.value)


def test_a_password_in_the_query_is_not_shown_either(postgresql: PostgreSQL) -> None:
    with pytest.raises(EngineFailure) as failure:
        open_store(postgresql.url().replace(f":{PASSWORD}", "") + "?password=wrong-word")
    assert "wrong-word" not in str(failure.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"postgresql+psycopg://me:{PASSWORD}@host:5/x", "postgresql+psycopg://me@host:5/x"),
        (f"postgresql://me@host/x?sslmode=require&password={PASSWORD}", "?sslmode=require"),
        (f"postgresql://host/x?sslpassword={PASSWORD}", "postgresql://host/x"),
        (
            "postgresql://me@host/x?passfile=%2Fhome%2Fme%2F.pgpass",
            "?passfile=%2Fhome%2Fme%2F.pgpass",
        ),
        ("sqlite:///results/mine.sqlite", "sqlite:///results/mine.sqlite"),
    ],
)
def test_commands_to_type_hold_no_password(url: str, shown: str) -> None:
    commands = commands_for("main.py", Path("results"), without_password(url))
    for command in (commands.resume("spring"), commands.standings("spring")):
        assert command.rstrip("'").endswith(shown)
        assert PASSWORD not in command


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(EngineFailure, match=r"127\.0\.0\.1:9/x: cannot be read: .*refused"):
        open_store("postgresql+psycopg://me@127.0.0.1:9/x")


PLAYER = """
import sys, time
from runners.storage.store import Store, open_store, default_url, existing_store
from runners.contests.organizer import playing_alone

with playing_alone(open_store(sys.argv[1]), "spring"):
    print("playing", flush=True)
    time.sleep(60)
"""


def test_one_process_plays_a_tournament_and_others_are_told_who(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE_S", 3.0)
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, url], cwd=bootstrap.HOME, stdout=subprocess.PIPE
    )
    assert player.stdout is not None
    assert player.stdout.readline() == b"playing\n"
    refusal = f"'spring' is being played by .*process {player.pid} on "
    with pytest.raises(UsageError, match=refusal), playing_alone(store, "spring"):
        pytest.fail("two play it")
    with playing_alone(store, "autumn"):
        pass
    player.kill()
    player.communicate()
    assert eventually(lambda: can_play(store, "spring"))


def can_play(store: Store, name: str) -> bool:
    try:
        with playing_alone(store, name):
            return True
    except UsageError:
        return False


def end_sessions(postgresql: PostgreSQL, url: str) -> None:
    """End every session of a database, as an administrator or a restart would."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(postgresql.plain_url, autocommit=True) as connection:
        connection.execute(query, [url.rpartition("/")[2]])


def test_who_was_silent_for_long_writes_nothing_more(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE_S", 0.5)
    monkeypatch.setattr(leases, "BEAT_S", 600.0)
    url = postgresql.new_url()
    with closing(open_store(url)) as one, closing(open_store(url)) as other:
        with playing_alone(one, "spring") as first:
            first.add(a_match_result(1))
            with playing_alone(other, "spring") as second:
                for _ in range(2):
                    with pytest.raises(LeaseLost, match="the same command resumes"):
                        first.add(a_match_result(2))
                second.add(a_match_result(3))
            assert second.count() == 2
        assert can_play(one, "spring")


def test_who_plays_goes_on_after_a_restart_of_the_server(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.2)
    url = postgresql.new_url()
    with closing(open_store(url)) as one, closing(open_store(url)) as other:
        with playing_alone(one, "spring") as first:
            first.add(a_match_result(1))
            end_sessions(postgresql, url)
            first.add(a_match_result(2))
            assert first.count() == 2
            assert not can_play(other, "spring")
        assert can_play(other, "spring")


def test_the_tournaments_of_a_server_are_played_by_it_or_by_the_command_line(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with closing(open_store(url)) as store:
        ladder = ladder_in(store.database)
        store.save_tournament("cup", "{}", {}, new_of=ladder.id)
        with Lease(store.database, "tournaments").hold():
            assert not can_play(store, "cup")
            assert can_play(store, "spring")
        assert can_play(store, "cup")


def test_a_server_that_stays_away_is_told_after_some_patience(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = Mock(side_effect=[0, 0.1, 21])
    monkeypatch.setattr("runners.storage.store.monotonic", patience)
    monkeypatch.setattr("runners.storage.store.sleep", Mock())
    with closing(open_store(postgresql.new_url())) as store:
        away = DatabaseGone("the server starts again")
        monkeypatch.setattr(store.database, "transaction", Mock(side_effect=away))
        with pytest.raises(DatabaseGone):
            store.add_failure("key", "no process")
        assert store.database.transaction.call_count == 2  # type: ignore[attr-defined]


def test_who_was_cut_off_and_wrote_nothing_leaves_with_no_error(postgresql: PostgreSQL) -> None:
    url = postgresql.new_url()
    with closing(open_store(url)) as store:
        with playing_alone(store, "spring"):
            end_sessions(postgresql, url)
        assert eventually(lambda: can_play(store, "spring"))


@pytest.mark.parametrize("name", ["res?1", "res#1", "res%41", "res 1", "a&b=c", "res:1@2", "ü"])
def test_a_folder_of_results_may_have_any_name(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    url = default_url(out, "smack")
    with closing(open_store(url)) as store:
        key = store.add(a_match_result()).key
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (out / "smack.sqlite").exists()
    again = existing_store(store.display_url)
    assert again is not None
    with closing(again):
        assert set(again.load_results([key])) == {key}


@pytest.mark.parametrize("name", ["res?1", "res#1", "res%41"])
def test_a_read_only_folder_may_have_any_name(name: str, tmp_path: Path) -> None:
    disk = tmp_path / name
    with needs.disk(disk, "size=2048k"):
        with closing(open_store(default_url(disk, "smack"))) as store:
            saved = store.add(a_match_result(1))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with closing(open_store(default_url(disk, "smack"))) as store:
            assert store.load_results([saved.key]) == {saved.key: saved}


def test_nothing_of_a_lock_is_left(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        with playing_alone(store, "spring/../../x"):
            pass
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
