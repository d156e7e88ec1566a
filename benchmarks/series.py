"""A match of a series, which is mostly the start and the end of its bots' processes."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.command_line import run_main
from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Target, figure
from engine.result_folder import RESULT

BOT = Path(__file__).resolve().parent / "bots/player_idle.py"
SHORT = ("--set", "slime_pairs=1", "--set", "max_turns=25")
"""Two slimes for 25 turns: 50 orders."""
FEWEST, CALLS_PER_MATCH = 20, 5


def measure(effort: Effort) -> list[Figure]:
    matches = max(FEWEST, effort.calls // CALLS_PER_MATCH)
    with one_core():
        each = [_match_ms(matches) for _ in range(effort.repeats)]
    return [
        figure("series", "ms", median(each), Target.at_most(6)).says(
            "a match of 50 orders in a series, with the start of its bots, on one core"
        )
    ]


def _match_ms(matches: int) -> float:
    """Play a series. Return the time from its first result to its last, per match, ms."""
    with TemporaryDirectory() as folder:
        bots = ("-1", BOT, "-2", BOT, *SHORT, "--out", folder)
        run_main("-r", "multi_match", "-m", matches, "--jobs", 1, "--seed", 1, "--quiet", *bots)
        ends = [path.stat().st_mtime_ns for path in Path(folder).rglob(RESULT)]
    return (max(ends) - min(ends)) / (matches - 1) / 1e6
