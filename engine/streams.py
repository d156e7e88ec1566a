"""One match seed -> named random streams; what one draws never shifts another."""

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

T = TypeVar("T")


def derive_seed(seed: int, name: str) -> int:
    """A 64-bit seed of its own for `name`, the same on every machine."""
    return int.from_bytes(blake2b(f"{seed}/{name}".encode(), digest_size=8).digest(), "big")


class Stream:
    """Draws built on `Random.random()` alone: the only one Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        return int(self.random() * bound)

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, each as likely."""
        return options[int(self.random() * len(options))]


class Streams:
    """The streams of one match, made when first named."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._streams: dict[str, Stream] = {}

    def __getitem__(self, name: str) -> Stream:
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = Stream(derive_seed(self.seed, name))
        return stream
