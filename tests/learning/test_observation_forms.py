"""Observations as one array or as a dictionary: nothing is lost, and trainers' tools accept it."""

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine.catalog import GAMES
from learning.match_env import MatchEnv
from tests.learning.test_match_env import CYCLES, small

every_game = pytest.mark.parametrize("name", [*GAMES])


def start_env(name: str, **options: Any) -> MatchEnv:
    env = small(name, **options)
    env.reset(seed=6)
    return env


@every_game
@pytest.mark.parametrize("form", ["planes", "box"])
def test_the_tests_of_pettingzoo_pass_with_every_form(name: str, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice for games of images
        api_test(small(name, observation=form), num_cycles=CYCLES)
    seed_test(lambda: small(name, observation=form), num_cycles=CYCLES)


@every_game
def test_further_planes_are_full_of_the_numbers(name: str) -> None:
    env, other = start_env(name), start_env(name, observation="planes")
    agent = env.agent_selection
    shown, with_planes = env.observe(agent), other.observe(agent)
    boards = len(env.planes)
    assert set(with_planes) == {"observation", "action_mask"}
    assert other.planes == (*env.planes, *env.numbers)
    assert np.array_equal(with_planes["observation"][:boards], shown["observation"])
    for plane, number in zip(with_planes["observation"][boards:], shown["numbers"], strict=True):
        assert (plane == number).all()
    assert np.array_equal(with_planes["action_mask"], shown["action_mask"])


@every_game
def test_a_box_is_those_planes_and_the_infos_have_the_masks(name: str) -> None:
    env, box = start_env(name, observation="planes"), start_env(name, observation="box")
    for number in range(12):
        for agent in env.agents:
            shown = env.observe(agent)
            assert np.array_equal(box.observe(agent), shown["observation"])
            assert np.array_equal(box.infos[agent]["action_mask"], shown["action_mask"])
            assert box.observation_space(agent).contains(box.observe(agent))
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(legal[number % len(legal)])
        box.step(legal[number % len(legal)])
