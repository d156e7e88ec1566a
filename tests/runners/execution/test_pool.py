"""Matches side by side, and what becomes of them when a process is killed."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.errors import SlimeMindError
from engine.referee import Job
from runners.execution.cores import available_cores
from runners.execution.local_executor import Processes
from runners.execution.pool import Pool
from tests import needs
from tests.runners.playing import jobs, keys
from tests.shell import BOT, eventually


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def kill_one() -> None:
    child = multiprocessing.active_children()[0]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()


@pytest.mark.slow
def test_every_job_has_its_result_under_its_number(out: Path) -> None:
    todo = jobs(out, 5)
    with Pool(Processes(out, 2)) as pool:
        assert keys(dict(pool.play_all(todo))) == [job.spec.key for job in todo]


def test_no_jobs_no_results(out: Path) -> None:
    with Pool(Processes(out, 2)) as pool:
        assert list(pool.play_all([])) == []


def test_jobs_are_taken_as_they_are_needed(out: Path) -> None:
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        todo = jobs(out, 1)
        while True:
            taken += 1
            yield from todo

    with pytest.raises(RuntimeError, match="enough"), Pool(Processes(out, 1)) as pool:  # noqa: PT012
        for number, _ in pool.play_all(endless()):
            if number == 3:
                raise RuntimeError("enough")
    assert taken <= 3 + 3


@pytest.mark.slow
def test_a_pool_leaves_no_process_behind(out: Path) -> None:
    with Pool(Processes(out, 2)) as pool:
        list(pool.play_all(jobs(out, 2)))
    assert multiprocessing.active_children() == []


def test_a_pool_that_is_left_early_leaves_no_process_behind(out: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Pool(Processes(out, 2)) as pool:  # noqa: PT012
        for _ in pool.play_all(jobs(out, 20)):
            raise KeyboardInterrupt
    assert multiprocessing.active_children() == []
    assert not [path for path in (out / "matches").iterdir() if path.name.startswith(".")]


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_what_was_lost_with_a_killed_process_is_played_again(out: Path) -> None:
    todo = jobs(out, 8)
    results = {}
    with Pool(Processes(out, 2)) as pool:
        for number, result in pool.play_all(todo):
            results[number] = result
            if len(results) == 1:
                kill_one()
    assert keys(results) == [job.spec.key for job in todo]


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_a_pool_whose_process_was_killed_while_idle_plays_on(out: Path) -> None:
    todo = jobs(out, 2)
    with Pool(Processes(out, 1)) as pool:
        assert len(list(pool.play_all(todo[:1]))) == 1
        kill_one()
        assert keys(dict(pool.play_all(todo))) == [job.spec.key for job in todo]


def test_a_match_that_cannot_be_played_is_told_and_the_others_are_played(out: Path) -> None:
    todo = jobs(out, 3)
    first, second = todo[1].contestants
    nobody = msgspec.structs.replace(second, digest="0" * 16)
    todo[1] = msgspec.structs.replace(todo[1], contestants=(first, nobody))
    with Pool(Processes(out, 1)) as pool:
        results = dict(pool.play_all(todo))
    assert isinstance(results[1], SlimeMindError)
    assert keys(results) == [todo[0].spec.key, todo[2].spec.key]


@pytest.mark.slow
@needs.call("os.sched_getaffinity")
def test_every_process_has_a_core_of_its_own(out: Path) -> None:
    workers = len(available_cores())
    wanted = {frozenset({core}) for core in available_cores()}
    sleeper = BOT.format("import time; time.sleep(0.02); return 'LEFT'")
    with pytest.raises(KeyboardInterrupt), Pool(Processes(out, workers)) as pool:  # noqa: PT012
        for _ in pool.play_all(jobs(out, 4 * workers, a=sleeper)):
            assert eventually(lambda: cores_of_children() == wanted)
            raise KeyboardInterrupt


def cores_of_children() -> set[frozenset[int]]:
    children = multiprocessing.active_children()
    return {frozenset(os.sched_getaffinity(child.pid or 0)) for child in children}
