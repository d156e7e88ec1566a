"""Tournaments last: whatever is killed meanwhile, in the end every match has its one result."""

import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from time import sleep

import msgspec
import pytest
from sqlalchemy import create_engine, text

import bootstrap
from engine.support.signals import INTERRUPTED_EXIT_CODE
from runners.storage.store import StoredResult
from tests import needs
from tests.postgresql import PostgreSQL
from tests.processes import kill, parent_pid, read_command
from tests.shell import Done, Shell, eventually, finish
from tests.test_stopping import pool_processes

pytestmark = [pytest.mark.timeout(600), needs.PROC]

BOTS = ("player_one", "player_two", "player_three", "player_four")
GAMES = 4
MATCHES = 48
"""A tournament of four bots, everybody against everybody on so many maps from both sides."""
MAPS = ("--seed", "7", "--secret", "1")
"""Tournaments in several places can be compared by this."""
WORDS = ("tournament", "--pairs", str(GAMES), *MAPS, "--quiet", "--no-replay")
SHORT = ("--preset", "small", "--set", "max_turns=10", "--limit", "cpu_ms=1000")
PATIENCE_S = 200


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = a_shell(tmp_path)
    yield shell
    shell.kill_all()


def a_shell(home: Path) -> Shell:
    """Make a shell with bots of which some are better, and all do the same in the same match."""
    shell = Shell(home)
    for name in BOTS:
        shell.bot(f"{name}.py", (bootstrap.HOME / "playerCode" / f"{name}.py").read_text())
    return shell


class Played:
    """All that came of a tournament, but for times."""

    def __init__(self, shell: Shell, *parts: str, url: str | None = None) -> None:
        engine = create_engine(url or f"sqlite:///{shell.home}/results/slime_mind.sqlite")
        with engine.connect() as connection:
            rows = list(connection.execute(text("SELECT key, result FROM matches ORDER BY key")))
        engine.dispose()
        saved = {key: msgspec.json.decode(result, type=StoredResult) for key, result in rows}
        self.results = {
            key: (result.fingerprint, result.winner, [team.score for team in result.teams])
            for key, result in saved.items()
        }
        self.faults = {key: [team.faults for team in result.teams] for key, result in saved.items()}
        self.standings = shell.json("report", "--standings", *parts)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Played:
    shell = a_shell(tmp_path_factory.mktemp("undisturbed"))
    assert to_the_end(shell).code == 0
    played = Played(shell)
    assert {row["points"] for row in played.standings["standings"]} != {2.0}, "all drew"
    return played


def start(shell: Shell, *parts: str) -> "subprocess.Popen[str]":
    """Begin or go on: two matches at a time, or as many as a cluster has workers."""
    jobs = () if "--cluster" in parts else ("--jobs", "2")
    return shell.start(*WORDS, *SHORT, *jobs, *parts)


def to_the_end(shell: Shell, *parts: str) -> Done:
    return finish(start(shell, *parts), PATIENCE_S)


def disturb(shell: Shell, chance: Random, *parts: str, by: str = "SIGKILL") -> None:
    """Begin or go on, and send the runner a signal after some matches and a moment.

    A kill may come before the first of them. What asks it to end may not: before Python runs
    main.py, it ends by the signal.
    """
    process = start(shell, *parts)
    wanted = len(shell.finished_matches()) + chance.randrange(by != "SIGKILL", 6)
    assert eventually(lambda: len(shell.finished_matches()) >= wanted or process.poll() is not None)
    sleep(chance.random() * 0.05)
    process.send_signal(number := signal.Signals[by])
    assert finish(process, PATIENCE_S).code == (
        -number if by == "SIGKILL" else INTERRUPTED_EXIT_CODE
    )
    assert eventually(lambda: not shell.processes())


def assert_is_as_undisturbed(
    shell: Shell, undisturbed: Played, *parts: str, url: str | None = None
) -> None:
    played = Played(shell, *parts, url=url)
    assert len(played.results) == MATCHES
    assert played.results == undisturbed.results
    assert played.standings == undisturbed.standings
    assert_nothing_is_left(shell)


def assert_nothing_is_left(shell: Shell) -> None:
    """No process, no half match, no match that was played twice, no lock, no journal."""
    assert eventually(lambda: not shell.processes())
    results = shell.home / "results"
    left = {path.name for path in results.iterdir()} - {"sprites", "slime_mind.sqlite"}
    assert left == {"bots", "matches", "tournament"}
    assert len(shell.finished_matches()) == MATCHES
    assert shell.half_written_folders() == []


def integrity(shell: Shell) -> str:
    with closing(sqlite3.connect(shell.home / "results/slime_mind.sqlite")) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


@pytest.mark.slow
def test_a_runner_killed_ten_times_comes_to_what_an_undisturbed_one_does(
    shell: Shell, undisturbed: Played
) -> None:
    chance = Random(1)  # of few matches between two kills
    for _ in range(10):
        disturb(shell, chance)
    assert len(shell.finished_matches()) < MATCHES
    done = to_the_end(shell)
    assert done.code == 0, done
    assert integrity(shell) == "ok"
    assert_is_as_undisturbed(shell, undisturbed)


@pytest.mark.slow
def test_the_same_holds_with_results_on_a_server(
    shell: Shell, undisturbed: Played, postgresql: PostgreSQL
) -> None:
    chance, url = Random(7), postgresql.new_url()
    for _ in range(3):
        disturb(shell, chance, "--results", url)
    assert to_the_end(shell, "--results", url).code == 0
    assert_is_as_undisturbed(shell, undisturbed, "--results", url, url=url)


@pytest.mark.exhaustive
def test_the_same_holds_on_a_cluster(shell: Shell, undisturbed: Played) -> None:
    chance, cluster = Random(4), ("--cluster", "local:2")
    disturb(shell, chance, *cluster)
    process = start(shell, *cluster)
    wanted = len(shell.finished_matches()) + 3
    assert eventually(lambda: len(shell.finished_matches()) >= wanted)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    stopped = finish(process, PATIENCE_S)
    assert stopped.code == INTERRUPTED_EXIT_CODE
    assert stopped.err.startswith("stopped after ")
    assert eventually(lambda: not shell.processes())
    assert to_the_end(shell, *cluster).code == 0
    assert_is_as_undisturbed(shell, undisturbed)


@pytest.mark.variants(1, all=1)
@pytest.mark.slow
@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM"])
def test_a_runner_stopped_again_and_again_does_too(
    shell: Shell, undisturbed: Played, stop: str
) -> None:
    chance = Random(stop)
    for _ in range(3):
        disturb(shell, chance, by=stop)
    assert to_the_end(shell).code == 0
    assert_is_as_undisturbed(shell, undisturbed)


@pytest.mark.slow
def test_killed_pool_processes_change_nothing(shell: Shell, undisturbed: Played) -> None:
    chance = Random(3)
    process = start(shell)
    for wanted in (0, 6, 12, 24):
        assert eventually(
            lambda: pool_processes(process.pid) and len(shell.finished_matches()) >= wanted  # noqa: B023
        )
        kill(chance.choice(pool_processes(process.pid)))
    assert finish(process, PATIENCE_S).code == 0
    assert_is_as_undisturbed(shell, undisturbed)


@pytest.mark.slow
def test_killed_bots_lose_their_rounds_and_no_match_its_result(
    shell: Shell, undisturbed: Played
) -> None:
    # Who is killed in three matches on end is no broken bot. One that is killed at every look
    # before the first match would be left out.
    process = start(shell, "--quarantine", "0")
    assert eventually(shell.finished_matches)
    killed = 0
    while process.poll() is None and killed < 12:
        for pid in bot_processes(shell):
            with suppress(ProcessLookupError):
                kill(pid)
                killed += 1
        sleep(0.02)
    assert finish(process, PATIENCE_S).code == 0
    assert killed
    played = Played(shell)
    assert played.results.keys() == undisturbed.results.keys()
    unfaulted = [key for key, faults in played.faults.items() if not any(faults)]
    assert len(unfaulted) >= MATCHES - killed
    assert [played.results[key] for key in unfaulted] == [
        undisturbed.results[key] for key in unfaulted
    ]
    assert_nothing_is_left(shell)


def bot_processes(shell: Shell) -> list[int]:
    """Forked from what starts bots: their parent's parent is a zygote too, or they are one's."""
    zygotes = [pid for pid in shell.processes() if b"zygote" in read_command(pid)]
    return [pid for pid in zygotes if parent_pid(pid) in zygotes]


@pytest.mark.slow
def test_on_a_disk_that_is_full_playing_ends_with_the_reason_and_goes_on_later(
    shell: Shell, undisturbed: Played
) -> None:
    with needs.disk(shell.home / "results", "size=300k") as results:
        full = to_the_end(shell)
        assert full.code == 1, full
        assert "the disk is full" in full.err or "cannot be written" in full.err
        assert "Traceback" not in full.err
        assert integrity(shell) == "ok"
        needs.mount(results, "remount,size=40m")
        assert to_the_end(shell).code == 0
        assert_is_as_undisturbed(shell, undisturbed)


@pytest.mark.slow
def test_a_folder_that_became_read_only_is_told_and_can_be_looked_at(shell: Shell) -> None:
    with needs.disk(shell.home / "results", "size=40m") as results:
        assert to_the_end(shell, "--no-report").code == 0
        before = shell.json("report", "--standings")
        needs.mount(results, "remount,ro")
        for words in (["tournament", "--pairs", "20", "--name", "more"], ["report"]):
            refused = shell.run(*words)
            assert refused.code == 2, refused
            assert "results cannot be written there: Read-only file system" in refused.err
            assert "Traceback" not in refused.err
        assert shell.json("report", "--standings") == before
        needs.mount(results, "remount,rw")
        assert shell.run("report", "--pages", "0").code == 0


@pytest.mark.slow
def test_a_full_disk_is_told_before_the_first_match(shell: Shell) -> None:
    with needs.disk(shell.home / "results", "size=200k") as results:
        (results / "ballast").write_bytes(b"x" * 196_608)
        full = to_the_end(shell)
        assert full.code in (1, 2), full
        assert "Traceback" not in full.err
        assert full.err.startswith("error: ")
        assert "disk" in full.err or "No space left" in full.err
