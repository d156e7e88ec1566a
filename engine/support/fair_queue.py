"""A queue of work: whoever has waited longest comes next, owner by owner.

Somebody who asks for much gets no more turns than others: of each owner one piece of work is taken,
and then one of whoever had a turn longest ago. Owners who share a first key, such as guests at one
address, have the turns of one owner, and take them in turn.
"""

from collections import deque
from concurrent.futures import Future
from enum import IntEnum
from itertools import count
from typing import Any, NamedTuple

AnyFuture = Future[Any]
Owner = tuple[str, ...]
"""For whom something is done: last who that is, and before that what they share with others."""
NEWEST_SHARE = 0.3
"""The weight of the newest work in how long some takes."""
MAX_TURNS = 1_000
"""Keys whose turns are remembered though they want nothing any more."""


class Priority(IntEnum):
    """What is done first; all else of the same owner waits for its turn."""

    WAITED_FOR = 0
    """Somebody waits for it."""
    BACKGROUND = 1
    """It comes once nothing else waits."""


class QueuePlace(NamedTuple):
    """A place in a queue, and the time until its turn."""

    number: int
    """1 is begun next; 0 if it is begun, at once or before, or over."""
    wait_s: int
    """When it is begun, about; 0 where that is not known."""


class Work(NamedTuple):
    """Something that is to be done for somebody."""

    number: int
    """It grows from one piece of work to the next."""
    request: tuple[Any, ...]
    """What is to be done."""
    future: AnyFuture


Lane = tuple[Priority, Owner]


class FairQueue:
    """Holds work. Used by one thread at a time."""

    def __init__(self) -> None:
        self._lanes: dict[Lane, deque[Work]] = {}
        """What waits, the oldest first; none of them is empty."""
        self._turns: dict[str, int] = {}
        """When work for a key was taken last, as the number of that turn."""
        self._numbers = count(1)
        self._length = 0
        self._mean_s = 0.0
        """How long some has taken of late; 0 before any was done."""

    def __len__(self) -> int:
        return self._length

    def put(self, owner: Owner, priority: Priority, *request: Any) -> AnyFuture:
        """Add work; return its future."""
        work = Work(next(self._numbers), request, Future())
        self._lanes.setdefault((priority, owner), deque()).append(work)
        self._length += 1
        return work.future

    def take(self) -> Work | None:
        """Remove what is to be done next; None where nothing waits."""
        if not self._lanes:
            return None
        lane = _choose_next(self._lanes, self._turns)
        self._turns.update(dict.fromkeys(lane[1], next(self._numbers)))
        if len(self._turns) > MAX_TURNS:  # who comes anew has waited longest anyway
            wanting = {key for _, owner in self._lanes for key in owner}
            self._turns = {key: turn for key, turn in self._turns.items() if key in wanting}
        return self._pop(lane, 0)

    def find_place(self, future: AnyFuture) -> int:
        """Return how soon work is taken: 1 is the next; 0 where it does not wait."""
        # Who comes next depends on who has had a turn by then, so a copy of the queue is played
        # through.
        if self._find(future) is None:
            return 0
        copy = FairQueue()
        copy._lanes = {lane: works.copy() for lane, works in self._lanes.items()}
        copy._turns = self._turns.copy()
        copy._numbers = count(max(self._turns.values(), default=0) + 1)
        position = 1
        while (work := copy.take()) is not None and work.future is not future:
            position += 1
        return position

    def note_duration(self, took_s: float) -> None:
        self._mean_s += (took_s - self._mean_s) * (NEWEST_SHARE if self._mean_s else 1)

    def estimate_wait(self, future: AnyFuture, workers: int, idle: int = 0) -> QueuePlace:
        """Return where work is, and when one of so many workers begins it, about."""
        number = max(0, self.find_place(future) - idle)
        wait_s = max(0.0, number - 0.5) * self._mean_s / workers  # all are in the middle of some
        return QueuePlace(number, round(wait_s))

    def remove(self, future: AnyFuture) -> None:
        """Take out work that is not to be done, where it still waits."""
        found = self._find(future)
        if found is not None:
            self._pop(*found)

    def clear(self) -> list[AnyFuture]:
        """Take out all there is."""
        futures = [work.future for works in self._lanes.values() for work in works]
        self._lanes.clear()
        self._length = 0
        return futures

    def _find(self, future: AnyFuture) -> tuple[Lane, int] | None:
        for lane, works in self._lanes.items():
            for index, work in enumerate(works):
                if work.future is future:
                    return lane, index
        return None

    def _pop(self, lane: Lane, index: int) -> Work:
        works = self._lanes[lane]
        work = works[index]
        del works[index]
        if not works:
            del self._lanes[lane]
        self._length -= 1
        return work


def _choose_next(lanes: dict[Lane, deque[Work]], turns: dict[str, int]) -> Lane:
    """Return where the next work is taken from: whose turn was longest ago, the oldest of those."""

    def last_turns(keys: Owner) -> list[int]:
        return [turns.get(key, 0) for key in keys]

    def order(lane: Lane) -> tuple[Priority, list[int], int]:
        priority, owner = lane
        return priority, last_turns(owner[:1]), lanes[lane][0].number

    first = min(lanes, key=order)
    sharing = [lane for lane in lanes if (lane[0], lane[1][:1]) == (first[0], first[1][:1])]
    return min(sharing, key=lambda lane: (last_turns(lane[1]), lanes[lane][0].number))
