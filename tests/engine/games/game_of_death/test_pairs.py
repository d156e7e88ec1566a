"""Two against two (docs/rules/game_of_death.md 8.9)."""

from typing import Any

import msgspec
import pytest

from engine.game import MatchEnded, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.host import ArmyHost
from engine.games.game_of_death.lone_shapes import lone_views
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.sight import observed_event
from engine.games.game_of_death.state import Battle, Defeat
from engine.limits import Limits
from engine.settings import apply_changes
from tests.engine.games.game_of_death.battles import BLOCK, DOMINO, Field, only, play
from tests.engine.games.game_of_death.test_four import (
    AT_FLAG,
    AT_HOME,
    EAST,
    NORTH,
    NUMBERS,
    SOUTH,
    WEST,
)

FACING = ((WEST, EAST), (NORTH, SOUTH))
GAME = GameOfDeath()


def a_field(**numbers: Any) -> Field:
    return Field(4, **{**NUMBERS, "groups": FACING, **numbers})


def make_field(**numbers: Any) -> tuple[Field, list[int]]:
    """A field with a block of each team far from everything, and their ids."""
    field = a_field(**numbers)
    return field, [field.put_in_frame(team, BLOCK, 10, 31) for team in field.battle.all_teams]


def make_team_copy(battle: Battle, team: int) -> Battle:
    """What a team's own copy holds as a turn begins: its shapes, and what they see."""
    known = GAME.new(battle.settings, battle.teams)
    known.apply(ev.HomesPlaced(battle.settings.home_v))
    for owner in battle.all_teams:
        own = [shape for shape in battle.shapes.values() if battle.piece_team(shape.id) == owner]
        types = battle.types[owner - 1] if owner == team else ()
        known.apply(ev.Deployed(owner, types, tuple(own) if owner == team else ()))
    stage = GAME.observed_event(battle, Stage(battle.turn, "decide"), team)
    assert stage is not None
    known.apply(stage)
    return known


def perceive(battle: Battle, team: int) -> TeamPerception:
    perception = TeamPerception(make_team_copy(battle, team), team, Limits())
    perception.update()
    return perception


def test_8_9_who_is_whose_partner_and_enemy() -> None:
    battle = a_field().battle
    assert [battle.partner_teams(team) for team in battle.all_teams] == [[3], [4], [1], [2]]
    assert [battle.enemy_teams(team) for team in battle.all_teams] == [
        [2, 4],
        [3, 1],
        [4, 2],
        [1, 3],
    ]
    alone = Field(4, **NUMBERS).battle
    assert [alone.partner_teams(team) for team in alone.all_teams] == [[]] * 4


@pytest.mark.parametrize("team", [WEST, EAST])
def test_8_9_a_partner_is_friendly_in_sight_and_no_more_is_shared(team: int) -> None:
    field = a_field(sight=25)
    own = field.put(WEST, DOMINO, 30, 30)
    field.put(EAST, DOMINO, 34, 30)
    field.put(NORTH, DOMINO, 30, 34)
    far = field.put(SOUTH, DOMINO, 50, 30)
    battle = field.ready()
    perception = perceive(battle, team)
    assert {perception.at(30 * 90 + x) for x in (30, 31, 34, 35)} == {"f"}
    assert perception.at(34 * 90 + 30) == "h"
    friends = {(30, 30), (31, 30), (34, 30), (35, 30)}
    turned = perception.world.turn_cell
    assert {turned(cell) for cell in perception.cells_around((45, 45), "f")} == friends
    # The other pair sees it the other way round, with letters in the rows, too.
    assert perceive(battle, NORTH).at(34 * 90 + 30) == "f"
    assert sum(row.count("f") for row in perceive(battle, NORTH).rows) >= 2
    seen = perceive(battle, team).rows
    assert sum(row.count("h") for row in seen) == 4
    assert own in battle.shapes
    assert far in battle.shapes


def test_8_9_what_a_partner_alone_sees_is_not_told() -> None:
    field = a_field(sight=10)
    field.put(WEST, DOMINO, 20, 45)
    field.put(EAST, DOMINO, 60, 45)
    field.put(SOUTH, DOMINO, 64, 45)
    assert perceive(field.ready(), EAST).at(45 * 90 + 64) == "h"
    west = perceive(field.ready(), WEST)
    assert (west.at(45 * 90 + 60), west.at(45 * 90 + 64)) == (".", ".")


def test_8_9_homes_of_the_pair_are_friendly() -> None:
    field, _ = make_field()
    rows = perceive(field.ready(), WEST).rows
    assert {rows[v][u] for u in range(82, 86) for v in range(43, 47)} == {"F"}
    assert {rows[v][u] for u in range(43, 47) for v in range(4, 8)} == {"H"}


def test_8_9_a_shape_in_a_process_of_its_own_is_told_the_same() -> None:
    field = a_field(isolated_shapes=True)
    own = field.put(WEST, DOMINO, 30, 30)
    field.put(EAST, DOMINO, 34, 30)
    view = lone_views(make_team_copy(field.ready(), WEST))(own)
    assert view.friendly == tuple(30 * 90 + x for x in (30, 31, 34, 35))


@pytest.mark.parametrize("friendly_fire", [True, False])
def test_8_9_a_partners_attack_kills_nobody_actively(friendly_fire: bool) -> None:
    field, _ = make_field(friendly_fire=friendly_fire)
    victim = field.put(EAST, DOMINO, 45, 45, hp=1)
    shooter = field.put(WEST, DOMINO, 42, 45)
    battle = field.ready()
    events = play(battle, {shooter: "attack forward"})
    dying = [ev.Dying(EAST, (victim,), ())] if friendly_fire else []
    assert only(events, ev.Dying, ev.Killed) == dying
    assert (battle.group_kills, battle.group_hp_taken) == ([0, 0], [0, 0])


def test_8_9_a_kill_to_which_both_partners_contributed_counts_once() -> None:
    field, _ = make_field()
    victim = field.put(NORTH, DOMINO, 45, 45, hp=3, facing=1)
    west = field.put(WEST, DOMINO, 42, 45)
    east = field.put(EAST, DOMINO, 49, 45)
    battle = field.ready()
    events = play(battle, {west: "attack forward", east: "attack forward"})
    assert only(events, ev.Damaged, ev.Dying, ev.Killed) == [
        ev.Damaged(NORTH, (victim,), (0,), ((WEST, EAST),)),
        ev.Dying(NORTH, (victim,), (victim,)),
        ev.Killed(WEST, (victim,)),
        ev.Killed(EAST, (victim,)),
    ]
    assert battle.hp_taken == [3, 0, 3, 0]
    assert (battle.group_kills, battle.group_hp_taken) == ([2, 0], [3, 0])


def test_8_9_the_flag_of_a_partner_cannot_be_captured() -> None:
    field, _ = make_field()
    west = field.put_in_frame(WEST, DOMINO, *AT_FLAG)
    north = field.put_in_frame(NORTH, DOMINO, *AT_FLAG)
    events = play(field.ready(), {west: "capture", north: "capture"})
    assert only(events, ev.CaptureOfBegan, ev.Nothing) == [
        ev.Nothing(WEST, ev.Reason.NO_CONTACT, (west,)),
        ev.Nothing(NORTH, ev.Reason.NO_CONTACT, (north,)),
    ]
    neighbors = ((WEST, NORTH), (EAST, SOUTH))
    field, _ = make_field(groups=neighbors)
    west = field.put_in_frame(WEST, DOMINO, *AT_FLAG)
    assert only(play(field.ready(), {west: "capture"}), ev.CaptureOfBegan) == [
        ev.CaptureOfBegan(WEST, EAST, (west,))
    ]


def battle_before_delivery(**numbers: Any) -> tuple[Battle, list[int]]:
    """A battle in which the west is about to bring home the flag of the north."""
    field, blocks = make_field(**numbers)
    bearer = field.put_in_frame(WEST, DOMINO, *AT_HOME)
    battle = field.ready()
    battle.bearers[NORTH - 1] = bearer
    return battle, blocks


def test_8_9_a_delivery_defeats_the_owner_and_its_partner_plays_on() -> None:
    battle, blocks = battle_before_delivery()
    play(battle)
    assert [battle.is_defeated(team) for team in battle.all_teams] == [False, True, False, False]
    assert battle.ending is None
    assert play(battle, {blocks[SOUTH - 1]: "suicide"})[-1] == MatchEnded(
        (2.0, 0.0, 2.0, 0.0), "one group is left"
    )


def test_8_9_the_pair_of_a_defeated_army_has_won_if_the_other_pair_is_out() -> None:
    field, blocks = make_field()
    battle = field.ready()
    play(battle, {blocks[WEST - 1]: "suicide"})
    ending = play(battle, {blocks[NORTH - 1]: "suicide", blocks[SOUTH - 1]: "suicide"})[-1]
    assert ending == MatchEnded((2.0, 0.0, 2.0, 0.0), "one group is left")


def test_8_9_if_nobody_is_left_what_the_pairs_took_decides() -> None:
    field, blocks = make_field()
    battle = field.ready()
    battle.group_hp_taken[1] = 1
    ending = play(battle, dict.fromkeys(blocks, "suicide"))[-1]
    assert ending == MatchEnded((0.0, 2.0, 0.0, 2.0), "no team is left")


@pytest.mark.parametrize(
    ("delivered", "kills", "hp_taken", "holds", "scores"),
    [
        ([0, 0, 0, 0], [3, 2], [0, 9], 0, (2.0, 0.0, 2.0, 0.0)),
        ([0, 0, 0, 0], [3, 3], [0, 9], 0, (0.0, 2.0, 0.0, 2.0)),
        ([0, 0, 0, 0], [3, 3], [9, 9], 0, (0.0, 0.0, 0.0, 0.0)),
        ([0, 0, 0, 0], [3, 0], [9, 0], SOUTH, (0.0, 2.0, 0.0, 2.0)),
        ([1, 0, 0, 0], [0, 3], [0, 9], SOUTH, (2.0, 0.0, 2.0, 0.0)),
        ([1, 1, 1, 2], [3, 0], [9, 0], 0, (0.0, 2.0, 0.0, 2.0)),
        ([0, 1, 1, 0], [3, 0], [9, 0], SOUTH, (0.0, 2.0, 0.0, 2.0)),
    ],
    ids=[
        *("kills", "hp taken", "equal", "a flag held"),
        *("a flag delivered", "sums of deliveries", "as many delivered, then a flag held"),
    ],
)
def test_8_9_after_the_last_turn_the_sums_of_the_pairs_are_compared(
    delivered: list[int],
    kills: list[int],
    hp_taken: list[int],
    holds: int,
    scores: tuple[float, ...],
) -> None:
    field, blocks = make_field(max_turns=5)
    battle = field.ready(turn=5)
    battle.delivered = delivered
    battle.group_kills, battle.group_hp_taken = kills, hp_taken
    if holds:
        battle.bearers[WEST - 1] = blocks[holds - 1]
    assert GAME.standing(battle).scores == scores
    assert play(battle)[-1] == MatchEnded(scores, "last turn")


@pytest.mark.parametrize(
    ("delivered_before", "scores"),
    [(1, (2.0, 0.0, 2.0, 0.0)), (0, (0.0, 2.0, 0.0, 2.0))],
    ids=["two flags to one", "one flag each"],
)
def test_9_15_a_flag_brought_home_decides_before_kills(
    delivered_before: int, scores: tuple[float, ...]
) -> None:
    battle, _ = battle_before_delivery(max_turns=1)
    battle.delivered = [0, 1, delivered_before, 0]
    battle.group_kills = [0, 9]
    assert play(battle)[-1] == MatchEnded(scores, "last turn")


def test_8_9_if_nobody_is_left_flags_held_at_the_defeat_come_first() -> None:
    # The east brings home the flags of both enemies while the north brings home the east's.
    field = a_field()
    for v, owner in ((43, NORTH), (45, SOUTH)):
        field.battle.bearers[owner - 1] = field.put_in_frame(EAST, DOMINO, 8, v)
    field.battle.bearers[EAST - 1] = field.put_in_frame(NORTH, DOMINO, *AT_HOME)
    field.put_in_frame(SOUTH, BLOCK, 10, 31)
    battle = field.ready()
    battle.defeats[WEST - 1] = Defeat(0, 0, 0, 0)
    battle.group_kills = [0, 9]
    assert play(battle)[-1] == MatchEnded((2.0, 0.0, 2.0, 0.0), "no team is left")


@pytest.mark.parametrize(
    ("delivered", "kills"),
    [([0, 0, 0, 0], [0, 4]), ([2, 0, 0, 0], [4, 5])],
    ids=["one pair", "both: 7.3 decides, without deliveries"],
)
def test_8_9_the_kill_target_is_the_pairs(delivered: list[int], kills: list[int]) -> None:
    field, _ = make_field(kill_target=4)
    battle = field.ready()
    battle.delivered, battle.group_kills = delivered, kills
    assert play(battle)[-1] == MatchEnded((0.0, 2.0, 0.0, 2.0), "enough kills")


def test_8_9_a_designer_is_told_who_its_partner_is_and_has_the_zone_of_four() -> None:
    received = list[object]()

    class Player(BasePlayer):
        def design(self) -> None:
            received.append((len(self.partners), len(self.enemies), self.zone_rows))
            received.append(self.partners[0].home.u > 80)

    battle = a_field().battle
    ArmyHost(Player, battle, WEST, Limits()).decide(0, None)
    assert received == [(1, 2, range(30, 60)), True]


@pytest.mark.parametrize(
    ("groups", "teams", "why"),
    [
        ([[1, 3]], 4, "expected two pairs"),
        ([[1, 2, 3], [4]], 4, "expected two pairs"),
        ([[1, 3], [2, 3]], 4, "expected each of the teams 1 to 4 once"),
        ([[1, 3], [2, 5]], 4, "expected each of the teams 1 to 4 once"),
        ([[1, 3], [2, 4]], 2, "[[1, 3], [2, 4]]: pairs need four teams"),
    ],
)
def test_8_9_groups_that_are_no_pairs_are_refused(groups: Any, teams: int, why: str) -> None:
    try:
        settings = apply_changes(Settings(**NUMBERS), {"groups": groups}, source="here")
        message = GAME.why_not_played(settings, teams) or ""
    except Exception as error:  # noqa: BLE001 - its words are what is tested
        message = str(error)
    assert why in message


def test_8_9_groups_are_kept_with_the_match() -> None:
    battle = a_field().battle
    again = msgspec.json.decode(msgspec.json.encode(battle), type=Battle)
    assert again.groups == battle.groups
    assert observed_event(battle, ev.Killed(WEST, (1,)), EAST) is None
