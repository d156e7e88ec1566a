"""Environments of one team: Gymnasium's check, who plays the others, and what is paid."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import SyncVectorEnv

from engine.catalog import GAMES
from learning.match_env import MatchEnv
from learning.single_agent import Policy, SingleAgentEnv
from tests.learning.test_match_env import SMALL

every_game = pytest.mark.parametrize("name", [*GAMES])


def small(name: str, **options: Any) -> SingleAgentEnv:
    return SingleAgentEnv(name, **{**SMALL[name], **options})


def play(env: SingleAgentEnv, seed: int) -> list[float]:
    """Play the lowest legal action that is not 0 until the match is over; return the rewards."""
    env.reset(seed=seed)
    rewards, is_over = [], False
    while not is_over:
        legal = np.flatnonzero(env.action_masks())
        _, reward, is_over, _, info = env.step(legal[min(1, len(legal) - 1)])
        assert info["was_legal"]
        rewards.append(reward)
    return rewards


def last_legal(shown: Any, mask: Any) -> Any:
    return np.flatnonzero(mask)[-1]


@every_game
@pytest.mark.parametrize("form", ["box", "planes", "dictionary"])
def test_the_check_of_gymnasium_passes(name: str, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice for games of images
        check_env(small(name, observation=form))


@every_game
@pytest.mark.parametrize("team", [1, 2])
def test_a_team_is_asked_until_the_match_is_over_and_gets_its_result(name: str, team: int) -> None:
    env = small(name, team=team)
    *before, last = play(env, seed=4)
    outcome = env.match.stepper.outcome
    assert outcome is not None
    assert set(before) == {0.0}
    lost = -1.0 / (env.match.teams - 1)
    expected = 0.0 if outcome.winner is None else 1.0 if outcome.winner == team else lost
    assert last == expected
    assert not env.action_masks().any()
    with pytest.raises(ResetNeeded, match=r"the match is over; call reset\(\) for the next one"):
        env.step(0)


def test_the_lead_adds_up_over_the_decisions_of_the_others() -> None:
    env = small("slime_mind", reward="lead", team=2)
    rewards = play(env, seed=4)
    scores = env.match.stepper.outcome.scores  # type: ignore[union-attr]
    env.reset(seed=4)
    assert sum(rewards) == pytest.approx(scores[1] - scores[0])


@every_game
def test_a_match_begins_as_that_of_match_env_and_shows_the_same(name: str) -> None:
    env = small(name)
    shown, info = env.reset(seed=11)
    other = MatchEnv(name, **SMALL[name], observation="box")
    other.reset(seed=11)
    if env.encoding.agent_team(other.agent_selection) == 1:
        assert np.array_equal(shown, other.observe(other.agent_selection))
        assert np.array_equal(
            info["action_mask"], other.infos[other.agent_selection]["action_mask"]
        )
    assert np.array_equal(info["action_mask"], env.action_masks())


@every_game
def test_an_opponent_is_shown_what_its_team_knows_and_decides(name: str) -> None:
    asked: list[int] = []

    def opponent(shown: Any, mask: Any) -> Any:
        assert env.observation_space.contains(shown)
        asked.append(int(mask.sum()))
        return last_legal(shown, mask)

    env = small(name, opponent=opponent)
    one = play(env, seed=4)
    assert len(asked) > 0
    assert min(asked) >= 1
    assert one == play(small(name, opponent=last_legal), seed=4)


def test_an_opponent_that_breaks_the_rules_is_named() -> None:
    policies: list[Policy] = [lambda shown, mask: 10, lambda shown, mask: None]
    for policy, why in zip(
        policies, ["opponent: 10 is not a legal", "is not an action"], strict=True
    ):
        env = small("slime_mind", opponent=policy)
        with pytest.raises(ValueError, match=why):
            play(env, seed=1)


def test_an_illegal_action_is_replaced_and_told() -> None:
    env = small("smack")
    env.reset(seed=1)
    _, _, _, _, info = env.step(0)
    assert not info["was_legal"]
    assert env.match.stepper.state.halves[0].ply > 0
    with pytest.raises(ValueError, match="is not an action; expected a whole number"):
        env.step(1.5)


def test_the_same_seed_gives_the_same_random_opponents() -> None:
    assert play(small("slime_mind"), 5) == play(small("slime_mind"), 5)


def test_it_can_be_pickled_and_plays_on_alike() -> None:
    env = small("game_of_death")
    env.reset(seed=1)
    env.step(4)
    copied = pickle.loads(pickle.dumps(env))
    for _ in range(12):
        assert data_equivalence(env.step(2), copied.step(2))


def test_many_of_them_are_a_vector_of_gymnasium() -> None:
    vector = SyncVectorEnv([lambda: small("slime_mind"), lambda: small("slime_mind", team=2)])
    shown, infos = vector.reset(seed=3)
    assert shown.shape == (2, *small("slime_mind").observation_space.shape)  # type: ignore[misc]
    assert infos["action_mask"].shape == (2, 10)
    for _ in range(40):
        vector.step(vector.action_space.sample())


def test_a_team_that_is_not_there_and_a_missing_reset_are_said() -> None:
    with pytest.raises(ValueError, match="team = 3: expected 1 to 2"):
        small("smack", team=3)
    with pytest.raises(ResetNeeded, match=r"no match has begun; call reset\(\) first"):
        small("smack").step(0)
