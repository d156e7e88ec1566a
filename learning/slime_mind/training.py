"""Train the policy of player_learned (docs/library.md).

An evolution strategy: in each generation the weights are changed at random, half of the changes
being the other half turned around, every change plays the same maps on both sides, and the weights
move towards the changes that did well. They meet player_six, and what the policy was before: that
is kept now and then. Ctrl-C ends it: the weights of the last generation stay in FILE.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.games.slime_mind.settings import Settings
from engine.support.files import write_whole
from learning.slime_mind import layout
from learning.slime_mind.features import FEATURE_COUNT, FEATURES, HAND_SET, OFFSETS
from learning.slime_mind.matches import Matches, play_rows
from learning.slime_mind.players import Player
from learning.slime_mind.ratings import Numbers

DIGITS = 4
OPPONENTS = Player.PLANNER, Player.LEARNED, Player.GLUTTON
NAMES = {kind: set(names) for kind, names in FEATURES.items()}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a training does."""

    pairs: int = 16
    """Changes of a generation, each of them tried in both directions."""
    opponents: tuple[Player, ...] = (Player.PLANNER, Player.LEARNED, Player.PLANNER)
    """Whom each change meets, each on a map of its own and from both sides.

    LEARNED is one of the rivals, and the planner as long as there is none.
    """
    spread: float = 0.25
    """The standard deviation of a change of a weight."""
    step: float = 0.08
    """How far the weights move in a generation."""
    settings: Settings = Settings()
    threads: int = 2
    keep_every: int = 20
    """After so many generations the policy becomes a rival of the next ones."""
    rivals: int = 6
    """So many of the latest rivals are met."""


class Opponent(msgspec.Struct, frozen=True):
    """Whom a map is played against: a compiled player, with weights if it is LEARNED."""

    player: Player
    weights: Numbers


class Training:
    """The weights as they are, and what they are trained by."""

    def __init__(self, plan: Plan, seed: int, weights: Numbers) -> None:
        self.plan = plan
        self.weights = weights
        self._chance: Generator = np.random.default_rng(seed)
        self._first_moment, self._second_moment = np.zeros(FEATURE_COUNT), np.zeros(FEATURE_COUNT)
        self._generations = 0
        self._rivals: list[Numbers] = []

    def generation(self) -> float:
        """Train for a generation; return the mean points of its changes, 0 to 1 each."""
        plan = self.plan
        noise = self._chance.standard_normal((plan.pairs, FEATURE_COUNT))
        noise = np.concatenate([noise, -noise])
        tried = self.weights + plan.spread * noise
        seeds = self._chance.integers(1 << 62, size=len(plan.opponents)).tolist()
        points = play(plan, tried, seeds, self._sample_opponents())
        ranks = points.argsort().argsort() / (len(points) - 1) - 0.5
        self._apply_gradient(np.tensordot(ranks, noise, axes=1) / (len(points) * plan.spread))
        return float(points.mean())

    def _sample_opponents(self) -> list[Opponent]:
        """Return whom each map is played against."""
        if self._generations % self.plan.keep_every == 0 and self._generations:
            self._rivals = [*self._rivals, self.weights][-self.plan.rivals :]
        return [self._sample_opponent(player) for player in self.plan.opponents]

    def _sample_opponent(self, player: Player) -> Opponent:
        if player is not Player.LEARNED:
            return Opponent(player, self.weights)
        if not self._rivals:
            return Opponent(Player.PLANNER, self.weights)
        return Opponent(player, self._rivals[self._chance.integers(len(self._rivals))])

    def _apply_gradient(self, gradient: Numbers) -> None:
        """Move the weights along a gradient, by Adam."""
        self._generations += 1
        self._first_moment = 0.9 * self._first_moment + 0.1 * gradient
        self._second_moment = 0.99 * self._second_moment + 0.01 * gradient**2
        first = self._first_moment / (1 - 0.9**self._generations)
        second = self._second_moment / (1 - 0.99**self._generations)
        self.weights = self.weights + self.plan.step * first / (np.sqrt(second) + 1e-8)


def play(
    plan: Plan, weights: Numbers, seeds: list[int], opponents: list[Opponent]
) -> NDArray[np.float64]:
    """Return the mean points of each set of weights on these maps, each from both sides.

    `opponents` are whom the maps are played against. Points of a match are 0 to 1: half for the
    result, half for the share of the score.
    """
    maps = Matches(plan.settings, [*seeds, *seeds])
    rows = np.tile(maps.rows, (len(weights), 1))
    is_first = np.tile(np.repeat([True, False], len(seeds)), len(weights))
    own = int(Player.LEARNED) + np.repeat(np.arange(len(weights)), 2 * len(seeds))
    met = [
        opponent.player + (len(weights) + number if opponent.player is Player.LEARNED else 0)
        for number, opponent in enumerate(opponents)
    ]
    others = np.tile([*met, *met], len(weights))
    players = np.where(is_first, [own, others], [others, own]).T.copy()
    everybody = np.concatenate([weights, [opponent.weights for opponent in opponents]])
    play_rows(maps, rows, players, everybody, threads=plan.threads)
    tenths = rows[:, layout.TENTHS_1 : layout.TENTHS_1 + 2].astype(np.float64)
    mine, theirs = np.where(is_first, tenths.T, tenths.T[::-1])
    share = np.divide(mine, mine + theirs, out=np.full(len(mine), 0.5), where=mine + theirs > 0)
    points = 0.5 * share + 0.25 * (1 + np.sign(mine - theirs))
    found: NDArray[np.float64] = points.reshape(len(weights), -1).mean(axis=1)
    return found


def write(path: Path, weights: Numbers) -> None:
    """Write weights as the bot reads them: by what is rated, and by feature."""
    rounded = weights.round(DIGITS).tolist()
    by_name = {
        kind: dict(zip(names, rounded[begin:], strict=False))
        for begin, (kind, names) in zip(OFFSETS, FEATURES.items(), strict=False)
    }
    write_whole(path, (json.dumps(by_name, indent=1) + "\n").encode())


def read(path: Path) -> Numbers:
    """Return the weights of a file that `write` wrote. Raises: ValueError, MsgspecError."""
    named = msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, float]])
    if {kind: set(weights) for kind, weights in named.items()} != NAMES:
        raise ValueError("its features are not those of the policy")
    return np.array([named[kind][name] for kind, names in FEATURES.items() for name in names])


USUAL = Plan()


@click.command(help=__doc__)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--minutes", default=12.0, show_default=True, help="How long to train.")
@click.option("--generations", default=0, help="Train for so many generations instead.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--start",
    default=HAND_SET,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Begin with the weights of this file; default: those that were set by hand.",
)
@click.option(
    "--opponent",
    "opponents",
    type=click.Choice([player.name.lower() for player in OPPONENTS]),
    multiple=True,
    default=[player.name.lower() for player in USUAL.opponents],
    show_default=True,
    help="Whom each change meets; may be repeated.",
)
@click.option("--spread", default=USUAL.spread, show_default=True, help="How large changes are.")
@click.option("--step", default=USUAL.step, show_default=True, help="How far weights move.")
@click.option("--threads", default=os.cpu_count() or 1, show_default=True)
def main(
    file: Path,
    minutes: float,
    generations: int,
    seed: int,
    start: Path,
    opponents: tuple[str, ...],
    **plan: Any,
) -> None:
    met = tuple(Player[name.upper()] for name in opponents)
    try:
        begun = read(start)
    except (ValueError, msgspec.MsgspecError) as bad:
        raise click.ClickException(f"{start}: {bad}; expected a file of this program") from bad
    training = Training(Plan(opponents=met, **plan), seed, begun)
    began, number = time.monotonic(), 0
    while number < generations if generations else time.monotonic() - began < 60 * minutes:
        points, number = training.generation(), number + 1
        write(file, training.weights)
        click.echo(f"generation {number}, {time.monotonic() - began:.0f} s: {points:.3f} points")


if __name__ == "__main__":
    main(prog_name="python3 -m slime_mind_arena.learning.slime_mind.training")
