"""Which core a match is played on."""

import os
from collections.abc import Iterator

import pytest

from runners.cores import available_cores, pin, pin_anywhere

has_affinity = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen here"
)


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
