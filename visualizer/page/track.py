"""How things change from one moment to the next, as differences that are often the same."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import gcd
from operator import getitem, sub
from typing import Any

import msgspec

UNITS = 1000
"""Numbers are kept as whole thousandths of what they count."""
GONE = 0
"""The code of a change after which a thing is no more."""

Look = tuple[int, tuple[int, ...]]
"""A thing at a moment: its shape and its numbers; or how it differs from the one before."""


class Words(dict[Any, int]):
    """The number of each text or truth, from 0, in the order in which they came up."""

    def __missing__(self, word: Any) -> int:
        number = self[word] = len(self)
        return number


class _Thousandths(dict[float, int]):
    """Of each number; looking one up takes less time than rounding it again."""

    def __missing__(self, number: float) -> int:
        units = self[number] = round(number * UNITS)
        return units


class Head(msgspec.Struct, frozen=True):
    """A shape: what the numbers of a thing mean."""

    what: Any
    """A class and a kind, or whatever its reader knows it by."""
    words: tuple[bool, ...]
    """Of each number: whether it is that of a word."""
    units: list[int]
    """Of each number: what its differences are multiples of."""


class Track:
    """Changes of things, each as a code.

    A code stands for a shape and the differences to the numbers before, or to zeros if the
    thing is new or had another shape. Few differences make up most changes (a step to the
    left, a hit point more), so that most codes are small.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._thousandths = _Thousandths()
        self._shapes: dict[Any, tuple[int, tuple[dict[Any, int], ...]]] = {}
        self._looks: dict[int, Look] = {}
        self._deltas = Words()
        self._changes: list[int] = []

    def look(self, what: Any, values: Sequence[Any]) -> Look:
        """Numbers stay numbers, everything else becomes a word."""
        kind = what, tuple(map(type, values))
        if kind not in self._shapes:
            tables = (self._thousandths if k is float or k is int else self._words for k in kind[1])
            self._shapes[kind] = len(self._shapes), tuple(tables)
        shape, tables_of_values = self._shapes[kind]
        return shape, tuple(map(getitem, tables_of_values, values))

    def change(self, thing_id: int, look: Look | None) -> bool:
        """The next change; whether it is one."""
        before = self._looks.get(thing_id)
        if before == look:
            return False
        if look is None:
            del self._looks[thing_id]
        else:
            self._looks[thing_id] = look
            if before is not None and before[0] == look[0]:
                look = look[0], tuple(map(sub, look[1], before[1]))
        self._changes.append(self._deltas[look])
        return True

    def columns(self, name: str) -> tuple[Mapping[str, list[int]], list[Head]]:
        """The codes, the differences they stand for, and what the shapes mean."""
        uses = Counter(self._changes)
        ranked = sorted(self._deltas.items(), key=lambda item: -uses[item[1]])
        deltas = [delta for delta, _ in ranked if delta is not None]
        numbers = (number for delta, number in ranked if delta is not None)
        codes = {number: code for code, number in enumerate(numbers, GONE + 1)}
        columns: defaultdict[str, list[int]] = defaultdict(list)
        columns[f"{name} code"] = [codes.get(change, GONE) for change in self._changes]
        columns[f"{name} shape"] = [shape for shape, _ in deltas]
        heads = []
        for number, ((what, _), (_, tables)) in enumerate(self._shapes.items()):
            slots = list(
                zip(*(numbers for shape, numbers in deltas if shape == number), strict=True)
            )
            units = [gcd(*slot) or 1 for slot in slots]
            for place, (slot, unit) in enumerate(zip(slots, units, strict=True)):
                columns[f"{name} {number} {place}"] = [delta // unit for delta in slot]
            heads.append(Head(what, tuple(table is self._words for table in tables), units))
        return columns, heads
