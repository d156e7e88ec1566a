"""The commands `admin ...`: organizing a server on its own machine."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from cli.admin import SOURCES
from cli.main import cli
from engine.errors import UsageError
from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.database import now
from runners.storage.game_tables import sessions
from runners.storage.ladder_tables import EntryState, SourceRule
from runners.storage.schema import DATABASE
from server.operations.backup import back_up, restore
from server.operations.server_lock import publish_address
from tests.server.contests.field import bot_in, ladder_in
from tests.server.members import Server, serving

Run = Callable[..., str]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server that goes on to run while it is organized."""
    with serving(tmp_path / "results") as server:
        yield server


@pytest.fixture
def run(server: Server, tmp_path: Path) -> Run:
    """Return a function that runs `admin ...` and returns what it prints."""

    def run(*arguments: str) -> str:
        out = str(tmp_path / "results")
        done = CliRunner().invoke(cli, ["admin", *arguments, "--out", out])
        if done.exception is not None:
            raise done.exception
        return done.output

    return run


def test_people_are_listed_banned_and_let_in_again(server: Server, run: Run) -> None:
    server.organizer("Olga")
    ann = server.member("Ann")
    assert [line.split()[0] for line in run("people").splitlines()] == ["name", "Ann", "Olga"]
    assert run("ban", "ann") == "Ann is banned\n"
    assert "Welcome, Ann" not in ann.text("/")
    assert "banned" in run("people")
    assert run("unban", "Ann") == "Ann may sign in again\n"
    assert "banned" not in run("people")
    with pytest.raises(UsageError, match="nobody is called 'Bob'; 'admin people'"):
        run("ban", "Bob")


def test_an_invitation_makes_an_account(server: Server, run: Run) -> None:
    links = run("invite", "--note", "class 7b", "--count", "2", "--address", "https://a.org/")
    first, second = links.splitlines()
    assert first != second
    page = server.browser().post(first.removeprefix("https://a.org"), {"name": "Ann"})
    assert "Welcome, Ann" in page.text
    assert "class 7b" in server.organizer().text("/admin")


def test_an_invitation_names_the_address_of_the_server_that_runs(
    server: Server, run: Run, tmp_path: Path
) -> None:
    where, usual = tmp_path / "results" / DATABASE, "http://127.0.0.1:8000/welcome/"
    assert run("invite").startswith(usual)
    with publish_address(where, "http://127.0.0.1:54321/slime"):
        assert run("invite").startswith("http://127.0.0.1:54321/slime/welcome/")
        assert run("invite", "--address", "https://a.org").startswith("https://a.org/welcome/")
    assert run("invite").startswith(usual)


def test_a_ladder_is_paused_and_resumed_by_its_name(server: Server, run: Run) -> None:
    ladder = ladder_in(server.storage.database, name="Spring")
    ladders = Ladders(server.storage.database)
    assert run("pause", "SPRING") == "Spring is paused\n"
    assert ladder.id not in {one.id for one in ladders.all() if one.is_running(now())}
    (line,) = [line for line in run("ladders").splitlines() if line.startswith("Spring")]
    assert line.split() == ["Spring", "Slime", "Mind", "paused", "0", "never"]
    assert run("resume", "Spring") == "Spring goes on\n"
    assert ladder.id in {one.id for one in ladders.all() if one.is_running(now())}
    with pytest.raises(UsageError, match="there is no ladder 'Autumn'"):
        run("pause", "Autumn")


def test_a_season_is_made_with_settings_and_dates(server: Server, run: Run) -> None:
    dates = ("--begins", "2026-05-01T08:00", "--freezes", "2026-05-08T08:00")
    rules = ("--approved", "--source", "everybody after the end", "--set", "max_turns=120")
    most = ("--cpu", "600", "--matches", "77")
    said = run("ladder", "Autumn", *dates, "--ends", "2096-05-09T08:00", *rules, *most)
    (season,) = [one for one in Ladders(server.storage.database).all() if one.name == "Autumn"]
    assert said == f"Autumn: a season of Slime Mind, /contests/{season.id}\n"
    assert season.spec.settings.max_turns == 120
    assert (season.entry_rule, season.source_rule) == ("approved", "everybody after the end")
    assert season.matches_per_day == 77
    assert (season.cpu_s_per_day, str(season.freezes_at)) == (600, "2026-05-08 08:00:00+00:00")
    with pytest.raises(UsageError, match="there is a ladder called autumn already"):
        run("ladder", "autumn")
    with pytest.raises(UsageError, match=r"Ends: soon: expected a time such as"):
        run("ladder", "Winter", "--ends", "soon")
    with pytest.raises(UsageError, match="pace = free: whoever copies"):
        run("ladder", "Winter", "-g", "smack", "--set", "pace=free")


def test_the_rules_of_sources_are_those_of_ladders() -> None:
    assert tuple(SOURCES) == tuple(SourceRule)


def test_a_bot_is_disqualified_with_a_reason(server: Server, run: Run) -> None:
    database = server.storage.database
    ladder = ladder_in(database, name="Spring")
    server.member("Ann")
    bot = bot_in(database, server.person_id("Ann"), "muncher")
    with pytest.raises(UsageError, match="muncher has not entered Spring"):
        run("disqualify", "Spring", "muncher", "--why", "copied")
    enter(database, ladder.id, bot.id)
    said = run("disqualify", "Spring", "muncher", "--why", "copied")
    assert said == "disqualified: muncher, Spring: copied (0 matches void)\n"
    entry = Ladders(database).entry(ladder.id, bot.id)
    assert entry is not None
    assert (entry.state, entry.why) == (EntryState.DISQUALIFIED, "copied")
    with pytest.raises(UsageError, match="no bot 'eater' that plays Slime Mind"):
        run("disqualify", "Spring", "eater", "--why", "copied")


def test_the_audit_log_has_what_was_done_here(server: Server, run: Run) -> None:
    server.member("Ann")
    run("ban", "Ann")
    newest, *_ = run("audit", "--rows", "1").splitlines()[1:]
    assert newest.split()[2:] == ["-", "Ann", "this", "machine", "banned"]


def test_help_of_a_command_below_is_shown(run: Run) -> None:
    page = CliRunner().invoke(cli, ["admin", "disqualify", "--help"]).output
    assert "Usage: cli admin disqualify [OPTIONS] LADDER BOT" in page
    assert "--keep-matches" in page


def test_where_there_is_no_server_that_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["--out", str(tmp_path), "admin", "people"])
    assert isinstance(done.exception, UsageError)
    assert "there is no server's database there" in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def count_saved_drafts(server: Server) -> int:
    return [row.what for row in server.site.audit.rows(1_000_000)].count("written")


def test_a_backup_made_while_the_server_writes_is_restored_whole(
    server: Server, run: Run, tmp_path: Path
) -> None:
    out, file, again = tmp_path / "results", tmp_path / "saved.zip", tmp_path / "again"
    server.member("Ann", "correct horse")
    for name in ("bots/0123456789abcdef/__init__.py", "matches/k1/replay.jsonl.gz"):
        (out / name).parent.mkdir(parents=True)
        (out / name).write_text(name)
    (out / "matches" / ".k2-00000000").mkdir()
    (out / "matches" / ".k2-00000000" / "replay.jsonl.gz").write_text("being written")
    ends, wrote = Event(), Event()

    def write() -> None:
        while not ends.is_set():
            server.site.audit.note("written", address="test")
            wrote.set()

    writer = Thread(target=write)
    writer.start()
    try:
        assert wrote.wait(30)
        before = count_saved_drafts(server)
        assert run("backup", str(file)) == f"{file}: 15 files\n"  # 12 of them bots of the house
        after = count_saved_drafts(server)
    finally:
        ends.set()
        writer.join()
    assert restore(file, again) == 15
    assert sorted(path.name for path in again.iterdir()) == ["bots", DATABASE, "matches"]
    assert (again / "matches/k1/replay.jsonl.gz").read_text() == "matches/k1/replay.jsonl.gz"
    with serving(again) as restored:
        assert before <= count_saved_drafts(restored) <= after
        fields = {"name": "Ann", "password": "correct horse"}
        assert "Welcome, Ann" in restored.browser().post("/sign-in", fields).text


def test_a_backup_is_not_restored_over_anything(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "saved.zip"
    back_up(tmp_path / "results", file)
    with pytest.raises(UsageError, match="is not empty; restore into another folder"):
        restore(file, tmp_path / "results")


def test_a_backup_does_not_lie_in_what_it_saves(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="lies in the folder that is saved"):
        back_up(tmp_path / "results", tmp_path / "results" / "saved.zip")


@pytest.mark.parametrize("name", ["../evil", "/evil", "bots\\..\\evil", "bots/"])
def test_what_is_no_backup_is_refused_and_nothing_unpacked(tmp_path: Path, name: str) -> None:
    file, out = tmp_path / "saved.zip", tmp_path / "again"
    with ZipFile(file, "w") as zipped:
        zipped.writestr(DATABASE, "")
        zipped.writestr(name, "x")
    with pytest.raises(UsageError, match="is not a backup"):
        restore(file, out)
    assert list(out.iterdir()) == []


def test_files_that_are_no_zip_or_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for name, words in (("text", "is not a backup"), ("none", "there is no such file")):
        with pytest.raises(UsageError, match=words):
            restore(tmp_path / name, tmp_path / "again")


def test_a_damaged_database_is_not_restored(tmp_path: Path) -> None:
    file, out = tmp_path / "saved.zip", tmp_path / "again"
    with ZipFile(file, "w") as zipped:
        zipped.writestr(DATABASE, "not a database at all, but long enough to be read as one" * 40)
    with pytest.raises(UsageError, match="is no database of games"):
        restore(file, out)
    assert list(out.iterdir()) == []


def test_a_dry_run_of_cleaning_says_what_would_go_and_removes_nothing(
    server: Server, run: Run
) -> None:
    server.member("Ann")
    server.storage.database.write(update(sessions).values(used_at=now() - timedelta(days=400)))
    assert run("clean", "--dry-run").splitlines()[0].split() == ["what", "would", "go"]
    assert run("clean", "--dry-run").splitlines()[1].split() == ["sessions", "1"]
    assert run("clean", "--keep-replays", "9d").splitlines()[1].split() == ["sessions", "1"]
    assert run("clean") == "nothing is old\n"
    with pytest.raises(UsageError, match="--keep-replays 9w: expected a number of matches"):
        run("clean", "--keep-replays", "9w")


def test_what_takes_space_is_told(server: Server, run: Run) -> None:
    found = run("disk").splitlines()
    assert found[1].split()[0] == "database"
    assert any(line.startswith(f"{server.folder / DATABASE} ") for line in found)
