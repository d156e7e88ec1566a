"""Processes that do what they are given, and what is left of them."""

import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.support.process_pool import ProcessLost, ProcessPool, _serve
from tests import needs
from tests.shell import eventually

SHARED = "/dev/shm/"
PREPARED: list[str] = []


def prepare(word: str) -> None:
    PREPARED.append(word)


def report_preparation() -> tuple[int, list[str]]:
    return os.getpid(), PREPARED


def divide(a: int, b: int = 1) -> float:
    return a / b


def kill_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def list_shared_memory() -> list[str]:
    """The files in /dev/shm that this process has mapped."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return [line.split()[-1] for line in lines if SHARED in line]


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    with ProcessPool(prepare, [("a",), ("b",)]) as pool:
        yield pool


def test_what_it_is_given_is_done_elsewhere(pool: ProcessPool) -> None:
    assert pool.submit(divide, 6, b=3).result() == 2
    assert list(pool.map(divide, (1, 2, 3))) == [1, 2, 3]


def test_each_process_is_prepared_once_in_its_own_place(pool: ProcessPool) -> None:
    seen = dict(future.result() for future in [pool.submit(report_preparation) for _ in range(20)])
    assert os.getpid() not in seen
    assert sorted(seen.values()) in ([["a"]], [["a"], ["b"]])


def test_an_error_comes_back_with_its_traceback(pool: ProcessPool) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        pool.submit(divide, 1, 0).result()
    assert "return a / b" in "".join(traceback.format_exception(caught.value))


@needs.call("signal.SIGKILL")
def test_who_is_killed_loses_what_it_was_doing(pool: ProcessPool) -> None:
    with pytest.raises(ProcessLost):
        pool.submit(kill_oneself).result()
    assert pool.submit(divide, 6, b=3).result() == 2


def wait_for(path: str) -> str:
    """Wait until there is a file."""
    while not Path(path).exists():
        time.sleep(0.01)
    return path


class Begun:
    """A pool of one process that waits for a file, and two calls that wait for it."""

    def __init__(self, folder: Path) -> None:
        self.gate = folder / "gate"
        self.pool = ProcessPool(None, [()])
        self.first = self.pool.submit(wait_for, str(self.gate))
        assert eventually(self.first.running, 20)
        self.waiting = [self.pool.submit(str, number) for number in (7, 8)]

    def __enter__(self) -> "Begun":
        return self

    def __exit__(self, *error: object) -> None:
        self.gate.touch()
        self.pool.shutdown()


def test_what_waits_is_told_when_it_begins(tmp_path: Path) -> None:
    with Begun(tmp_path) as begun:
        begun.pool._queue._mean_s = 8.0
        places = [begun.pool.find_place(one) for one in (begun.first, *begun.waiting)]
        assert places == [(0, 0), (1, 4), (2, 12)]
        begun.gate.touch()
        assert begun.waiting[1].result(20) == "8"
        assert begun.pool._queue._mean_s < 8.0


def test_what_is_stopped_is_lost_and_the_next_is_done(tmp_path: Path) -> None:
    with Begun(tmp_path) as begun:
        begun.pool.stop(begun.waiting[0])
        assert begun.waiting[0].cancelled()
        begun.pool.stop(begun.first)
        with pytest.raises(ProcessLost):
            begun.first.result(20)
        assert begun.waiting[1].result(20) == "8"


def test_at_the_end_nothing_is_waited_for(tmp_path: Path) -> None:
    with Begun(tmp_path) as begun:
        begun.pool.shutdown(wait=False, cancel_futures=True)
        begun.pool.terminate()
        begun.pool.shutdown()
        assert begun.first.done()
        assert all(one.cancelled() for one in begun.waiting)
        assert begun.pool.submit(str, "late").cancelled()


def test_no_process_is_left() -> None:
    with ProcessPool(prepare, [("a",)] * 3) as pool:
        list(pool.map(divide, range(9)))
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


@needs.path("/proc/self/maps")
def test_no_file_in_dev_shm_is_needed_that_a_kill_would_leave(pool: ProcessPool) -> None:
    assert pool.submit(list_shared_memory).result() == []
    ours = {path for path in list_shared_memory() if "sem.mp" in path}
    assert not ours


def test_a_process_whose_pool_has_ended_meanwhile_ends_without_a_word(
    capfd: pytest.CaptureFixture[str],
) -> None:
    ours, its = multiprocessing.Pipe()
    ours.send((divide, (6, 3), {}))
    ours.close()
    _serve(its)
    assert capfd.readouterr() == ("", "")
