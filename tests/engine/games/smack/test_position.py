"""Moves, against the tables of rules 9 and a generator that goes square by square."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.audits.perft import perft
from benchmarks.moves import square_by_square
from engine.games.smack.notation import move_text
from engine.games.smack.player import at
from engine.games.smack.position import START, Move, Position, Side, parse_squares
from engine.games.smack.squares import (
    BESIDE,
    DEAD_SPACE,
    PLAYABLE,
    SQUARE_OF,
    SQUARES,
    column_of,
    make_bitboard,
    row_of,
    square_name,
    squares_in,
)

# Rules 9.3: nerds, bullies, to move, legal moves, capturing moves.
SMALL = {
    "H1": ("C12 D12 E12", "H12", Side.NERDS, 72, "E12-H12xH12"),
    "H2": ("C12 D12 E12", "J12", Side.NERDS, 72, ""),
    "H3": ("C12 D12 E12 G12", "H12", Side.NERDS, 104, "G12-H12xH12"),
    "H4": ("D4 E5 F6", "J9", Side.NERDS, 95, ""),
    "H5": ("F6", "G7", Side.NERDS, 39, "F6-G7xG7"),
    "S1": ("H14", "G8 G9 G10", Side.BULLIES, 19, "G10-G13xH14"),
    "S2": ("A6", "G8 G9 G10", Side.BULLIES, 18, ""),
    "S3": ("G12 H14", "G8 G9 G10", Side.BULLIES, 18, "G10-F11xG12 G10-G11xG12 G10-H11xG12"),
    "W1": ("F6 F7 F8 G8 H4", "E6", Side.BULLIES, 6, "E6-E7xF8,F7,F6 E6-E5xF6 E6-F5xF6"),
}


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.array])
def test_a_move_of_numbers_of_numpy_is_the_move(number: Any) -> None:
    move = START.moves()[-1]
    same = Move(number(move.source), number(move.target))
    assert (same, [type(square) for square in same]) == (move, [int, int])
    assert START.after(same) == START.after(move)
    assert at(number(move.target)) == at(move.target)


def a_position(nerds: str, bullies: str, side: Side = Side.NERDS) -> Position:
    return Position(parse_squares(nerds), parse_squares(bullies), side)


def a_drawn_position(dice: Random, nerds: int, bullies: int, side: Side) -> Position:
    """Draw a position with so many of each piece, anywhere."""
    squares = dice.sample(list(squares_in(PLAYABLE)), nerds + bullies)
    return Position(make_bitboard(squares[:nerds]), make_bitboard(squares[nerds:]), side)


def test_1_1_and_1_2_there_are_165_squares_and_164_for_pieces() -> None:
    assert len(SQUARES) == len(SQUARE_OF) == 165
    assert PLAYABLE.bit_count() == 164
    assert square_name(DEAD_SPACE) == "H8"


def test_1_4_and_1_5_names_and_rows() -> None:
    assert square_name(SQUARES[0]) == "F15"
    assert (column_of(SQUARE_OF["A6"]), row_of(SQUARE_OF["A6"])) == (0, 9)
    rows = Counter(row_of(square) for square in SQUARES)
    assert [rows[y] for y in range(15)] == [5, 7, 9, 11, 13, 15, 15, 15, 15, 15, 13, 11, 9, 7, 5]


def test_2_1_the_perimeter_is_full_but_in_line_with_the_dead_space() -> None:
    perimeter = {
        square
        for square in SQUARES
        if {column_of(square), row_of(square)} & {0, 14}
        or column_of(square) + row_of(square) in (5, 23)
        or abs(column_of(square) - row_of(square)) == 9
    }
    gaps = {SQUARE_OF[name] for name in ("A8", "P8", "H1", "H15")}
    assert set(squares_in(START.nerds)) == perimeter - gaps
    assert START.bullies == BESIDE[DEAD_SPACE]
    assert (START.nerds.bit_count(), START.bullies.bit_count()) == (32, 8)


@pytest.mark.parametrize(("depth", "nodes"), [(1, 656), (2, 21_736), (3, 13_584_144)])
def test_8_1_perft(depth: int, nodes: int) -> None:
    assert perft(START, depth) == nodes


@pytest.mark.parametrize(
    ("names", "count"),
    [
        ("A6 F1 K1 P6 A10 F15 K15 P10", 21),
        ("A7 A9 G1 G15 J1 J15 P7 P9", 18),
        ("B5 B11 E2 E14 L2 L14 O5 O11", 24),
        ("C4 C12 D3 D13 M3 M13 N4 N12", 19),
    ],
)
def test_8_2_opening_moves_of_each_nerd(names: str, count: int) -> None:
    moves = Counter(square_name(move.source) for move in START.moves())
    assert [moves[name] for name in names.split()] == [count] * 8


def test_8_2_the_bullies_have_32_steps_and_no_shove() -> None:
    position = Position(START.nerds, START.bullies, Side.BULLIES)
    assert position.count_moves() == len(position.moves()) == 32
    assert all(move.target in squares_in(BESIDE[move.source]) for move in position.moves())


@pytest.mark.parametrize("name", list(SMALL))
def test_8_3_small_positions(name: str) -> None:
    nerds, bullies, side, count, captures = SMALL[name]
    position = a_position(nerds, bullies, side)
    moves = position.moves()
    assert len(moves) == len(set(moves)) == position.count_moves() == count
    capturing = [move for move in moves if position.captured_by(move)]
    assert {move_text(position, move) for move in capturing} == set(captures.split())
    assert set(position.captures()) == set(capturing)


@pytest.mark.parametrize("name", list(SMALL))
def test_8_3_square_by_square(name: str) -> None:
    nerds, bullies, side, *_ = SMALL[name]
    position = a_position(nerds, bullies, side)
    assert set(position.moves()) == set(square_by_square(position))


@given(st.integers(0, 2**32))
def test_the_bits_say_what_the_squares_say(seed: int) -> None:
    dice = Random(seed)
    for side in Side:
        position = a_drawn_position(dice, dice.randrange(1, 80), dice.randrange(1, 60), side)
        assert set(position.moves()) == set(square_by_square(position))
        assert len(position.moves()) == position.count_moves()


@given(st.integers(0, 2**32))
def test_every_move_leads_to_a_sound_position(seed: int) -> None:
    dice, position = Random(seed), START
    for _ in range(60):
        moves = position.moves()
        if not moves:
            break
        move = dice.choice(moves)
        captured, after = position.captured_by(move), position.after(move)
        assert not after.nerds & after.bullies
        assert not (after.nerds | after.bullies) & ~PLAYABLE
        lost = (position.nerds | position.bullies).bit_count()
        lost -= (after.nerds | after.bullies).bit_count()
        assert lost == captured.bit_count()
        assert after.side is position.side.other
        position = after


def test_4_2_a_hurl_goes_over_empty_squares_only() -> None:
    blocked = a_position("C12 D12 E12", "G12 H12")
    assert [str(move) for move in blocked.captures()] == ["E12-G12"]


def test_5_2_a_step_takes_all_nerds_around() -> None:
    position = a_position("D6 E6 F6 D5 F5 D4 E4 H12", "E7", Side.BULLIES)
    after = position.after(Move(SQUARE_OF["E7"], SQUARE_OF["F7"]))
    assert after.nerds == parse_squares("D6 D5 F5 D4 E4 H12")


def test_equal_positions_have_equal_hashes() -> None:
    again = Position(START.nerds, START.bullies, Side.NERDS)
    assert again == START
    assert hash(again) == hash(START)
    assert len({START, again, Position(START.nerds, START.bullies, Side.BULLIES)}) == 2


def test_7_1_points() -> None:
    assert START.points_of(0b11) == 8
    assert Position(START.nerds, START.bullies, Side.BULLIES).points_of(0b111) == 3
