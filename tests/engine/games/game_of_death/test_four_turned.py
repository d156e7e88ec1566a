"""Seats change nothing: armies that move on by one seat fight the same battle (rules 8.1)."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import MatchEnded
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.designs import parse_design
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.orders import COMMANDS, Action, Command
from engine.games.game_of_death.pieces import Body, Shape, make_shape_id, shape_number
from engine.games.game_of_death.rules import deploy, play_turn
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.sight import compute_sight
from engine.games.game_of_death.state import Battle, new_battle
from tests.contract.samples import an_army
from tests.examples import examples

TEAMS = 4
SETTINGS = Settings(
    width=18, height=18, zone_width=6, home_u=0, home_v=8, home_width=2, home_height=2,
    home_row_drawn=False, sight=5, broadcast=7, max_turns=60, capture_turns=2, hp_factor=1,
)  # fmt: skip

MOVES = [Command.MOVE_FORWARD, Command.MOVE_RIGHT, Command.MOVE_BACKWARD, Command.MOVE_LEFT]
MOSTLY = [Command.MOVE_FORWARD] * 60 + [Command.ATTACK_FORWARD] * 10


def next_seat(team: int) -> int:
    return team % TEAMS + 1


def next_id(shape_id: int) -> int:
    """The id of the same shape after all armies moved on by one seat."""
    team = (shape_id - 1) % TEAMS + 1
    return make_shape_id(next_seat(team), shape_number(shape_id, TEAMS), TEAMS)


def a_battle(armies: list[Any]) -> Battle:
    battle = new_battle(SETTINGS, TEAMS)
    battle.apply(ev.HomesPlaced(SETTINGS.home_v))
    orders: list[Any] = [parse_design(army, SETTINGS, SETTINGS.home_v, TEAMS) for army in armies]
    for event in deploy(battle, orders):
        battle.apply(event)
    return battle


def an_order(battle: Battle, shape: Shape, dice: Random) -> Command | Action:
    """Mostly forward, to the flags and home with them, so that there is something to compare."""
    team = battle.piece_team(shape.id)
    at_flag = any(battle.is_beside_home(shape, enemy) for enemy in battle.enemy_teams(team))
    if shape.id in battle.bearers and dice.random() < 0.95:
        return homewards(battle, shape)
    if at_flag and dice.random() < 0.8:
        return dice.choice([Command.CAPTURE, Command.CONTINUE])
    command = dice.choice([*COMMANDS.values(), *MOSTLY])
    return Action(command, (dice.choice("abc"),)) if dice.random() < 0.2 else command


def homewards(battle: Battle, shape: Shape) -> Command:
    """A step to its own home: back, then up or down."""
    outline, frame = battle.outline(shape), battle.frames[battle.piece_team(shape.id) - 1]
    u, v, *_ = frame.box(Rectangle(shape.x, shape.y, outline.width, outline.height))
    towards = 2 if u > SETTINGS.home_width else 1 if v < SETTINGS.home_v else 3
    return MOVES[(towards - (shape.facing - frame.quarters)) % 4]


def in_frames(battle: Battle, turned: bool = False) -> dict[str, Any]:
    """All there is, in the frames of its teams; as it was before all moved on by one seat."""
    seats = [next_seat(team) if turned else team for team in battle.all_teams]
    back = {next_id(number): number for number in range(1, 400)} if turned else {}

    def old(shape_id: int) -> int:
        return back.get(shape_id, shape_id)

    def place(piece: Shape | Body) -> Any:
        outline, frame = battle.outline(piece), battle.frames[battle.piece_team(piece.id) - 1]
        box = frame.box(Rectangle(piece.x, piece.y, outline.width, outline.height))
        rest = tuple(getattr(piece, name) for name in piece.__struct_fields__[5:])
        return box, (piece.facing - frame.quarters) % 4, piece.type, rest

    def by_seat(values: Any) -> list[Any]:
        return [values[seat - 1] for seat in seats]

    return {
        "shapes": {old(one): place(shape) for one, shape in battle.shapes.items()},
        "bodies": {old(one): place(body) for one, body in battle.bodies.items()},
        "bearers": [old(one) for one in by_seat(battle.bearers)],
        "captures": {old(one): seats.index(team) for one, team in battle.captures.items()},
        "defeats": by_seat(battle.defeats),
        "delivered": by_seat(battle.delivered),
        "killed": [
            battle.killed[battle.pair_index(seats[a], seats[b])]
            for a in range(TEAMS)
            for b in range(TEAMS)
            if a != b
        ],
        "ended": battle.ending and (by_seat(battle.ending.scores), battle.ending.reason),
    }


def seen_by_team(battle: Battle, team: int) -> tuple[set[Any], set[Any]]:
    """The hostile cells and bodies that a team sees, in its frame."""
    sight, frame = compute_sight(battle, team), battle.frames[team - 1]

    def cells(places: tuple[int, ...]) -> set[Any]:
        return {frame.turn_cell((place % 18, place // 18)) for place in places}

    return cells(sight.hostile), cells(sight.bodies)


@pytest.mark.slow
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_8_1_armies_that_move_on_by_one_seat_fight_the_same_battle_turned(seed: int) -> None:
    dice = Random(seed)
    armies = [an_army(SETTINGS, dice, TEAMS) for _ in range(TEAMS)]
    one, other = a_battle(armies), a_battle([armies[-1], *armies[:-1]])
    while one.ending is None:
        orders = {shape.id: an_order(one, shape, dice) for shape in one.shapes.values()}
        again = {next_id(shape_id): order for shape_id, order in orders.items()}
        for battle, given_now in ((one, orders), (other, again)):
            for event in play_turn(battle, [given_now[shape] for shape in sorted(given_now)]):
                battle.apply(event)
        assert in_frames(other, turned=True) == in_frames(one)
        for team in one.all_teams:
            assert seen_by_team(other, next_seat(team)) == seen_by_team(one, team)
    assert isinstance(one.ending, MatchEnded)


def test_such_battles_have_captures_deliveries_and_defeats() -> None:
    happened: set[type] = set()
    for seed in range(12):
        dice = Random(seed)
        battle = a_battle([an_army(SETTINGS, dice, TEAMS) for _ in range(TEAMS)])
        while battle.ending is None:
            orders = [an_order(battle, shape, dice) for shape in battle.shapes.values()]
            for event in play_turn(battle, orders):
                battle.apply(event)
                happened.add(type(event))
    assert {ev.FlagOfTaken, ev.FlagDelivered, ev.FlagLost, ev.Defeated, ev.Killed} <= happened
