"""`python3 -m benchmarks.starter_bots`: every starter bot against every other, as a table.

Plays mirrored series through the command line, on all cores: some minutes for 40 matches a
pair. The figures depend on the bots and the seed alone, not on the machine.
"""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path[0] = str(HOME)

import bootstrap

bootstrap.ensure()

import json
import subprocess
from itertools import combinations
from typing import Any

import click

NAMES = ("one", "two", "three", "four", "five", "six")
BOTS = tuple(f"player_{name}" for name in NAMES)


def play_pair(a: str, b: str, matches: int, seed: int, out: str) -> dict[str, Any]:
    """What `main.py -r multi_match --json` says of a pair."""
    command = [sys.executable, str(HOME / "main.py"), "-r", "multi_match", "--json", "--no-replay"]
    command += ["-m", str(matches), "--seed", str(seed), "-1", a, "-2", b, "--out", out]
    result: dict[str, Any] = json.loads(subprocess.check_output(command))
    return result


def as_table(rates: dict[tuple[str, str], float], scores: dict[str, list[float]]) -> str:
    """Markdown: points in 100 of the row's bot against the column's, and its mean score."""
    lines = [
        "| | " + " | ".join(NAMES) + " | mean score |",
        "|---|" + "--:|" * (len(BOTS) + 1),
    ]
    for bot in BOTS:
        cells = [f"{100 * rates[bot, other]:g}" if other != bot else "" for other in BOTS]
        mean = sum(scores[bot]) / len(scores[bot])
        lines.append(f"| `{bot}` | " + " | ".join(cells) + f" | {mean:.0f} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("-m", "--matches", default=40, show_default=True, help="Matches of each pair.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", default="results", show_default=True)
def main(matches: int, seed: int, out: str) -> None:
    rates: dict[tuple[str, str], float] = {}
    scores: dict[str, list[float]] = {bot: [] for bot in BOTS}
    for a, b in combinations(BOTS, 2):
        result = play_pair(a, b, matches, seed, out)
        rates[a, b], rates[b, a] = result["win_rate"], 1 - result["win_rate"]
        for bot, score in zip((a, b), result["mean_scores"], strict=True):
            scores[bot].append(score)
        click.echo(f"{a} {b} {result['win_rate']:.0%} faults {result['faults']}", err=True)
    click.echo(as_table(rates, scores))


if __name__ == "__main__":
    main(prog_name="python3 -m benchmarks.starter_bots")
