"""Environments that come by themselves, and the names by which Gymnasium makes them."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from engine.catalog import OURS
from engine.errors import BadArgument
from learning.encoding import find_encoding
from learning.environments import register_environments
from learning.match_env import MatchEnv
from learning.parallel_env import ParallelMatchEnv
from learning.single_agent import SingleAgentEnv
from tests.game_packages import BIDS, NAME, Install


@pytest.mark.parametrize("form", ["box", "planes", "dictionary"])
def test_the_checks_pass_for_a_game_that_lists_all_orders(install: Install, form: str) -> None:
    install()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice for games of images
        check_env(SingleAgentEnv(NAME, observation=form))
        api_test(MatchEnv(NAME, observation=form), num_cycles=20)
    seed_test(lambda: MatchEnv(NAME, observation=form), num_cycles=20)


def test_all_agents_of_a_simultaneous_game_act_at_once(install: Install) -> None:
    install()
    install("sealed-bids", BIDS, BIDS)
    parallel_api_test(ParallelMatchEnv(BIDS, teams=4), num_cycles=40)
    with pytest.raises(ValueError, match="asked one after the other"):
        ParallelMatchEnv(NAME)
    env = ParallelMatchEnv(BIDS)
    env.reset(seed=3)
    shown, *_ = env.step({"team_1": 4, "team_2": 6})
    secrets = [dict(zip(env.numbers, shown[agent]["numbers"], strict=True)) for agent in env.agents]
    assert [one["last bid of team +1"] for one in secrets] == [6, 4]
    assert all(one["coins of team +0"] > one["coins of team +1"] == 0 for one in secrets)


def test_planes_show_whose_things_stand_where_and_panels_are_numbers(install: Install) -> None:
    install()
    env = MatchEnv(NAME)
    env.reset(seed=1)
    for column in (3, 3, 6):
        env.step(column)
    assert env.planes == ("disc of team +0: 1", "disc of team +1: 1")
    for agent, discs in (("team_1", ((5, 3), (5, 6))), ("team_2", ((4, 3),))):
        planes = env.observe(agent)["observation"]
        assert {*zip(*np.nonzero(planes[0]), strict=True)} == {*discs}
        assert planes.sum() == 3
    numbers = dict(zip(env.numbers, env.observe("team_2")["numbers"].tolist(), strict=True))
    assert numbers["turn, from 1"] == 4
    assert numbers["discs of team +0"] == 1
    assert numbers["discs of team +1"] == 2


def test_a_game_that_lists_no_orders_has_no_environment(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    from connect_four.game import ConnectFour  # type: ignore[import-not-found]

    monkeypatch.delattr(ConnectFour, "all_orders")
    with pytest.raises(BadArgument, match="no encoding for programs that learn, and no all_orders"):
        find_encoding(NAME)


def test_gymnasium_makes_every_game_by_its_name(install: Install) -> None:
    install()
    register_environments()  # importing it has done so before there was the package
    for name in (*OURS, NAME):
        env: Any = gymnasium.make(f"slime_mind_arena/{name}-v0", disable_env_checker=True)
        assert env.unwrapped.match.game.name == name
