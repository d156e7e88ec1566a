"""Train the policy of player_learned (docs/learning.md).

An evolution strategy: in each generation the weights are changed at random, half of the changes
being the other half turned around, every change plays the same maps on both sides, and the weights
move towards the changes that did well. Half of the matches are against a glutton like player_two,
the others against what the policy was before: that is kept now and then. Ctrl-C ends it: the
weights of the last generation stay in FILE.
"""

import json
import os
import time
from pathlib import Path

import click
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.games.slime_mind.settings import Settings
from engine.support.files import write_whole
from learning.slime_mind import layout
from learning.slime_mind.matches import Matches
from learning.slime_mind.play_out import play_rows
from learning.slime_mind.players import Player
from learning.slime_mind.policy import FEATURES, OPTIONS, Weights

SHAPE = len(FEATURES), len(OPTIONS)
DIGITS = 4


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a training does."""

    pairs: int = 24
    """Changes of a generation, each of them tried in both directions."""
    maps: int = 4
    """Maps that each change plays, each from both sides."""
    spread: float = 0.25
    """The standard deviation of a change of a weight."""
    step: float = 0.12
    """How far the weights move in a generation."""
    settings: Settings = Settings()
    threads: int = 2
    keep_every: int = 25
    """After so many generations the policy becomes a rival of the next ones."""
    rivals: int = 6
    """So many of the latest rivals are met."""


class Training:
    """The weights as they are, and what they are trained by."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.weights: Weights = np.zeros(SHAPE)
        self._chance: Generator = np.random.default_rng(seed)
        self._first_moment, self._second_moment = np.zeros(SHAPE), np.zeros(SHAPE)
        self._generations = 0
        self._rivals: list[Weights] = []

    def generation(self) -> float:
        """Train for a generation; return the mean points of its changes, 0 to 1 each."""
        plan = self.plan
        noise = self._chance.standard_normal((plan.pairs, *SHAPE))
        noise = np.concatenate([noise, -noise])
        tried = self.weights + plan.spread * noise
        seeds = self._chance.integers(1 << 62, size=plan.maps).tolist()
        points = play(plan, tried, seeds, self._drawn_rivals())
        ranks = points.argsort().argsort() / (len(points) - 1) - 0.5
        self._move(np.tensordot(ranks, noise, axes=1) / (len(points) * plan.spread))
        return float(points.mean())

    def _drawn_rivals(self) -> list[Weights | None]:
        """Return whom each map is played against: every second time a rival, if there is one."""
        if self._generations % self.plan.keep_every == 0 and self._generations:
            self._rivals = [*self._rivals, self.weights][-self.plan.rivals :]
        drawn: list[Weights | None] = [None] * self.plan.maps
        if self._rivals:
            for number in range(1, self.plan.maps, 2):
                drawn[number] = self._rivals[self._chance.integers(len(self._rivals))]
        return drawn

    def _move(self, gradient: Weights) -> None:
        """Move the weights along a gradient, by Adam."""
        self._generations += 1
        self._first_moment = 0.9 * self._first_moment + 0.1 * gradient
        self._second_moment = 0.99 * self._second_moment + 0.01 * gradient**2
        first = self._first_moment / (1 - 0.9**self._generations)
        second = self._second_moment / (1 - 0.99**self._generations)
        self.weights = self.weights + self.plan.step * first / (np.sqrt(second) + 1e-8)


def play(
    plan: Plan, weights: Weights, seeds: list[int], rivals: list[Weights | None]
) -> NDArray[np.float64]:
    """Return the mean points of each set of weights on these maps, each from both sides.

    `rivals` are whom the maps are played against; None is a glutton. Points of a match are 0 to 1:
    half for the result, half for the share of the score.
    """
    maps = Matches(plan.settings, [*seeds, *seeds])
    rows = np.tile(maps.rows, (len(weights), 1))
    is_first = np.tile(np.repeat([True, False], len(seeds)), len(weights))
    own = int(Player.LEARNED) + np.repeat(np.arange(len(weights)), 2 * len(seeds))
    met = [
        Player.GLUTTON if rival is None else Player.LEARNED + len(weights) + number
        for number, rival in enumerate(rivals)
    ]
    others = np.tile([*met, *met], len(weights))
    players = np.where(is_first, [own, others], [others, own]).T.copy()
    others_weights = [np.zeros(SHAPE) if rival is None else rival for rival in rivals]
    everybody = np.concatenate([weights, others_weights])
    play_rows(maps, rows, players, everybody, threads=plan.threads)
    tenths = rows[:, layout.TENTHS_1 : layout.TENTHS_1 + 2].astype(np.float64)
    mine, theirs = np.where(is_first, tenths.T, tenths.T[::-1])
    share = np.divide(mine, mine + theirs, out=np.full(len(mine), 0.5), where=mine + theirs > 0)
    points = 0.5 * share + 0.25 * (1 + np.sign(mine - theirs))
    found: NDArray[np.float64] = points.reshape(len(weights), -1).mean(axis=1)
    return found


def write(path: Path, weights: Weights) -> None:
    """Write weights as the bot reads them: those of each option, by feature."""
    rounded = weights.round(DIGITS).T.tolist()
    by_option = {
        option: dict(zip(FEATURES, row, strict=True))
        for option, row in zip(OPTIONS, rounded, strict=True)
    }
    write_whole(path, (json.dumps(by_option, indent=1) + "\n").encode())


@click.command(help=__doc__)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--minutes", default=12.0, show_default=True, help="How long to train.")
@click.option("--generations", default=0, help="Train for so many generations instead.")
@click.option("--seed", default=1, show_default=True)
@click.option("--threads", default=os.cpu_count() or 1, show_default=True)
def main(file: Path, minutes: float, generations: int, seed: int, threads: int) -> None:
    training, began, number = Training(Plan(threads=threads), seed), time.monotonic(), 0
    while number < generations if generations else time.monotonic() - began < 60 * minutes:
        points, number = training.generation(), number + 1
        write(file, training.weights)
        click.echo(f"generation {number}, {time.monotonic() - began:.0f} s: {points:.3f} points")


if __name__ == "__main__":
    main(prog_name="python3 -m slime_mind_arena.learning.slime_mind.training")
