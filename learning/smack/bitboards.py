"""Sets of squares as four words of 64 bits: bit y * 16 + x, as engine/games/smack/squares.py."""

import numpy as np

from engine.games.smack.squares import DIRECTIONS
from learning.simulation.chance import Row
from learning.simulation.compiled import part

Bits = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

WORDS = 4
WORD_BITS = 64
SHIFTS = np.array([abs(step) for step in DIRECTIONS], np.uint64)
FIRST_UP = sum(step < 0 for step in DIRECTIONS)
"""The first direction to squares of higher numbers."""
COLUMN, ROW = np.uint64(1), np.uint64(16)
NONE, ONE, FULL = np.uint64(0), np.uint64(1), np.uint64(WORD_BITS)
PAIRS_OF_BITS = np.uint64(0x5555_5555_5555_5555)
FOURS_OF_BITS = np.uint64(0x3333_3333_3333_3333)
BYTES_OF_BITS = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
ALL_BYTES = np.uint64(0x0101_0101_0101_0101)


def words_of(bitboard: int) -> Row:
    """Return the words of a bitboard of the engine."""
    return np.frombuffer(bitboard.to_bytes(8 * WORDS, "little"), "<i8").astype(np.int64)


def bitboard_of(words: Row) -> int:
    """Return words as a bitboard of the engine."""
    return int.from_bytes(words.astype("<i8").tobytes(), "little")


@part
def read(row: Row, at: int) -> Bits:
    """Return the set that a row has from `at` on."""
    return (
        np.uint64(row[at]),
        np.uint64(row[at + 1]),
        np.uint64(row[at + 2]),
        np.uint64(row[at + 3]),
    )


@part
def write(row: Row, at: int, bits: Bits) -> None:
    row[at], row[at + 1] = np.int64(bits[0]), np.int64(bits[1])
    row[at + 2], row[at + 3] = np.int64(bits[2]), np.int64(bits[3])


@part
def nothing() -> Bits:
    return NONE, NONE, NONE, NONE


@part
def single(square: int) -> Bits:
    """Return the set of one square."""
    bit, word = ONE << np.uint64(square & 63), square >> 6
    return (
        bit if word == 0 else NONE,
        bit if word == 1 else NONE,
        bit if word == 2 else NONE,
        bit if word == 3 else NONE,
    )


@part
def union(a: Bits, b: Bits) -> Bits:
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@part
def common(a: Bits, b: Bits) -> Bits:
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@part
def without(a: Bits, b: Bits) -> Bits:
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@part
def changed(a: Bits, b: Bits) -> Bits:
    """Return what is in one of two sets only."""
    return a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]


@part
def is_empty(bits: Bits) -> bool:
    return bool((bits[0] | bits[1] | bits[2] | bits[3]) == NONE)


@part
def has(bits: Bits, square: int) -> bool:
    return not is_empty(common(bits, single(square)))


@part
def higher(bits: Bits, by: np.uint64) -> Bits:
    """Return every square with a number that is so much higher."""
    rest = FULL - by
    return (
        bits[0] << by,
        bits[1] << by | bits[0] >> rest,
        bits[2] << by | bits[1] >> rest,
        bits[3] << by | bits[2] >> rest,
    )


@part
def lower(bits: Bits, by: np.uint64) -> Bits:
    """Return every square with a number that is so much lower."""
    rest = FULL - by
    return (
        bits[0] >> by | bits[1] << rest,
        bits[1] >> by | bits[2] << rest,
        bits[2] >> by | bits[3] << rest,
        bits[3] >> by,
    )


@part
def shifted(bits: Bits, direction: int) -> Bits:
    """Return every square moved by one; the caller masks away what left the board."""
    if direction >= FIRST_UP:
        return higher(bits, SHIFTS[direction])
    return lower(bits, SHIFTS[direction])


@part
def spread(bits: Bits) -> Bits:
    """Return all squares beside these, on the board or not (the caller masks)."""
    sides = union(higher(bits, COLUMN), lower(bits, COLUMN))
    rows = union(bits, sides)
    return union(sides, union(higher(rows, ROW), lower(rows, ROW)))


@part
def ones(word: np.uint64) -> int:
    """Return how many bits of a word are set; LLVM makes one instruction of it."""
    word = word - ((word >> np.uint64(1)) & PAIRS_OF_BITS)
    word = (word & FOURS_OF_BITS) + ((word >> np.uint64(2)) & FOURS_OF_BITS)
    word = (word + (word >> np.uint64(4))) & BYTES_OF_BITS
    return int(np.int64((word * ALL_BYTES) >> np.uint64(56)))


@part
def count(bits: Bits) -> int:
    return ones(bits[0]) + ones(bits[1]) + ones(bits[2]) + ones(bits[3])


@part
def lowest_of(word: np.uint64) -> int:
    """Return the number of the lowest bit of a word that is set."""
    return ones(~word & (word - ONE))


@part
def nth_of(bits: Bits, n: int) -> int:
    """Return the square of a number, from 0, among those of a set in ascending order."""
    for i in range(WORDS):
        word = bits[i]
        here = ones(word)
        if n < here:
            for _ in range(n):
                word &= word - ONE
            return i * WORD_BITS + lowest_of(word)
        n -= here
    return -1
