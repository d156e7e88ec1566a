"""Contests are played side by side, and what comes of a match may open others."""

from collections import deque
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import EngineFailure
from engine.record import Contestant
from engine.referee import Job
from engine.result import MatchResult
from runners.contests.player import play_contests
from runners.execution.executor import Result
from runners.execution.pool import Pool
from runners.run_options import RunOptions
from runners.storage.store import opened_store
from runners.tournament import playing as tournament_playing
from runners.tournament.playing import MissingMatches, Tournament, tell_nobody
from tests.runners.results import a_spec
from tests.runners.tournament.executors import MadeUpExecutor, a_draw
from tests.runners.tournament.fields import a_field


class Listed:
    """A contest of so many matches, of which each opens the next `opens` ones."""

    def __init__(self, name: str, first: int, then: int = 0, opens: int = 0) -> None:
        self.name = name
        self.kept: list[MatchResult] = []
        self.failed: list[str] = []
        self._waiting = deque(range(first))
        self._later = deque(range(first, first + then))
        self._opens = opens

    def next(self) -> "Match | None":
        if not self._waiting:
            return None
        return Match(self, self._waiting.popleft())

    def open_more(self) -> None:
        for _ in range(min(self._opens, len(self._later))):
            self._waiting.append(self._later.popleft())


class Match:
    def __init__(self, contest: Listed, number: int) -> None:
        self._contest = contest
        contestants = (
            Contestant(name=contest.name, digest="d1"),
            Contestant(name=f"{number}", digest="d2"),
        )
        self.job = Job(spec=a_spec(number), contestants=contestants)

    def keep(self, result: MatchResult) -> None:
        self._contest.kept.append(result)
        self._contest.open_more()

    def fail(self, error: BaseException) -> None:
        self._contest.failed.append(str(error))


def play(executor: MadeUpExecutor, contests: Iterable[Listed]) -> list[str]:
    """Return the names of the contests whose matches were played, in their order."""
    with Pool(executor) as pool:
        for _ in play_contests(pool, lambda: contests):
            pass
    return [one for one, _ in executor.names()]


def test_whoever_has_few_matches_waits_for_nobody_who_has_many() -> None:
    many, few = Listed("many", 8), Listed("few", 2)
    order = play(MadeUpExecutor(a_draw), [many, few])
    assert order == ["many", "few"] * 2 + ["many"] * 6
    assert (len(many.kept), len(few.kept)) == (8, 2)


def test_what_a_result_opens_is_played() -> None:
    growing = Listed("growing", 1, then=6, opens=2)
    assert len(play(MadeUpExecutor(a_draw), [growing])) == 7
    assert len(growing.kept) == 7


def test_what_failed_is_told_to_its_contest_and_others_go_on() -> None:
    def comes(job: Job) -> Result:
        is_bad = job.contestants[0].name == "bad"
        return EngineFailure("no disk") if is_bad else a_draw(job)

    good, bad = Listed("good", 3), Listed("bad", 2)
    play(MadeUpExecutor(comes), [bad, good])
    assert (len(good.kept), bad.kept, bad.failed) == (3, [], ["no disk", "no disk"])


def test_who_comes_later_is_played_too_and_who_has_left_is_not() -> None:
    first, later = Listed("first", 9), Listed("later", 2)

    def running() -> list[Listed]:
        return [later] if len(first.kept) >= 2 else [first]

    executor = MadeUpExecutor(a_draw, workers=1)
    with Pool(executor) as pool:
        for _ in play_contests(pool, running):
            pass
    assert len(later.kept) == 2
    assert len(first.kept) < 9


def test_an_error_of_a_contest_is_raised() -> None:
    class Broken(Listed):
        def next(self) -> Match | None:
            raise EngineFailure("the database is away")

    with pytest.raises(EngineFailure, match="the database is away"):
        play(MadeUpExecutor(a_draw), [Broken("broken", 1)])


@pytest.mark.parametrize("seconds", [9.0, 10.0])
def test_a_match_of_a_server_rests_before_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    now = 0.0
    monkeypatch.setattr(tournament_playing, "monotonic", lambda: now)
    with closing(opened_store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        tournament = Tournament(a_field(2), store)
        matches = MissingMatches(tournament, RunOptions(out=tmp_path), tell_nobody, (10.0, 60.0))
        given = [matches.next(), matches.next()]
        assert matches.next() is None
        for match in given:
            assert match is not None
            match.fail(EngineFailure("no disk"))
        assert matches.next() is None
        assert not matches.is_over
        now = seconds
        assert (matches.next() is not None) == (seconds >= 10)
