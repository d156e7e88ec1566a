"""Counts how often a 95 % interval holds the true rating.

Plays round robins of bots whose true strengths are known, evenly spaced from the best to the
worst, which are so many Elo apart. Each map is played as a side-swapped pair: in some of them the
map decides, and both matches end alike; a third of what is even is drawn. Prints for each field
the share of intervals that hold the truth with the binomial error of that share (intervals of one
tournament depend on each other, so a tournament counts as one trial), and how wide they are.

An interval without an end on a side holds all that lies there, and has no width.
"""

from collections.abc import Iterator
from itertools import combinations, product
from math import sqrt

import click
import msgspec
import numpy as np

from runners.statistics.elo import expected_share
from runners.statistics.scores import PairwiseResults
from runners.statistics.ratings import MEAN_RATING, Rating, rate
from runners.statistics.scores import Score, SideSwappedSet

ELOS = (0, 100, 300)
"""The ratings from the best to the worst."""
MAPS = (2, 4, 8, 20)
"""The numbers of maps of each pairing."""
BOTS = (2, 3, 4, 6)
DRAWS = 2 / 3
"""The share of draws is so much of share * (1 - share): a sixth between equals."""
ROUNDS = 300
"""The rounds of a rating's bootstrap: a third of the usual ones, which is enough for its spread."""


class World(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated tournament: who plays, how often, and how maps influence results."""

    bots: int
    elo: float
    maps: int
    alike: float
    """The share of the pairs both of whose matches end alike."""

    @property
    def truths(self) -> list[float]:
        """Return the true ratings."""
        step = self.elo / (self.bots - 1)
        return [MEAN_RATING + self.elo / 2 - index * step for index in range(self.bots)]

    def play(self, chance: np.random.Generator) -> PairwiseResults:
        """Simulate a round robin of side-swapped pairs."""
        return PairwiseResults(self._sets(chance))

    def _sets(self, chance: np.random.Generator) -> Iterator[SideSwappedSet]:
        truths = self.truths
        for one, other in combinations(range(self.bots), 2):
            share = expected_share(truths[one] - truths[other])
            for seed in range(self.maps):
                first, second = chance.random(2).tolist()
                if chance.random() < self.alike:
                    second = first
                points = _point(first, share), _point(second, share)
                yield SideSwappedSet(
                    seed,
                    (
                        Score((one, other), (points[0], 1 - points[0])),
                        Score((other, one), (1 - points[1], points[1])),
                    ),
                )


def _point(die: float, share: float) -> float:
    """Return the points of one match of somebody whose average share this is."""
    drawn = share * (1 - share) * DRAWS
    won = share - drawn / 2
    return 1.0 if die < won else 0.5 if die < won + drawn else 0.0


class Coverage(msgspec.Struct):
    """How often the intervals of many tournaments held the true rating."""

    held: list[float] = []
    """The share of intervals that hold the truth, for each tournament."""
    widths: list[float] = []
    """The widths of the intervals with two ends."""
    endless: int = 0
    """Intervals without an end on a side."""

    def add(self, ratings: tuple[Rating, ...], truths: list[float]) -> None:
        inside = [_holds(rating, truth) for rating, truth in zip(ratings, truths, strict=True)]
        self.held.append(sum(inside) / len(inside))
        for rating in ratings:
            if rating.low is None or rating.high is None:
                self.endless += 1
            else:
                self.widths.append(rating.high - rating.low)

    @property
    def share(self) -> float:
        return sum(self.held) / len(self.held)

    @property
    def error(self) -> float:
        """The standard error of the coverage, with a tournament as one trial."""
        return sqrt(self.share * (1 - self.share) / len(self.held))

    def __str__(self) -> str:
        width = f"{np.mean(self.widths):6.0f}" if self.widths else f"{'-':>6}"
        endless = self.endless / (self.endless + len(self.widths))
        return f"{self.share:7.1%} +- {self.error:.1%}{width:>9}{endless:>9.0%}"


def _holds(rating: Rating, truth: float) -> bool:
    assert rating.elo is not None
    is_below = rating.high is not None and rating.high < truth
    return not is_below and (rating.low is None or rating.low <= truth)


def measure(world: World, tournaments: int, seed: int) -> Coverage:
    chance, coverage = np.random.default_rng(seed), Coverage()
    for number in range(tournaments):
        played = world.play(chance)
        coverage.add(
            rate(played, range(world.bots), rounds=ROUNDS, seed=number).ratings, world.truths
        )
    return coverage


@click.command(help=__doc__)
@click.option("--tournaments", default=1_000, show_default=True, help="Of each field.")
@click.option("--alike", default=0.3, show_default=True, help="Pairs that their map decides.")
@click.option("--bots", default=BOTS, show_default=True, multiple=True)
@click.option("--maps", default=MAPS, show_default=True, multiple=True)
@click.option("--elo", "elos", default=ELOS, show_default=True, multiple=True)
@click.option("--seed", default=1, show_default=True)
def main(
    tournaments: int,
    alike: float,
    bots: tuple[int, ...],
    maps: tuple[int, ...],
    elos: tuple[int, ...],
    seed: int,
) -> None:
    click.echo(f"{'bots':>4}{'maps':>6}{'Elo':>6}   {'coverage':<15}{'width':>9}{'no end':>9}")
    worst = 1.0
    for size, count, elo in product(bots, maps, elos):
        world = World(bots=size, elo=elo, maps=count, alike=alike)
        coverage = measure(world, tournaments, seed)
        worst = min(worst, coverage.share)
        click.echo(f"{size:>4}{count:>6}{elo:>6}   {coverage}")
    click.echo(f"the least: {worst:.1%}")
