"""Learners find out nothing that their team does not know.

Of two matches that differ out of sight alone, all that an agent can read is the same.
"""

from typing import Any

import numpy as np
import pytest

from learning.match_env import MatchEnv

REST, SUICIDE = 1, 13
THEY_DIE = ("shape_2", "shape_4", "shape_6")
TURNS = 6
FAR = {"max_turns": TURNS}
"""The armies of the standard grid begin 100 columns apart, and see 50 cells far."""


def start_env(**options: Any) -> MatchEnv:
    env = MatchEnv("game_of_death", settings=FAR, **options)
    env.reset(seed=1)
    return env


def read_by_team_1(enemies_do: int, reward: str) -> list[Any]:
    """Return what the agents of team 1 can read until the last turn is played."""
    env, read = start_env(reward=reward), []
    while env.match.stepper.state.turn < TURNS:
        agent = env.agent_selection
        is_own = env.encoding.agent_team(agent) == 1
        if is_own:
            shown, *rest = env.last()
            own = {who: env.rewards[who] for who in env.agents if env.encoding.agent_team(who) == 1}
            read.append([agent, [array.tolist() for array in shown.values()], rest, own])
            read.append([[*env.agents], {**env.terminations}])
        env.step(enemies_do if agent in THEY_DIE else REST)
    return read


@pytest.mark.parametrize("reward", ["result", "lead"])
def test_enemies_that_die_out_of_sight_change_nothing(reward: str) -> None:
    assert read_by_team_1(REST, reward) == read_by_team_1(SUICIDE, reward)


def test_the_lead_pays_for_unknown_kills_at_the_end_alone() -> None:
    env = start_env(reward="lead")
    state = env.match.stepper.state
    state.killed[state.pair_index(2, 1)][0] = 3  # team 1 killed three shapes, unseen
    paid = dict.fromkeys(env.agents, 0.0)
    while not env.match.is_over:
        env.step(REST)
        if not env.match.is_over:
            assert set(env.rewards.values()) == {0.0}
        for agent, reward in env.rewards.items():
            paid[agent] += reward
    scores = env.match.stepper.outcome.scores  # type: ignore[union-attr]
    assert scores[0] > scores[1]
    assert paid["shape_1"] == scores[0] - scores[1]
    assert paid["shape_2"] == scores[1] - scores[0]


def test_the_lead_in_smac_is_known_to_all_while_the_match_goes_on() -> None:
    settings = {"side": 16, "start_points": 5, "last_turn": 3}
    env = MatchEnv("smac", settings=settings, reward="lead")
    env.reset(seed=1)
    chance, paid = np.random.default_rng(1), np.zeros(2)
    early = 0
    while not env.match.is_over:
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(chance.choice(legal))
        paid += [env.rewards["team_1"], env.rewards["team_2"]]
        early += any(env.rewards.values()) and not env.match.is_over
    scores = env.match.stepper.outcome.scores  # type: ignore[union-attr]
    assert early
    assert paid.tolist() == pytest.approx([scores[0] - scores[1], scores[1] - scores[0]])
