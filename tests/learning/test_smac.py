"""SMAC over arrays: the same matches as the engine's, event by event."""

import os
import tomllib
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from engine.fault import Cause, Fault
from engine.game import Event
from engine.games.smac import rules
from engine.games.smac.game import Smac
from engine.games.smac.orders import Evolve, Orders, Place, Placement, Use
from engine.games.smac.pieces import Special
from engine.games.smac.settings import (
    ChanceModel,
    Characteristic,
    DefenseModel,
    ProductionModel,
    Settings,
)
from engine.games.smac.state import Dish
from engine.streams import Streams
from learning.smac.layout import FIRST, LOST, PLACE, SELECT, TARGET, Row
from learning.smac.matches import Matches
from learning.smac.orders import TEAM_NUMBERS, numbers_of, order_of
from learning.smac.play_out import play_out
from tests.learning.engine_events import applied

pytestmark = [
    pytest.mark.usefixtures("compiled_smac"),
    pytest.mark.timeout(1_800),
    pytest.mark.slow,  # the first one compiles
]

GAME = Smac()
PRESETS = Path(__file__).parents[2] / "resources/presets/smac"
MATCHES = "SMAC_SIMULATED_MATCHES"
"""The environment variable that says how many random matches are compared in the slow test."""
MOST = 24
TINY = Settings(side=12, second_center_min_distance=3, last_turn=12, specials_from_turn=2)


class EngineMatch:
    """A match of the engine, decision by decision."""

    def __init__(self, settings: Settings, seed: int, teams: int) -> None:
        self.state = GAME.new(settings, teams)
        self._streams = Streams(seed)
        self.events = applied(self.state, GAME.start(self.state, self._streams))

    def play(self, numbers: Row) -> list[Event]:
        is_placement = self.state.stage != "orders"
        orders = [
            order_of(numbers[team - 1].tolist(), self.state.side, is_placement=is_placement)
            or Fault(Cause.ILLEGAL, "")
            for team in self.state.playing
        ]
        return applied(self.state, GAME.play(self.state, orders, self._streams))


def preset(name: str) -> Settings:
    return msgspec.convert(tomllib.loads((PRESETS / f"{name}.toml").read_text()), Settings)


def odd_settings(dice: Random) -> Settings:
    """Return settings that nobody plays with, for a board on which all meet soon."""
    points = [0, 0, 1, 4, 9, 30]
    attack, defense, jump = dice.choice(points), dice.choice(points), dice.choice(points)
    productivity, pinit, cinit = dice.choice(points), dice.choice(points), dice.choice(points)
    stacking = dice.choice([1, 1, 2, 4, 9, 36])
    return Settings(
        side=dice.choice([0, 12, 12, 13, 14, 15]),
        terrain_pct=dice.choice([0, 12, 12, 40, 100]),
        symmetric_terrain=dice.random() < 0.5,
        start_points=dice.choice([0, 20, 20, 100, 1_000]),
        start_level_points=(attack, defense, jump, productivity, stacking, pinit, cinit),
        min_support=dice.choice([0, 1, 2, 3, 3, 8]),
        growth_need_dip=dice.randint(2, 4),
        growth_need=dice.randint(2, 5),
        growth_need_hill=dice.randint(3, 8),
        second_center_min_distance=dice.choice([3, 3, 5, 8, 100]),
        victory_from_turn=dice.randint(1, 30),
        victory_pct=dice.choice([0, 60, 100, 100]),
        victory_step_pct=dice.choice([0, 2, 50]),
        last_turn=dice.randint(1, 40),
        specials_from_turn=dice.randint(1, 5),
        one_special_per_game=dice.random() < 0.3,
        combat_round_limit=dice.choice([1, 2, 200]),
        production_model=dice.choice([*ProductionModel]),
        chance_model=dice.choice([*ChanceModel]),
        defense_counts=dice.choice([*DefenseModel]),
        early_elimination=dice.random() < 0.7,
    )


def write_likely_orders(dish: Dish, row: Row, team: int, dice: Random) -> None:
    """Write random orders of a team, some of which are legal."""
    if dice.random() < 0.03:
        row[FIRST] = LOST
    elif dish.stage == "orders":
        write_likely_parts(dish, row[3:], team, dice)
        write_likely_specials(dish, row, team, dice)
    else:
        row[FIRST] = dice.choice([-1, 0, 1, 1, 2, 3, 50])
        for slot in range(dice.choice([0, 0, 1, 3])):
            row[3 + slot] = PLACE + dice.randrange(dish.side**2)


def write_likely_parts(dish: Dish, parts: Row, team: int, dice: Random) -> None:
    own = [cell for cell, height in enumerate(dish.layer(team)) if height]
    far = dish.team(team).levels.jump + 1
    for slot in range(dice.randint(0, len(parts))):
        if dice.random() < 0.25:
            parts[slot] = dice.randrange(7)
        elif own:
            y, x = divmod(dice.choice(own), dish.side)
            x, y = x + dice.randint(-far, far), y + dice.randint(-far, far)
            if 0 <= x < dish.side and 0 <= y < dish.side:
                parts[slot] = PLACE + y * dish.side + x


def write_likely_specials(dish: Dish, row: Row, team: int, dice: Random) -> None:
    selection, cells = dish.team(team).selection, dish.side**2
    if selection is not None and selection.special and dice.random() < 0.6:
        row[FIRST] = [*Special].index(selection.special)
    elif dice.random() < 0.05:
        row[FIRST] = dice.randrange(6)
    aim = dice.random()
    if aim < 0.5:
        row[TARGET] = dice.randrange(cells)
    elif aim < 0.9:
        row[TARGET] = cells + dice.choice([*range(1, len(dish.teams) + 1), 0, 77])
    if dice.random() < 0.4:
        row[SELECT] = dice.randrange(6)


def compare(settings: Settings, seed: int, teams: int, most_decisions: int = 300) -> int:
    """Play a random match in both, and compare all there is; return the number of decisions."""
    dice, decisions = Random(seed), 0
    engine = EngineMatch(settings, seed, teams)
    matches = Matches(settings, [seed], teams=teams, has_log=True)
    assert matches.events(0) == engine.events
    while engine.state.ending is None and decisions < most_decisions:
        orders = matches.no_orders(dice.choice([3, MOST]))
        for team in engine.state.playing:
            write_likely_orders(engine.state, orders[0, team - 1], team, dice)
        matches.play(orders)
        assert matches.events(0) == engine.play(orders[0])
        assert_same(matches, engine.state)
        decisions += 1
    return decisions


def assert_same(matches: Matches, state: Dish, number: int = 0) -> None:
    """Compare a match with the engine's dish; what was skipped is in events alone."""
    expected = state.copy()
    for team in expected.teams:
        team.skips = None
    assert matches.board(number) == expected
    assert matches.is_over[number] == (state.ending is not None)
    assert tuple(matches.scores[number]) == rules.scores(state)
    assert [
        team for team in range(1, len(state.teams) + 1) if matches.playing[number, team - 1]
    ] == (state.playing)


@pytest.mark.parametrize("teams", [2, 3, 6])
@pytest.mark.parametrize("name", sorted(path.stem for path in PRESETS.glob("*.toml")))
def test_matches_of_each_preset_are_the_engines_event_by_event(name: str, teams: int) -> None:
    assert compare(preset(name), seed=11, teams=teams) > 5


def test_many_random_matches_are_the_engines_event_by_event() -> None:
    dice = Random(0)
    presets = [preset(path.stem) for path in sorted(PRESETS.glob("*.toml"))]
    for seed in range(int(os.environ.get(MATCHES, "30"))):
        is_preset = seed % 10 == 0
        settings = presets[seed // 10 % len(presets)] if is_preset else odd_settings(dice)
        compare(settings, seed, teams=dice.choice([2, 2, 2, 3, 4, 6]))


def test_matches_of_random_players_are_the_engines() -> None:
    matches, chance = Matches(Settings(), [7, 8]), np.array([[3], [4]])
    engines = [EngineMatch(Settings(), seed, 2) for seed in (7, 8)]
    while not matches.is_over.all():
        orders = matches.random_orders(chance, MOST)
        running = ~matches.is_over
        matches.play(orders)
        for number in np.flatnonzero(running).tolist():
            engines[number].play(orders[number])
            assert_same(matches, engines[number].state, number)


def test_random_players_fight_and_use_specials() -> None:
    matches = Matches(TINY, range(6))
    assert play_out(matches, threads=2) == 6 * 14
    assert matches.is_over.all()
    boards = [matches.board(number) for number in range(6)]
    assert any(board.fights for board in boards)
    assert any(team.used for board in boards for team in board.teams)
    alone = Matches(TINY, range(6))
    play_out(alone)
    assert np.array_equal(alone.rows, matches.rows)


def test_many_matches_at_once_are_played_as_each_alone() -> None:
    seeds = [3, 2**127 + 5, 77]
    together = Matches(TINY, seeds, teams=3)
    alone = [Matches(TINY, [seed], teams=3) for seed in seeds]
    chance = np.array([[1], [2], [3]])
    while not together.is_over.all():
        orders = together.random_orders(chance, MOST)
        together.play(orders)
        for number, match in enumerate(alone):
            match.play(orders[number : number + 1])
    for row, match in zip(together.rows, alone, strict=True):
        assert np.array_equal(row, match.rows[0])


def test_a_copied_row_is_a_copied_match() -> None:
    matches, chance = Matches(TINY, [5, 6]), np.array([[1], [2]])
    matches.rows[1] = matches.rows[0]
    for _ in range(8):
        orders = matches.random_orders(chance, MOST)
        orders[1] = orders[0]
        matches.play(orders)
    assert matches.board(0) == matches.board(1)
    assert matches.turns.tolist() == [7, 7]


@pytest.mark.parametrize("seed", [0, 2**53, 2**128 - 1])
def test_no_seed_is_too_large(seed: int) -> None:
    engine = EngineMatch(TINY, seed, 2)
    matches = Matches(TINY, [seed], has_log=True)
    assert matches.events(0) == engine.events
    matches.play(matches.no_orders(0))
    assert matches.events(0) == engine.play(matches.no_orders(0)[0])


@pytest.mark.parametrize(
    "order",
    [
        Orders(
            (Evolve(Characteristic.JUMP), Place(3, 4)), Use(Special.NUKE, (2, 1)), Special.SHELL
        ),
        Orders((), Use(Special.BLIGHT, 2)),
        Orders((Place(0, 0),), Use(Special.SHELL)),
        Placement(3, ((4, 5), (1, 1))),
        None,
    ],
)
def test_orders_become_numbers_and_are_the_same_again(order: Orders | Placement | None) -> None:
    numbers = numbers_of(order, 20, 5)
    assert order_of(numbers.tolist(), 20, is_placement=isinstance(order, Placement)) == order


def test_more_orders_than_there_is_room_for_are_refused() -> None:
    with pytest.raises(ValueError, match="2 orders: there is room for 1"):
        numbers_of(Orders((Place(1, 1), Place(1, 2))), 20, 1)


def played_to_turn_1() -> Matches:
    matches = Matches(TINY, [1])
    for _ in range(2):
        matches.play(matches.no_orders(1))
    return matches


@pytest.mark.parametrize(
    ("place", "number", "is_not"),
    [
        (0, 6, "a special, or the bid"),
        (0, -3, "a special, or the bid"),
        (1, 144 + TEAM_NUMBERS, "a target"),
        (2, 6, "a special to select"),
        (3, PLACE + 144, "an order"),
        (3, -2, "an order"),
    ],
)
def test_numbers_that_are_no_orders_are_refused(place: int, number: int, is_not: str) -> None:
    matches = played_to_turn_1()
    orders = matches.no_orders(1)
    orders[0, 1, place] = number
    before = matches.rows.copy()
    with pytest.raises(ValueError, match=f"orders of team 2 in match 0: a number is not {is_not}"):
        matches.play(orders)
    assert np.array_equal(matches.rows, before)


def test_a_point_for_a_level_is_no_order_of_a_placement_round() -> None:
    matches = Matches(TINY, [1])
    orders = matches.no_orders(1)
    orders[0, 0, 3] = 0
    with pytest.raises(ValueError, match="a number is not an order"):
        matches.play(orders)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2, 4), (1, 3, 4), (1, 2, 2)])
def test_orders_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="orders: expected whole numbers of shape"):
        Matches(TINY, [1]).play(np.zeros(shape, np.int64))


@pytest.mark.parametrize("teams", [1, 7])
def test_a_number_of_teams_that_smac_does_not_have_is_refused(teams: int) -> None:
    with pytest.raises(ValueError, match=f"teams = {teams}: expected 2 to 6"):
        Matches(TINY, [1], teams=teams)


def test_more_orders_than_an_answer_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="most = 1001: expected 0 to 1000"):
        play_out(Matches(TINY, [1]), most=1_001)
