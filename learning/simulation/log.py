"""What happens in a match of numbers, written down as lines of numbers."""

import numpy as np
from numpy.typing import NDArray

from learning.simulation.compiled import part

Log = NDArray[np.int64]
"""Lines of numbers: what happened, and three of its numbers. The first number counts the lines."""
LINE = 4


@part
def note(log: Log, what: int, a: int, b: int, c: int) -> None:
    """Write a line into a log that has room for lines."""
    if log.shape[0] > 1:
        log[0, 0] += 1
        line = log[0, 0]
        log[line, 0], log[line, 1], log[line, 2], log[line, 3] = what, a, b, c


def log_for(lines: int) -> Log:
    """Return a log with room for so many lines; kernels write nothing into one without room."""
    return np.zeros((1 + lines, LINE), np.int64)


def lines_of(log: Log) -> list[list[int]]:
    """Return the lines that a log holds, and begin it anew."""
    lines: list[list[int]] = log[1 : 1 + log[0, 0]].tolist()
    log[0, 0] = 0
    return lines
