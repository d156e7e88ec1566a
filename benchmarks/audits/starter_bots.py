"""Plays every starter bot against every other.

Plays mirrored series through the command line, on all cores: some minutes for 40 matches a
pair of Slime Mind, a quarter of an hour for 80 of Smack! at 50 ms a ply. The figures depend on
the bots and the seed alone, not on the machine; but for bots that think as long as they may.
OPTIONS after `--` are those of main.py: `-g smack -m 80 -- --preset varied --limit cpu_ms=50`.
With `--table 4` each of a pair has two of four seats: `-g game_of_death --table 4 -m 4 -- --preset
four_small`. What counts then is who of two unlike bots is placed above the other.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

import click

from bootstrap import HOME
from engine.bots.finding import find_bots
from engine.catalog import GAMES, find_game

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "learned")


def starter_bots(game: str) -> list[str]:
    """Return a game's numbered starter bots, in order."""
    found = {bot.name for bot in find_bots(HOME / "playerCode" / find_game(game).bots)}
    return [name for name in (f"player_{number}" for number in NUMBERS) if name in found]


def play_pair(a: str, b: str, table: int, options: Sequence[str]) -> dict[str, Any]:
    """Return the JSON that `main.py -r multi_match --json` prints for a pair."""
    command = [sys.executable, str(HOME / "main.py"), "-r", "multi_match", "--json", "--no-replay"]
    seats = [word for seat in range(table) for word in (f"-{seat + 1}", (a, b)[seat % 2])]
    result: dict[str, Any] = json.loads(subprocess.check_output([*command, *seats, *options]))
    return result


def rate_of_first(result: dict[str, Any]) -> float:
    """Return the first bot's points against the other: 1 if it is always placed above it."""
    if "win_rate" in result:
        return float(result["win_rate"])
    # Of the three that a seat is compared with one has the same bot: on average, half a point.
    mean = sum(tally["points"] for tally in result["tallies"][::2]) / 2
    return float(3 * mean - 0.5) / 2


def as_table(rates: dict[tuple[str, str], float], scores: dict[str, list[float]]) -> str:
    """Return a Markdown table: the row's points in percent against the column's."""
    names = (bot.removeprefix("player_") for bot in scores)
    lines = [
        "| | " + " | ".join(names) + " | mean | mean score |",
        "|---|" + "--:|" * (len(scores) + 2),
    ]
    for bot in scores:
        played = {other: 100 * rates[bot, other] for other in scores if (bot, other) in rates}
        if not played:
            continue
        cells = [f"{played[other]:.3g}" if other in played else "" for other in scores]
        mean, score = fmean(played.values()), fmean(scores[bot])
        lines.append(f"| `{bot}` | " + " | ".join(cells) + f" | {mean:.3g} | {score:.0f} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("-g", "--game", default="slime_mind", show_default=True, type=click.Choice([*GAMES]))
@click.option("-m", "--matches", default=40, show_default=True, help="Matches of each pair.")
@click.option("--table", default=2, show_default=True, type=click.Choice([2, 4]), help="Seats.")
@click.option("--only", multiple=True, metavar="BOT", help="Only pairs with one of these.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", default="results", show_default=True)
@click.argument("options", nargs=-1)
def main(
    game: str,
    matches: int,
    table: int,
    only: tuple[str, ...],
    seed: int,
    out: str,
    options: tuple[str, ...],
) -> None:
    bots = starter_bots(game)
    maps = ("--seed", str(seed), "--secret", "1")  # the same for everybody who measures
    arguments = ["-g", game, "-m", str(matches), *maps, "--out", out, *options]
    rates: dict[tuple[str, str], float] = {}
    scores: dict[str, list[float]] = {bot: [] for bot in bots}
    for a, b in combinations(bots, 2):
        if only and not {a, b} & {*only}:
            continue
        result = play_pair(a, b, table, arguments)
        rates[a, b] = rate_of_first(result)
        rates[b, a] = 1 - rates[a, b]
        for bot, score in zip((a, b), result["mean_scores"], strict=False):
            scores[bot].append(score)
        click.echo(f"{a} {b} {rates[a, b]:.0%} faults {result['faults']}", err=True)
    click.echo(as_table(rates, scores))
