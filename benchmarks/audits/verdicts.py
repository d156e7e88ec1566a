"""Counts wrong verdicts of `versus`, and its pairs.

Simulates many tests at once, of bots whose true difference is known. Each map is played as a
side-swapped pair: some maps decide both of their matches alike. Prints for each difference and
share of draws between equals how often A was found better, worse, not better by elo1, and not told
apart by so many pairs; and how many pairs the tests took.

At 0 Elo "better" and "worse" are false, at 20 and more "worse" and "not better" are.
"""

from itertools import product

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.elo import expected_share
from runners.statistics.likelihood import Floats
from runners.statistics.sequential import SHARES, SequentialTest, Verdict

ELOS = (0, 5, 10, 20, 50, 100, 400)
DRAWS = (0.0, 0.5)
"""The shares of draws between equals, one half at most."""


class Simulated(msgspec.Struct, frozen=True):
    """How tests ended."""

    verdicts: list[Verdict]
    pairs: NDArray[np.int64]
    """How many pairs each of them took."""

    def rate(self, verdict: Verdict) -> float:
        return self.verdicts.count(verdict) / len(self.verdicts)


def pair_law(elo: float, draws: float, alike: float = 0.0) -> Floats:
    """Return how likely each outcome of a pair is for who is better by so much Elo."""
    share = expected_share(elo)
    drawn = 4 * draws * share * (1 - share)
    match = np.array([1 - share - drawn / 2, drawn, share - drawn / 2])
    law: Floats = (1 - alike) * np.convolve(match, match)
    law[::2] += alike * match
    return law


def simulate(test: SequentialTest, law: Floats, tests: int, most: int, seed: int) -> Simulated:
    """Run tests side by side, pair by pair, until all are decided or have so many pairs."""
    chance = np.random.default_rng(seed)
    verdicts, pairs = [Verdict.UNDECIDED] * tests, np.full(tests, most)
    counts, running = np.zeros((tests, len(SHARES))), np.arange(tests)
    for number in range(1, most + 1):
        drawn = chance.choice(len(SHARES), size=len(running), p=law)
        counts[np.arange(len(running)), drawn] += 1
        found = test.decide_each(counts)
        is_open = np.array([verdict is Verdict.UNDECIDED for verdict in found])
        for place in np.flatnonzero(~is_open).tolist():
            verdicts[running[place]], pairs[running[place]] = found[place], number
        counts, running = counts[is_open], running[is_open]
        if not len(running):
            break
    return Simulated(verdicts, pairs)


@click.command(help=__doc__)
@click.option("--tests", default=1_000, show_default=True, help="Of each difference.")
@click.option("--most", default=10_000, show_default=True, help="Pairs of a test.")
@click.option("--alike", default=0.3, show_default=True, help="Pairs that their map decides.")
@click.option("--elo", "elos", default=ELOS, show_default=True, multiple=True)
@click.option("--draws", "shares", default=DRAWS, show_default=True, multiple=True)
@click.option("--seed", default=1, show_default=True)
def main(
    tests: int,
    most: int,
    alike: float,
    elos: tuple[int, ...],
    shares: tuple[float, ...],
    seed: int,
) -> None:
    names = [*Verdict]
    heads = "".join(f"{name:>13}" for name in names)
    click.echo(f"{'Elo':>4}{'draws':>7}{heads}{'mean':>8}{'median':>8}{'95 %':>8}")
    for elo, draws in product(elos, shares):
        found = simulate(SequentialTest(), pair_law(elo, draws, alike), tests, most, seed)
        rates = "".join(f"{found.rate(name):>13.1%}" for name in names)
        usual, high = np.percentile(found.pairs, (50, 95))
        mean = found.pairs.mean()
        click.echo(f"{elo:>4}{draws:>7.0%}{rates}{mean:>8.0f}{usual:>8.0f}{high:>8.0f}")
