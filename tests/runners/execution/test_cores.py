"""Which core a match is played on."""

import os
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from runners.execution.cores import available_cores, pin, pin_anywhere, pin_beside_others
from tests import needs

has_affinity = needs.call("os.sched_setaffinity")


@pytest.fixture
def cores() -> Iterator[list[int]]:
    before = available_cores()
    yield before
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, before)


def test_there_is_at_least_one_core(cores: list[int]) -> None:
    assert cores
    assert cores == sorted(set(cores))


@has_affinity
def test_a_process_that_is_pinned_has_that_core_alone(cores: list[int]) -> None:
    pin(cores[-1])
    assert available_cores() == [cores[-1]]


@has_affinity
def test_pinned_anywhere_is_pinned_to_one_of_the_cores(cores: list[int]) -> None:
    pin_anywhere()
    (core,) = available_cores()
    assert core in cores


def test_without_affinity_nothing_is_pinned(
    cores: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sched_getaffinity", "sched_setaffinity"):
        monkeypatch.delattr(os, name, raising=False)
    pin(10_000)
    assert available_cores() == list(range(os.cpu_count() or 1))


@needs.call("os.sched_getaffinity")
def test_those_who_take_a_core_beside_others_have_different_ones() -> None:
    ready = Barrier(3)
    taken: list[tuple[object, frozenset[int]]] = []

    def take() -> None:
        hold = pin_beside_others()
        taken.append((hold, frozenset(os.sched_getaffinity(0))))
        ready.wait()

    threads = [Thread(target=take) for _ in range(2)]
    for thread in threads:
        thread.start()
    ready.wait()
    for thread in threads:
        thread.join()
    of_their_own = [cores for hold, cores in taken if hold is not None]
    assert len(set(of_their_own)) == len(of_their_own)
    assert all(len(cores) == 1 for cores in of_their_own)
    unpinned = [cores for hold, cores in taken if hold is None]
    assert all(cores == frozenset(available_cores()) for cores in unpinned)
