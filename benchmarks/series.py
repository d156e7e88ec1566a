"""A match of a series, which is mostly the start and the end of its bots' processes."""

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.command_line import run_main
from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Of, Target

BOT = Path(__file__).resolve().parent / "bots/player_idle.py"
SHORT = ("--set", "slime_pairs=1", "--set", "max_turns=25")
"""Two slimes for 25 turns: 50 orders."""
FEW = 10
"""What a series takes before its first match is measured with few matches, and taken away."""
FEWEST_MORE, CALLS_PER_MATCH = 40, 5


def measure(effort: Effort) -> list[Figure]:
    matches = max(FEWEST_MORE, effort.calls // CALLS_PER_MATCH)
    with one_core():
        each = [_match_ms(matches) for _ in range(effort.repeats)]
    return [
        Figure(
            name="series",
            what="a match of 50 orders in a series, with the start of its bots, on one core",
            unit="ms",
            ours=median(each),
            target=Target.at_most(8, Of.OURS),
        )
    ]


def _match_ms(matches: int) -> float:
    """Return what one more match takes, milliseconds."""
    return (_play_s(FEW + matches) - _play_s(FEW)) / matches * 1_000


def _play_s(matches: int) -> float:
    """Play a series. Return what it took, seconds."""
    with TemporaryDirectory() as folder:
        bots = ("-1", BOT, "-2", BOT, *SHORT, "--out", folder)
        series = ("-r", "multi_match", "-m", matches, "--jobs", 1, "--seed", 1, "--quiet")
        began = time.perf_counter()
        run_main(*series, *bots)
        return time.perf_counter() - began
