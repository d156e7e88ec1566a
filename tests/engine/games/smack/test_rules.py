"""Halves, their ends, points and the match."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import Ask, MatchEnded, Refusal, Stage
from engine.games.smack import rules
from engine.games.smack.events import HalfBegan, HalfEnded, Moved
from engine.games.smack.game import Smack
from engine.games.smack.notation import position_text
from engine.games.smack.orders import Order, parse
from engine.games.smack.position import START, Position, Side
from engine.games.smack.settings import Settings
from engine.games.smack.state import Boards
from engine.streams import Streams
from tests.engine.games.smack.test_position import a_position

GAME = Smack()


def boards_at(*positions: Position, **settings: Any) -> Boards:
    """Return boards set up so; one position stands for both."""
    boards = GAME.new(Settings(**settings), 2)
    for number, position in zip((1, 2), positions * 2, strict=False):
        boards.apply(HalfBegan(number, position_text(position)))
    boards.apply(Stage(1, "round"))
    return boards


def play(boards: Boards, *orders: Order | Fault | str) -> list[Any]:
    asked: Sequence[Order | Fault] = [Order(o) if isinstance(o, str) else o for o in orders]
    events = []
    for event in GAME.play(boards, asked, Streams(1)):
        boards.apply(event)
        events.append(event)
    return events


def find_ended(events: list[Any]) -> list[HalfEnded]:
    return [event for event in events if isinstance(event, HalfEnded)]


def test_3_1_and_7_4_both_teams_move_nerds_first_on_different_boards() -> None:
    boards = boards_at(START)
    assert [(ask.team, ask.piece_id) for ask in GAME.asks(boards)] == [(1, 1), (2, 2)]
    play(boards, "A6-B6", "A7-B7")
    assert [(ask.team, ask.piece_id) for ask in GAME.asks(boards)] == [(2, 1), (1, 2)]
    assert [half.position.side for half in boards.halves] == [Side.BULLIES] * 2


def test_5_2_and_7_1_captures_bring_points_to_who_moves() -> None:
    boards = boards_at(a_position("G12 H14 A6", "G8 G9 G10", Side.BULLIES))
    events = play(boards, "G10-G11", "G9-F9")
    assert events[0].points == 1
    assert boards.halves[0].points == (0, 1)
    assert boards.halves[1].points == (0, 0)
    boards = boards_at(a_position("F6 A6", "G7 J9"))
    play(boards, "F6-G7", "F6-G7")
    assert [half.points for half in boards.halves] == [(4, 0), (0, 4)]
    assert boards.scores == (4.0, 4.0)


def test_6_1_a_half_ends_when_two_moves_in_a_row_want_it() -> None:
    boards = boards_at(START)
    assert not find_ended(play(boards, Order("A6-B6", end=True), "A6-B6"))
    events = play(boards, Order("H9-H10", end=True), Order("H9-H10", end=True))
    assert find_ended(events) == [HalfEnded(1, rules.AGREEMENT, (0, 0))]
    assert [(ask.team, ask.piece_id) for ask in GAME.asks(boards)] == [(2, 2)]


def test_6_1_an_offer_lasts_for_one_move() -> None:
    boards = boards_at(START)
    play(boards, Order("A6-B6", end=True), "A6-B6")
    play(boards, "H9-H10", "H9-H10")
    assert not find_ended(play(boards, Order("B6-C6", end=True), "B6-C6"))


def test_6_2_a_half_ends_without_pieces_of_a_side() -> None:
    boards = boards_at(a_position("F6", "G7"))
    events = play(boards, "F6-G7", "F6-G7")
    assert [end.reason for end in find_ended(events)] == [rules.NO_PIECES] * 2
    assert events[-1] == MatchEnded((4.0, 4.0), rules.BOTH_OVER)


def test_6_3_a_half_ends_when_the_side_to_move_cannot() -> None:
    # The bully on A8 is shut in; the nerds' last move closes A9's neighbors.
    shut = a_position("A7 B7 B8 B9 A10", "A8")
    boards = boards_at(shut)
    events = play(boards, "A10-A9", "A10-A9")
    assert [end.reason for end in find_ended(events)] == [rules.NO_MOVES] * 2


def test_6_4_a_half_ends_after_too_many_quiet_plies() -> None:
    boards = boards_at(START, no_capture_limit=2, opening_plies=0)
    assert not find_ended(play(boards, "A6-B6", "A6-B6"))
    assert [end.reason for end in find_ended(play(boards, "H9-H10", "H9-H10"))] == [
        rules.NO_CAPTURES
    ] * 2


def test_6_4_after_a_capture_quiet_plies_are_counted_anew() -> None:
    boards = boards_at(a_position("F6 A6", "G7 J9"), no_capture_limit=3)
    for move in ("A6-B6", "J9-J10", "F6-G7", "J10-J9"):
        assert not find_ended(play(boards, move, move))
    assert [half.quiet for half in boards.halves] == [1, 1]


def test_6_5_a_half_ends_when_a_position_comes_up_for_the_third_time() -> None:
    boards = boards_at(START)
    there_and_back = ["A6-B6", "H9-H10", "B6-A6", "H10-H9"]
    plies = there_and_back * 2
    ends = [find_ended(play(boards, move, move)) for move in plies]
    assert [bool(end) for end in ends] == [False] * 7 + [True]
    assert ends[-1][0].reason == rules.REPETITION


def test_6_6_a_half_ends_at_the_ply_limit() -> None:
    boards = boards_at(START, ply_limit=1)
    assert [end.reason for end in find_ended(play(boards, "A6-B6", "A6-B6"))] == [
        rules.PLY_LIMIT
    ] * 2


def test_7_4_one_board_goes_on_when_the_other_is_over() -> None:
    boards = boards_at(START)
    play(boards, Fault(Cause.TIMEOUT, ""), "A6-B6")
    assert [(ask.team, ask.piece_id) for ask in GAME.asks(boards)] == [(1, 2)]
    events = play(boards, "H9-H10")
    assert [event.half for event in events if isinstance(event, Moved)] == [2]


@pytest.mark.parametrize(("offender", "points"), [(1, (0, 32)), (2, (32, 0))])
def test_7_5_a_fault_forfeits_the_half(offender: int, points: tuple[int, int]) -> None:
    boards = boards_at(a_position("F6 A6", "G7 J9"))
    orders: list[Order | Fault] = [Order("A6-A7"), Order("A6-A7")]
    orders[offender - 1] = Fault(Cause.EXCEPTION, "it broke")
    events = play(boards, *orders)
    assert find_ended(events) == [HalfEnded(offender, "forfeit: exception", points)]


def test_7_5_points_won_before_a_forfeit_are_gone() -> None:
    boards = boards_at(a_position("F6 A6 K9", "G7 J9"))
    play(boards, "F6-G7", "F6-G7")
    play(boards, "J9-J10", "J9-J10")
    play(boards, Fault(Cause.TIMEOUT, ""), "A6-A7")
    assert boards.halves[0].points == (0, 32)


def test_7_6_the_drawn_opening_is_the_same_on_both_boards_and_captures_nothing() -> None:
    boards = GAME.new(Settings(opening_plies=4), 2)
    events = []
    for event in GAME.start(boards, Streams(7)):
        boards.apply(event)
        events.append(event)
    moves = [event for event in events if isinstance(event, Moved)]
    assert len(moves) == 8
    assert not any(move.captured for move in moves)
    assert boards.halves[0].text == boards.halves[1].text != position_text(START)
    assert [half.ply for half in boards.halves] == [4, 4]
    assert events[-1] == Stage(1, "round")


def test_7_6_other_seeds_draw_other_openings() -> None:
    texts = set()
    for seed in range(20):
        boards = GAME.new(Settings(opening_plies=4), 2)
        for event in GAME.start(boards, Streams(seed)):
            boards.apply(event)
        texts.add(boards.halves[0].text)
    assert len(texts) > 15


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "a move must be a string such as 'F1-G2', not None"),
        (7, "a move must be a string"),
        ("F1-Z9", "there is no square Z9"),
        ({"end": True}, "an answer has a 'move' and may have an 'end'"),
        ({"move": "A6-B6", "end": 1}, "'end' must be true or false, not 1"),
        ({"move": "A6-B6", "stop": True}, "an answer has a 'move'"),
        ({"move": ["A6", "B6"]}, "a move must be a string"),
    ],
    ids=["nothing", "number", "square", "no move", "end", "other key", "list"],
)
def test_an_invalid_answer_is_refused_with_its_reason(answer: Any, reason: str) -> None:
    refusal = parse(START, answer)
    assert isinstance(refusal, Refusal)
    assert reason in refusal.reason


def test_orders_are_read() -> None:
    assert parse(START, "A6-B6") == Order("A6-B6")
    assert parse(START, {"move": "A6-B6", "end": True}) == Order("A6-B6", end=True)


def test_settings_that_leave_no_match_are_refused() -> None:
    with pytest.raises(ValueError, match="opening_plies = 5 would end the half"):
        Settings(opening_plies=5, ply_limit=5)


def test_6_1_legal_orders_are_the_moves_without_and_with_an_offer() -> None:
    boards = boards_at(a_position("F6", "G7"))
    orders = GAME.legal_orders(boards, Ask(1, 1))
    moves = [str(move) for move in boards.halves[0].position.moves()]
    assert [order.move for order in orders] == moves * 2
    assert [order.end for order in orders] == [False] * 39 + [True] * 39  # rules 9.3: H5
