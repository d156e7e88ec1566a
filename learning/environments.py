"""Importing this registers environments: `gymnasium.make("slime_mind_arena/GAME-v0")`."""

import gymnasium

from engine.catalog import GAMES
from learning.encoding import has_encoding
from learning.single_agent import SingleAgentEnv


def register_environments() -> None:
    """Register the environments of all games that have an encoding, those of packages too."""
    place = f"{SingleAgentEnv.__module__}:SingleAgentEnv"
    for name in filter(has_encoding, GAMES):
        if (env := f"slime_mind_arena/{name}-v0") not in gymnasium.registry:
            gymnasium.register(env, place, kwargs={"game": name})


register_environments()
