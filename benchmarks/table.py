"""Figures, their references and targets, and the table that shows them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from statistics import median

import msgspec

Measure = Callable[[], float]


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much to measure: quick or in full."""

    repeats: int
    orders: int
    calls: int
    """Calls of a bot that thinks for long."""


FULL = Effort(repeats=9, orders=30_000, calls=2_000)
QUICK = Effort(repeats=5, orders=20_000, calls=50)
TINY = Effort(repeats=1, orders=200, calls=2)
"""Shows that a benchmark runs, and measures nothing."""
SMALL = 1_000
"""A benchmark with fewer orders than this only shows that it runs."""


class Sense(StrEnum):
    AT_MOST = "<="
    AT_LEAST = ">="


class Of(StrEnum):
    """The number that is compared with a limit."""

    RATIO = "ours / reference"
    INVERSE = "reference / ours"
    DIFFERENCE = "ours - reference"
    OURS = "ours"


class Target(msgspec.Struct, frozen=True):
    """A limit, and the number it limits."""

    sense: Sense
    limit: float
    of: Of = Of.RATIO

    @classmethod
    def at_most(cls, limit: float, of: Of = Of.RATIO) -> "Target":
        return cls(Sense.AT_MOST, limit, of)

    @classmethod
    def at_least(cls, limit: float, of: Of = Of.RATIO) -> "Target":
        return cls(Sense.AT_LEAST, limit, of)

    def is_met_by(self, value: float) -> bool:
        return value <= self.limit if self.sense is Sense.AT_MOST else value >= self.limit


class Pair(msgspec.Struct, frozen=True):
    """The medians of interleaved repeats."""

    ours: float
    reference: float


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table. A figure without a target is for information."""

    name: str
    what: str
    unit: str
    ours: float
    reference: float | None = None
    target: Target | None = None

    def says(self, what: str) -> "Figure":
        """Return it with a sentence on what it measures."""
        return msgspec.structs.replace(self, what=what)

    @property
    def compared(self) -> float | None:
        """Our number against the reference, as the target wants it: by default their ratio."""
        if self.reference is None:
            return None
        match self.target:
            case Target(of=Of.INVERSE):
                return self.reference / self.ours
            case Target(of=Of.DIFFERENCE):
                return self.ours - self.reference
            case _:
                return self.ours / self.reference

    @property
    def is_met(self) -> bool | None:
        """Return whether the target is met; None without a target."""
        if self.target is None:
            return None
        value = self.ours if self.target.of is Of.OURS else self.compared
        assert value is not None, f"{self.name}: its target needs a reference"
        return self.target.is_met_by(value)


def figure(name: str, unit: str, measured: float | Pair, target: Target | None = None) -> Figure:
    """Return a line of the table, which `says` completes.

    A target of what has no reference is one of our number.
    """
    if isinstance(measured, Pair):
        ours, reference = measured.ours, measured.reference
    else:
        ours, reference = measured, None
        target = None if target is None else msgspec.structs.replace(target, of=Of.OURS)
    return Figure(name=name, what="", unit=unit, ours=ours, reference=reference, target=target)


Benchmark = Callable[[Effort], list[Figure]]
HEADINGS = ("name", "what it measures", "ours", "reference", "unit", "compared", "target", "met")
NONE = "-"


def measure_interleaved(effort: Effort, ours: Measure, reference: Measure) -> Pair:
    """Measure ours and the reference in turns: a disturbance hits both."""
    pairs = [(ours(), reference()) for _ in range(effort.repeats)]
    return Pair(median(own for own, _ in pairs), median(other for _, other in pairs))


def as_table(figures: Sequence[Figure]) -> str:
    """Return a Markdown table, aligned so that it reads well in a terminal, too."""
    return in_columns([HEADINGS, *map(_row, figures)])


def in_columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Return rows, of which the first one has the headings, as a Markdown table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    return "\n".join([lines[0], _line(["-" * width for width in widths], widths), *lines[1:]])


def _row(figure: Figure) -> tuple[str, ...]:
    target = figure.target
    return (
        figure.name,
        figure.what,
        number(figure.ours),
        NONE if figure.reference is None else number(figure.reference),
        figure.unit,
        comparison_text(figure),
        NONE if target is None else _target(target),
        {None: NONE, True: "yes", False: "NO"}[figure.is_met],
    )


def comparison_text(figure: Figure) -> str:
    """Return the comparison as text: `1.50x` is a ratio, `+1.50` a difference."""
    if figure.compared is None:
        return NONE
    if figure.target is not None and figure.target.of is Of.DIFFERENCE:
        return f"{figure.compared:+.2f}"
    return f"{figure.compared:.2f}x"


def _target(target: Target) -> str:
    match target.of:
        case Of.OURS:
            limit = f"{target.limit:g}"
        case Of.DIFFERENCE:
            limit = f"{target.limit:+g}"
        case _:
            limit = f"{target.limit:g}x"
    return f"{target.sense} {limit}"


def number(value: float) -> str:
    """Return a number with three significant digits, thousands in full."""
    return f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
    return f"| {' | '.join(padded)} |"
