"""Shapes that know their trade: what a `Soldier` sees, does and finds its way by."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death import rules
from engine.games.game_of_death import soldier as soldier_module
from engine.games.game_of_death.flag_runner import MEMORY, FlagRunner
from engine.games.game_of_death.geometry import SIDES
from engine.games.game_of_death.orders import Command, parse_action
from engine.games.game_of_death.pathfinding import MovementMap, find_path
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.pieces import piece_team
from engine.games.game_of_death.player import BadAction
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.sight import compute_sight, observed_event
from engine.games.game_of_death.soldier import MAX_WAIT, Soldier
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import DELIVERY_REASON
from engine.limits import Limits
from tests.cases import for_each
from tests.engine.games.game_of_death.battles import Field, only

LANE, LANCE = "###", "######"
NARROW = {"width": 40, "height": 9, "zone_width": 20, "home_u": 2, "home_v": 4, "home_height": 1}


@pytest.fixture(autouse=True)
def _same_dice() -> Iterator[None]:
    state = random.getstate()
    random.seed(1)
    yield
    random.setstate(state)


class Drill:
    """A battle in which some shapes are soldiers, and all others do nothing.

    Each team has a domino more, in the corner, without which the other one would have won.
    """

    def __init__(self, field: Field) -> None:
        for team in (1, 2):
            field.put_in_frame(team, "##", 0, 0)
        self.battle = field.ready()
        self.soldiers: dict[int, tuple[Soldier, Callable[[Any], Any]]] = {}
        self._heard: dict[int, ev.Heard] = {}
        """What each team heard in the turn before."""

    def add(self, shape_id: int, plan: Callable[[Any], Any], kind: type[Soldier] = Soldier) -> Any:
        """Add a shape that does what the plan tells it, in every turn."""
        soldier = kind()
        self.soldiers[shape_id] = soldier, plan
        self._look(shape_id)
        return soldier

    def turn(self) -> list[Event]:
        """Play one turn, and return its events."""
        actions: dict[int, Any] = {}
        for shape_id, (soldier, plan) in self.soldiers.items():
            if shape_id in self.battle.shapes:
                self._look(shape_id)
                plan(soldier)
                answer = soldier._context.answer
                plain = msgspec.json.decode(msgspec.json.encode(answer))
                actions[shape_id] = parse_action(plain, self.battle.settings)
        orders = [
            actions.get(shape_id, Command.CONTINUE) for shape_id in sorted(self.battle.shapes)
        ]
        events, self._heard = [], {}
        for event in rules.play_turn(self.battle, orders):
            self.battle.apply(event)
            events.append(event)
            for team in (1, 2):
                if isinstance(heard := observed_event(self.battle, event, team), ev.Heard):
                    self._heard[team] = heard
        return events

    def turns(self, count: int) -> list[Event]:
        return [event for _ in range(count) for event in self.turn()]

    def _look(self, shape_id: int) -> None:
        """The shape's context, with what its team perceives now."""
        team = piece_team(shape_id, 2)
        own = msgspec.json.decode(msgspec.json.encode(self.battle))
        own["shapes"] = {
            name: shape for name, shape in own["shapes"].items() if piece_team(int(name), 2) == team
        }
        own["bodies"] = {}
        copy = msgspec.convert(own, Battle, strict=False)
        copy.sight, copy.heard = compute_sight(self.battle, team), self._heard.get(team)
        perception = TeamPerception(copy, team, Limits())
        perception.update()
        self.soldiers[shape_id][0]._context = ShapeContext(perception, shape_id)


def alone(drawing: str, u: int, v: int, *, team: int = 1, **more: Any) -> Any:
    """Return a soldier on an empty field, and its drill."""
    field = Field()
    shape_id = field.put_in_frame(team, drawing, u, v, **more)
    drill = Drill(field)
    return drill.add(shape_id, lambda soldier: None), drill


# -- looking ----------------------------------------------------------------------------------


@pytest.mark.parametrize("team", [1, 2])
@pytest.mark.parametrize(
    ("quarters", "forward"), [(0, (1, 0)), (1, (0, 1)), (2, (-1, 0)), (3, (0, -1))]
)
def test_a_step_follows_the_heading(team: int, quarters: int, forward: tuple[int, int]) -> None:
    facing = (quarters + (0 if team == 1 else 2)) % 4
    soldier, _ = alone(LANE, 50, 50, team=team, facing=facing)
    assert soldier.step_of("forward") == forward
    assert soldier.step_of("right") == (-forward[1], forward[0])


def test_what_an_attack_would_hit() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(1, "##", 54, 50)
    field.put(2, "###", 57, 50)  # its last cell is out of range
    field.put(2, "#/#", 51, 52)
    field.put_body("##", 52, 52)
    field.put(2, "##", 52, 54)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: None)
    assert soldier.hits("forward") == "ffhh"
    assert soldier.hits("right") == "hhx"  # one line meets both cells of one, the next the body
    assert soldier.hits("left") == soldier.hits("backward") == ""
    assert [soldier.is_free(side) for side in ("forward", "right")] == [True, True]


def test_no_friend_is_hit_without_friendly_fire() -> None:
    """Nor does it stop anything (rules 6.3)."""
    field = Field(friendly_fire=False)
    bar = field.put(1, LANE, 50, 50)
    field.put(1, "##", 53, 50)
    enemy = field.put(2, "##", 56, 50)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: soldier.shoot())
    assert soldier.hits("forward") == "hh"
    drill.turn()
    assert drill.battle.shapes[enemy].hp < 4


def test_what_an_attack_would_hit_after_a_turn() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(2, "##", 51, 55)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: None)
    assert soldier.hits("forward") == ""
    assert soldier.hits("forward", after="cw") == "h"
    assert soldier.hits("backward", after="ccw") == "h"
    assert soldier.cells == [(50, 50), (51, 50), (52, 50)]
    assert soldier.cells_after("cw") == soldier.cells_after("ccw") == [(51, 49), (51, 50), (51, 51)]


@for_each("team", [1, 2])
@for_each("turn", ["cw", "ccw"])
@for_each("drawing", ["##", LANE, "####", "##/#.", "#####/#####", "###/#../###"])
def test_the_cells_after_a_turn_are_those_it_then_has(team: int, turn: str, drawing: str) -> None:
    soldier, drill = alone(drawing, 50, 50, team=team)
    expected = soldier.cells_after(turn)
    (shape_id,) = drill.soldiers
    drill.soldiers[shape_id] = soldier, lambda soldier: soldier.turn(turn)
    drill.turns(soldier.speed)
    drill._look(shape_id)
    assert soldier.heading != "E"
    assert soldier.cells == expected


@pytest.mark.parametrize("look", [Soldier.step_of, Soldier.is_free, Soldier.hits])
def test_a_word_that_is_no_direction_is_told(look: Callable[[Soldier, str], Any]) -> None:
    soldier, _ = alone(LANE, 50, 50)
    with pytest.raises(BadAction, match="'up': expected one of forward, right, backward, left"):
        look(soldier, "up")


# -- shooting ---------------------------------------------------------------------------------


def test_it_shoots_where_it_hits_most_and_no_friend() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(2, "##", 54, 50)
    field.put(1, "##", 56, 50, hp=1)
    field.put(2, "#/#", 47, 50)
    drill = Drill(field)
    drill.add(bar, lambda soldier: soldier.shoot())
    assert only(drill.turn(), ev.Attacked) == [ev.Attacked(1, SIDES.index("backward"), (bar,))]


def test_it_shoots_every_second_turn_and_not_for_ever_from_a_place() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(2, "#####/" * 9 + "#####", 54, 46)
    drill = Drill(field)
    did: list[bool] = []
    drill.add(bar, lambda soldier: did.append(soldier.shoot()))
    drill.turns(14)
    assert did == [True, False] * Soldier.shots_from_a_place + [False] * 4


def test_a_side_too_weak_is_not_used() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(2, "##", 50, 52)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: None)
    assert not soldier.shoot()
    assert soldier.shoot(least=1)


def test_it_turns_to_aim_and_then_hits() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    domino = field.put(2, "##", 51, 54)
    drill = Drill(field)
    drill.add(bar, lambda soldier: soldier.shoot() or soldier.aim())
    drill.turn()
    assert drill.battle.shapes[bar].facing in (1, 3)
    drill.turns(4)
    assert domino not in drill.battle.shapes or drill.battle.shapes[domino].dying_since


def test_it_does_not_aim_where_it_finds_no_room_or_has_nobody() -> None:
    soldier, _ = alone(LANE, 50, 50)
    assert not soldier.aim()
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    field.put(2, "##", 51, 54)
    field.put_body("##", 51, 51)
    soldier = Drill(field).add(bar, lambda soldier: None)
    assert not soldier.aim()


def test_a_turn_that_is_held_up_is_given_up() -> None:
    """Two that would turn to the same place block each other in every turn (rules 6.9)."""
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    enemy = field.put(2, LANE, 50, 52)
    drill = Drill(field)
    aimed: list[bool] = []
    drill.add(bar, lambda soldier: aimed.append(soldier.aim()))
    drill.add(enemy, lambda soldier: soldier.turn("cw"))
    events = drill.turns(3)
    assert aimed == [True, False, False]
    assert not only(events, ev.Turned)


# -- walking ----------------------------------------------------------------------------------


@pytest.mark.parametrize("team", [1, 2])
@pytest.mark.parametrize("drawing", ["##", LANE, "##/#.", "####"])
def test_it_walks_to_a_cell(team: int, drawing: str) -> None:
    soldier, drill = alone(drawing, 50, 50, team=team)
    (shape_id,) = drill.soldiers
    drill.soldiers[shape_id] = soldier, lambda soldier: soldier.walk_to(58, 46)
    drill.turns(14 * soldier.speed)
    drill._look(shape_id)
    assert soldier.anchor == (58, 46)
    assert not soldier.walk_to(58, 46)


def test_who_was_killed_can_still_walk_in_die() -> None:
    """Rules 6.17: with all actions; but it has no strength any more (rules 6.7)."""
    soldier, _ = alone(LANE, 50, 50, hp=0, dying_since=1)
    assert soldier.reach(soldier.home)
    assert soldier.aim() is soldier.shoot() is False


def test_it_keeps_to_its_way_while_it_shoots_at_bodies() -> None:
    field = Field(**NARROW)
    bar = field.put(1, LANE, 9, 7)
    for v in range(9):
        field.put_body("##", 14, v, left=30)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: soldier.walk_to(20, 7))
    drill.turns(6)  # two steps, and then it shoots
    left = list(soldier._path)
    drill.turns(6)
    assert list(soldier._path) == left


def test_it_keeps_to_its_way_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.games.game_of_death.soldier.WAIT_PROBABILITY", 1.0)
    field = Field(**NARROW)
    bar, other = field.put(1, LANE, 9, 7), field.put(1, "#/#", 20, 6)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: soldier.walk_to(16, 7))
    drill.turns(2)
    drill.battle.unmark(there := drill.battle.shapes[other])
    drill.battle.shapes[other] = after = msgspec.structs.replace(there, x=14)
    drill.battle.mark(after)
    drill.turns(1)
    left = list(soldier._path)
    drill.turns(3)
    assert list(soldier._path) == left


def test_it_walks_around_a_wall_of_bodies() -> None:
    field = Field(**NARROW)
    bar = field.put(1, LANE, 10, 7)
    field.put_body("/".join("#" * 8), 14, 1)
    drill = Drill(field)
    drill.add(bar, lambda soldier: soldier.walk_to(18, 7))
    events = drill.turns(30)
    assert drill.battle.shapes[bar].x == 17
    assert not only(events, ev.Attacked)


def test_a_way_is_found_anew_after_a_turn() -> None:
    """Directions count from the heading."""
    soldier, drill = alone(LANE, 50, 50)
    (shape_id,) = drill.soldiers

    def plan(soldier: Soldier) -> None:
        if soldier.now == 3:
            soldier.turn("cw")
        else:
            soldier.walk_to(70, 50)

    drill.soldiers[shape_id] = soldier, plan
    drill.turns(8)
    drill._look(shape_id)
    assert soldier.heading == "S"
    assert soldier.anchor == (51 + 7, 50)


def test_where_there_is_no_way_on_it_looks_only_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[int] = []

    def counted(ground: MovementMap, *places: Any) -> Any:
        searches.append(1)
        return find_path(ground, *places)

    monkeypatch.setattr(soldier_module, "find_path", counted)
    field = Field(**NARROW)
    bar = field.put(1, LANE, 2, 1)
    for x, y, drawing in ((2, 0, LANE), (2, 2, LANE), (0, 1, "##"), (5, 1, "##")):
        field.put(1, drawing, x, y)
    drill = Drill(field)
    did: list[bool] = []
    drill.add(bar, lambda soldier: did.append(soldier.walk_to(20, 1)))
    drill.turns(9)
    assert did == [False] * 9
    assert len(searches) == 3 == 9 // MAX_WAIT


@pytest.mark.parametrize("goal", [(-50, -50), (3, 4), (39, 4)])
def test_it_stays_where_it_is_if_it_can_never_get_there(goal: tuple[int, int]) -> None:
    """Off the grid, on a home, and where a bar of three would stick out."""
    field = Field(**NARROW)
    bar = field.put(1, LANE, 20, 6)
    drill = Drill(field)
    did: list[bool] = []
    drill.add(bar, lambda soldier: did.append(soldier.walk_to(*goal)))
    drill.turns(3)
    assert did == [False] * 3
    assert drill.battle.shapes[bar].x == 20


def test_it_shoots_its_way_through_a_wall_without_an_end() -> None:
    field = Field(**NARROW)
    bar = field.put(1, LANE, 10, 7)
    for v in range(9):
        field.put_body("##", 14, v, left=30)
    drill = Drill(field)
    drill.add(bar, lambda soldier: soldier.walk_to(20, 7))
    events = drill.turns(60)
    assert drill.battle.shapes[bar].x == 19
    assert len(only(events, ev.Attacked)) == 10  # of 3 each
    assert len(drill.battle.bodies) == 8


def test_it_does_not_shoot_at_a_body_with_a_friend_in_the_lane() -> None:
    field = Field(**NARROW)
    block = field.put(1, "##/##", 10, 3)
    for v in range(9):
        if v != 4:
            field.put_body("##", 12, v)
    friend = field.put(1, "##", 18, 4)  # beyond the end of its way, in range where no body lies
    drill = Drill(field)
    soldier = drill.add(block, lambda soldier: soldier.walk_to(15, 3))
    assert soldier.hits("forward") == "xff"
    assert not only(drill.turns(5), ev.Attacked)
    drill.battle.unmark(drill.battle.shapes.pop(friend))
    assert only(drill.turns(1), ev.Attacked)


def test_two_that_meet_in_a_lane_find_past_each_other() -> None:
    field = Field(**NARROW)
    ours, other = field.put(1, LANE, 10, 4), field.put(1, LANE, 20, 4)
    drill = Drill(field)
    drill.add(ours, lambda soldier: soldier.walk_to(25, 4))
    drill.add(other, lambda soldier: soldier.walk_to(8, 4))
    drill.turns(40)
    assert drill.battle.shapes[ours].x == 24
    assert drill.battle.shapes[other].x == 7


def test_it_chases_to_where_it_can_shoot() -> None:
    field = Field()
    lance = field.put(1, LANCE, 50, 50)
    domino = field.put(2, "##", 80, 60)
    drill = Drill(field)
    drill.add(lance, lambda soldier: soldier.shoot() or soldier.chase(soldier.seen("h")))
    drill.turns(100)
    assert domino not in drill.battle.shapes


def test_it_stays_with_its_prey() -> None:
    field = Field()
    bar = field.put(1, LANE, 50, 50)
    drill = Drill(field)
    soldier = drill.add(bar, lambda soldier: None)
    soldier.chase([(70, 40), (70, 60)])
    drill._look(bar)
    soldier.chase([(70, 60), (70, 41)])
    assert soldier._target == (70, 41)
    drill._look(bar)
    soldier.chase([(70, 60)])
    assert soldier._target == (70, 60)
    assert not soldier.chase([])


# -- the flag ---------------------------------------------------------------------------------


class Runner(FlagRunner):
    call = "mine"


def run(runner: Runner) -> None:
    runner.carry() or runner.cover() or runner.reach(runner.enemy_home)


@pytest.mark.parametrize("team", [1, 2])
def test_a_runner_brings_the_flag_home(team: int) -> None:
    field = Field(**NARROW)
    runner = field.put_in_frame(team, LANE, 8, 2)
    drill = Drill(field)
    drill.add(runner, run, Runner)
    drill.turns(80)
    assert drill.battle.ending is not None
    assert drill.battle.ending.reason == DELIVERY_REASON


@pytest.mark.parametrize(("setting", "call"), [("message_max", "mi"), ("broadcasts_per_turn", "")])
def test_a_runner_comes_home_where_it_can_hardly_call(setting: str, call: str) -> None:
    """Its call is cut to what may be said, and it does not lose its turn for one."""
    field = Field(**NARROW, **{setting: len(call)})
    bearer, other = field.put(1, LANE, 20, 2), field.put(1, LANE, 10, 7)
    drill = Drill(field)
    drill.battle.bearers[1] = bearer
    drill.add(bearer, run, Runner)
    mate = drill.add(other, run, Runner)
    drill.turns(2)
    assert (mate.heard, mate.is_carried) == ([call] * bool(call), bool(call))
    drill.turns(40)
    assert drill.battle.ending is not None
    assert drill.battle.ending.reason == DELIVERY_REASON


def test_who_hears_the_call_makes_way_and_forgets_it() -> None:
    field = Field(width=90, height=60, zone_width=30, home_u=4, home_v=28)
    bearer = field.put(1, LANE, 60, 20)
    other = field.put(1, LANE, 78, 25)
    drill = Drill(field)
    drill.battle.bearers[1] = bearer
    said: list[str] = []

    def bear(runner: Runner) -> None:
        if not said:
            runner.carry()
            said.append(runner.call)

    drill.add(bearer, bear, Runner)
    mate = drill.add(other, run, Runner)
    drill.turn()
    assert not mate.is_carried
    start = drill.battle.shapes[other].x
    drill.turns(3)
    assert mate.is_carried
    assert drill.battle.shapes[other].x < start
    assert mate.heard == []
    drill.turns(MEMORY)
    assert not mate.is_carried


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["##", "#/#", LANE]), st.integers(8, 30), st.integers(0, 6)),
        max_size=30,
    )
)
def test_a_runner_comes_home_through_whatever_lies_there(
    bodies: list[tuple[str, int, int]],
) -> None:
    field = Field(**NARROW)
    runner = field.put(1, LANE, 3, 2)
    taken: set[tuple[int, int]] = set()
    for drawing, x, y in bodies:
        rows = drawing.split("/")
        cells = {(x + i, y + j) for j, row in enumerate(rows) for i, _ in enumerate(row)}
        if not cells & taken:
            field.put_body(drawing, x, y, left=6)
            taken |= cells
    drill = Drill(field)
    drill.add(runner, run, Runner)
    for _ in range(400):
        if drill.battle.ending is not None:
            break
        drill.turn()
    assert drill.battle.ending is not None
    assert drill.battle.ending.reason == DELIVERY_REASON
