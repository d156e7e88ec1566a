"""Whatever state a program's standard descriptors are in, its matches come out the same."""

import json
import os
import subprocess
import sys
from itertools import chain, combinations
from pathlib import Path

import pytest

from engine.bots.process_start import ROOT
from engine.result_folder import RESULT
from tests import needs
from tests.engine.bots.matches import a_bot

CLOSINGS = ("<&-", ">&-", "2>&-")
SUBSETS = list(chain.from_iterable(combinations(CLOSINGS, count) for count in range(4)))
PATIENCE_S = 100
PLAYED_AS_A_LIBRARY = """
import sys
from pathlib import Path
from tests.engine.bots.matches import Arena
out, *bots = map(Path, sys.argv[1:])
arena = Arena(out)
arena.play(*bots)
arena.referee.close()
"""
OPENED = """
import os, sys
from engine.support.standard_streams import open_closed_streams
open_closed_streams()
with open(sys.argv[1], "w") as report:
    null = os.stat(os.devnull).st_rdev
    are_null = [os.fstat(number).st_rdev == null for number in range(3)]
    print(report.fileno() > 2, *are_null, file=report)
for stream in (sys.stdout, sys.__stderr__):
    print("to whom it may concern", file=stream)
"""

pytestmark = needs.SHELL


def run_without_descriptors(closings: tuple[str, ...], *parts: str) -> int:
    """Run Python with some of its descriptors closed; return its exit code."""
    command = ["sh", "-c", f'exec "$@" {" ".join(closings)}', "sh", sys.executable, *parts]
    environment = {**os.environ, "SLIME_MIND_NO_BOOTSTRAP": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    ).returncode


def faults_in(out: Path) -> list[dict[str, int]]:
    """Return the faults of each team in the one match that was played."""
    [file] = out.glob(f"matches/*/{RESULT}")
    return [team["faults"] for team in json.loads(file.read_bytes())["teams"]]


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two that print, to both streams."""
    home = tmp_path_factory.mktemp("bots")
    talk = "print('here'); print('there', file=sys.stderr)\nreturn 'UP'"
    return [str(a_bot(home, talk, top="import sys", name=f"player_{name}")) for name in "ab"]


@pytest.mark.parametrize("closings", SUBSETS, ids=" ".join)
def test_bots_play_whatever_descriptors_are_closed(
    closings: tuple[str, ...], bots: list[str], tmp_path: Path
) -> None:
    assert run_without_descriptors(closings, "-c", PLAYED_AS_A_LIBRARY, str(tmp_path), *bots) == 0
    assert faults_in(tmp_path) == [{}, {}]


@pytest.mark.parametrize("closings", [SUBSETS[2], SUBSETS[-1]], ids=" ".join)
def test_the_command_line_plays_whatever_descriptors_are_closed(
    closings: tuple[str, ...], bots: list[str], tmp_path: Path
) -> None:
    few = ("--preset", "small", "--set", "max_turns=3")
    players = ("-1", bots[0], "-2", bots[1], "--out", str(tmp_path))
    assert run_without_descriptors(closings, "main.py", *few, *players) == 0
    assert faults_in(tmp_path) == [{}, {}]
    assert (
        run_without_descriptors(closings, "main.py", "check", bots[0], "--out", str(tmp_path)) == 0
    )


@pytest.mark.parametrize("closings", SUBSETS, ids=" ".join)
def test_nothing_that_is_opened_later_gets_the_number_of_a_stream(
    closings: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "report"
    assert run_without_descriptors(closings, "-c", OPENED, str(file)) == 0
    assert file.read_text().split() == [
        str(is_so) for is_so in (True, True, *(closing in closings for closing in CLOSINGS[1:]))
    ]
