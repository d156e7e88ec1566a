"""What is kept of a match, and where."""

import json
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.errors import BadBot, BadResult, EngineFailure, HostStarved
from engine.fault import Cause
from engine.observer import Observer
from engine.referee import Job, Referee, load_recorded_job
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.result import cpu_use
from engine.result_folder import REPLAY, RESULT, ResultFolder
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import DUEL, QUICK, Arena, a_bot, a_job


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One that says nothing, and one that prints."""
    home = tmp_path_factory.mktemp("bots")
    quiet = a_bot(home, "return 'UP'", name="player_quiet")
    loud = a_bot(home, "print('here')\nreturn 'DOWN'", name="player_loud")
    return quiet, loud


def match_folder(
    arena: Arena, key: str, result_folder: ResultFolder = ResultFolder.MATCHES
) -> Path:
    return arena.out / result_folder / key


def read_folder(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_match_is_filed_under_its_key(arena: Arena, bots: tuple[Path, Path]) -> None:
    result = arena.play(*bots)
    home = match_folder(arena, result.key)
    assert names_in(home.parent) == [result.key]
    assert names_in(home) == ["2-player_loud.log", RESULT, REPLAY]
    assert (home / "2-player_loud.log").read_text().count("here") == DUEL.max_turns
    assert json.loads((home / RESULT).read_text()) == json.loads(
        msgspec.json.encode(result.with_text_seed())
    )
    assert home.stat().st_mode & 0o777 == 0o755
    assert result.replay == str(home / REPLAY)


def test_the_result_is_that_of_the_replay(arena: Arena, bots: tuple[Path, Path]) -> None:
    result = arena.play(*bots)
    replay = Replay(match_folder(arena, result.key) / REPLAY)
    assert replay.outcome is not None
    assert [team.score for team in result.teams] == list(replay.outcome.scores)
    assert (result.winner, result.reason) == (replay.outcome.winner, replay.outcome.reason)
    assert (result.turns, result.spec) == (replay.last_turn, replay.spec)
    assert verify(replay) is None
    assert [team.cpu.calls for team in result.teams] == [DUEL.max_turns] * 2


class Begun(Observer):
    """Counts the beginnings of matches, of which the first come to no end."""

    def __init__(self, starved: int) -> None:
        self.times = 0
        self._starved = starved

    def on_start(self, state: Any) -> None:
        self.times += 1

    def on_decision(self, asks: Any, orders: Any) -> None:
        if self.times <= self._starved:
            raise HostStarved(f"no processor in try {self.times}")


def test_a_match_without_a_processor_is_played_again_and_its_result_says_so(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    begun = Begun(starved=2)
    result = arena.referee.play(a_job(arena.out, *bots), [begun])
    assert begun.times == 3
    assert result.void_tries == ("no processor in try 1", "no processor in try 2")
    written = json.loads((match_folder(arena, result.key) / RESULT).read_bytes())
    assert written["void_tries"] == list(result.void_tries)


def test_a_match_that_never_gets_a_processor_is_given_up(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    begun = Begun(starved=99)
    with pytest.raises(HostStarved, match="no processor in try 3"):
        arena.referee.play(a_job(arena.out, *bots), [begun])
    assert begun.times == 3


def test_a_bot_that_sleeps_on_a_busy_machine_loses_its_match_in_the_first_try(
    arena: Arena, bots: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (64.0, 64.0, 64.0))
    sleeper = a_bot(tmp_path, "time.sleep(0.4)\nreturn 'UP'", top="import time")
    begun = Begun(starved=0)
    result = arena.play(sleeper, bots[0], limits=replace(QUICK, wall_ms=300), observers=[begun])
    assert (begun.times, result.void_tries) == (1, ())
    assert result.teams[0].faults == {Cause.SLEPT: DUEL.max_turns}


@pytest.mark.parametrize("name", ["loops", "exits_hard", "sleeps", "no_import", "answers_fly"])
def test_a_match_with_faults_can_be_verified(
    name: str, arena: Arena, bots: tuple[Path, Path]
) -> None:
    result = arena.play(bad_bot_path(name), bots[0], limits=QUICK)
    replay = Replay(match_folder(arena, result.key) / REPLAY)
    assert result.faults == len([a for a in replay.asides if "detail" in a.__struct_fields__])
    assert result.faults == DUEL.max_turns
    assert verify(replay) is None


def test_the_first_playing_stays_and_the_last_of_the_others_stands_apart(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    first = arena.play(*bots)
    home, apart = match_folder(arena, first.key), match_folder(arena, first.key, ResultFolder.AGAIN)
    saved = read_folder(home)
    arena.play(*bots)
    (apart / "left behind").touch()
    last = arena.play(*bots)
    assert read_folder(home) == saved
    assert names_in(apart) == ["2-player_loud.log", RESULT, REPLAY]
    assert (last.folder, last.replay) == (str(apart), str(apart / REPLAY))
    assert names_in(home.parent) == names_in(apart.parent) == [first.key]


def test_a_later_playing_says_whether_it_came_out_the_same(arena: Arena, tmp_path: Path) -> None:
    dice = "return SystemRandom().choice(['LEFT', 'RIGHT', 'UP', 'DOWN', 'SPLIT', 'MERGE'])"
    random = a_bot(tmp_path, dice, top="from random import SystemRandom", name="player_random")
    steady = a_bot(tmp_path, "return 'UP'", name="player_steady")
    settings = replace(DUEL, max_turns=50)
    first, same = (arena.play(steady, steady) for _ in range(2))
    assert (first.first_fingerprint, first.differs) == (None, False)
    assert (same.first_fingerprint, same.differs) == (first.fingerprint, False)
    one, other = (arena.play(random, steady, settings=settings) for _ in range(2))
    assert (other.first_fingerprint, other.differs) == (one.fingerprint, True)


def test_what_was_played_in_our_own_process_is_no_result(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    local = arena.play(*bots, in_process=True)
    assert local.folder == str(match_folder(arena, local.key, ResultFolder.IN_PROCESS))
    assert (local.in_process, local.first_fingerprint) == (True, None)
    with pytest.raises(BadResult, match="no match was played"):
        load_recorded_job(arena.out, local.key)
    judged = arena.play(*bots)
    assert judged.folder == str(match_folder(arena, local.key))
    assert (judged.in_process, judged.first_fingerprint) == (False, None)
    saved = read_folder(match_folder(arena, local.key))
    assert arena.play(*bots, in_process=True).first_fingerprint == judged.fingerprint
    assert read_folder(match_folder(arena, local.key)) == saved
    assert names_in(arena.out) == ["bots", "in-process", "matches"]


def test_what_stands_in_the_place_of_a_result_and_is_none_is_left_alone(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    home = match_folder(arena, a_job(arena.out, *bots).spec.key)
    home.mkdir(parents=True)
    (home / RESULT).write_text("torn")
    with pytest.raises(BadResult, match=r"match\.json: cannot be read: "):
        arena.play(*bots)
    assert read_folder(home) == {RESULT: b"torn"}
    assert names_in(home.parent) == [home.name]


@pytest.mark.parametrize("cut_off", [[], [REPLAY], [RESULT], [RESULT, REPLAY]], ids=str)
def test_what_a_power_cut_left_of_a_result_gives_way(
    arena: Arena, bots: tuple[Path, Path], cut_off: list[str]
) -> None:
    home = match_folder(arena, a_job(arena.out, *bots).spec.key)
    home.mkdir(parents=True)
    for name in cut_off:
        (home / name).touch()
    result = arena.play(*bots)
    assert result.folder == str(home)
    assert (home / RESULT).stat().st_size > 0
    assert names_in(home.parent) == [home.name]


def test_a_match_to_be_played_once_is_not_played_again(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    job = replace(a_job(arena.out, *bots), once=True)
    first = arena.referee.play(job)
    saved = read_folder(match_folder(arena, first.key))
    assert arena.referee.play(job) == first
    assert read_folder(match_folder(arena, first.key)) == saved
    assert names_in(arena.out) == ["bots", "matches"]


def test_the_result_of_another_match_is_not_taken_for_it(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    job = replace(a_job(arena.out, *bots), once=True)
    other = replace(job, spec=replace(job.spec, seed=job.spec.seed + 1))
    home = match_folder(arena, arena.referee.play(job).key)
    (home / RESULT).write_bytes(
        (match_folder(arena, arena.referee.play(other).key) / RESULT).read_bytes()
    )
    with pytest.raises(BadResult, match=f"{other.spec.key}.*; remove the folder {home}, and"):
        arena.referee.play(job)


@pytest.mark.slow
def test_processes_that_play_the_same_match_at_once_leave_one_whole(
    tmp_path: Path, bots: tuple[Path, Path]
) -> None:
    job = a_job(tmp_path, *bots)
    context = get_context("spawn")
    players = [context.Process(target=play_often, args=(tmp_path, job)) for _ in range(2)]
    for player in players:
        player.start()
    while any(player.is_alive() for player in players):
        if (tmp_path / "matches" / job.spec.key).exists():
            assert load_recorded_job(tmp_path, job.spec.key) == job
        players[0].join(0.01)
    assert [player.exitcode for player in players] == [0, 0]
    assert names_in(tmp_path / "matches") == names_in(tmp_path / "again") == [job.spec.key]
    assert load_recorded_job(tmp_path, job.spec.key) == job


def play_often(out: Path, job: Job) -> None:
    referee = Referee(out)
    for _ in range(15):
        referee.play(job)
    referee.close()


def test_without_a_replay_the_rest_is_kept(arena: Arena, bots: tuple[Path, Path]) -> None:
    with_replay = arena.play(*bots)
    job = a_job(arena.out, *bots, keep_replay=False)
    result = arena.referee.play(job)
    assert result.replay is None
    assert result.fingerprint == with_replay.fingerprint
    assert REPLAY not in names_in(Path(result.folder))


def test_an_unwritable_folder_is_our_failure_with_its_path(
    tmp_path: Path, bots: tuple[Path, Path]
) -> None:
    job = a_job(tmp_path, *bots)
    (tmp_path / "matches").write_text("a file where the folder should be")
    with pytest.raises(EngineFailure, match=r"/matches/?.*: cannot be written: "):
        Referee(tmp_path).play(job)


def test_what_stands_in_the_place_of_a_match_is_our_failure_with_its_path(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    job = a_job(arena.out, *bots)

    class Vandal(Observer):
        def on_end(self, outcome: Any) -> None:
            for folder in (arena.out / "matches").iterdir():
                (folder / RESULT).mkdir()

    with pytest.raises(EngineFailure, match=rf"{RESULT}: cannot be written: Is a directory"):
        arena.referee.play(job, [Vandal()])
    assert names_in(arena.out / "matches") == []


@pytest.mark.parametrize("error", [BrokenPipeError("gone"), ValueError("bug"), KeyboardInterrupt()])
def test_what_an_observer_raises_is_raised_and_nothing_is_kept(
    error: BaseException, arena: Arena, bots: tuple[Path, Path]
) -> None:
    class Breaking(Observer):
        def on_decision(self, asks: Any, orders: Any) -> None:
            raise error

    with pytest.raises(type(error)):
        arena.play(*bots, observers=[Breaking()])
    assert names_in(arena.out / "matches") == []
    assert arena.play(*bots).faults == 0


def test_a_bot_that_was_never_copied_is_named(arena: Arena, bots: tuple[Path, Path]) -> None:
    job = a_job(arena.out, *bots)
    stranger = tuple(replace(bot, digest="0123456789abcdef") for bot in job.contestants)
    with pytest.raises(BadBot, match="digest 0123456789abcdef"):
        arena.referee.play(replace(job, contestants=stranger))


def test_a_bot_with_a_name_as_long_as_names_get_has_a_log(
    arena: Arena, bots: tuple[Path, Path], tmp_path: Path
) -> None:
    name = "player_" + "\N{SNAIL}" * 60
    long = a_bot(tmp_path, "print('here')\nreturn 'UP'", name=name)
    result = arena.play(long, bots[0])
    assert result.teams[0].bot.name == name
    logs = [name for name in names_in(match_folder(arena, result.key)) if name.endswith(".log")]
    assert len(logs) == 1


# -- played again -------------------------------------------------------------------------------


def test_a_match_can_be_played_again_by_its_key(arena: Arena, bots: tuple[Path, Path]) -> None:
    result = arena.play(*bots, settings=replace(DUEL, max_turns=5), limits=QUICK, seed=7)
    for key in (result.key, result.key[:6]):
        job = load_recorded_job(arena.out, key)
        assert job == a_job(
            arena.out, *bots, settings=replace(DUEL, max_turns=5), limits=QUICK, seed=7
        )
        assert arena.referee.play(job).fingerprint == result.fingerprint


def test_a_match_is_played_again_though_its_bots_are_gone(arena: Arena, tmp_path: Path) -> None:
    paths = [a_bot(tmp_path, "return 'UP'", name=f"player_{word}") for word in ("a", "b")]
    result = arena.play(*paths)
    for path in paths:
        path.unlink()
    assert arena.referee.play(load_recorded_job(arena.out, result.key)).key == result.key


@pytest.mark.parametrize("key", ["0" * 16, "", "*", "../bots", ".", "x" * 5_000])
def test_a_match_that_was_not_played_here_is_refused(
    key: str, arena: Arena, bots: tuple[Path, Path]
) -> None:
    arena.play(*bots)
    with pytest.raises(BadResult, match="no match was played that begins with"):
        load_recorded_job(arena.out, key)


def test_a_key_that_means_several_matches_is_refused(arena: Arena, bots: tuple[Path, Path]) -> None:
    job = a_job(arena.out, *bots)
    for key in ("abc1", "abc2"):
        match_folder(arena, key).mkdir(parents=True)
        (match_folder(arena, key) / RESULT).touch()
    with pytest.raises(BadResult, match="several matches begin with 'abc'"):
        load_recorded_job(arena.out, "abc")
    assert job.spec.key != "abc"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"spec":{"game":"chess"},"teams":[]}',
        b'{"spec":[],"teams":[]}',
    ],
)
def test_a_result_that_cannot_be_read_is_named(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "matches" / "abc" / RESULT
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    with pytest.raises(BadResult, match=r"match\.json: cannot be read: "):
        load_recorded_job(tmp_path, "abc")


def test_a_match_that_was_killed_is_not_found_by_its_key(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    result = arena.play(*bots)
    match_folder(arena, result.key).rename(match_folder(arena, f".{result.key}-killed"))
    with pytest.raises(BadResult):
        load_recorded_job(arena.out, result.key)


# -- what a result says -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "median", "p95", "most"),
    [
        ([], 0, 0, 0),
        ([7], 7, 7, 7),
        (range(1, 21), 11, 19, 20),
        (range(1, 101), 51, 95, 100),
        (range(101, 0, -1), 51, 96, 101),
    ],
)
def test_cpu_use_is_by_nearest_rank(calls: Any, median: int, p95: int, most: int) -> None:
    used = cpu_use(list(calls))
    assert (used.median_us, used.p95_us, used.max_us) == (median, p95, most)
    assert (used.calls, used.total_ms) == (len(calls), sum(calls) // 1_000)


def test_a_result_counts_the_rounds_lost_by_cause(arena: Arena, bots: tuple[Path, Path]) -> None:
    result = arena.play(bad_bot_path("exits_hard"), bots[0], limits=QUICK)
    team = result.teams[0]
    assert team.faults == {Cause.EXIT: 2, Cause.OUT: 1}
    assert team.details[Cause.EXIT] == "process ended itself with exit code 3"
    assert (team.restarts, team.out) == (1, f"{Cause.OUT}: exit: {team.details[Cause.EXIT]}")
