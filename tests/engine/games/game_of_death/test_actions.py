"""Commands, pending moves, the gap between attacks, and answers that are none (rules 5)."""

from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import Refusal
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.orders import COMMANDS, Action, Command, parse_action
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle
from tests.cases import for_each
from tests.engine.games.game_of_death.battles import BLOCK, DOMINO, Field, only, play, says

MOVES = ["move forward", "move right", "move backward", "move left", "turn cw", "turn ccw"]


def a_block() -> tuple[Battle, int]:
    """Return a block, and an enemy far away so that the match goes on."""
    field = Field()
    block = field.put(1, BLOCK, 40, 40)
    field.put(2, DOMINO, 250, 150)
    return field.ready(), block


def moves_in(battle: Battle, block: int, *orders: str) -> int | None:
    """Return the turn in which the block moves, given these orders one after the other."""
    for turn in range(1, 12):
        play(battle, {block: orders[turn - 1] if turn <= len(orders) else "continue"})
        if (battle.shapes[block].x, battle.shapes[block].y) != (40, 40):
            return turn
    return None


def test_5_2_the_major_actions_are_these() -> None:
    attacks = [f"attack {side}" for side in ("forward", "right", "backward", "left")]
    others = ["continue", "rest", "capture", "suicide"]
    assert set(COMMANDS) == {*MOVES, *attacks, *others}


def test_5_1_a_broadcast_is_free_besides_a_major_action() -> None:
    battle, block = a_block()
    events = play(battle, {block: says("hi", do="attack forward")})
    assert only(events, ev.Spoke, ev.Attacked) == [
        ev.Spoke((block,), ("hi",)),
        ev.Attacked(1, 0, (block,)),
    ]


def test_5_2_no_answer_is_to_continue() -> None:
    assert parse_action(None, Settings()) is Command.CONTINUE


@pytest.mark.parametrize(
    ("orders", "turn"),
    [
        pytest.param(["move forward"], 3, id="9.6 and nothing more"),
        pytest.param(["move forward"] * 3, 3, id="5.3 the same call goes on"),
        pytest.param(["move forward", "attack left"], 3, id="9.6 attack"),
        pytest.param(["move forward", "rest"], None, id="9.6 rest"),
        pytest.param(["move forward", "capture"], None, id="5.3 capture"),
        pytest.param(["move forward", "suicide"], None, id="5.3 suicide"),
        pytest.param(["move forward", "move left"], 4, id="9.6 another move"),
        pytest.param(["turn cw", "move left"], 4, id="5.3 a move for a turn"),
        pytest.param(["move forward", "turn cw", "move forward"], 5, id="5.3 and back"),
    ],
)
def test_a_pending_move_takes_its_time(orders: list[str], turn: int | None) -> None:
    assert moves_in(*a_block(), *orders) == turn


def test_5_3_with_speed_1_it_moves_at_once() -> None:
    field = Field()
    domino = field.put(1, DOMINO, 40, 40)
    field.put(2, DOMINO, 250, 150)
    battle = field.ready()
    events = play(battle, {domino: "move forward"})
    assert only(events, ev.Planned, ev.Moved) == [
        ev.Planned(1, Command.MOVE_FORWARD, (domino,)),
        ev.Moved(1, 1, 0, (domino,)),
    ]
    assert battle.shapes[domino].pending is None


def test_5_3_a_repeated_call_says_nothing_new() -> None:
    battle, block = a_block()
    play(battle, {block: "move forward"})
    assert only(play(battle, {block: "move forward"}), ev.Planned) == []
    assert battle.shapes[block].pending_since == 1


@pytest.mark.parametrize(
    ("gap", "allowed"),
    [pytest.param(1, {5, 7, 9}, id="9.7"), pytest.param(0, {5, 6, 7, 8, 9}, id="5.4 no gap")],
)
def test_5_4_between_attacks_turns_must_pass(gap: int, allowed: set[int]) -> None:
    field = Field(attack_gap=gap)
    domino = field.put(1, DOMINO, 40, 40)
    field.put(2, DOMINO, 250, 150)
    battle = field.ready(turn=5)
    attacked = set()
    for turn in range(5, 10):
        events = play(battle, {domino: "attack forward"})
        if only(events, ev.Attacked):
            attacked.add(turn)
        else:
            assert only(events, ev.Nothing) == [ev.Nothing(1, ev.Reason.TOO_SOON, (domino,))]
    assert attacked == allowed


def test_5_4_a_shape_may_attack_in_the_first_turn() -> None:
    battle, block = a_block()
    assert only(play(battle, {block: "attack forward"}), ev.Attacked) == [
        ev.Attacked(1, 0, (block,))
    ]


def test_5_4_an_attack_refused_lets_a_capture_go_on() -> None:
    field = Field(attack_gap=5)
    domino = field.put(1, DOMINO, 284, 98, attacked=3)
    field.put(2, DOMINO, 250, 150)
    battle = field.ready(turn=4)
    play(battle, {domino: "capture"})
    play(battle, {domino: "attack forward"})
    assert battle.shapes[domino].capturing_since == 4


def test_5_10_a_shape_whose_code_failed_does_nothing_new() -> None:
    battle, block = a_block()
    play(battle, {block: "move forward"})
    play(battle)
    events = play(battle, {block: Fault(Cause.EXCEPTION, "words")})
    assert only(events, ev.TurnsLost, ev.Moved) == [
        ev.TurnsLost(1, (block,), ("exception",)),
        ev.Moved(1, 1, 0, (block,)),
    ]


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("rest", Command.REST),
        (["rest", []], Command.REST),
        (["continue", ["hi"]], Action(Command.CONTINUE, ("hi",))),
        (["attack left", ["x" * 32]], Action(Command.ATTACK_LEFT, ("x" * 32,))),
    ],
)
def test_5_2_answers(answer: Any, action: Command | Action) -> None:
    assert parse_action(answer, Settings()) == action


@for_each(
    "answer, reason",
    [
        ("fly", "'fly' is not a valid action; expected one of continue, rest, move forward"),
        ("move up", "'move up' is not a valid action; expected one of "),
        ("move", "'move' is not a valid action; expected one of "),
        (7, "7 is not a valid action; expected one of "),
        ([], "[] is not a valid action; expected one of "),
        ([["rest"], []], "['rest'] is not a valid action; expected one of "),
        (["rest", "hi"], "broadcasts must be a list of texts, not 'hi'"),
        (["rest", ""], "broadcasts must be a list of texts, not ''"),
        (["rest", {"a": 1}], "broadcasts must be a list of texts, not {'a': 1}"),
        (["rest", ["a", "b"]], "2 broadcasts in a turn; 1 are allowed"),
        (["rest", [7]], "a message must be a text, not 7"),
        (["rest", [None]], "a message must be a text, not None"),
        (["rest", ["x" * 33]], "a message of 33 characters; 32 are allowed"),
        (["rest", ["a\nb"]], "a message must be printable in one line, not 'a\\nb'"),
        (["rest", ["\x1b[2J"]], "a message must be printable in one line, not '\\x1b[2J'"),
    ],
)
def test_5_2_5_5_what_is_no_act_is_refused_with_the_reason(answer: Any, reason: str) -> None:
    refusal = parse_action(answer, Settings())
    assert isinstance(refusal, Refusal)
    assert refusal.reason.startswith(reason)
    assert len(refusal.reason) < 300


def test_5_5_more_broadcasts_where_the_settings_allow_it() -> None:
    settings = Settings(broadcasts_per_turn=2)
    assert parse_action(["rest", ["a", "b"]], settings) == Action(Command.REST, ("a", "b"))


def test_5_5_a_team_says_no_more_bytes_than_allowed_in_the_order_of_placement() -> None:
    field = Field(team_message_bytes_per_turn=6)
    own = [field.put(1, DOMINO, 40, row) for row in (0, 2, 4, 6)]
    enemy = field.put(2, DOMINO, 250, 150)
    battle = field.ready()
    words = dict(zip(own, ["äb", "abcd", "ab", "c"], strict=True))  # 3, 4, 2 and 1 bytes
    events = play(
        battle, {**{one: says(text) for one, text in words.items()}, enemy: says("abcdef")}
    )
    assert only(events, ev.Spoke, ev.Nothing) == [
        ev.Spoke((own[0], enemy, own[2], own[3]), ("äb", "abcdef", "ab", "c")),
        ev.Nothing(1, ev.Reason.TOO_MANY_BYTES, (own[1],)),
    ]
