"""Learn a game by MaskablePPO of sb3-contrib (docs/library.md).

    pip install sb3-contrib
    python3 -m slime_mind_arena.learning.examples.maskable_ppo --game slime_mind --steps 300000

The learner plays team 1 and team 2 against random play, is rewarded for its lead, and is measured
like the policies of `learning.examples.baselines`, on other maps. It is a place to begin: the
opponent could be what the learner was before, and a network with convolutions would see the board.
"""

from functools import partial
from pathlib import Path

import click
import gymnasium
import numpy as np
from gymnasium.wrappers import TransformObservation
from numpy.random import Generator
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from learning.encoding import AnyEncoding
from learning.examples.baselines import PRESET, format_row, load_preset, measure
from learning.examples.policies import POLICIES
from learning.observations import Mask, Shown
from learning.single_agent import Policy, SingleAgentEnv

ENVIRONMENTS = 8
FIRST_SEED = 1_000_000
"""Seeds of training begin here, beyond those that are measured."""


def scale_numbers(shown: Shown) -> NDArray[np.float32]:
    """Return numbers of any size as a network likes them: large ones by their logarithm."""
    return np.asarray(np.arcsinh(shown), np.float32)


def training_env(game: str, number: int) -> gymnasium.Env[NDArray[np.float32], np.int64]:
    """Return an environment to learn in; every other one is of team 2."""
    env = SingleAgentEnv(game, team=1 + number % 2, settings=load_preset(game), reward="lead")
    space = gymnasium.spaces.Box(-np.inf, np.inf, env.observation_space.shape, np.float32)
    return TransformObservation(env, scale_numbers, space)


@click.command(help=__doc__)
@click.option("--game", default="slime_mind", type=click.Choice([*POLICIES]))
@click.option("--steps", default=300_000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--matches", default=200, show_default=True, type=click.IntRange(2))
@click.option("--model", default="model.zip", show_default=True, type=click.Path(path_type=Path))
def main(game: str, steps: int, seed: int, matches: int, model: Path) -> None:
    envs = DummyVecEnv([partial(training_env, game, number) for number in range(ENVIRONMENTS)])
    envs.seed(FIRST_SEED + seed * ENVIRONMENTS)
    envs = VecNormalize(envs, norm_obs=False)  # a lead may be of any size
    learner = MaskablePPO("MlpPolicy", envs, n_steps=512, batch_size=512, seed=seed, verbose=1)
    learner.learn(steps)
    learner.save(model)

    def make_policy(encoding: AnyEncoding, chance: Generator) -> Policy:
        def policy(shown: Shown, mask: Mask) -> object:
            return learner.predict(scale_numbers(shown), action_masks=mask, deterministic=False)[0]

        return policy

    results = measure(game, make_policy, matches, form="box")
    click.echo(f"| {game}, {PRESET[game]} | MaskablePPO, {steps} steps | {format_row(results)} |")


if __name__ == "__main__":
    main(prog_name="python3 -m slime_mind_arena.learning.examples.maskable_ppo")
