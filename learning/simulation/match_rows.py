"""Many matches at once, each a row of one array: what the games have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.game import Event
from engine.streams import parse_seed
from learning.simulation.chance import Row
from learning.simulation.log import Log


class MatchRows(ABC):
    """Matches with the same settings, each from a seed of its own.

    They are what the engine plays from the same seeds with the same orders. `rows` is all there
    is to them: to copy a match, copy its row.
    """

    turn_at: ClassVar[int]
    """Where a row has the turn."""

    def __init__(self, seeds: Sequence[int], width: int, *, no_log: Log, log: Log | None) -> None:
        """Begin a match from each seed; with a log `events` says what the last orders led to.

        `width`: the numbers of a row.
        """
        self.rows = np.zeros((len(seeds), width), np.int64)
        self.no_log = no_log
        """A log without room: kernels that are given it log nothing."""
        self._log = no_log if log is None else log
        self._events: list[list[Event]] = [[] for _ in seeds]
        for number, seed in enumerate(seeds):
            self.begin(number, seed)

    def begin(self, number: int, seed: int) -> None:
        """Begin a match anew, from another seed."""
        self._begin(number, parse_seed(seed))
        self._read_log(number)

    @property
    @abstractmethod
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each match is over."""

    @property
    def turns(self) -> Row:
        """The turn that each match is in."""
        return self.rows[:, self.turn_at]

    def events(self, number: int) -> list[Event]:
        """Return what the last orders of a match led to, as the engine's events."""
        return self._events[number]

    @abstractmethod
    def _begin(self, number: int, seed: int) -> None: ...

    @abstractmethod
    def _advance(self, part: slice, orders: Row) -> None:
        """Play orders, those of each match of a part that is not over."""

    @abstractmethod
    def _logged(self, number: int) -> list[Event]:
        """Return what the log holds of a match, and begin it anew."""

    def _play(self, orders: Row) -> None:
        """Play orders in each match that is not over, one match at a time where there is a log."""
        if self._log is self.no_log:
            self._advance(slice(None), orders)
            return
        for number in np.flatnonzero(~self.is_over).tolist():
            part = slice(number, number + 1)
            self._advance(part, orders[part])
            self._read_log(number)

    def _read_log(self, number: int) -> None:
        if self._log is not self.no_log:
            self._events[number] = self._logged(number)
