"""The core that a measurement runs on, and what the machine is called."""

import os
import platform

from benchmarks.cores import cores, machine, one_core
from tests import needs


def test_figures_name_the_machine_and_its_python() -> None:
    words = machine()
    assert f"{len(cores())} cores" in words
    assert words.endswith(f"Python {platform.python_version()}")
    assert not words.startswith(",")


@needs.call("os.sched_setaffinity")
def test_a_process_is_pinned_for_a_while() -> None:
    given = os.sched_getaffinity(0)
    with one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == given
