"""smack: move generation of Smack! with bitboards, compared with a loop over squares."""

import time
from collections.abc import Callable
from random import Random

from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.games.smack.position import START, Move, Position
from engine.games.smack.squares import BESIDE, DIRECTIONS, PLAYABLE, squares_in

SEED = 1
GAMES, PLIES = 8, 40


def measure(effort: Effort) -> list[Figure]:
    positions = draw_positions()
    with one_core():
        reference = lambda: microseconds(square_by_square, positions)  # noqa: E731
        counting = measure_interleaved(
            effort, lambda: microseconds(Position.count_moves, positions), reference
        )
        making = measure_interleaved(
            effort, lambda: microseconds(Position.moves, positions), reference
        )
    return [
        figure("smack count", "us", counting, Target.at_least(5, Of.INVERSE)).says(
            "counting the moves of a position of Smack!; square by square"
        ),
        figure("smack moves", "us", making, Target.at_least(2, Of.INVERSE)).says(
            "listing these moves; square by square"
        ),
    ]


def draw_positions() -> list[Position]:
    """Return the positions of a few games with random moves."""
    dice, positions = Random(SEED), []
    for _ in range(GAMES):
        position = START
        for _ in range(PLIES):
            positions.append(position)
            moves = position.moves()
            if not moves:
                break
            position = position.after(dice.choice(moves))
    return positions


def microseconds(find: Callable[[Position], object], positions: list[Position]) -> float:
    """Return the time per position, us."""
    began = time.perf_counter()
    for position in positions:
        find(position)
    return (time.perf_counter() - began) / len(positions) * 1e6


def square_by_square(position: Position) -> list[Move]:
    """Yield moves piece by piece and direction by direction, as the rules are written."""
    own = position.nerds if position.is_nerds_turn else position.bullies
    return [
        move
        for source in squares_in(own)
        for step in DIRECTIONS
        for move in _moves_in(position, own, source, step)
    ]


def _moves_in(position: Position, own: int, source: int, step: int) -> list[Move]:
    line, square = 0, source
    while square >= 0 and own >> square & 1:
        line, square = line + 1, square - step
    moves, distance, target = [], 1, source + step
    while target >= 0 and PLAYABLE >> target & 1 and not own >> target & 1:
        is_free = position.empty >> target & 1
        if position.is_nerds_turn:
            is_legal = is_free or distance <= line
        else:
            reaches = distance <= line and BESIDE[target] & position.nerds
            is_legal = is_free and (distance == 1 or reaches)
        if is_legal:
            moves.append(Move(source, target))
        if not is_free:
            break
        distance, target = distance + 1, target + step
    return moves
