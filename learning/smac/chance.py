"""The engine's streams of chance, compiled: a stream is made when a stage first draws from it.

It is kept in the room to compute in until another is made; only that of combat is drawn from in two
stages, in turn 1, and so the match knows how far.
"""

import numpy as np

from engine.games.smac.chance import MAX_MAGNITUDE, MILLION, NORMAL
from engine.streams import DRAWS
from learning.simulation.chance import DRAWN, IV, LANES, begin_stream, below, compress, draw
from learning.simulation.compiled import plain_part
from learning.smac.layout import IS_NORMAL, SEED, SEED_LETTERS, SEED_WORDS, STREAM, Row, Work

KEY, STREAM_DRAWS = 0, 8
BLOCK = STREAM_DRAWS + DRAWN
DRAWN_OF_BLOCK = BLOCK + 1
DRAWS_OF_BLOCK = 8
"""What a stream is: its hashed key, its next draws, the next block, and how many are drawn."""

PURPOSES = ("terrain", "placement/", "allocation/", "specials/", "combat/")
OF_TERRAIN, OF_PLACEMENT, OF_ALLOCATION, OF_SPECIALS, OF_COMBAT = range(5)
LETTERS = np.array([list(name.encode().ljust(12, b"\0")) for name in PURPOSES], np.int64)
LENGTHS = np.array([len(name) for name in PURPOSES], np.int64)
SLASH, ZERO = ord("/"), ord("0")

KEY_BYTES = 16
NAMES_START = np.concatenate([IV, IV])
"""The words with which the hash of a name is begun, but for its length: see engine/streams.py."""
NAMES_START[0] ^= np.uint64(0x0101_0000 | KEY_BYTES)
NAMES_START[6] ^= np.uint64(int.from_bytes(b"stream", "little"))
NAMES_START[14] ^= np.uint64(0xFFFF_FFFF_FFFF_FFFF)

HALF = DRAWS // 2
NORMAL_UP_TO = np.cumsum([*NORMAL[:0:-1], *NORMAL])
LOWEST = 1 - len(NORMAL)


def seed_words(seed: int) -> tuple[int, Row]:
    """Return how many letters a seed and a slash have, and these letters as words."""
    letters = f"{seed}/".encode()
    return len(letters), np.frombuffer(letters.ljust(8 * SEED_WORDS, b"\0"), "<i8").astype(np.int64)


@plain_part
def put_letter(message: Row, at: int, letter: int) -> int:
    """Write a letter of a message; return where the next one goes."""
    message[at // 8] |= letter << 8 * (at % 8)
    return at + 1


@plain_part
def put_number(message: Row, at: int, number: int) -> int:
    """Write a number below 1000 in decimal digits; return where the next letter goes."""
    if number >= 100:
        at = put_letter(message, at, ZERO + number // 100)
    if number >= 10:
        at = put_letter(message, at, ZERO + number // 10 % 10)
    return put_letter(message, at, ZERO + number % 10)


@plain_part
def open_stream(m: Row, w: Work, purpose: int, number: int, team: int) -> None:
    """Begin the stream of a purpose; `number` and `team` are in its name if they are not 0."""
    letters = np.zeros(16, np.int64)
    for i in range(SEED_WORDS):
        letters[i] = m[SEED + i]
    at = m[SEED_LETTERS]
    for i in range(LENGTHS[purpose]):
        at = put_letter(letters, at, LETTERS[purpose, i])
    if number:
        at = put_number(letters, at, number)
    if team:
        at = put_letter(letters, at, SLASH)
        at = put_number(letters, at, team)
    words = np.empty((16, LANES), np.uint64)
    message = np.empty((16, LANES), np.uint64)
    for i in range(16):
        for lane in range(LANES):
            words[i, lane] = NAMES_START[i]
            message[i, lane] = np.uint64(letters[i])
    for lane in range(LANES):
        words[12, lane] ^= np.uint64(at)
    compress(words, message)
    low = int(np.int64(NAMES_START[0] ^ words[0, 0] ^ words[8, 0]))
    high = int(np.int64(NAMES_START[1] ^ words[1, 0] ^ words[9, 0]))
    begin_stream(w[STREAM], KEY, BLOCK, DRAWN_OF_BLOCK, low, high)


@plain_part
def draws_so_far(w: Work) -> int:
    """Return how many numbers were drawn from the stream that was begun last."""
    return int(DRAWS_OF_BLOCK * w[STREAM, BLOCK] - DRAWN + w[STREAM, DRAWN_OF_BLOCK])


@plain_part
def skip_draws(w: Work, draws: int) -> None:
    """Go on behind so many draws in a stream that begins."""
    w[STREAM, BLOCK] = draws // DRAWS_OF_BLOCK
    for _ in range(draws % DRAWS_OF_BLOCK):
        draw_number(w)


@plain_part
def draw_number(w: Work) -> int:
    """Draw from the stream that was begun last: a whole number below 2**53."""
    return draw(w[STREAM], KEY, STREAM_DRAWS, BLOCK, DRAWN_OF_BLOCK)


@plain_part
def draw_below(w: Work, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1."""
    return below(w[STREAM], KEY, STREAM_DRAWS, BLOCK, DRAWN_OF_BLOCK, bound)


@plain_part
def draw_chance(s: Row, w: Work) -> int:
    """Draw the chance in an attack (rules 5.10)."""
    if s[IS_NORMAL]:
        value = draw_below(w, MILLION)
        at = 0
        while NORMAL_UP_TO[at] <= value:
            at += 1
        return at + LOWEST
    sign = draw_below(w, 3)
    if sign == 0:
        return 0
    magnitude = 1
    while magnitude < MAX_MAGNITUDE and draw_number(w) < HALF:
        magnitude += 1
    return magnitude if sign == 1 else -magnitude
