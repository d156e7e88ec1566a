"""Matches as environments of PettingZoo: its own tests, and what agents may and may not see."""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test

from engine.catalog import GAMES, find_game
from engine.games.game_of_death.orders import Command
from engine.games.smack.squares import SQUARES
from learning.encoding import find_encoding
from learning.match_env import MatchEnv

DESIGN = {
    "types": [["Pair", ["##"]], ["Bow", ["##", "#."]]],
    "placements": [[0, 6, 2], [1, 6, 5], [0, 7, 9]],
}
SMALL_GRID = {
    "width": 20,
    "height": 12,
    "zone_width": 10,
    "home_u": 0,
    "home_v": 4,
    "home_width": 2,
    "home_height": 2,
    "home_row_drawn": False,
    "sight": 5,
    "max_turns": 12,
}
SMALL: dict[str, dict[str, Any]] = {
    "slime_mind": {
        "settings": {
            "columns": 8,
            "rows": 6,
            "slime_pairs": 2,
            "plant_pairs": 5,
            "rock_pairs": 1,
            "max_turns": 12,
        }
    },
    "smack": {"settings": {"ply_limit": 16}},
    "smac": {
        "settings": {"side": 16, "start_points": 5, "last_turn": 2, "specials_from_turn": 1},
        "teams": 3,
    },
    "game_of_death": {"settings": SMALL_GRID, "designs": [DESIGN, DESIGN]},
}
HIDING = [name for name in GAMES if not find_game(name).open_information]
CYCLES = 20
every_game = pytest.mark.parametrize("name", [*GAMES])


def small(name: str, **options: Any) -> MatchEnv:
    return MatchEnv(name, **{**SMALL[name], **options})


def play(env: MatchEnv, seed: int, look: Callable[[MatchEnv], object] = lambda env: None) -> int:
    """Play a match of random actions; return how many were taken."""
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    steps = 0
    for agent in env.agent_iter():
        look(env)
        shown, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(int(chance.choice(np.flatnonzero(shown["action_mask"]))))
        assert agent in env.possible_agents
        steps += 1
    return steps


def test_every_game_has_an_encoding() -> None:
    assert {find_encoding(name).__name__ for name in GAMES} == {
        f"{type(game).__name__}Encoding" for game in GAMES.values()
    }


@every_game
def test_the_tests_of_pettingzoo_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice for games of images
        api_test(small(name), num_cycles=CYCLES)
    seed_test(lambda: small(name), num_cycles=CYCLES)
    render_test(lambda render_mode: small(name, render_mode=render_mode))


@every_game
def test_a_match_of_random_legal_actions_ends_with_everybody_out(name: str) -> None:
    env = small(name)
    assert play(env, seed=4) >= 4
    assert env.agents == []
    assert env.match.stepper.outcome is not None


@every_game
def test_planes_and_numbers_are_all_named(name: str) -> None:
    env = small(name)
    env.reset(seed=1)
    space = env.observation_space(env.agent_selection)
    shown = env.observe(env.agent_selection)
    assert space.contains(shown)
    assert len(env.planes) == len(shown["observation"])
    assert len(env.numbers) == len(shown["numbers"])


@pytest.mark.parametrize("name", HIDING)
def test_observations_are_made_from_what_the_team_knows_alone(name: str) -> None:
    env = small(name)

    def look(env: MatchEnv) -> None:
        agent = env.agent_selection
        shown = env.observe(agent)
        team = env.encoding.agent_team(agent)
        stepper = env.match.stepper
        whole = stepper.state
        others = {other: known for other, known in stepper.known.items() if other != team}
        try:
            stepper.state = None
            stepper.known.update(dict.fromkeys(others))
            again = env.observe(agent)
        finally:
            stepper.state = whole
            stepper.known.update(others)
        assert all(np.array_equal(shown[key], again[key]) for key in shown)

    play(env, seed=2, look=look)


def test_a_sealed_order_changes_nothing_that_others_see() -> None:
    def what_the_second_sees(action: int) -> Any:
        env = small("smac")
        env.reset(seed=3)
        env.step(action)
        env.step(0)
        assert env.agent_selection == "team_2"
        return env.observe("team_2")

    env = small("smac")
    env.reset(seed=3)
    first, *_, last = np.flatnonzero(env.observe("team_1")["action_mask"])[1:]
    seen = [what_the_second_sees(int(action)) for action in (first, last)]
    assert all(np.array_equal(seen[0][key], seen[1][key]) for key in seen[0])


def test_smac_shows_the_clicks_so_far_until_they_are_submitted() -> None:
    env = small("smac")
    env.reset(seed=3)
    before = env.observe("team_1")
    bid = env.encoding.lines.index(("bid", 3))  # type: ignore[attr-defined]
    env.step(bid)
    after = env.observe("team_1")
    number = env.numbers.index("bid so far, points")
    assert (before["numbers"][number], after["numbers"][number]) == (0, 3)
    assert not after["action_mask"][bid]
    assert env.agent_selection == "team_1"
    env.step(0)
    assert env.agent_selection == "team_2"


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = small("smack")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="0 is not a legal action of team_1 now; expected one"):
        env.step(0)
    assert env.agent_selection == "team_1"


@pytest.mark.parametrize("action", [1.5, 1.0, np.float64(1.0), True, np.True_, "1", None, [1]])
def test_an_action_that_is_no_whole_number_is_refused(action: Any) -> None:
    env = small("slime_mind")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="is not an action; expected a whole number, such as 3"):
        env.step(action)
    assert env.match.stepper.decided == 0


@pytest.mark.parametrize("action", [1, np.int64(1), np.int8(1), np.array(1)])
def test_whole_numbers_of_numpy_are_actions_too(action: Any) -> None:
    env = small("slime_mind")
    env.reset(seed=1)
    env.step(action)
    assert env.match.stepper.decided == 1


def test_without_a_match_it_is_said_that_there_is_none() -> None:
    env = small("slime_mind")
    calls: list[Callable[[], object]] = [lambda: env.step(0), env.last, env.render]
    calls.append(lambda: env.observe("team_1"))
    for call in calls:
        with pytest.raises(ResetNeeded, match=r"no match has begun; call reset\(\) first"):
            call()
    play(env, seed=1)
    with pytest.raises(ResetNeeded, match=r"the match is over; call reset\(\) for the next one"):
        env.step(0)


def test_smack_offers_nothing_unless_offers_are_wanted() -> None:
    offering = len(SQUARES) ** 2
    for offers in (False, True):
        env = MatchEnv("smack", offers=offers)
        env.reset(seed=1)
        legal = np.flatnonzero(env.observe("team_1")["action_mask"])
        assert (legal >= offering).sum() == (len(legal) // 2 if offers else 0)
    assert play(MatchEnv("smack", settings={"ply_limit": 40}), seed=1) == 80


@every_game
@pytest.mark.parametrize("played", [0, 9])
def test_a_pickled_environment_plays_on_alike(name: str, played: int) -> None:
    def take(env: MatchEnv, number: int) -> None:
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(legal[number * 7 % len(legal)]))

    env = pickle.loads(pickle.dumps(small(name)))
    env.reset(seed=3)
    for number in range(played):
        take(env, number)
    copied = pickle.loads(pickle.dumps(env))
    for number in range(30):
        if env.match.is_over:
            break
        assert env.agent_selection == copied.agent_selection
        for agent in env.agents:
            assert data_equivalence(env.observe(agent), copied.observe(agent))
        take(env, number)
        take(copied, number)
        assert env.rewards == copied.rewards
    assert number > 3


def test_the_winner_gets_1_and_the_loser_gets_minus_1() -> None:
    env = small("slime_mind")
    rewards: dict[str, float] = {}
    play(env, seed=5, look=lambda env: rewards.update(env._cumulative_rewards))
    outcome = env.match.stepper.outcome
    assert outcome is not None
    assert outcome.winner is not None
    assert rewards == {f"team_{team}": 1.0 if team == outcome.winner else -1.0 for team in (1, 2)}


def test_the_teams_of_a_pair_win_together() -> None:
    # Both shapes of the second pair commit suicide: nothing else is ordered.
    grid = {**SMALL_GRID, "width": 30, "height": 30, "home_v": 14, "groups": [[1, 3], [2, 4]]}
    one = {"types": [["Pair", ["##"]]], "placements": [[0, 4, 12]]}
    env = small("game_of_death", settings=grid, teams=4, designs=[one] * 4)
    rewards: dict[str, float] = {}
    env.reset(seed=1)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last(observe=False)
        rewards[agent] = reward
        is_lost = env.encoding.agent_team(agent) in (2, 4)
        env.step(None if terminated else list(Command).index(Command.SUICIDE) if is_lost else 0)
    assert rewards == {"shape_1": 1.0, "shape_2": -1.0, "shape_3": 1.0, "shape_4": -1.0}


def test_the_lead_of_a_pair_is_over_its_opponents_and_not_over_the_partner() -> None:
    grid = {**SMALL_GRID, "width": 30, "height": 30, "home_v": 14, "groups": [[1, 3], [2, 4]]}
    one = {"types": [["Pair", ["##"]]], "placements": [[0, 4, 12]]}
    env = small("game_of_death", settings=grid, teams=4, designs=[one] * 4, reward="lead")
    env.reset(seed=1)
    match = env.match
    standing = msgspec.structs.replace(
        match.game.standing(match.stepper.state), scores=(5.0, 1.0, 9.0, 2.0)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(match.game), "standing", lambda game, state: standing)
        assert match._leads_now() == [3.0, -8.0, 7.0, -7.0]


def test_the_lead_is_paid_as_it_changes() -> None:
    env = small("slime_mind", reward="lead")
    paid = {"team_1": 0.0, "team_2": 0.0}

    def look(env: MatchEnv) -> None:
        for agent, reward in env.rewards.items():
            paid[agent] += reward

    play(env, seed=4, look=look)
    scores = env.match.stepper.outcome.scores  # type: ignore[union-attr]
    assert paid["team_1"] == pytest.approx(scores[0] - scores[1])
    assert paid["team_2"] == pytest.approx(scores[1] - scores[0])


def test_the_game_of_death_has_an_agent_per_shape() -> None:
    env = small("game_of_death")
    assert env.possible_agents == [f"shape_{number}" for number in range(1, 7)]
    env.reset(seed=1)
    for agent in env.agents:
        shown = env.observe(agent)
        own = env.planes.index("cells of the shape itself: 1")
        size = env.numbers.index("cells of the shape")
        assert shown["observation"][own].sum() == shown["numbers"][size]


def test_a_dead_shape_is_asked_no_more_and_gets_the_result_of_its_team() -> None:
    env = small("game_of_death")
    env.reset(seed=1)
    suicide, rest = 13, 1
    asked, paid = [], {}
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last(observe=False)
        if terminated:
            paid[agent] = reward
        else:
            asked.append(agent)
            assert env.agents == env.possible_agents
        env.step(None if terminated else suicide if env.encoding.agent_team(agent) == 1 else rest)
    assert (asked.count("shape_1"), asked.count("shape_2")) == (1, 1)
    assert paid == {f"shape_{number}": -1.0 if number % 2 else 1.0 for number in range(1, 7)}


def test_a_design_that_is_not_legal_is_refused_with_its_reason() -> None:
    wrong = {"types": [["Pair", ["##"]]], "placements": [[0, 15, 2]]}
    env = small("game_of_death", designs=[DESIGN, wrong])
    with pytest.raises(ValueError, match="designs: that of team 2 is not legal: placement 1"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"game": "smack", "teams": 3}, "teams = 3: Smack! is for 2 teams"),
        ({"game": "smack", "designs": [{}]}, "designs: Smack! has none"),
        ({"game": "smac", "offers": True}, "offers: SMAC has none"),
        (
            {"game": "game_of_death", "designs": [DESIGN]},
            "designs: expected 2, one for each team, not 1",
        ),
        ({"observation": "pixels"}, "'pixels' is not a valid ObservationForm"),
        ({"game": "game_of_death", "designs": [1, 2]}, "expected an object with types"),
        ({"render_mode": "film"}, "render_mode = 'film': expected one of human, ansi"),
        ({"settings": {"columns": 0}}, "Expected `int` >= 2"),
        ({"reward": "praise"}, "'praise' is not a valid Reward"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        MatchEnv(**options)
