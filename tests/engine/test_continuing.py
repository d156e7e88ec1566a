"""Real matches that are interrupted, kept, and go on."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import BadBot, EngineFailure, HostStarved
from engine.fault import Cause
from engine.game import Event, Stage
from engine.observer import Observer
from engine.referee import Job, load_resumed_job
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.result import MatchResult
from engine.result_folder import REPLAY, ResultFolder
from tests.engine.bots.matches import DUEL, LENIENT, Arena, a_bot, a_job, change_play

LONG = replace(DUEL, max_turns=12)

DICE = "return random.choice(['UP', 'DOWN', 'LEFT', 'RIGHT'])"
COUNTS = """
self.rounds = getattr(self, "rounds", 0) + 1
if self.rounds == 3:
    {breaks}
return 'UP' if self.rounds % 2 else 'DOWN'
"""


class CutIn(Observer):
    """Ends a match in some turn."""

    def __init__(self, turn: int, error: type[BaseException] = KeyboardInterrupt) -> None:
        self._turn = turn
        self._error = error

    def on_event(self, event: Event) -> None:
        if isinstance(event, Stage) and event.turn == self._turn:
            raise self._error("by the test")


@pytest.fixture
def bots(tmp_path: Path) -> tuple[Path, Path]:
    dice = a_bot(tmp_path, DICE, top="import random", name="player_dice")
    return dice, a_bot(tmp_path, COUNTS.format(breaks="pass"), name="player_counts")


def cut_off(
    arena: Arena, job: Job, turn: int, error: type[BaseException] = KeyboardInterrupt
) -> None:
    with pytest.raises(error):
        arena.referee.play(replace(job, is_kept=True), [CutIn(turn, error)])


def interrupted_replay(arena: Arena, job: Job) -> Path:
    return arena.out / ResultFolder.INTERRUPTED_MATCHES / job.spec.key / REPLAY


def go_on(arena: Arena, job: Job, *, before_turn: int | None = None) -> MatchResult:
    continued = load_resumed_job(interrupted_replay(arena, job), before_turn)
    return arena.referee.play(replace(continued, is_kept=True))


def folders(arena: Arena, result_folder: ResultFolder) -> list[str]:
    place = arena.out / result_folder
    return sorted(path.name for path in place.iterdir()) if place.exists() else []


def essence(result: MatchResult) -> Any:
    """All that is the same in every playing of a match with the same orders."""
    teams = [
        (team.score, team.left, team.faults, team.details, team.restarts, team.out)
        for team in result.teams
    ]
    return result.key, result.winner, result.reason, result.turns, result.fingerprint, teams


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, pytest.param(EngineFailure, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("turn", [2, 7, 12])
def test_a_match_that_was_cut_off_goes_on_to_the_result_it_would_have_had(
    arena: Arena, bots: tuple[Path, Path], tmp_path: Path, turn: int, error: type[BaseException]
) -> None:
    job = a_job(arena.out, *bots, settings=LONG)
    cut_off(arena, job, turn, error)
    assert arena.referee.interrupted is not None
    assert arena.referee.interrupted.replay == interrupted_replay(arena, job)
    result = go_on(arena, job)
    undisturbed = Arena(tmp_path / "undisturbed").play(*bots, settings=LONG)
    assert essence(result) == essence(undisturbed)
    assert result.continued is not None
    assert result.continued.deviation is None
    assert result.continued.turn in (turn - 1, turn)
    assert verify(Replay(Path(result.replay or ""))) is None
    assert folders(arena, ResultFolder.INTERRUPTED_MATCHES) == []
    assert folders(arena, ResultFolder.MATCHES) == [job.spec.key]


@pytest.mark.parametrize(
    ("breaks", "cause"),
    [
        ("import os; os._exit(3)", Cause.EXIT),
        ("raise ValueError('no')", Cause.EXCEPTION),
        ("return 'FLY'", Cause.ILLEGAL),
    ],
)
def test_a_bot_that_breaks_in_its_past_goes_on_as_it_would_have(
    arena: Arena, tmp_path: Path, breaks: str, cause: Cause
) -> None:
    bot = a_bot(tmp_path, COUNTS.format(breaks=breaks))
    limits = replace(LENIENT, max_restarts=2)
    job = a_job(arena.out, bot, bot, settings=LONG, limits=limits)
    cut_off(arena, job, 9)
    result = go_on(arena, job)
    undisturbed = Arena(tmp_path / "undisturbed").play(bot, bot, settings=LONG, limits=limits)
    assert essence(result) == essence(undisturbed)
    assert result.teams[0].faults[cause] > 0
    assert result.continued is not None
    assert result.continued.deviation is None


def test_a_bot_with_chance_of_its_own_keeps_its_recorded_orders_and_is_told_of(
    arena: Arena, tmp_path: Path, bots: tuple[Path, Path]
) -> None:
    """It keeps to one side until it is interrupted: by chance at most once in 2 to the 11th."""
    wild = a_bot(
        tmp_path, "return random.SystemRandom().choice(['UP', 'DOWN'])", top="import random"
    )
    job = a_job(arena.out, wild, bots[1], settings=LONG)
    cut_off(arena, job, 12)
    past = list(Replay(interrupted_replay(arena, job)).entries())
    result = go_on(arena, job)
    assert list(Replay(Path(result.replay or "")).entries())[: len(past)] == past
    assert result.continued is not None
    deviation = result.continued.deviation
    assert deviation is not None
    assert (deviation.team, {deviation.recorded, deviation.now}) == (1, {"UP", "DOWN"})


def test_a_match_that_is_cut_off_while_it_catches_up_keeps_what_came_farther(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    job = a_job(arena.out, *bots, settings=LONG)
    cut_off(arena, job, 9)
    before = interrupted_replay(arena, job).read_bytes()
    cut_off(arena, load_resumed_job(interrupted_replay(arena, job)), 4)
    assert interrupted_replay(arena, job).read_bytes() == before
    cut_off(arena, load_resumed_job(interrupted_replay(arena, job)), 11)
    assert Replay(interrupted_replay(arena, job)).last_turn >= 10
    assert go_on(arena, job).turns == 12


def test_a_match_that_was_ended_and_not_filed_is_filed_when_it_goes_on(
    arena: Arena, bots: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = a_job(arena.out, *bots, settings=LONG)

    def stopped(*parts: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("engine.replays.archive.Archive.file_result", stopped)
        with pytest.raises(KeyboardInterrupt):
            arena.referee.play(replace(job, is_kept=True))
    assert Replay(interrupted_replay(arena, job)).outcome is not None
    result = go_on(arena, job)
    assert result.first_fingerprint is None
    assert folders(arena, ResultFolder.MATCHES) == [job.spec.key]


def test_only_what_is_to_be_kept_is(arena: Arena, bots: tuple[Path, Path]) -> None:
    job = a_job(arena.out, *bots, settings=LONG)
    with pytest.raises(KeyboardInterrupt):
        arena.referee.play(job, [CutIn(9)])
    for nothing in (change_play(job, keep_replay=False), job):
        cut_off(arena, nothing, 9 if nothing is not job else 1)
        assert arena.referee.interrupted is None
    cut_off(arena, job, 9, HostStarved)
    assert arena.referee.interrupted is None
    assert (
        folders(arena, ResultFolder.INTERRUPTED_MATCHES)
        == folders(arena, ResultFolder.MATCHES)
        == []
    )


def test_a_match_that_comes_to_its_end_by_another_way_is_kept_no_more(
    arena: Arena, bots: tuple[Path, Path]
) -> None:
    job = a_job(arena.out, *bots, settings=LONG)
    cut_off(arena, job, 9)
    arena.referee.play(change_play(job, in_process=True))
    assert interrupted_replay(arena, job).exists()
    arena.referee.play(job)
    assert folders(arena, ResultFolder.INTERRUPTED_MATCHES) == []


@pytest.mark.parametrize("spoil", ["missing", "changed"])
def test_without_its_bots_as_they_were_a_match_does_not_go_on(
    arena: Arena, bots: tuple[Path, Path], spoil: str
) -> None:
    job = a_job(arena.out, *bots, settings=LONG)
    cut_off(arena, job, 9)
    copy = arena.out / "bots" / job.spec.bots[0] / "bot.py"
    if spoil == "missing":
        copy.unlink()
    else:
        copy.write_text(copy.read_text() + "#")
    text = "no copy of a bot with digest" if spoil == "missing" else "was changed since it was"
    fresh = Arena(arena.out)
    with pytest.raises(BadBot, match=text):
        go_on(fresh, job)
    assert interrupted_replay(arena, job).exists()


STOPS = """
breakpoint()
return 'UP'
"""


def test_an_author_can_put_a_bot_before_a_recorded_turn_and_stops_there_only(
    arena: Arena, bots: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops: list[int] = []

    def stop(*parts: Any, **named: Any) -> None:
        stops.append(len(asked))

    asked: list[int] = []

    class Asked(Observer):
        def on_decision(self, asks: Any, orders: Any) -> None:
            asked.extend(ask.team for ask in asks)

    bot = a_bot(tmp_path, STOPS, name="player_stops")
    monkeypatch.setattr("sys.breakpointhook", stop)
    recorded = arena.play(bot, bots[1], settings=LONG, in_process=True)
    stops.clear()
    job = load_resumed_job(Path(recorded.replay or ""), 10)
    result = arena.referee.play(change_play(job, in_process=True), [Asked()])
    assert len(stops) == 3, "in turns 10, 11 and 12"
    assert min(stops) >= 2 * 9
    assert result.fingerprint == recorded.fingerprint
    assert result.continued is not None
    assert result.continued.turn == 10
    assert Path(result.folder).parent.name == ResultFolder.IN_PROCESS
