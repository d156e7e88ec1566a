"""Matches in which drafts are tried: how many at once, and what becomes of them."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.bots.finding import Copies, Packed
from engine.bots.sandbox import Level
from engine.errors import EngineFailure
from runners.configuration import HOME
from runners.match_request import MatchRequest
from runners.storage.database import Database
from server.http.errors import TooMany
from server.http.limits import ConcurrencyLimit
from server.identity.rate_limits import Asker
from server.runs import run_rows
from server.runs import runs as running
from server.runs.run_pages import RunEvents
from server.runs.run_rows import LOST_AFTER, Run, State
from server.runs.runs import (
    MAX_RUNS_PER_ADDRESS,
    MAX_RUNS_PER_USER,
    OWN_WAIT,
    Draft,
    Opponent,
    Runs,
)
from server.watching.live_scene import LiveScene, Update
from server.watching.scene_messages import WholeMatches
from tests.shell import eventually

DOMINOES = (HOME / "playerCode" / "game_of_death" / "player_four.py").read_bytes()
SHORT = MatchRequest(game="game_of_death", preset="small", settings=("max_turns=3",), seed=1)
LONG = MatchRequest(game="game_of_death", preset="small", seed=1)


def a_draft(comment: str = "") -> Draft:
    files = {"player_mine.py": DOMINOES + f"# {comment}\n".encode()}
    return Draft(name="mine", packed=Packed(files=files, is_folder=False))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def runs(database: Database, tmp_path: Path, said: list[str]) -> Iterator[Runs]:
    with closing(Runs(database, tmp_path, Level.DEFAULT, said.append)) as made:
        yield made


def start_run(runs: Runs, by: str = "Ann", request: MatchRequest = SHORT, comment: str = "") -> Run:
    packed = Packed(files={"player_four.py": DOMINOES}, is_folder=False)
    runs._copies.unpack(packed.digest, packed)
    opponent = Opponent("player_four", packed.digest, is_confidential=False)
    return runs.start_run(a_draft(comment), [opponent], request, Asker("192.0.2.1", by))


def is_over(run: Run) -> bool:
    return eventually(lambda: run.state in (State.OVER, State.FAILED), 150)


def test_a_draft_plays_and_what_came_of_it_is_told(runs: Runs) -> None:
    run = start_run(runs)
    assert is_over(run)
    assert run.state is State.OVER
    assert run.words.startswith("mine drew against player_four, 0 : 0 (3 turns")
    assert runs.find(run.id) is run
    assert runs.find("none") is None


def test_of_one_person_few_are_played_at_once_and_of_all_not_many(runs: Runs) -> None:
    runs._limit = ConcurrencyLimit(3, MAX_RUNS_PER_USER, MAX_RUNS_PER_ADDRESS, OWN_WAIT, 1.0)
    first = start_run(runs, request=LONG)
    start_run(runs, request=LONG, comment="2")
    with pytest.raises(TooMany, match="2 matches of yours are not over"):
        start_run(runs)
    start_run(runs, by="Bob", request=LONG, comment="3")
    with pytest.raises(TooMany, match="many wait already"):
        start_run(runs, by="Tom")
    assert is_over(first)
    start_run(runs)


def test_what_was_played_long_ago_is_removed(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(running, "MAX_KEPT_RUNS", 2)
    made = []
    for number in range(4):
        made.append(start_run(runs, comment=str(number)))
        assert is_over(made[-1])
    assert [runs.find(run.id) is not None for run in made] == [False, False, True, True]
    (folder,) = (tmp_path / ".runs").iterdir()
    saved = {f"{run.id}.{ending}" for run in made[2:] for ending in ("jsonl", "jsonl.gz")}
    assert {path.name for path in folder.iterdir() if path.is_file()} == saved
    assert list((folder / "matches").iterdir()) == []
    assert len([path for path in (folder / "bots").iterdir() if path.is_dir()]) == 3


def test_what_guests_have_played_pushes_out_nothing_of_members(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MAX_KEPT_RUNS", 6)
    askers = [
        Asker("192.0.2.1", "ann"),
        Asker("192.0.2.2", cookie="bob"),
        *(Asker("192.0.2.3", cookie=str(number)) for number in range(5)),
    ]
    for number, by in enumerate(askers):
        run = Run(id=str(number), game="smack", names=(), digests=(), key="", seed="", folder="f")
        run.state = State.OVER
        runs._runs[run.id], runs._by[run.id] = run, by
    assert [run.id for run in runs._take_out_surplus()] == ["2", "3", "4"]
    assert list(runs._by) == ["0", "1", "5", "6"]


def test_a_copy_stays_as_long_as_something_needs_it(runs: Runs) -> None:
    packed = a_draft().packed
    copies = Copies(runs.folder / "bots")
    for _ in range(2):
        runs.hold([packed.digest])
        copies.unpack(packed.digest, packed)
    runs.release([packed.digest])
    assert copies.has(packed.digest)
    runs.release([packed.digest])
    assert not copies.has(packed.digest)
    run = start_run(runs)
    assert is_over(run)
    assert copies.has(run.digests[0])


def test_a_process_that_is_killed_costs_one_run(runs: Runs, said: list[str]) -> None:
    run = start_run(runs, request=LONG)
    assert eventually(runs.live_replay_path(run).exists, 30)
    assert runs._workers is not None
    (process,) = runs._workers._pool._processes
    pid = process._process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert is_over(run)
    assert run.state is State.FAILED
    assert "says nothing against your bot" in run.words
    assert said == ["a run could not be played: a process was killed"]
    other = start_run(runs)
    assert is_over(other)
    assert other.state is State.OVER


def test_a_battle_that_nobody_watches_ends(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "UNWATCHED_S", 3.0)
    monkeypatch.setattr(running, "NOTED_S", 0.1)
    watched, other = start_run(runs, request=LONG), start_run(runs, by="Bob", request=LONG)

    def is_stopped() -> bool:
        runs.note_viewer(watched)
        return other.state is State.STOPPED

    assert eventually(is_stopped, 30)
    assert other.words == running.UNWATCHED
    assert watched.state is not State.STOPPED


def test_nothing_is_left_when_it_ends(database: Database, tmp_path: Path) -> None:
    runs = Runs(database, tmp_path, Level.DEFAULT, lambda words: None)
    start_run(runs, request=LONG)
    runs.close()
    assert list((tmp_path / ".runs").iterdir()) == []
    with pytest.raises(EngineFailure):
        runs.warm_up()


def test_what_a_killed_server_has_left_is_removed_a_day_later(
    database: Database, tmp_path: Path
) -> None:
    old, new = tmp_path / ".runs" / "old", tmp_path / "runs" / "new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    long_ago = time.time() - 2 * running.LEFT_S
    os.utime(old, (long_ago, long_ago))
    with closing(Runs(database, tmp_path, Level.DEFAULT, lambda words: None)) as runs:
        runs.warm_up()
        assert (old.exists(), new.exists()) == (False, True)


def test_a_run_is_told_while_it_is_played_and_as_a_whole_afterwards(runs: Runs) -> None:
    run = start_run(runs, request=LONG)
    source = RunEvents(runs, run, WholeMatches())
    scene, messages = LiveScene(source), list[bytes]()
    assert source.render_whole() is None
    assert eventually(runs.live_replay_path(run).exists, 30)
    update = Update(None, None, is_over=False)
    while not update.is_over:
        time.sleep(0.02)
        update = scene.update_since(update.last)
        if update.event is not None:
            messages.append(update.event.data)
    assert b'"facts":' in messages[0]
    assert all(b'"facts":' not in message for message in messages[1:])
    assert [b'"isGrowing":false' in message for message in messages].count(True) == 1
    assert is_over(run)
    whole = source.render_whole()
    assert whole is not None
    assert b'"facts":' in whole
    assert source.render_whole() is whole


def test_any_process_tells_of_a_run(runs: Runs, database: Database, tmp_path: Path) -> None:
    with closing(Runs(database, tmp_path, Level.DEFAULT, lambda words: None)) as other:
        run = start_run(runs, request=LONG)
        found = other.find(run.id)
        assert found is not None
        assert (found.names, found.state in (State.WAITING, State.PLAYING)) == (run.names, True)
        assert is_over(run)

        def is_told() -> bool:
            actual = other.find(run.id)
            return actual is not None and actual.state is State.OVER

        assert eventually(is_told)
        found = other.find(run.id)
        assert found is not None
        assert (found.words, found.winner) == (run.words, run.winner)
        source = RunEvents(other, found, WholeMatches())
        source.read_new_entries()
        assert source.render_whole() is not None


def test_a_run_of_a_process_that_is_gone_is_lost(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_rows, "LOST_AFTER", -LOST_AFTER)
    rows = run_rows.RunRows(database)
    run = Run(id="a", game="game_of_death", names=(), digests=(), key="", seed="0x0", folder="none")
    rows.add(run)
    found = rows.find("a")
    assert found is not None
    assert (found.state, found.words) == (State.FAILED, run_rows.LOST_TEXT)
    with closing(Runs(database, tmp_path, Level.DEFAULT, lambda words: None)) as runs:
        assert runs.find("a") is None  # nothing of it is there
    rows.remove(["a"])
    assert rows.find("a") is None
