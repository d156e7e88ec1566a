"""Plays every starter bot against every other.

Plays mirrored series through the command line, on all cores: some minutes for 40 matches a
pair of Slime Mind, a quarter of an hour for 80 of Smack! at 50 ms a ply. The figures depend on
the bots and the seed alone, not on the machine; but for bots that think as long as they may.
OPTIONS after `--` are those of main.py: `-g smack -m 80 -- --preset varied --limit cpu_ms=50`.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import click

from bootstrap import HOME
from engine.bots.finding import find_bots
from engine.catalog import GAMES, game_named

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "learned")


def starter_bots(game: str) -> list[str]:
    """Return a game's numbered starter bots, in order."""
    found = {bot.name for bot in find_bots(HOME / "playerCode" / game_named(game).bots)}
    return [name for name in (f"player_{number}" for number in NUMBERS) if name in found]


def play_pair(a: str, b: str, options: Sequence[str]) -> dict[str, Any]:
    """Return the JSON that `main.py -r multi_match --json` prints for a pair."""
    command = [sys.executable, str(HOME / "main.py"), "-r", "multi_match", "--json", "--no-replay"]
    result: dict[str, Any] = json.loads(
        subprocess.check_output([*command, "-1", a, "-2", b, *options])
    )
    return result


def as_table(rates: dict[tuple[str, str], float], scores: dict[str, list[float]]) -> str:
    """Return a Markdown table: the row's points in percent against the column's."""
    names = (bot.removeprefix("player_") for bot in scores)
    lines = [
        "| | " + " | ".join(names) + " | mean score |",
        "|---|" + "--:|" * (len(scores) + 1),
    ]
    for bot in scores:
        cells = [f"{100 * rates[bot, other]:g}" if other != bot else "" for other in scores]
        mean = sum(scores[bot]) / len(scores[bot])
        lines.append(f"| `{bot}` | " + " | ".join(cells) + f" | {mean:.0f} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("-g", "--game", default="slime_mind", show_default=True, type=click.Choice([*GAMES]))
@click.option("-m", "--matches", default=40, show_default=True, help="Matches of each pair.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", default="results", show_default=True)
@click.argument("options", nargs=-1)
def main(game: str, matches: int, seed: int, out: str, options: tuple[str, ...]) -> None:
    bots = starter_bots(game)
    maps = ("--seed", str(seed), "--secret", "1")  # the same for everybody who measures
    words = ["-g", game, "-m", str(matches), *maps, "--out", out, *options]
    rates: dict[tuple[str, str], float] = {}
    scores: dict[str, list[float]] = {bot: [] for bot in bots}
    for a, b in combinations(bots, 2):
        result = play_pair(a, b, words)
        rates[a, b], rates[b, a] = result["win_rate"], 1 - result["win_rate"]
        for bot, score in zip((a, b), result["mean_scores"], strict=True):
            scores[bot].append(score)
        click.echo(f"{a} {b} {result['win_rate']:.0%} faults {result['faults']}", err=True)
    click.echo(as_table(rates, scores))
