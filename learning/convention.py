"""PettingZoo's convention: a module per game, with `env`, `raw_env` and `parallel_env`."""

from collections.abc import Callable
from typing import Unpack

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from learning.agent_match import Options
from learning.match_env import MatchEnv
from learning.parallel_env import ParallelMatchEnv

Made = tuple[
    Callable[..., OrderEnforcingWrapper], Callable[..., MatchEnv], Callable[..., ParallelMatchEnv]
]


def functions_for(game: str) -> Made:
    """Return `env`, `raw_env` and `parallel_env` for a game; their options are those of `MatchEnv`.

    The first is wrapped as PettingZoo wraps its own. The last raises ValueError for a game whose
    agents take turns.
    """

    def raw_env(**options: Unpack[Options]) -> MatchEnv:
        return MatchEnv(game, **options)

    def env(**options: Unpack[Options]) -> OrderEnforcingWrapper:
        return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**options)))

    def parallel_env(**options: Unpack[Options]) -> ParallelMatchEnv:
        return ParallelMatchEnv(game, **options)

    return env, raw_env, parallel_env
