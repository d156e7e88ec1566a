"""The engine's own streams of chance (engine/streams.py), compiled: blake2b in counter mode.

A stream hashes its key and then the number of a block. The hash of the key is the same for all of
its blocks, so it is kept, and several blocks are computed side by side. The dice of compiled
players are others.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.streams import DRAWS, UNUSED_BITS, stream_key
from learning.slime_mind.compiled import inline, part
from learning.slime_mind.layout import DRAWS_AT_A_TIME, LANES, Row

Words = NDArray[np.uint64]

IV = np.array(
    [
        *(0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1),
        *(0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179),
    ],
    np.uint64,
)
SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int64,
)
"""RFC 7693: which word of the message is taken where, by round."""
ROUNDS = 12


def _start(counted: int, last: int) -> Words:
    """Return the words with which a block is begun: of 64 bytes under a key of 16."""
    words = np.concatenate([IV, IV])
    words[0] ^= np.uint64(0x0101_0000 | 16 << 8 | 64)
    words[12] ^= np.uint64(counted)
    words[14] ^= np.uint64(last)
    return words


KEY_START = _start(128, last=0)
"""The key, filled up to a block, is hashed first."""
BLOCK_START = _start(136, last=0xFFFF_FFFF_FFFF_FFFF)
"""A block's number comes after it, in eight bytes."""
SHIFT = np.uint64(UNUSED_BITS)


def make_stream_keys(seed: int, streams: Sequence[str]) -> Row:
    """Return the keys of streams of a match, two words each."""
    keys = b"".join(stream_key(seed, name) for name in streams)
    return np.frombuffer(keys, "<i8").astype(np.int64)


@inline
def mix_lanes(words: Words, message: Words, a: int, b: int, c: int, d: int, x: int, y: int) -> None:
    """Mix four words of all lanes with two of the message."""
    for lane in range(LANES):
        wa = words[a, lane] + words[b, lane] + message[x, lane]
        wd = words[d, lane] ^ wa
        wd = (wd >> np.uint64(32)) | (wd << np.uint64(32))
        wc = words[c, lane] + wd
        wb = words[b, lane] ^ wc
        wb = (wb >> np.uint64(24)) | (wb << np.uint64(40))
        wa = wa + wb + message[y, lane]
        wd = wd ^ wa
        wd = (wd >> np.uint64(16)) | (wd << np.uint64(48))
        wc = wc + wd
        wb = wb ^ wc
        wb = (wb >> np.uint64(63)) | (wb << np.uint64(1))
        words[a, lane], words[b, lane], words[c, lane], words[d, lane] = wa, wb, wc, wd


@part
def compress(words: Words, message: Words) -> None:
    """Run all rounds over a message."""
    for turn in range(ROUNDS):
        order = SIGMA[turn % 10]
        mix_lanes(words, message, 0, 4, 8, 12, order[0], order[1])
        mix_lanes(words, message, 1, 5, 9, 13, order[2], order[3])
        mix_lanes(words, message, 2, 6, 10, 14, order[4], order[5])
        mix_lanes(words, message, 3, 7, 11, 15, order[6], order[7])
        mix_lanes(words, message, 0, 5, 10, 15, order[8], order[9])
        mix_lanes(words, message, 1, 6, 11, 12, order[10], order[11])
        mix_lanes(words, message, 2, 7, 8, 13, order[12], order[13])
        mix_lanes(words, message, 3, 4, 9, 14, order[14], order[15])


@part
def take_key(row: Row, at: int, low: int, high: int) -> None:
    """Hash the key of a stream, given as two words, into the eight words from `at` on."""
    words = np.empty((16, LANES), np.uint64)
    message = np.zeros((16, LANES), np.uint64)
    for lane in range(LANES):
        message[0, lane], message[1, lane] = np.uint64(low), np.uint64(high)
        for i in range(16):
            words[i, lane] = KEY_START[i]
    compress(words, message)
    for i in range(8):
        row[at + i] = np.int64(KEY_START[i] ^ words[i, 0] ^ words[8 + i, 0])


@part
def begin_stream(row: Row, key: int, block: int, drawn: int, low: int, high: int) -> None:
    """Begin a stream, of whose key the words are given; `draw` says where it is in the row."""
    take_key(row, key, low, high)
    row[block] = 0
    row[drawn] = DRAWS_AT_A_TIME


@part
def draw_more(row: Row, key: int, draws: int, block: int) -> None:
    """Compute the draws of the next blocks of a stream, from `block` on."""
    words = np.empty((16, LANES), np.uint64)
    message = np.zeros((16, LANES), np.uint64)
    for lane in range(LANES):
        message[0, lane] = np.uint64(block + lane)
    for i in range(8):
        for lane in range(LANES):
            words[i, lane] = np.uint64(row[key + i])
            words[8 + i, lane] = BLOCK_START[8 + i]
    compress(words, message)
    for i in range(8):
        for lane in range(LANES):
            word = np.uint64(row[key + i]) ^ words[i, lane] ^ words[8 + i, lane]
            row[draws + 8 * lane + i] = np.int64(word >> SHIFT)


@part
def draw(row: Row, key: int, draws: int, block: int, drawn: int) -> int:
    """Draw from a stream: a whole number below 2**53.

    `block` and `drawn` are where the row has the next block, and what was drawn of these.
    """
    if row[drawn] == DRAWS_AT_A_TIME:
        draw_more(row, key, draws, row[block])
        row[block] += LANES
        row[drawn] = 0
    taken: int = row[draws + row[drawn]]
    row[drawn] += 1
    return taken


@part
def below(row: Row, key: int, draws: int, block: int, drawn: int, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1, as `Stream.below` does."""
    while True:
        taken = draw(row, key, draws, block, drawn)
        if taken < DRAWS - DRAWS % bound:
            return int(taken % bound)


@part
def roll(chance: Row, bound: int) -> int:
    """Return a number below `bound` for a player; `chance` is not 0, and changes (xorshift)."""
    number = np.uint64(chance[0])
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    chance[0] = np.int64(number)
    return int(np.int64((number >> np.uint64(32)) % np.uint64(bound)))
