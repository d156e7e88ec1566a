"""Slime Mind over arrays: the same matches as the engine's, event by event."""

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import hypothesis
import msgspec
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from engine.fault import Cause, Fault
from engine.game import Event
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pieces import Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import AROUND, Board
from engine.streams import Stream, Streams, stream_key
from learning.match_env import MatchEnv
from learning.slime_mind.layout import NO_ORDER, draws_below
from learning.slime_mind.matches import Matches, play_out
from learning.slime_mind.players import Player
from learning.slime_mind.vector_env import SlimeMindVectorEnv
from tests.engine.advancing import advance
from tests.engine.games.slime_mind import strategies
from tests.examples import examples

pytestmark = [
    pytest.mark.usefixtures("compiled"),
    pytest.mark.timeout(1_800),
    pytest.mark.slow,  # the first one compiles, which takes half a minute
]

GAME = SlimeMind()
COMMANDS = [*Command]
PRESETS = Path(__file__).parents[2] / "resources/presets/slime_mind"
TINY = {
    "columns": 7,
    "rows": 6,
    "slime_pairs": 2,
    "plant_pairs": 5,
    "rock_pairs": 1,
    "max_turns": 15,
}


class EngineMatch:
    """A match of the engine, order by order."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.state = GAME.new(settings, 2)
        self._streams = Streams(seed)
        self.events = advance(self.state, GAME.start(self.state, self._streams))

    def play(self, order: int) -> list[Event]:
        chosen = Fault(Cause.ILLEGAL, "") if order == NO_ORDER else COMMANDS[order]
        return advance(self.state, GAME.play(self.state, (chosen,), self._streams))


def preset(name: str) -> dict[str, Any]:
    return tomllib.loads((PRESETS / f"{name}.toml").read_text())


def likely_order(board: Board, dice: Random) -> int:
    """Return a random order, more often one that has an effect."""
    draw = dice.random()
    if draw < 0.03:
        return NO_ORDER
    slime = board.slimes[board.queue[0]]
    up = 1 if board.settings.y_up else -1
    sides = [(-1, 0), (1, 0), (0, up), (0, -up)]
    bites = [
        4 + number
        for number, (dx, dy) in enumerate(sides)
        if (slime.x + dx, slime.y + dy) in board.at
    ]
    around = (board.at.get((slime.x + dx, slime.y + dy)) for dx, dy in AROUND)
    if draw < 0.3 and any(isinstance(one, Slime) and one.team == slime.team for one in around):
        return COMMANDS.index(Command.MERGE)
    if bites and draw < 0.6:
        return dice.choice(bites)
    return dice.randrange(len(COMMANDS))


def compare(settings: Settings, seed: int, most_orders: int) -> int:
    """Play a random match in both, and compare all there is; return the number of orders."""
    dice = Random(seed)
    engine = EngineMatch(settings, seed)
    matches = Matches(settings, [seed], has_log=True)
    assert matches.events(0) == engine.events
    orders = 0
    while engine.state.ending is None and orders < most_orders:
        assert matches.acting[0] == engine.state.queue[0]
        order = likely_order(engine.state, dice)
        matches.play([order])
        assert matches.events(0) == engine.play(order)
        orders += 1
    board = matches.board(0)
    assert {(rock.x, rock.y) for rock in board.rocks.values()} == {
        (rock.x, rock.y) for rock in engine.state.rocks.values()
    }
    board.rocks = engine.state.rocks
    assert board == engine.state
    assert matches.is_over[0] == (engine.state.ending is not None)
    if engine.state.ending is not None:
        assert tuple(matches.scores[0]) == engine.state.ending.scores
    return orders


@pytest.mark.parametrize("name", sorted(path.stem for path in PRESETS.glob("*.toml")))
def test_matches_of_each_preset_are_the_engines_event_by_event(name: str) -> None:
    settings = msgspec.convert({**preset(name), "max_turns": 30}, Settings)
    assert compare(settings, seed=11, most_orders=600) > 90


@hypothesis.settings(max_examples=examples(200, usual=20))
@hypothesis.given(strategies.settings_of_small_maps(), strategies.seeds)
def test_matches_of_any_settings_are_the_engines_event_by_event(
    settings: Settings, seed: int
) -> None:
    compare(settings, seed, most_orders=1_500)


def test_gluttons_grow_and_random_players_let_plants_grow() -> None:
    settings = msgspec.convert({**preset("small"), "max_turns": 60}, Settings)
    gluttons, others = (Matches(settings, range(6)) for _ in range(2))
    assert play_out(gluttons, Player.GLUTTON, Player.GLUTTON) > 600
    assert play_out(others, Player.RANDOM, Player.RANDOM, threads=2) > 600
    assert gluttons.is_over.all()
    assert others.is_over.all()
    assert gluttons.scores.sum() > 4 * others.scores.sum()


def test_many_matches_at_once_are_played_as_each_alone() -> None:
    settings = msgspec.convert(TINY, Settings)
    seeds = [3, 2**127 + 5, 77]
    together = Matches(settings, seeds)
    alone = [Matches(settings, [seed]) for seed in seeds]
    dice = Random(1)
    while not together.is_over.all():
        orders = [dice.randrange(10) for _ in seeds]
        together.play(orders)
        for match, order in zip(alone, orders, strict=True):
            match.play([order])
    for row, match in zip(together.rows, alone, strict=True):
        assert np.array_equal(row, match.rows[0])
    assert not together.teams.any()


def test_a_copied_row_is_a_copied_match() -> None:
    settings = msgspec.convert(TINY, Settings)
    matches = Matches(settings, [5, 6])
    matches.rows[1] = matches.rows[0]
    for order in (0, 9, 5, 8, 3, 1):
        matches.play([order, order])
    assert matches.board(0) == matches.board(1)


@pytest.mark.parametrize("percent", [0, 1, 5, 20, 29, 57, 99, 100])
def test_a_chance_is_compared_with_draws_as_the_rules_compare_it(percent: int) -> None:
    limit = draws_below(percent)
    unit = 2.0**-53
    assert limit == 0 or (limit - 1) * unit * 100 < percent
    assert limit == 2**53 or not limit * unit * 100 < percent


def test_no_seed_is_too_large() -> None:
    settings = msgspec.convert(TINY, Settings)
    seed = 2**128 - 1
    assert Matches(settings, [seed], has_log=True).events(0) == EngineMatch(settings, seed).events


def test_keys_are_those_of_the_engines_streams() -> None:
    assert Stream(stream_key(1, "map")).below(10) == Streams(1)["map"].below(10)


def test_the_vector_environment_shows_what_the_environment_of_one_match_shows() -> None:
    vector = SlimeMindVectorEnv(3, settings=TINY, opponent=Player.GLUTTON)
    shown, _ = vector.reset(seed=9)
    alone = MatchEnv("slime_mind", settings=TINY)
    alone.reset(seed=10)
    first = alone.observe("team_1")
    assert np.array_equal(shown["observation"][1], first["observation"])
    assert np.array_equal(shown["numbers"][1], first["numbers"])


def choose_by_observation(observation: Any, numbers: Any) -> int:
    """Return the number of a command that depends on the whole observation of one match."""
    return int((observation * np.arange(observation.size).reshape(observation.shape)).sum()) % 10


@pytest.mark.parametrize("form", ["dictionary", "box"])
def test_a_policy_plays_as_it_does_in_the_environment_of_one_match(form: str) -> None:
    shown_to_it: list[int] = []

    def policy(shown: Any) -> Any:
        if form == "box":
            boards = len(alone.planes)
            planes, numbers = shown[:, :boards], shown[:, boards:, 0, 0]
        else:
            planes, numbers = shown["observation"], shown["numbers"]
        shown_to_it.append(len(planes))
        assert set(numbers[:, 2]) == {2}
        return np.array([choose_by_observation(*one) for one in zip(planes, numbers, strict=True)])

    alone = MatchEnv("slime_mind", settings=TINY)
    alone.reset(seed=4)
    vector = SlimeMindVectorEnv(3, settings=TINY, opponent=policy, observation=form)
    vector.reset(seed=3)
    for number in range(60):
        command = number % 10
        while alone.agents and alone.agent_selection == "team_2":
            seen = alone.observe("team_2")
            alone.step(choose_by_observation(seen["observation"], seen["numbers"]))
        if not alone.agents or any(alone.terminations.values()):
            break
        planes, numbers = vector._planes[1], vector._numbers[1]
        assert np.array_equal(planes, alone.observe("team_1")["observation"])
        assert np.array_equal(numbers, alone.observe("team_1")["numbers"])
        alone.step(command)
        vector.step(np.full(3, command))
    assert number > 20
    assert max(shown_to_it) == 3


@pytest.mark.parametrize("given", [np.array([0]), np.array([0, 1, 10]), np.zeros(3), None])
def test_a_policy_that_gives_no_commands_is_refused(given: Any) -> None:
    vector = SlimeMindVectorEnv(3, settings=TINY, opponent=lambda shown: given)
    with pytest.raises(ValueError, match="opponent: expected"):  # noqa: PT012 - whoever is first
        vector.reset(seed=1)
        for _ in range(10):
            vector.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("opponent", [Player.OUTSIDE, Player.LEARNED, None, "glutton"])
def test_what_is_no_opponent_is_refused(opponent: Any) -> None:
    with pytest.raises(ValueError, match=r"expected Player.GLUTTON, .*Player.PLANNER or a policy"):
        SlimeMindVectorEnv(3, settings=TINY, opponent=opponent)


def test_the_vector_environment_plays_on_and_gives_1_or_minus_1_at_the_end() -> None:
    vector = SlimeMindVectorEnv(8, settings=TINY, opponent=Player.RANDOM)
    shown, _ = vector.reset(seed=2)
    assert vector.observation_space.contains(shown)
    vector.action_space.seed(4)
    ends = 0
    for _ in range(200):
        shown, rewards, over, cut, _ = vector.step(vector.action_space.sample())
        assert set(rewards[~over]) <= {0.0}
        assert set(rewards) <= {-1.0, 0.0, 1.0}
        assert not cut.any()
        ends += over.sum()
    assert ends > 8
    assert vector.observation_space.contains(shown)


def test_the_same_seed_gives_the_same_vector_of_matches() -> None:
    def play(seed: int) -> list[Any]:
        vector = SlimeMindVectorEnv(4, settings=TINY, opponent=Player.RANDOM)
        first = vector.reset(seed=seed)[0]["observation"]
        steps = (vector.step(np.full(4, number % 10)) for number in range(60))
        return [first, *(step[0]["observation"] for step in steps)]

    one, other, third = play(1), play(1), play(2)
    assert all(map(np.array_equal, one, other))
    assert not all(map(np.array_equal, one, third))


def test_a_list_of_seeds_is_one_for_each_match_the_same_as_in_a_match_alone() -> None:
    vector = SlimeMindVectorEnv(3, settings=TINY)
    shown = vector.reset(seed=[7, 5, 7])[0]["observation"]
    env = MatchEnv("slime_mind", settings=TINY)
    for number, seed in enumerate([7, 5, 7]):
        env.reset(seed=seed)
        if env.agent_selection == "team_1":
            assert np.array_equal(shown[number], env.observe("team_1")["observation"])
    rows = [vector.step(np.full(3, number % 10))[0]["observation"] for number in range(200)]
    assert all(np.array_equal(row[0], row[2]) for row in rows)
    assert not all(np.array_equal(row[0], row[1]) for row in rows)


def test_a_seed_is_that_of_the_first_match_and_the_others_have_the_next_ones() -> None:
    one, listed = (SlimeMindVectorEnv(3, settings=TINY) for _ in range(2))
    assert np.array_equal(
        one.reset(seed=8)[0]["observation"], listed.reset(seed=[8, 9, 10])[0]["observation"]
    )
    with pytest.raises(ValueError, match="seed: expected 3, one for each match, not 2"):
        one.reset(seed=[1, 2])


def test_a_box_of_the_vector_has_the_numbers_as_planes() -> None:
    vector = SlimeMindVectorEnv(2, settings=TINY)
    box = SlimeMindVectorEnv(2, settings=TINY, observation="box")
    shown, boxed = vector.reset(seed=1)[0], box.reset(seed=1)[0]
    boards = len(vector.planes)
    assert box.observation_space.contains(boxed)
    assert box.planes == (*vector.planes, *vector.numbers)
    assert np.array_equal(boxed[:, :boards], shown["observation"])
    assert np.array_equal(boxed[:, boards:, 0, 0], shown["numbers"])


@pytest.mark.parametrize(
    "actions", [[0, 1], [0, 1, 10], [0, -1, 2], [0, 1.5, 2], [True, False, True], ["0", "1", "2"]]
)
def test_actions_that_are_no_commands_are_refused(actions: list[Any]) -> None:
    vector = SlimeMindVectorEnv(3, settings=TINY)
    vector.reset(seed=1)
    with pytest.raises(ValueError, match="actions: expected 3 whole numbers from 0 to 9"):
        vector.step(np.array(actions))


def test_it_must_be_reset_first_and_have_a_match() -> None:
    with pytest.raises(ResetNeeded, match="call reset"):
        SlimeMindVectorEnv(1).step(np.array([0]))
    with pytest.raises(ValueError, match="num_envs = 0: expected 1 or more"):
        SlimeMindVectorEnv(0)
