"""How simple policies do against random play, as a table (docs/library.md).

A policy plays half of its matches as each of two teams. The results are the same whenever the same
number of matches is played.
"""

from typing import NamedTuple

import click
import numpy as np

from engine.catalog import find_game
from engine.settings import read_toml
from learning.examples.policies import POLICIES, Maker
from learning.single_agent import Policy, SingleAgentEnv
from runners.configuration import preset_path

PRESET = {"slime_mind": "small", "smack": "standard", "smac": "short", "game_of_death": "small"}
"""The preset that each game is played with."""


class Results(NamedTuple):
    """What a policy got in some matches."""

    rewards: list[float]

    @property
    def mean(self) -> float:
        return float(np.mean(self.rewards))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(np.std(self.rewards, ddof=1) / np.sqrt(len(self.rewards)))

    def count(self, reward: float) -> int:
        return self.rewards.count(reward)


def load_preset(game: str) -> dict[str, object]:
    """Return the settings of the preset that a game is played with here."""
    return read_toml(preset_path(find_game(game), PRESET[game]))


def play(env: SingleAgentEnv, policy: Policy, seed: int) -> float:
    """Play a match; return the reward of the team."""
    shown, info = env.reset(seed=seed)
    total, is_over = 0.0, False
    while not is_over:
        shown, reward, is_over, _, info = env.step(policy(shown, info["action_mask"]))
        total += reward
    return total


def measure(game: str, maker: Maker, matches: int, form: str = "dictionary") -> Results:
    """Return what a policy gets against random play, in matches of the seeds from 0 on."""
    envs = [
        SingleAgentEnv(game, team=team, settings=load_preset(game), observation=form)
        for team in (1, 2)
    ]
    policy = maker(envs[0].encoding, np.random.default_rng(0))
    return Results([play(envs[seed % 2], policy, seed) for seed in range(matches)])


@click.command(help=__doc__)
@click.option("--matches", default=200, show_default=True, type=click.IntRange(2))
@click.argument("games", nargs=-1, type=click.Choice([*POLICIES]))
def main(matches: int, games: tuple[str, ...]) -> None:
    click.echo("| game, preset | policy | won | drawn | lost | mean reward |")
    click.echo("|---|---|---|---|---|---|")
    for game in games or POLICIES:
        for name, maker in POLICIES[game].items():
            results = measure(game, maker, matches)
            click.echo(f"| {game}, {PRESET[game]} | {name} | {format_row(results)} |")


def format_row(results: Results) -> str:
    """Return the cells of a table: wins, draws, losses, and the mean with its standard error."""
    counts = " | ".join(str(results.count(reward)) for reward in (1.0, 0.0, -1.0))
    return f"{counts} | {results.mean:+.2f} ± {results.error:.2f}"


if __name__ == "__main__":
    main(prog_name="python3 -m slime_mind_arena.learning.examples.baselines")
