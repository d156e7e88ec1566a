"""Contests are played side by side, and what comes of a match may open others."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import EngineFailure
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult
from runners.contests import playing
from runners.contests.playing import MAX_TRIES, MatchQueue, play_contests
from runners.contests.tournament import Tournament, TournamentContest
from runners.execution.executor import Result
from runners.execution.pool import Pool
from runners.storage.store import open_store
from tests.runners.contests.executors import MadeUpExecutor, a_draw
from tests.runners.contests.fields import a_field
from tests.runners.results import a_spec


class Listed:
    """A contest of so many matches, of which each opens the next `opens` ones."""

    opens_early = True

    def __init__(self, name: str, first: int, then: int = 0, opens: int = 0) -> None:
        self.kept: list[MatchResult] = []
        self.failed: list[str] = []
        self._name = name
        self._open = dict.fromkeys(range(first))
        self._later = deque(range(first, first + then))
        self._opens = opens

    def open_fixtures(self) -> Iterator[int]:
        yield from list(self._open)

    def fixture_id(self, fixture: int) -> int:
        return fixture

    def make_job(self, fixture: int) -> Job:
        contestants = (
            Contestant(name=self._name, digest="d1"),
            Contestant(name=f"{fixture}", digest="d2"),
        )
        return Job(spec=a_spec(fixture), contestants=contestants)

    def save_result(self, fixture: int, result: MatchResult) -> bool:
        del self._open[fixture]
        self.kept.append(result)
        for _ in range(min(self._opens, len(self._later))):
            self._open[self._later.popleft()] = None
        return False

    def fail(self, fixture: int, error: BaseException) -> int:
        del self._open[fixture]
        self.failed.append(str(error))
        return MAX_TRIES


def play(executor: MadeUpExecutor, contests: Iterable[Listed]) -> list[str]:
    """Return the names of the contests whose matches were played, in their order."""
    queues = [MatchQueue(one) for one in contests]
    with Pool(executor) as pool:
        for _ in play_contests(pool, lambda: queues):
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

    of_first, of_later = MatchQueue(first), MatchQueue(later)

    def running() -> list[MatchQueue[int]]:
        return [of_later] if len(first.kept) >= 2 else [of_first]

    executor = MadeUpExecutor(a_draw, workers=1)
    with Pool(executor) as pool:
        for _ in play_contests(pool, running):
            pass
    assert len(later.kept) == 2
    assert len(first.kept) < 9


def test_an_error_of_a_contest_is_raised() -> None:
    class Broken(Listed):
        def open_fixtures(self) -> Iterator[int]:
            raise EngineFailure("the database is away")

    with pytest.raises(EngineFailure, match="the database is away"):
        play(MadeUpExecutor(a_draw), [Broken("broken", 1)])


@pytest.mark.parametrize("seconds", [9.0, 10.0])
def test_a_match_of_a_server_rests_before_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    now = 0.0
    monkeypatch.setattr(playing, "monotonic", lambda: now)
    with closing(open_store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        tournament = Tournament(a_field(2), store)
        queue = MatchQueue(TournamentContest(tournament, PlayOptions()), (10.0, 60.0))
        given = [queue.next_match(), queue.next_match()]
        assert queue.next_match() is None
        for match in given:
            assert match is not None
            match.record_outcome(EngineFailure("no disk"))
        assert queue.next_match() is None
        assert not queue.is_over
        now = seconds
        assert (queue.next_match() is not None) == (seconds >= 10)
