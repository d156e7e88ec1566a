"""Nothing heaps up: whoever plays on for long holds no more than in the beginning."""

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

import msgspec
import pytest

import bootstrap
from tests import needs
from tests.endurance import BETWEEN, MATCHES, RUNNERS, Look

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.timeout(300),  # some twenty seconds each where nothing else runs
    needs.PROC,
]

WARM = 100
"""Matches after which everything has been used."""
FORGIVEN = 1024
"""Bytes a match: the caches of Python and of the system's library fill up ever more slowly.

250 to 600 were seen, the most beside other work; what a match leaves behind comes to thousands.
"""

decode_look = msgspec.json.Decoder(Look).decode


@pytest.mark.parametrize("runner", RUNNERS)
def test_many_matches_leave_nothing_behind(runner: str, tmp_path: Path) -> None:
    looks = watch(runner, tmp_path)
    warm, last = looks[WARM // BETWEEN - 1], looks[-1]
    assert len(looks) == MATCHES // BETWEEN
    assert (last.processes, last.descriptors) == (warm.processes, warm.descriptors)
    assert last.files == warm.files
    assert len(find_leaks(looks)) < MATCHES // 20
    assert growth(looks) < FORGIVEN


def watch(runner: str, folder: Path) -> list[Look]:
    """Return what was seen in a process of its own, with a temp folder of its own."""
    temp = folder / "temp"
    temp.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.endurance", runner, str(folder)],
        cwd=bootstrap.HOME,
        env={**os.environ, "TMPDIR": str(temp)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return [decode_look(line) for line in done.stdout.splitlines()]


def find_leaks(looks: Sequence[Look]) -> set[str]:
    """Return what came into being in the first half and was still there at the end.

    Other programs share memory too, but few do for that long; what matches leave comes to hundreds.
    """
    warm, half, last = looks[WARM // BETWEEN - 1], looks[len(looks) // 2], looks[-1]
    return (half.shared & last.shared) - warm.shared


def growth(looks: Sequence[Look]) -> float:
    """Bytes a match in the second half.

    The median of the steps: a leak is in most of them, a cache that doubles is in one.
    """
    second = [look.memory for look in looks[len(looks) // 2 :]]
    return median(after - before for before, after in pairwise(second)) / BETWEEN
