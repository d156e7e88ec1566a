"""Parallel environments: PettingZoo's tests, the same matches as one by one, and its modules."""

import pickle
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test

from engine.catalog import GAMES
from learning import smac_v0
from learning.match_env import MatchEnv
from learning.parallel_env import ParallelMatchEnv
from tests.learning.test_match_env import CYCLES, SMALL, small

PARALLEL = ["smac", "game_of_death"]
every_parallel_game = pytest.mark.parametrize("name", PARALLEL)


def small_parallel(name: str, **options: Any) -> ParallelMatchEnv:
    return ParallelMatchEnv(name, **{**SMALL[name], **options})


class Clicker:
    """Three clicks of each agent in a stage, which depend on it and on the turn, and then 0."""

    def __init__(self) -> None:
        self._stage = -1
        self._clicks: dict[str, int] = {}

    def action(self, env: MatchEnv | ParallelMatchEnv, agent: str, shown: Any) -> int:
        stage = env.match.stepper.decided
        if stage != self._stage:
            self._stage, self._clicks = stage, {}
        click = self._clicks[agent] = self._clicks.get(agent, -1) + 1
        legal = np.flatnonzero(shown["action_mask"])
        number = int(agent.rpartition("_")[2])
        return int(legal[(number * 7 + stage * 3 + click) % len(legal)]) if click < 3 else 0


@every_parallel_game
def test_the_parallel_test_of_pettingzoo_passes(name: str) -> None:
    parallel_api_test(small_parallel(name), num_cycles=500)


def test_the_same_seed_gives_the_same_match() -> None:
    """That test of PettingZoo draws actions without their mask: it is for the one game alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parallel_seed_test(lambda: small_parallel("game_of_death"), num_cycles=CYCLES)


@every_parallel_game
def test_all_at_once_is_the_match_of_one_after_the_other(name: str) -> None:
    parallel, env = small_parallel(name, reward="lead"), small(name, reward="lead")
    shown, _ = parallel.reset(seed=3)
    env.reset(seed=3)
    clicker, paid = Clicker(), dict.fromkeys(parallel.agents, 0.0)
    while parallel.agents:
        actions = {agent: clicker.action(parallel, agent, shown[agent]) for agent in shown}
        shown, rewards, *_ = parallel.step(actions)
        paid = {agent: paid[agent] + rewards[agent] for agent in paid}
    clicker, alone = Clicker(), dict.fromkeys(env.agents, 0.0)
    while not env.match.is_over:
        agent = env.agent_selection
        env.step(clicker.action(env, agent, env.observe(agent)))
        alone = {agent: alone[agent] + env.rewards[agent] for agent in alone}
    assert env.match.stepper.outcome == parallel.match.stepper.outcome
    assert alone == paid
    for agent in env.agents:
        assert data_equivalence(env.observe(agent)["observation"], shown[agent]["observation"])


def test_whoever_has_submitted_waits_for_the_others() -> None:
    env = small_parallel("smac")
    shown, _ = env.reset(seed=3)
    bid = env.encoding.lines.index(("bid", 2))  # type: ignore[attr-defined]
    shown, *_ = env.step({"team_1": 0, "team_2": bid, "team_3": bid})
    assert np.flatnonzero(shown["team_1"]["action_mask"]).tolist() == [0]
    assert env.match.stepper.decided == 0
    number = env.numbers.index("bid so far, points")
    assert shown["team_2"]["numbers"][number] == 2
    with pytest.raises(ValueError, match=f"{bid} is not a legal action of team_1 now"):
        env.step({"team_1": bid, "team_2": 0, "team_3": 0})
    env.step({"team_1": 0, "team_2": 0, "team_3": 0})
    assert env.match.stepper.decided == 1


def test_one_wrong_action_and_none_is_taken() -> None:
    env = small_parallel("smac")
    before, _ = env.reset(seed=3)
    with pytest.raises(ValueError, match=r"1\.0 is not an action; expected a whole number"):
        env.step({"team_1": 0, "team_2": 0, "team_3": 1.0})
    with pytest.raises(ValueError, match="actions: there is none of team_3; expected one of each"):
        env.step({"team_1": 0, "team_2": 0})
    shown, *_ = env.step({"team_1": 0, "team_2": 0, "team_3": 0})
    assert env.match.stepper.decided == 1
    assert not data_equivalence(before, shown)


def test_a_dead_shape_stays_and_waits() -> None:
    env = small_parallel("game_of_death")
    env.reset(seed=1)
    suicide, rest = 13, 1
    shown, *_ = env.step({agent: suicide if agent == "shape_3" else rest for agent in env.agents})
    while "shape_3" in {env.encoding.agent_name(ask) for ask in env.match.stepper.open_asks}:
        shown, *_ = env.step(dict.fromkeys(env.agents, rest))
    assert env.agents == env.possible_agents
    assert np.flatnonzero(shown["shape_3"]["action_mask"]).tolist() == [0]


def test_a_box_has_its_masks_in_the_infos() -> None:
    env, box = small_parallel("smac"), small_parallel("smac", observation="box")
    shown, _ = env.reset(seed=3)
    boxes, infos = box.reset(seed=3)
    for agent in env.agents:
        assert box.observation_space(agent).contains(boxes[agent])
        assert np.array_equal(infos[agent]["action_mask"], shown[agent]["action_mask"])


def test_without_a_match_it_is_said_that_there_is_none() -> None:
    with pytest.raises(ResetNeeded, match=r"no match has begun; call reset\(\) first"):
        small_parallel("smac").step({})


def test_it_can_be_pickled_in_the_middle_of_an_order() -> None:
    env = small_parallel("smac")
    shown, _ = env.reset(seed=3)
    clicker = Clicker()
    env.step({agent: clicker.action(env, agent, shown[agent]) for agent in env.agents})
    copied = pickle.loads(pickle.dumps(env))
    zeros = dict.fromkeys(env.agents, 0)
    assert data_equivalence(env.step(zeros), copied.step(zeros))


@pytest.mark.parametrize("name", [*GAMES])
def test_each_game_has_a_module_by_the_convention_of_pettingzoo(name: str) -> None:
    module = import_module(f"learning.{name}_v0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(module.env(**SMALL[name]), num_cycles=CYCLES)
    assert module.raw_env(**SMALL[name]).metadata["name"] == f"{name}_v0"
    if name in PARALLEL:
        assert module.parallel_env(**SMALL[name]).metadata["name"] == f"{name}_v0"
        return
    with pytest.raises(ValueError, match="has no parallel environment: its agents are asked one"):
        module.parallel_env()


def test_a_wrapped_environment_says_that_it_must_be_reset_first() -> None:
    with pytest.raises(AssertionError, match="reset"):
        smac_v0.env().step(0)
