"""Counts what `tournament --decide` saves.

Simulates fields of six bots of which everybody meets everybody, with and without pairings that end
early, and says how often the 95 % intervals of their ratings hold the true figure, how wide they
are, and how far the ratings are off on average.
"""

from itertools import combinations

import click
import numpy as np

from benchmarks.audits.verdicts import pair_law
from runners.statistics.scores import PairwiseResults
from runners.statistics.ratings import MEAN_RATING, rate
from runners.statistics.scores import Score, SideSwappedSet
from runners.statistics.sequential import SHARES, Pair, RunningTest, SequentialTest

ELOS = (0, 30, 60, 120, 200, 400)


def play_field(chance: np.random.Generator, games: int, *, decides: bool) -> PairwiseResults:
    """Return the results of a round robin of so many map pairs."""
    results = PairwiseResults()
    for a, b in combinations(range(len(ELOS)), 2):
        test, law = RunningTest(SequentialTest()), pair_law(ELOS[a] - ELOS[b], 0.0)
        for seed in range(games):
            share = float(chance.choice(SHARES, p=law))
            first, second = min(1.0, 2 * share), max(0.0, 2 * share - 1)
            scores = (Score((a, b), (first, 1 - first)), Score((b, a), (1 - second, second)))
            results.add(SideSwappedSet(seed, scores))
            test.add(Pair(share))
            if decides and test.is_order_known:
                break
    return results


@click.command(help=__doc__)
@click.option("--fields", default=150, show_default=True, help="Tournaments of each kind.")
@click.option(
    "--pairs", "games", default=40, show_default=True, help="Map pairs of a pairing, at most."
)
@click.option("--seed", default=5, show_default=True)
def main(fields: int, games: int, seed: int) -> None:
    true = np.array(ELOS) - np.mean(ELOS) + MEAN_RATING
    click.echo(f"{'':>10}{'matches':>9}{'covered':>9}{'width':>7}{'off by':>8}")
    for decides in (False, True):
        chance, matches, found = np.random.default_rng(seed), 0, list[list[float]]()
        for _ in range(fields):
            results = play_field(chance, games, decides=decides)
            ratings = rate(results, range(len(ELOS)), rounds=300).ratings
            matches += sum(one.games for one in ratings) // 2
            for one, figure in zip(ratings, true, strict=True):
                low, high = one.low or -np.inf, one.high or np.inf
                off = abs((one.elo or MEAN_RATING) - figure)
                found.append([low <= figure <= high, min(high - low, 1_000), off])
        covered, width, off = np.mean(found, axis=0)
        name = "decided" if decides else "whole"
        click.echo(f"{name:>10}{matches // fields:>9}{covered:>9.1%}{width:>7.0f}{off:>8.1f}")
