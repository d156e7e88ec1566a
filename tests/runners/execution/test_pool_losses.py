"""Who plays, and what a pool does when they are lost."""

import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from engine.errors import EngineFailure, UsageError
from engine.referee import Job
from engine.result import MatchResult
from runners.execution.executor import JobLost, Result
from runners.execution.local_executor import Processes
from runners.execution.pool import MAX_TRIES, Pool, executor_for
from runners.match_request import RunOptions
from tests.runners.results import a_match_result


class Scripted:
    """Does to every job what the script says next: plays it, is lost, or wants it sent again."""

    workers = 1

    def __init__(self, *script: str) -> None:
        self._script = list(script)
        self.restarts = 0
        self.ended: bool | None = None

    def submit(self, job: Job) -> "Future[MatchResult]":
        future: Future[MatchResult] = Future()
        future.set_result(a_match_result(job.spec.seed))
        return future

    def outcome_of(self, job: Job, future: "Future[MatchResult]") -> "Result | Future[MatchResult]":
        match self._script.pop(0) if self._script else "play":
            case "lose":
                raise JobLost
            case "again":
                return self.submit(job)
            case _:
                return future.result()

    def restart(self) -> None:
        self.restarts += 1

    def terminate(self) -> None:
        """Do nothing: nobody ends it from elsewhere."""

    def end(self, *, at_once: bool) -> None:
        self.ended = at_once


def jobs(count: int) -> list[Job]:
    return [Job(spec=a_match_result(seed).spec, contestants=()) for seed in range(count)]


def play(executor: Scripted, count: int) -> dict[int, object]:
    """Return what came of each: the seed of its result, or the error."""
    with Pool(executor) as pool:
        return {
            number: result.spec.seed if isinstance(result, MatchResult) else type(result)
            for number, result in pool.play_all(jobs(count))
        }


def test_a_job_that_is_to_be_sent_again_is() -> None:
    assert play(Scripted("again", "play", "again", "again"), 3) == {0: 0, 1: 1, 2: 2}


def test_what_was_lost_is_played_again_and_then_the_rest() -> None:
    executor = Scripted("lose", "lose")
    assert play(executor, 5) == {number: number for number in range(5)}
    assert (executor.restarts, executor.ended) == (1, False)


def test_what_is_lost_again_and_again_is_given_up_and_the_rest_is_not() -> None:
    executor = Scripted("lose", "play", *["lose"] * MAX_TRIES)
    assert play(executor, 4) == {0: EngineFailure, 1: 1, 2: 2, 3: 3}
    assert executor.restarts == 1 + MAX_TRIES


def test_a_pool_that_is_left_by_an_error_ends_its_executor_at_once() -> None:
    executor = Scripted()
    with pytest.raises(KeyboardInterrupt), Pool(executor):
        raise KeyboardInterrupt
    assert executor.ended is True


def test_without_a_cluster_the_processes_of_this_machine_play(tmp_path: Path) -> None:
    executor = executor_for(RunOptions(out=tmp_path, workers=3))
    assert isinstance(executor, Processes)
    assert executor.workers == 3
    executor.end(at_once=False)


def test_a_cluster_without_its_packages_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "runners.execution.cluster", raising=False)
    with pytest.raises(UsageError, match=r"pip install '\.\[cluster\]'"):
        executor_for(RunOptions(out=tmp_path, cluster="local:2"))
