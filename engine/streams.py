"""Draw from named random streams of one match seed; no draw shifts another stream.

A stream is a keyed hash in counter mode, so it has no state that its draws could betray: whoever
saw all earlier draws, knows a bot's own seed and tries names still needs the key of 128 bits.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b, sha256
from itertools import chain, count
from secrets import randbits
from struct import Struct
from typing import TypeVar

from engine.errors import BadArgument
from engine.support.plain_values import as_whole_number
from engine.support.wording import short_repr

T = TypeVar("T")

SEED_BITS = 128
MAX_SEED = 2**SEED_BITS - 1
SAFE_INTEGER_LIMIT = 2**53
"""JSON readers without big integers round whole numbers beyond it."""
DRAWS = 2**53
"""A draw is one of so many numbers: all multiples of 2**-53 below 1, which floats hold."""
UNIT = 1 / DRAWS
UNUSED_BITS = 64 - 53

_as_bytes = Struct("<Q").pack
_as_words = Struct("<8Q").unpack
_is_seed = re.compile(r"[0-9]{1,39}|0[xX][0-9a-fA-F]{1,32}").fullmatch


def draw_seed() -> int:
    """Return a seed of 128 bits from the system's entropy, which nobody can guess."""
    return randbits(SEED_BITS)


def derive_seed(seed: int, name: str) -> int:
    """Return a seed of 128 bits for `name`: one-way, and the same on every machine."""
    return int.from_bytes(_derive_key(seed, name, purpose=b""), "big")


def stream_key(seed: int, name: str) -> bytes:
    """Return the key of a stream: 128 bits that have nothing to do with any derived seed."""
    return _derive_key(seed, name, purpose=b"stream")


def _derive_key(seed: int, name: str, *, purpose: bytes) -> bytes:
    """Hash a seed, which ends at the first slash, and a name; per purpose another function."""
    root = f"{seed}/{name}".encode()
    return blake2b(root, digest_size=SEED_BITS // 8, person=purpose).digest()


def seed_text(seed: int) -> str:
    """Return the text of a seed as people read and type it: `7`, or 32 hexadecimal digits.

    Seeds that a JSON reader without big integers would round are written as `0x...`.
    """
    return str(seed) if seed < SAFE_INTEGER_LIMIT else f"0x{seed:032x}"


def seed_hash(seed: int) -> str:
    """Return the SHA-256 of a seed's text, shown while the seed is secret: later it is checked."""
    return sha256(seed_text(seed).encode()).hexdigest()


def parse_seed(seed: object) -> int:
    """Return the seed that somebody gives: a whole number, or the text of one, as we print it.

    Raises: BadArgument, a ValueError, for what is not a whole number from 0 to 2**128 - 1.
    """
    number = as_whole_number(seed)
    if isinstance(seed, str) and _is_seed(seed):
        number = int(seed, 16 if seed[:2] in ("0x", "0X") else 10)
    if number is not None and 0 <= number <= MAX_SEED:
        return number
    raise BadArgument(
        f"{short_repr(seed)} is not a seed: expected a whole number from 0 to 2**{SEED_BITS} - 1, "
        "such as 7, or 0x and up to 32 hexadecimal digits"
    )


def seed_words(seed: int) -> list[int]:
    """Return all bits of a seed as words of 32, the form in which numpy takes long seeds."""
    return [seed >> shift & 0xFFFF_FFFF for shift in range(0, SEED_BITS, 32)]


def draw_block(key: bytes, number: int) -> list[float]:
    """Return block `number` of a stream, from 0: eight draws, multiples of 2**-53 from 0 to 1.

    They are the upper 53 bits of the eight little-endian words of blake2b under the key, of the
    block's number as eight little-endian bytes. Any block can be had without those before it.
    """
    text = _as_words(blake2b(_as_bytes(number), key=key).digest())
    return [(word >> UNUSED_BITS) * UNIT for word in text]


class Stream:
    """The draws of one purpose, taken from one block after the other."""

    random: Callable[[], float]
    """Draw a number from 0 to 1, without 1."""

    def __init__(self, key: bytes) -> None:
        self.random = chain.from_iterable(map(partial(draw_block, key), count())).__next__

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to bound - 1, each exactly as likely.

        Draws that would make the lower ones likelier are passed over. Raises: ValueError.
        """
        if not 1 <= bound <= DRAWS:
            raise ValueError(f"cannot draw below {bound}: expected 1 to 2**53")
        while True:
            draw = int(self.random() * DRAWS)  # exact: a draw is a multiple of 2**-53
            if draw < DRAWS - DRAWS % bound:
                return draw % bound

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of `options`, each exactly as likely. Raises: ValueError if there is none."""
        return options[self.below(len(options))]


class Streams:
    """The streams of one match, made when first named."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, Stream] = {}

    def __getitem__(self, name: str) -> Stream:
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = Stream(stream_key(self._seed, name))
        return stream
