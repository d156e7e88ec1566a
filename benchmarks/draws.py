"""The cost of a random number: from a stream, and from Python's own generator."""

import random
import time
from collections.abc import Callable

from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Measure, figure, measure_interleaved
from engine.streams import Streams

SEED = 1
OPTIONS = 8
"""A draw is among as many as there are squares around one."""


def measure(effort: Effort) -> list[Figure]:
    """Measure both ways of drawing. T9 has their share of a match."""
    stream, usual = Streams(SEED)["draws"], random.Random(SEED)
    with one_core():
        numbers = measure_interleaved(
            effort, _cost(effort, stream.random), _cost(effort, usual.random)
        )
        choices = measure_interleaved(
            effort,
            _cost(effort, lambda: stream.below(OPTIONS)),
            _cost(effort, lambda: usual.randrange(OPTIONS)),
        )
    return [
        figure("draws", "ns", numbers).says(
            "a number from a stream (keyed hash); from Python's Mersenne Twister"
        ),
        figure("draws below", "ns", choices).says(f"a whole number below {OPTIONS}; the same"),
    ]


def _cost(effort: Effort, draw: Callable[[], float]) -> Measure:
    return lambda: _draw_ns(draw, effort.orders)


def _draw_ns(draw: Callable[[], float], count: int) -> float:
    """Return the CPU time of a draw in nanoseconds."""
    began = time.process_time_ns()
    for _ in range(count):
        draw()
    return (time.process_time_ns() - began) / count
