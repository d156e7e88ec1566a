"""Delta encoding: changes of things as numbered differences, of which most are few and alike."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import islice
from math import gcd
from operator import getitem, sub
from typing import Any, TypeVar

import msgspec

UNITS_PER_SQUARE = 1000
"""Numbers are kept as whole thousandths: integers compress better than floats."""
GONE = 0
"""The code of a change that removes a thing."""

Encoded = tuple[int, tuple[int, ...]]
"""The number of a shape, and the numbers of a thing or their differences to those before."""


ShapeKey = tuple[Hashable, tuple[type, ...]]

K = TypeVar("K", bound=Hashable)


class Numbering(dict[K, int]):
    """Numbers keys from 0, in the order of their first use."""

    def __missing__(self, key: K) -> int:
        number = self[key] = len(self)
        return number


WordNumbers = Numbering[Hashable]
"""The numbers of texts and truth values."""


class _Thousandths(dict[float, int]):
    """The thousandths of each number; a look-up takes less time than rounding again."""

    def __missing__(self, number: float) -> int:
        units = self[number] = round(number * UNITS_PER_SQUARE)
        return units


class Shape(msgspec.Struct, frozen=True):
    """What the numbers of a thing mean."""

    what: Hashable
    """A class and a kind, or another name its reader knows."""
    words: tuple[bool, ...]
    """Whether each number stands for a word."""
    units: list[int]
    """The greatest common divisor of each number's differences."""


class DeltaEncoder:
    """Changes of things, each as a code.

    A code stands for a shape and the differences to the numbers before, or to zeros if the
    thing is new or had another shape. Few differences make up most changes (a step to the
    left, a hit point more), so that most codes are small.
    """

    def __init__(self, words: WordNumbers) -> None:
        self._words = words
        self._thousandths = _Thousandths()
        self._shapes: dict[ShapeKey, tuple[int, tuple[Mapping[Any, int], ...]]] = {}
        self._known: dict[int, Encoded] = {}
        self._deltas = Numbering[Encoded | None]()
        self._changes: list[int] = []
        self._written = self._written_deltas = self._written_shapes = 0

    def encode(self, what: Hashable, values: Sequence[Hashable]) -> Encoded:
        """Return a shape and numbers: numbers stay numbers, all else becomes a word's number."""
        kind = what, tuple(map(type, values))
        if kind not in self._shapes:
            tables = (self._thousandths if k is float or k is int else self._words for k in kind[1])
            self._shapes[kind] = len(self._shapes), tuple(tables)
        shape, tables_of_values = self._shapes[kind]
        return shape, tuple(map(getitem, tables_of_values, values))

    def change(self, thing_id: int, encoded: Encoded | None) -> bool:
        """Add the change of a thing (None: it is removed). Return whether anything changed."""
        before = self._known.get(thing_id)
        if before == encoded:
            return False
        if encoded is None:
            del self._known[thing_id]
        else:
            self._known[thing_id] = encoded
            if before is not None and before[0] == encoded[0]:
                encoded = encoded[0], tuple(map(sub, encoded[1], before[1]))
        self._changes.append(self._deltas[encoded])
        return True

    def columns(self, name: str) -> tuple[Mapping[str, list[int]], list[Shape]]:
        """Return the codes, the differences they stand for, and the shapes."""
        uses = Counter(self._changes)
        # The most frequent changes get the smallest codes, which take one byte each.
        ranked = sorted(self._deltas.items(), key=lambda item: -uses[item[1]])
        deltas = [delta for delta, _ in ranked if delta is not None]
        numbers = (number for delta, number in ranked if delta is not None)
        codes = {number: code for code, number in enumerate(numbers, GONE + 1)}
        columns: defaultdict[str, list[int]] = defaultdict(list)
        columns[f"{name} code"] = [codes.get(change, GONE) for change in self._changes]
        columns[f"{name} shape"] = [shape for shape, _ in deltas]
        shapes = []
        for number, ((what, _), (_, tables)) in enumerate(self._shapes.items()):
            slots = list(
                zip(*(numbers for shape, numbers in deltas if shape == number), strict=True)
            )
            units = [gcd(*slot) or 1 for slot in slots]
            for index, (slot, unit) in enumerate(zip(slots, units, strict=True)):
                columns[f"{name} {number} {index}"] = [delta // unit for delta in slot]
            shapes.append(Shape(what, tuple(table is self._words for table in tables), units))
        return columns, shapes

    def growth(self, name: str) -> tuple[Mapping[str, list[int]], list[Shape]]:
        """Return the same of what was added since the last call, in the order of first use.

        No code changes its meaning later, so that who has read so far can go on reading.
        """
        columns: defaultdict[str, list[int]] = defaultdict(list)
        columns[f"{name} code"] = list(map(self._lasting_code, self._changes[self._written :]))
        self._written = len(self._changes)
        columns[f"{name} shape"] = []
        for delta in islice(self._deltas, self._written_deltas, None):
            if delta is not None:
                shape, numbers = delta
                columns[f"{name} shape"].append(shape)
                for index, number in enumerate(numbers):
                    columns[f"{name} {shape} {index}"].append(number)
        self._written_deltas = len(self._deltas)
        new = list(islice(self._shapes.items(), self._written_shapes, None))
        self._written_shapes = len(self._shapes)
        return columns, [
            Shape(what, tuple(table is self._words for table in tables), [1] * len(tables))
            for (what, _), (_, tables) in new
        ]

    def _lasting_code(self, number: int) -> int:
        """Return the code of a difference by its number: 1, 2, ... but for removals."""
        removal = self._deltas.get(None, len(self._deltas))
        return GONE if number == removal else number + 1 - (number > removal)
