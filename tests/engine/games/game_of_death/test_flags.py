"""Capturing, holding, losing and delivering flags (rules 6C, 7.1)."""

import pytest

from engine.game import MatchEnded
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.state import Battle
from tests.cases import for_each
from tests.engine.games.game_of_death.battles import BAR, DOMINO, UPRIGHT, Field, only, play

# Team 2's home covers x 286..289, y 98..101, team 1's x 10..13.
BESIDE = (284, 98)


def at_the_flag(**more: int) -> tuple[Field, int]:
    field = Field()
    return field, field.put(1, DOMINO, *BESIDE, **more)


def ready(field: Field, turn: int = 1) -> Battle:
    field.put(2, DOMINO, 150, 20)
    return field.ready(turn=turn)


@for_each(
    "drawing, x, y, has_contact",
    [
        (DOMINO, 284, 98, True),
        (DOMINO, 284, 101, True),
        (DOMINO, 283, 98, False),
        (DOMINO, 284, 97, False),  # a corner only
        (DOMINO, 285, 97, True),
        (DOMINO, 290, 101, True),
        (UPRIGHT, 286, 102, True),
        (UPRIGHT, 290, 97, True),
        (UPRIGHT, 290, 102, False),
        (".#/##", 284, 97, True),
        ("##/#.", 285, 102, True),
        ("#./##", 284, 96, False),
    ],
)
def test_6_12_contact_is_an_edge_in_common(drawing: str, x: int, y: int, has_contact: bool) -> None:
    field = Field()
    shape = field.put(1, drawing, x, y)
    battle = ready(field)
    assert battle.is_beside_home(battle.shapes[shape], 2) is has_contact
    assert not battle.is_beside_home(battle.shapes[shape], 1)


@pytest.mark.parametrize(
    "orders",
    [
        pytest.param(["capture", "continue", "continue"], id="9.11"),
        pytest.param(["capture", "capture", "capture"], id="6.13 repeated"),
    ],
)
def test_a_capture_takes_three_turns(orders: list[str]) -> None:
    field, domino = at_the_flag()
    battle = ready(field, turn=10)
    for turn, order in enumerate(orders, 10):
        assert battle.turn == turn
        assert battle.bearers == [0, 0]
        play(battle, {domino: order})
    assert battle.bearers == [0, domino]
    assert battle.shapes[domino].capturing_since == 0


@pytest.mark.parametrize("other", ["rest", "attack forward", "move left", "turn cw", "suicide"])
def test_6_13_any_other_major_action_ends_it(other: str) -> None:
    field, domino = at_the_flag()
    battle = ready(field)
    play(battle, {domino: "capture"})
    play(battle, {domino: other})
    assert battle.shapes[domino].capturing_since == 0
    play(battle)
    assert battle.bearers == [0, 0]


def test_6_13_contact_is_looked_at_after_movement() -> None:
    field = Field()
    domino = field.put(1, DOMINO, 283, 98)
    battle = ready(field)
    assert only(play(battle, {domino: "capture"}), ev.Nothing) == [
        ev.Nothing(1, ev.Reason.NO_CONTACT, (domino,))
    ]
    play(battle, {domino: "move forward"})
    assert only(play(battle, {domino: "capture"}), ev.CaptureBegan) == [
        ev.CaptureBegan(1, (domino,))
    ]


def test_9_11_who_is_killed_in_the_last_turn_never_holds_it() -> None:
    field, domino = at_the_flag(hp=1)
    shooter = field.put(2, BAR, 270, 98, facing=0)
    battle = field.ready(turn=10)
    play(battle, {domino: "capture"})
    play(battle)
    events = play(battle, {shooter: "attack forward"})
    assert only(events, ev.Dying, ev.FlagTaken) == [ev.Dying(1, (domino,), (domino,))]
    assert battle.bearers == [0, 0]


def test_6_13_being_hit_does_not_interrupt() -> None:
    field, domino = at_the_flag()
    shooter = field.put(2, DOMINO, 281, 98, facing=0)
    battle = field.ready(turn=10)
    play(battle, {domino: "capture", shooter: "attack forward"})
    assert (battle.shapes[domino].hp, battle.shapes[domino].calm_from) == (3, 10)
    play(battle)
    play(battle)
    assert battle.bearers == [0, domino]


def test_6_13_who_began_first_takes_it_then_who_was_placed_first() -> None:
    field = Field()
    late, early, also = (field.put(1, DOMINO, 284, y) for y in (98, 99, 100))
    battle = ready(field)
    play(battle, {early: "capture", also: "capture"})
    play(battle, {late: "capture"})
    events = play(battle)
    assert only(events, ev.FlagTaken, ev.CaptureStopped) == [
        ev.FlagTaken(1, early),
        ev.CaptureStopped(1, (late, also)),
    ]


def test_6_13_while_the_flag_is_away_nothing_counts() -> None:
    field, domino = at_the_flag()
    bearer = field.put(1, DOMINO, 200, 50)
    battle = ready(field)
    battle.bearers[1] = bearer
    for _ in range(4):
        events = play(battle, {domino: "capture"})
        assert only(events, ev.Nothing) == [ev.Nothing(1, ev.Reason.NO_FLAG, (domino,))]
    play(battle, {bearer: "suicide", domino: "capture"})
    assert battle.bearers == [0, 0]
    play(battle)
    play(battle)
    assert battle.bearers == [0, domino]


def test_6_14_a_bearer_beside_its_own_home_wins() -> None:
    field = Field()
    bearer, friend = field.put(1, DOMINO, 15, 98), field.put(1, DOMINO, 40, 40)
    battle = ready(field)
    battle.bearers[1] = bearer
    events = play(battle, {bearer: "move backward"})
    assert only(events, ev.Delivered, MatchEnded) == [
        ev.Delivered(1, bearer),
        MatchEnded((4.0, 0.0), "flag brought home"),
    ]
    assert battle.turn == 1
    assert friend in battle.shapes


def test_6_14_its_own_flag_need_not_be_at_home() -> None:
    field = Field()
    bearer = field.put(1, DOMINO, 14, 98)
    thief = field.put(2, DOMINO, 100, 98)
    battle = field.ready()
    battle.bearers[:] = [thief, bearer]
    play(battle)
    assert battle.ending is not None
    assert battle.ending.scores == (2.0, 0.0)


def test_7_1_if_both_deliver_in_a_turn_kills_decide() -> None:
    field = Field()
    first, second = field.put(1, DOMINO, 14, 98), field.put(2, DOMINO, 284, 98)
    field.put(1, DOMINO, 60, 60)
    battle = field.ready()
    battle.bearers[:], battle.killed[1][0] = [second, first], 1
    play(battle)
    assert battle.ending == MatchEnded((4.0, 0.0), "flag brought home: more cells killed")


@pytest.mark.parametrize("how", ["killed", "suicide"])
def test_6_15_a_dying_bearer_loses_the_flag_at_once(how: str) -> None:
    field = Field()
    bearer = field.put(1, DOMINO, 100, 98, hp=1)
    field.put(1, DOMINO, 40, 40)
    shooter = field.put(2, BAR, 105, 98)
    battle = field.ready()
    battle.bearers[1] = bearer
    orders = {shooter: "attack forward"} if how == "killed" else {bearer: "suicide"}
    events = play(battle, orders)
    assert only(events, ev.FlagReturned) == [ev.FlagReturned(2)]
    assert battle.bearers == [0, 0]


def test_6_13_a_dying_shape_captures_nothing() -> None:
    field, domino = at_the_flag(dying_since=1, hp=0)
    field.put(1, DOMINO, 40, 40)
    battle = ready(field, turn=2)
    assert only(play(battle, {domino: "capture"}), ev.Nothing) == [
        ev.Nothing(1, ev.Reason.DYING, (domino,))
    ]
