"""How many instructions the engine takes: no more than when its figures were kept."""

import platform

import pytest

from benchmarks.comparison import read_run
from benchmarks.instructions import KEPT, count_instructions, measure
from benchmarks.table import FULL
from tests import needs

pytestmark = [pytest.mark.timeout(300), needs.program("valgrind", package="valgrind")]
MAX_GROWTH = 1.1
RENEW = "python3 -m benchmarks instructions --json > benchmarks/instructions.json"


@pytest.mark.exhaustive
def test_the_same_work_takes_the_same_instructions() -> None:
    first, second = count_instructions("rules", 20), count_instructions("rules", 20)
    assert abs(first - second) < first / 1_000
    assert count_instructions("rules", 200) > first


@pytest.mark.exhaustive
def test_nothing_takes_many_more_instructions_than_it_did() -> None:
    saved = read_run(KEPT)
    version = f"Python {platform.python_version()}"
    if not saved.machine.endswith(version):
        needs.skip(f"{saved.machine.split(', ')[-1]}, of which figures are kept; this is {version}")
    before = {one.name: one.compared for one in saved.figures}
    measured = measure(FULL)
    assert [one.name for one in measured] == list(before)
    for one in measured:
        known = before[one.name]
        assert known is not None
        assert one.compared is not None
        assert one.compared <= MAX_GROWTH * known, (
            f"{one.what}: {one.compared:.0f} times a step of a loop, and was {known:.0f} times; "
            f"if that has to be: {RENEW}"
        )
