"""The core that a measurement runs on, and what the machine is called."""

import os
import platform

import pytest

from benchmarks.cores import CAN_PIN, cores, machine, one_core


def test_figures_name_the_machine_and_its_python() -> None:
    words = machine()
    assert f"{len(cores())} cores" in words
    assert words.endswith(f"Python {platform.python_version()}")
    assert not words.startswith(",")


@pytest.mark.skipif(not CAN_PIN, reason="this platform pins no process")
def test_a_process_is_pinned_for_a_while() -> None:
    given = os.sched_getaffinity(0)
    with one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == given
