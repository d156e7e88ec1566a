"""Four armies on a square (rules 8), and what wins by kills."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from engine.fault import Cause, Fault
from engine.game import Ask, MatchEnded, Refusal, Stage, Standing
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.designs import parse_design
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.inspection import inspect_design
from engine.games.game_of_death.orders import Design, Placement, TypeDesign
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.rules import begin_match, deploy
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.sight import compute_sight, observed_event
from engine.games.game_of_death.state import Battle, Defeat, new_battle
from engine.games.game_of_death.text import describe, draw, legend
from engine.limits import Limits
from engine.streams import Streams
from tests.engine.games.game_of_death.battles import BLOCK, DOMINO, UPRIGHT, Field, only, play
from tests.engine.games.game_of_death.test_numbered_rules import RULES

GAME = GameOfDeath()
NUMBERS: dict[str, Any] = {
    "width": 90,
    "height": 90,
    "zone_width": 30,
    "home_u": 4,
    "home_v": 43,
    "home_row_drawn": False,
    "sight": 25,
}
SETTINGS = Settings(**NUMBERS)
WEST, NORTH, EAST, SOUTH = 1, 2, 3, 4
AT_FLAG = 80, 43
"""Where a domino in its own frame is beside the home opposite."""
AT_HOME = 8, 43
"""Where it is beside its own."""


def a_field(**numbers: Any) -> Field:
    return Field(4, **{**NUMBERS, **numbers})


def make_field(**numbers: Any) -> tuple[Field, list[int]]:
    """A field with a block of each team far from everything, and their ids."""
    field = a_field(**numbers)
    return field, [field.put_in_frame(team, BLOCK, 10, 31) for team in field.battle.all_teams]


def holding(field: Field, team: int, owner: int) -> tuple[Battle, int]:
    """A battle in which a domino of a team at its own home holds the flag of another."""
    domino = field.put_in_frame(team, DOMINO, *AT_HOME)
    battle = field.ready()
    battle.bearers[owner - 1] = domino
    return battle, domino


def design(u: int = 10, v: int = 43, mask: tuple[str, ...] = ("##",)) -> Design:
    return Design((TypeDesign("Type", mask, "code"),), (Placement(0, u, v),))


def test_9_0_the_homes_of_four_and_what_forward_and_right_are() -> None:
    field, _ = make_field()
    south_looking = field.put_in_frame(NORTH, DOMINO, 20, 45)
    battle = field.ready()
    assert [battle.home(team) for team in battle.all_teams] == [
        Rectangle(4, 43, 4, 4),
        Rectangle(43, 4, 4, 4),
        Rectangle(82, 43, 4, 4),
        Rectangle(43, 82, 4, 4),
    ]
    shape = battle.shapes[south_looking]
    assert (shape.x, shape.y, shape.facing) == (44, 20, 1)
    play(battle, {south_looking: "move forward"})
    assert (battle.shapes[south_looking].x, battle.shapes[south_looking].y) == (44, 21)
    play(battle, {south_looking: "move right"})
    assert (battle.shapes[south_looking].x, battle.shapes[south_looking].y) == (43, 21)


def test_8_1_two_or_four_play() -> None:
    assert list(GAME.team_counts) == [2, 4]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ({"height": 60, "home_v": 28}, "4 teams need a square grid, and it has width = 90"),
        ({"zone_width": 45}, "zone_width = 45: between two corners of this size no room is left"),
        ({"home_v": 20}, "home_v = 20: the home is not in the zone of each team, rows 30 to 59"),
        (
            {"home_row_drawn": True, "home_height": 19},
            "home_height = 19 does not fit into the middle three fifths of the zone",
        ),
    ],
)
def test_8_1_a_grid_on_which_four_cannot_play_says_why(numbers: Any, text: str) -> None:
    settings = Settings(**{**NUMBERS, **numbers})
    why = GAME.why_not_played(settings, 4)
    assert why is not None
    assert text in why
    assert "presets four and four_small" in why
    assert GAME.why_not_played(settings, 2) is None
    assert GAME.why_not_played(SETTINGS, 4) is None


def test_8_1_the_row_of_the_homes_is_drawn_within_the_zones() -> None:
    rows = set()
    for seed in range(120):
        battle = new_battle(replace(SETTINGS, home_row_drawn=True), 4)
        for event in begin_match(battle, Streams(seed)):
            battle.apply(event)
        rows.add(battle.home_v)
    assert rows == set(range(36, 51))


@pytest.mark.parametrize(("v", "is_legal"), [(29, False), (30, True), (59, True), (60, False)])
def test_8_2_the_corners_are_nobodys(v: int, is_legal: bool) -> None:
    order = parse_design(plain(design(v=v)), SETTINGS, 43, 4)
    assert isinstance(order, Design) is is_legal
    if isinstance(order, Refusal):
        assert order.reason == (
            f"placement 1 (Type at 10, {v}): the cell 10, {v} is in a corner, outside the zone of "
            "a match of 4 teams, rows 30 to 59; `self.zone_rows` has the rows of every match"
        )
    assert isinstance(parse_design(plain(design(v=v)), SETTINGS, 43, 2), Design)


def test_8_2_a_report_on_a_design_shows_the_zone_between_the_corners() -> None:
    report = inspect_design(plain(design(v=29)), SETTINGS, 43, 4)
    assert report.mistakes
    zone = next(area for area in report.areas if area.name == "the zone")
    assert (zone.x, zone.y, zone.width, zone.height) == (0, 30, 30, 30)
    rows = dict(line.split(maxsplit=1) for line in report.text.splitlines() if line[:4].strip())
    assert rows["29"] == "|" * 10 + "!!" + "|" * 19
    assert rows["30"] == "." * 30 + "|"
    assert rows["59"] == "." * 30 + "|"


def plain(order: Design) -> Any:
    types = [[drawn.name, list(drawn.mask), drawn.code] for drawn in order.types]
    return {"types": types, "placements": [[0, p.u, p.v] for p in order.placements]}


@pytest.mark.parametrize("more", [pytest.param({}, id="8.2a two teams with the same claim")])
def test_nobody_gets_a_flag_that_two_teams_finish_together(more: Any) -> None:
    field, _ = make_field(**more)
    west = field.put_in_frame(WEST, DOMINO, *AT_FLAG)
    north = field.put(NORTH, DOMINO, 83, 41)
    battle = field.ready()
    both = dict.fromkeys((west, north), "capture")
    play(battle, both)
    play(battle)
    assert only(play(battle), ev.FlagOfTaken, ev.CaptureRestarted) == [
        ev.CaptureRestarted(WEST, (west,)),
        ev.CaptureRestarted(NORTH, (north,)),
    ]
    assert battle.bearers == [0, 0, 0, 0]
    play(battle, {north: "rest"})
    play(battle)
    assert only(play(battle), ev.FlagOfTaken) == [ev.FlagOfTaken(WEST, EAST, west)]


def test_8_2a_who_began_first_takes_it_whatever_the_seats() -> None:
    field, _ = make_field()
    west = field.put_in_frame(WEST, DOMINO, *AT_FLAG)
    north = field.put(NORTH, DOMINO, 83, 41)
    battle = field.ready()
    play(battle, {north: "capture"})
    play(battle, {west: "capture"})
    assert only(play(battle), ev.FlagOfTaken, ev.CaptureStopped) == [
        ev.FlagOfTaken(NORTH, EAST, north),
        ev.CaptureStopped(WEST, (west,)),
    ]


def test_8_3_the_flag_of_any_enemy_can_be_captured_one_at_a_time() -> None:
    field, _ = make_field()
    domino = field.put(WEST, DOMINO, 47, 5)
    battle = field.ready()
    events = play(battle, {domino: "capture"})
    assert only(events, ev.CaptureOfBegan) == [ev.CaptureOfBegan(WEST, NORTH, (domino,))]
    assert battle.captures == {domino: NORTH}
    play(battle)
    play(battle)
    assert battle.bearers == [0, domino, 0, 0]
    assert battle.captures == {}
    assert only(play(battle, {domino: "capture"}), ev.Nothing) == [
        ev.Nothing(WEST, ev.Reason.HAS_FLAG, (domino,))
    ]


def test_8_3_a_shape_between_two_homes_captures_at_the_first_one_clockwise() -> None:
    field = a_field(width=20, height=20, zone_width=8, home_u=1, home_v=8)
    bar = "#" * 3
    long = field.put(WEST, "\n".join(["#" * 9]).replace("\n", "/"), 5, 4)
    for team in (NORTH, EAST, SOUTH):
        field.put_in_frame(team, bar, 6, 9)
    battle = field.ready()
    touched = [team for team in (2, 3, 4) if battle.is_beside_home(battle.shapes[long], team)]
    assert touched == [NORTH]
    play(battle, {long: "capture"})
    assert battle.captures == {long: NORTH}


def test_8_3_a_delivery_defeats_the_owner_and_turns_its_shapes_to_bodies() -> None:
    field, blocks = make_field()
    thief = field.put_in_frame(EAST, DOMINO, 60, 31)
    late = field.put_in_frame(EAST, DOMINO, 60, 35, hp=0, dying_since=1)
    captor = field.put_in_frame(NORTH, DOMINO, *AT_FLAG)
    battle, domino = holding(field, WEST, EAST)
    battle.turn = 2
    battle.bearers[SOUTH - 1] = thief
    battle.killed[battle.pair_index(NORTH, EAST)] = [1, 0]
    battle.hp_taken[EAST - 1] = 22
    events = play(battle, {domino: "continue", captor: "capture"})
    assert only(events, ev.FlagDelivered, ev.FlagLost, ev.Defeated, ev.Died) == [
        ev.FlagDelivered(WEST, EAST, domino),
        ev.FlagLost(EAST, SOUTH),
        ev.Defeated(EAST, "flag brought home", flags=1, kills=9, hp_taken=22),
        ev.Died(EAST, (blocks[2], thief, late), (180, 40, 40)),
    ]
    assert battle.bearers == [0, 0, 0, 0]
    assert battle.delivered == [1, 0, 0, 0]
    assert battle.defeats == [None, None, Defeat(2, 1, 9, 22), None]
    assert {blocks[2], thief, late} == set(battle.bodies)
    assert battle.grid[44 * 90 + 83] == -EAST
    assert [ask.team for ask in GAME.asks(battle)].count(EAST) == 0
    assert battle.ending is None


def test_8_3_the_home_of_the_defeated_has_no_flag_any_more() -> None:
    field, _ = make_field()
    waiting = field.put(NORTH, DOMINO, 83, 41)
    battle, _ = holding(field, WEST, EAST)
    for _ in range(2):  # while another one holds it, and once it is gone
        assert only(play(battle, {waiting: "capture"}), ev.Nothing) == [
            ev.Nothing(NORTH, ev.Reason.NO_FLAG, (waiting,))
        ]
    assert battle.is_defeated(EAST)


def test_8_3_a_capture_ends_with_the_defeat_of_the_flags_owner() -> None:
    field, blocks = make_field()
    capturing = field.put(NORTH, DOMINO, 83, 41)
    battle = field.ready()
    play(battle, {capturing: "capture"})
    events = play(battle, {blocks[2]: "suicide"})
    assert only(events, ev.CaptureStopped) == [ev.CaptureStopped(NORTH, (capturing,))]
    assert battle.shapes[capturing].capturing_since == 0


def test_8_3_a_bearer_of_the_defeated_holds_nothing_and_goes_on() -> None:
    field, blocks = make_field()
    bearer = field.put_in_frame(WEST, DOMINO, 40, 43)
    battle = field.ready()
    battle.bearers[EAST - 1] = bearer
    events = play(battle, {blocks[2]: "suicide"})
    assert only(events, ev.Defeated) == [ev.Defeated(EAST, "no living shapes", 0, 0, 0)]
    assert battle.bearers == [0, 0, 0, 0]
    assert bearer in battle.shapes


def test_8_3_who_deliver_each_others_flags_are_both_out() -> None:
    field, _ = make_field()
    eastern = field.put_in_frame(EAST, DOMINO, *AT_HOME)
    battle, western = holding(field, WEST, EAST)
    battle.bearers[WEST - 1] = eastern
    play(battle)
    assert battle.delivered == [1, 0, 1, 0]
    assert [battle.is_defeated(team) for team in battle.all_teams] == [True, False, True, False]
    assert western in battle.bodies


def test_8_4_the_last_team_left_wins_and_later_defeats_are_better_places() -> None:
    field, blocks = make_field()
    battle = field.ready()
    assert GAME.standing(battle) == Standing(1, 1_000, (0.0, 0.0, 0.0, 0.0))
    play(battle, {blocks[1]: "suicide"})
    assert battle.ending is None
    assert GAME.standing(battle).scores == (1.0, 0.0, 1.0, 1.0)
    play(battle, {blocks[3]: "suicide"})
    assert play(battle, {blocks[0]: "suicide"})[-1] == MatchEnded(
        (2.0, 0.0, 3.0, 1.0), "one team is left"
    )


def test_8_4_defeats_of_the_same_turn_are_a_tie() -> None:
    field, blocks = make_field()
    battle = field.ready()
    ending = play(battle, dict.fromkeys(blocks[1:], "suicide"))[-1]
    assert ending == MatchEnded((3.0, 0.0, 0.0, 0.0), "one team is left")


def test_8_4_if_nobody_is_left_the_last_ones_are_ranked_by_what_they_had() -> None:
    field = a_field()
    eastern = field.put_in_frame(EAST, DOMINO, *AT_HOME)
    field.put_in_frame(EAST, BLOCK, 10, 31)
    battle, _ = holding(field, WEST, EAST)
    for team in (NORTH, SOUTH):
        battle.defeats[team - 1] = Defeat(0, 0, 0, 0)
    battle.bearers[WEST - 1] = eastern
    battle.hp_taken[EAST - 1] = 1
    ending = play(battle)[-1]
    assert ending == MatchEnded((2.0, 0.0, 3.0, 0.0), "no team is left")


@pytest.mark.parametrize(
    ("delivered", "holds", "scores"),
    [
        ((0, 0, 0, 0), 0, (1.0, 0.0, 3.0, 1.0)),
        ((0, 1, 0, 0), 0, (0.0, 3.0, 2.0, 0.0)),
        ((0, 0, 0, 0), NORTH, (0.0, 3.0, 2.0, 0.0)),
    ],
    ids=["kills and hp taken", "flags delivered first", "flags held second"],
)
def test_8_4_those_left_after_the_last_turn_are_ranked(
    delivered: tuple[int, ...], holds: int, scores: tuple[float, ...]
) -> None:
    field = a_field(max_turns=5)
    for team, mask in ((WEST, BLOCK), (NORTH, DOMINO), (EAST, "#####/#####"), (SOUTH, BLOCK)):
        field.put_in_frame(team, mask, 10, 31)
    battle = field.ready(turn=5)
    battle.delivered = list(delivered)
    battle.killed[battle.pair_index(NORTH, EAST)] = [1]
    battle.hp_taken = [5, 0, 2, 5]
    if holds:
        battle.bearers[WEST - 1] = min(
            one for one in battle.shapes if battle.piece_team(one) == holds
        )
    assert play(battle)[-1] == MatchEnded(scores, "last turn")


def test_8_4_an_illegal_army_is_defeated_before_turn_1_and_the_others_play() -> None:
    battle = new_battle(SETTINGS, 4)
    battle.apply(ev.HomesPlaced(43))
    orders: list[Any] = [design(), Fault(Cause.ILLEGAL, "why"), design(), design()]
    events = []
    for event in deploy(battle, orders):
        battle.apply(event)
        events.append(event)
    assert only(events, ev.Defeated, Stage, MatchEnded) == [
        ev.Defeated(NORTH, "no legal army", 0, 0, 0),
        Stage(1, "decide"),
    ]
    assert {ask.team for ask in GAME.asks(battle)} == {WEST, EAST, SOUTH}


@pytest.mark.parametrize(
    ("ready", "scores"), [((EAST,), (0.0, 0.0, 3.0, 0.0)), ((), (0.0, 0.0, 0.0, 0.0))]
)
def test_8_4_with_one_legal_army_or_none_nothing_is_played(
    ready: tuple[int, ...], scores: tuple[float, ...]
) -> None:
    battle = new_battle(SETTINGS, 4)
    battle.apply(ev.HomesPlaced(43))
    fault = Fault(Cause.ILLEGAL, "why")
    for event in deploy(battle, [design() if team in ready else fault for team in (1, 2, 3, 4)]):
        battle.apply(event)
    assert battle.ending == MatchEnded(scores, "no legal army")


def test_8_5_any_enemy_is_hostile_and_any_home_of_theirs_hostile_ground() -> None:
    field = a_field()
    own = field.put_in_frame(NORTH, DOMINO, 40, 43)
    for team, u in ((WEST, 44), (EAST, 44), (SOUTH, 48)):
        field.put_in_frame(team, DOMINO, u - 4, 40)
    battle = field.ready()
    battle.apply(compute_sight(battle, NORTH))
    perception = TeamPerception(battle, NORTH, Limits())
    perception.update()
    context = ShapeContext(perception, own)
    assert len(context.seen("h")) == 6
    assert context.heading == "E"
    assert [(enemy.home.u, enemy.home.v) for enemy in perception.enemies] == [
        (43, 4),
        (82, 43),
        (43, 82),
    ]
    assert [enemy.is_defeated for enemy in perception.enemies] == [False, False, False]
    assert perception.enemy_home == context.perception.enemies[1].home
    battle.apply(ev.Defeated(SOUTH, "why", 0, 0, 0))
    assert perception.enemies[1].is_defeated
    assert perception.enemy_home == context.perception.enemies[2].home
    rows = perception.rows
    assert {rows[v][u] for u in range(82, 86) for v in range(43, 47)} == {"H"}
    assert {rows[v][u] for u in range(4, 8) for v in range(43, 47)} == {"F"}
    assert sum(row.count("H") for row in rows) == 48


def test_8_5_everybody_is_told_of_a_defeat_and_nobody_of_others_flags() -> None:
    field, _ = make_field()
    battle = field.ready()
    defeated, found = (ev.Defeated(EAST, "why", *had) for had in ((1, 2, 3), (0, 0, 0)))
    own = (ev.FlagOfTaken(WEST, EAST, 1), ev.FlagLost(WEST, EAST), ev.FlagDelivered(WEST, EAST, 1))
    for team in battle.all_teams:
        assert observed_event(battle, defeated, team) == found
        for event in own:
            assert observed_event(battle, event, team) == (event if team == WEST else None)
        for secret in (ev.Killed(WEST, (2,)), ev.DisclosedOf(WEST, EAST, (0,))):
            assert observed_event(battle, secret, team) is None


def test_8_5_a_kill_counts_for_each_team_that_contributed_and_discloses_to_it() -> None:
    field, blocks = make_field()
    victim = field.put(EAST, DOMINO, 45, 45, hp=1)
    west = field.put(WEST, DOMINO, 42, 45, facing=0)
    south = field.put(SOUTH, UPRIGHT, 45, 47, facing=3)
    battle = field.ready()
    events = play(battle, {west: "attack forward", south: "attack forward"})
    assert only(events, ev.Dying, ev.Killed) == [
        ev.Dying(EAST, (victim,), (victim,)),
        ev.Killed(WEST, (victim,)),
        ev.Killed(SOUTH, (victim,)),
    ]
    assert battle.killed[battle.pair_index(EAST, WEST)] == [0, 1]
    assert battle.killed[battle.pair_index(EAST, NORTH)] == [0, 0]
    play(battle, dict.fromkeys(blocks[1:3], "suicide"))
    events = play(battle, {blocks[0]: "suicide", west: "suicide"})
    assert only(events, ev.DisclosedOf) == [
        ev.DisclosedOf(WEST, EAST, (1,)),
        ev.DisclosedOf(SOUTH, EAST, (1,)),
    ]
    assert describe(battle, SOUTH).endswith("may read Type1 of team 3")
    assert describe(battle, EAST) == "defeated in turn 2"


@pytest.mark.parametrize("teams", [2, 4])
def test_8_7_enough_kills_win_at_the_end_of_a_turn(teams: int) -> None:
    field = Field(teams, **NUMBERS, kill_target=2)
    victim = field.put(2, DOMINO, 45, 45, hp=1)
    shooter = field.put(1, DOMINO, 42, 45, facing=0)
    for team in field.battle.all_teams:
        field.put_in_frame(team, BLOCK, 10, 31)
    battle = field.ready()
    ending = play(battle, {shooter: "attack forward"})[-1]
    assert victim in battle.shapes
    scores = (11.0, 0.0) if teams == 2 else (3.0, 0.0, 0.0, 0.0)
    assert ending == MatchEnded(scores, "enough kills")


def test_8_7_if_both_have_enough_they_are_compared() -> None:
    field = Field(2, **NUMBERS, kill_target=2)
    for team in (1, 2):
        field.put(team, DOMINO, 45, 42 + team, hp=1)
    ids = [field.put(1, DOMINO, 42, 44), field.put(2, DOMINO, 48, 43)]
    field.put_in_frame(1, BLOCK, 10, 31)
    field.put_in_frame(2, DOMINO, 10, 31)
    battle = field.ready()
    battle.hp_taken[0] = 1
    ending = play(battle, dict.fromkeys(ids, "attack forward"))[-1]
    assert ending == MatchEnded((11.0, 0.0), "enough kills: more hp taken")


@pytest.mark.parametrize(("counts", "wins"), [("cells", True), ("shapes", False)])
def test_8_7_cells_or_shapes_of_killed_enemies_are_counted(counts: str, wins: bool) -> None:
    field = Field(2, **NUMBERS, kill_target=2, kill_target_counts=counts)
    field.put(2, DOMINO, 45, 45, hp=1)
    shooter = field.put(1, DOMINO, 42, 45)
    field.put_in_frame(2, BLOCK, 10, 31)
    battle = field.ready()
    play(battle, {shooter: "attack forward"})
    assert (battle.ending is not None) == wins
    field = Field(2, **NUMBERS, kill_target=2, kill_target_counts=counts)
    shooters = []
    for row in (42, 50):
        field.put(2, DOMINO, 45, row, hp=1)
        shooters.append(field.put(1, DOMINO, 42, row))
    field.put_in_frame(2, BLOCK, 10, 31)
    battle = field.ready()
    ending = play(battle, dict.fromkeys(shooters, "attack forward"))[-1]
    assert ending == MatchEnded((4.0, 0.0), "enough kills")


def test_8_7_without_a_target_kills_win_nothing() -> None:
    field = Field(2, **NUMBERS)
    field.put(2, DOMINO, 45, 45, hp=1)
    shooter = field.put(1, DOMINO, 42, 45)
    field.put_in_frame(2, BLOCK, 10, 31)
    battle = field.ready()
    play(battle, {shooter: "attack forward"})
    assert battle.ending is None


def test_8_8_the_documents_say_what_is_left_out() -> None:
    assert re.search(r"^\*\*8\.8\*\* Left out: taking over enemy shapes", RULES, re.MULTILINE)


def test_the_map_of_four_has_a_letter_for_each_team() -> None:
    field, _ = make_field()
    battle = field.ready()
    lines = draw(battle).splitlines()
    assert lines[-1] == legend(4)
    assert {"A", "B", "C", "D", "1", "2", "3", "4"} <= set("".join(lines[1:-1]))


def test_a_team_among_four_is_described_with_its_flags() -> None:
    field = a_field()
    bearer = field.put_in_frame(WEST, DOMINO, 40, 43)
    battle = field.ready()
    battle.bearers[NORTH - 1] = bearer
    battle.delivered[WEST - 1] = 2
    assert describe(battle, WEST) == (
        "1 Type0: 2 cells, 4 hp, 2 flags brought home, holds the flag of team 2"
    )


def test_every_team_is_asked_for_its_design() -> None:
    battle = new_battle(SETTINGS, 4)
    battle.apply(ev.HomesPlaced(43))
    assert list(GAME.asks(battle)) == [Ask(team) for team in (1, 2, 3, 4)]
