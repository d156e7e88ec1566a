"""The move generator, on bitboards: as engine/games/smack/position.py, and in the same order.

Moves are found for all pieces of a side at once. A group are the moves in one direction over one
distance: its direction, its distance and the set of its targets.
"""

import numpy as np

from engine.games.smack.squares import DIRECTIONS, MAX_DISTANCE, WIDTH
from engine.games.smack.squares import PLAYABLE as PLAYABLE_SQUARES
from learning.encodings.smack import PAIRS
from learning.simulation.chance import Row
from learning.simulation.compiled import part
from learning.smack.bitboards import (
    ONE,
    WORD_BITS,
    WORDS,
    Bits,
    common,
    count,
    has,
    is_empty,
    lowest_of,
    nth_of,
    read,
    shifted,
    spread,
    union,
    without,
    words_of,
    write,
)
from learning.smack.layout import BULLIES, NERDS, NERDS_SIDE, NUMBERS, PLY, SQUARES_BY_NUMBER

PLAYABLE = words_of(PLAYABLE_SQUARES)
STEPS = np.array(DIRECTIONS, np.int64)
ROW_STEPS = np.rint(STEPS / WIDTH).astype(np.int64)
COLUMN_STEPS = STEPS - WIDTH * ROW_STEPS
ANY, QUIET_ONES, CAPTURES = range(3)
"""Which moves are found."""
DIRECTION, DISTANCE, TARGETS = range(3)
GROUP_SIZE = TARGETS + WORDS
MOST_GROUPS = 2 * len(DIRECTIONS) * MAX_DISTANCE
"""Moves without capture and captures."""
SQUARE_COUNT = len(SQUARES_BY_NUMBER)


@part
def empty_squares(nerds: Bits, bullies: Bits) -> Bits:
    """Return the empty squares; the dead space is none of them, so it blocks every line (1.6)."""
    return without(read(PLAYABLE, 0), union(nerds, bullies))


@part
def find_moves(m: Row, at: int, which: int, groups: Row) -> int:
    """Write the legal moves of a half into the lines of `groups`; return how many lines."""
    nerds, bullies = read(m, at + NERDS), read(m, at + BULLIES)
    empty = empty_squares(nerds, bullies)
    if m[at + PLY] % 2 != NERDS_SIDE:
        return find_bully_moves(bullies, empty, spread(nerds), which, groups)
    found = 0 if which == CAPTURES else find_walks(nerds, empty, groups)
    return found if which == QUIET_ONES else find_attacks(nerds, bullies, empty, groups, found)


@part
def has_moves(m: Row, at: int) -> bool:
    """Return whether there is a legal move: each begins at a square beside it that it may enter.

    A longer move crosses that square, and a shorter one onto it is legal too.
    """
    nerds, bullies = read(m, at + NERDS), read(m, at + BULLIES)
    empty = empty_squares(nerds, bullies)
    if m[at + PLY] % 2 == NERDS_SIDE:
        return not is_empty(common(spread(nerds), union(empty, bullies)))
    return not is_empty(common(spread(bullies), empty))


@part
def find_walks(nerds: Bits, empty: Bits, groups: Row) -> int:
    """Find the moves without capture: any distance over empty squares (rules 4.1)."""
    found = 0
    for direction in range(len(STEPS)):
        reached, distance = common(shifted(nerds, direction), empty), 1
        while not is_empty(reached):
            found = add_group(groups, found, direction, distance, reached)
            reached, distance = common(shifted(reached, direction), empty), distance + 1
    return found


@part
def find_attacks(nerds: Bits, bullies: Bits, empty: Bits, groups: Row, found: int) -> int:
    """Find the captures: onto a bully, as far as the line behind is long (rules 4.2)."""
    for direction in range(len(STEPS)):
        # `line`: the nerds with a line of at least `distance` behind them (rules 3.2).
        # `reached`: those nerds, moved `distance - 1` squares on over empty squares.
        line, distance, reached = nerds, 1, nerds
        while not is_empty(reached):
            hit = common(shifted(reached, direction), bullies)
            found = add_group(groups, found, direction, distance, hit)
            line = common(nerds, shifted(line, direction))
            reached = moved_over(empty, line, direction, distance)
            distance += 1
    return found


@part
def find_bully_moves(bullies: Bits, empty: Bits, victims: Bits, which: int, groups: Row) -> int:
    """Find a bully's moves: steps, and shoves to where a nerd is beside (rules 5.1, 5.3).

    `victims` are the squares beside nerds.
    """
    found = 0
    for direction in range(len(STEPS)):
        steps = common(shifted(bullies, direction), empty)
        if which == QUIET_ONES:
            found = add_group(groups, found, direction, 1, without(steps, victims))
            continue
        if which == CAPTURES:
            steps = common(steps, victims)
        found = add_group(groups, found, direction, 1, steps)
        line, distance = common(bullies, shifted(bullies, direction)), 2
        while not is_empty(line):
            reached = moved_over(empty, line, direction, distance)
            found = add_group(groups, found, direction, distance, common(reached, victims))
            line, distance = common(bullies, shifted(line, direction)), distance + 1
    return found


@part
def moved_over(empty: Bits, pieces: Bits, direction: int, distance: int) -> Bits:
    """Return where those pieces arrive that have so many empty squares before them."""
    for _ in range(distance):
        pieces = common(shifted(pieces, direction), empty)
    return pieces


@part
def add_group(groups: Row, found: int, direction: int, distance: int, targets: Bits) -> int:
    """Write a group, if it has moves; return how many there are then."""
    if is_empty(targets):
        return found
    groups[found, DIRECTION], groups[found, DISTANCE] = direction, distance
    write(groups[found], TARGETS, targets)
    return found + 1


@part
def count_moves(groups: Row, found: int) -> int:
    moves = 0
    for i in range(found):
        moves += count(read(groups[i], TARGETS))
    return moves


@part
def nth_move(groups: Row, found: int, n: int) -> int:
    """Return the move of a number, from 0, as an order that offers nothing."""
    for i in range(found):
        targets = read(groups[i], TARGETS)
        here = count(targets)
        if n < here:
            return order_of(groups[i], nth_of(targets, n))
        n -= here
    return -1


@part
def list_moves(groups: Row, found: int, orders: Row) -> int:
    """Write all moves into `orders`, which has room; return how many."""
    moves = 0
    for i in range(found):
        for k in range(WORDS):
            word = np.uint64(groups[i, TARGETS + k])
            while word:
                orders[moves] = order_of(groups[i], k * WORD_BITS + lowest_of(word))
                moves += 1
                word &= word - ONE
    return moves


@part
def order_of(group: Row, target: int) -> int:
    source = target - STEPS[group[DIRECTION]] * group[DISTANCE]
    return int(NUMBERS[source] * SQUARE_COUNT + NUMBERS[target])


@part
def source_of(order: int) -> int:
    return int(SQUARES_BY_NUMBER[order % PAIRS // SQUARE_COUNT])


@part
def target_of(order: int) -> int:
    return int(SQUARES_BY_NUMBER[order % SQUARE_COUNT])


@part
def is_legal(m: Row, at: int, source: int, target: int) -> bool:
    """Return whether a move is legal for the side to move."""
    nerds, bullies = read(m, at + NERDS), read(m, at + BULLIES)
    empty = empty_squares(nerds, bullies)
    is_nerds_turn = m[at + PLY] % 2 == NERDS_SIDE
    own = nerds if is_nerds_turn else bullies
    direction, distance = way_between(source, target)
    if distance == 0 or not has(own, source) or not is_free(empty, source, direction, distance):
        return False
    if is_nerds_turn:
        is_near = distance <= length_of_line(nerds, source, direction)
        return has(empty, target) or (has(bullies, target) and is_near)
    if not has(empty, target):
        return False
    if distance == 1:
        return True
    is_near = distance <= length_of_line(bullies, source, direction)
    return is_near and has(spread(nerds), target)


@part
def way_between(source: int, target: int) -> tuple[int, int]:
    """Return the direction and the distance of a move; the distance 0: it is not straight."""
    columns = target % WIDTH - source % WIDTH
    rows = target // WIDTH - source // WIDTH
    distance = max(abs(columns), abs(rows))
    for direction in range(len(STEPS)):
        is_in_row = columns == COLUMN_STEPS[direction] * distance
        if is_in_row and rows == ROW_STEPS[direction] * distance:
            return direction, distance
    return 0, 0


@part
def is_free(empty: Bits, source: int, direction: int, distance: int) -> bool:
    """Return whether the squares between are empty."""
    is_so = True
    for k in range(1, distance):
        is_so = is_so and has(empty, source + k * STEPS[direction])
    return is_so


@part
def length_of_line(pieces: Bits, square: int, direction: int) -> int:
    """Return the length of the unbroken line behind a piece, itself included (rules 3.2)."""
    length = 0
    while has(pieces, square):
        length, square = length + 1, square - STEPS[direction]
    return length
