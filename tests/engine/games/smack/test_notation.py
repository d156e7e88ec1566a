"""Moves and positions as text, and the reasons given."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.smack.notation import (
    BadNotation,
    move_text,
    parse_move,
    parse_position,
    position_text,
    why_illegal,
)
from engine.games.smack.position import START, Move, Side
from engine.games.smack.squares import SQUARE_OF, SQUARES
from tests.cases import for_each
from tests.engine.games.smack.test_position import a_drawn_position, a_position

START_TEXT = "nn1nn/n5n/n7n/n9n/n11n/n13n/n5BBB5n/6B#B6/n5BBB5n/n13n/n11n/n9n/n7n/n5n/nn1nn n"


def test_the_start_as_text() -> None:
    assert position_text(START) == START_TEXT
    assert parse_position(START_TEXT) == START


@given(st.integers(0, 2**32))
def test_positions_and_moves_survive_being_written(seed: int) -> None:
    dice = Random(seed)
    position = a_drawn_position(dice, 30, 10, dice.choice([*Side]))
    assert parse_position(position_text(position)) == position
    for move in position.moves():
        assert parse_move(position, str(move)) == move
        assert parse_move(position, move_text(position, move)) == move


@given(st.integers(0, 2**32))
def test_a_move_is_illegal_for_a_reason_exactly_if_it_is_not_legal(seed: int) -> None:
    dice = Random(seed)
    position = a_drawn_position(dice, 40, 20, dice.choice([*Side]))
    legal = set(position.moves())
    for _ in range(300):
        move = Move(dice.choice(SQUARES), dice.choice(SQUARES))
        assert (why_illegal(position, move) is None) == (move in legal), str(move)


@for_each(
    "nerds, bullies, side, move, reason",
    [
        ("C12 D12", "H12", "n", "D12-H12", "the line behind D12 is 2 long, the bully is 4 away"),
        ("D12 E12", "H12", "n", "E12-H12", "the line behind E12 is 2 long, the bully is 3 away"),
        ("E12", "H12", "n", "F12-G12", "there is no piece on F12"),
        ("E12", "H12", "n", "H12-H13", "the piece on H12 is not one of the nerds"),
        ("E12", "H12", "B", "E12-F12", "the piece on E12 is not one of the bullies"),
        ("H12", "A8", "n", "H12-H8", "H8 is the dead space"),
        ("H12 H10", "A8", "n", "H12-H10", "one of the nerds stands on H10"),
        ("H12", "A8", "n", "H12-J9", "J9 is not in a straight line from H12"),
        ("H12", "A8", "n", "H12-H12", "one of the nerds stands on H12"),
        ("H12", "H10", "n", "H12-H9", "H10 is in the way"),
        ("H12", "A8", "n", "H12-H6", "H8 is in the way"),
        ("H12", "H10", "B", "H10-H13", "H12 is in the way"),
        ("H12", "H11", "B", "H11-H12", "a nerd stands on H12; bullies take those beside them"),
        ("H14", "H10", "B", "H10-H12", "the line behind H10 is 1 long, H12 2 away"),
        ("A6", "H9 H10", "B", "H10-H12", "no nerd is beside H12, so it is one step only"),
    ],
)
def test_why_a_move_is_illegal(nerds: str, bullies: str, side: str, move: str, reason: str) -> None:
    position = a_position(nerds, bullies, Side.NERDS if side == "n" else Side.BULLIES)
    source, target = move.split("-")
    assert why_illegal(position, Move(SQUARE_OF[source], SQUARE_OF[target])) == reason


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not a move; expected one such as F1-G2"),
        ("F1G2", "is not a move"),
        ("f1-g2", "is not a move"),
        ("I1-G2", "there is no square I1"),
        ("A1-G2", "there is no square A1"),
        ("F1-G16", "there is no square G16"),
        ("F1-F2xE7", "wrong captures; expected F1-F2"),
    ],
)
def test_text_that_is_not_a_move(text: str, problem: str) -> None:
    with pytest.raises(BadNotation, match=problem):
        parse_move(START, text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must end in ' n' or ' B'"),
        ("nn1nn n", "has 1 rows, not 15"),
        (START_TEXT.replace("n5n", "n6n", 1), "rank 14, 'n6n': 8 squares, not 7"),
        (START_TEXT.replace("n5n", "n4n", 1), "rank 14, 'n4n': 6 squares, not 7"),
        (START_TEXT.replace("n5n", "n5x", 1), "rank 14, 'n5x': 'x' is neither n, B nor #"),
        (START_TEXT.replace("#", "n"), "the dead space # is on H8 alone"),
        (START_TEXT.replace("nn1nn", "n#1nn", 1), "the dead space # is on H8 alone"),
        (START_TEXT.replace("n5n", "9" * 5_000, 1), "rank 14"),
    ],
    ids=["empty", "one row", "long", "short", "letter", "no dead space", "two", "huge number"],
)
def test_text_that_is_not_a_position(text: str, problem: str) -> None:
    with pytest.raises(BadNotation, match=problem):
        parse_position(text)
