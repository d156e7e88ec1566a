"""Rows of numbers as columns of blocks."""

from collections.abc import Sequence

EIGHTHS = " ▁▂▃▄▅▆▇█"


def columns(values: Sequence[float], height: int = 1, top: float | None = None) -> list[str]:
    """A column per value, `height` rows, the uppermost first; what is not 0 is to be seen."""
    top = max([top if top is not None else 0.0, *values], default=0.0)
    if top <= 0:
        return [" " * len(values)] * height
    fills = [0 if value <= 0 else max(1, round(value / top * height * 8)) for value in values]
    return [
        "".join(EIGHTHS[min(8, max(0, fill - 8 * row))] for fill in fills)
        for row in reversed(range(height))
    ]


def squeezed(values: Sequence[float], width: int) -> list[float]:
    """So many columns at most: where there are more, the highest of some side by side."""
    each = max(1, -(-len(values) // max(1, width)))
    return [max(values[first : first + each]) for first in range(0, len(values), each)]


def sampled(values: Sequence[float], width: int, whole: int) -> list[float]:
    """So many of a row of values that is `whole` long once all are known."""
    known = len(values)
    places = (place * max(0, whole - 1) // max(1, width - 1) for place in range(width))
    return [values[place] for place in places if place < known]
