"""Who comes next: whoever has waited longest, owner by owner."""

from concurrent.futures import Future
from typing import Any

from engine.support.fair_queue import FairQueue, Priority


class Waiting:
    """A queue in which everything has a name."""

    def __init__(self) -> None:
        self._queue = FairQueue()
        self._futures: dict[str, Future[Any]] = {}
        self.add("Eve", "e1")
        self._queue.take()
        del self._futures["e1"]

    def add(self, owner: str, name: str, priority: Priority = Priority.WAITED_FOR) -> None:
        """`owner`: whose it is, after a word for each key that they share with others."""
        self._futures[name] = self._queue.put(tuple(owner.split()), priority, name)

    def take_all(self) -> list[str]:
        """Return all names, in the order of their places, in which they are also taken."""
        places = {name: self._queue.find_place(one) for name, one in self._futures.items()}
        taken: list[str] = []
        while (work := self._queue.take()) is not None:
            taken += work.request
        assert sorted(places, key=lambda name: places[name]) == taken
        assert sorted(places.values()) == list(range(1, len(taken) + 1))
        return taken


def test_nobody_waits_for_all_that_somebody_else_wants() -> None:
    waiting = Waiting()
    for name in ("a1", "a2", "a3"):
        waiting.add("Ann", name)
    waiting.add("Bob", "b1")
    waiting.add("Eve", "e2")
    waiting.add("Bob", "b2")
    assert waiting.take_all() == ["a1", "b1", "e2", "a2", "b2", "a3"]


def test_guests_at_one_address_have_the_turns_of_one_person() -> None:
    waiting = Waiting()
    for name in ("g1", "g2", "h1"):
        waiting.add(f"there {name[0]}", name)
    waiting.add("Ann", "a1")
    waiting.add("Ann", "a2")
    assert waiting.take_all() == ["g1", "a1", "h1", "a2", "g2"]


def test_what_can_wait_comes_last() -> None:
    waiting = Waiting()
    waiting.add("Ann", "a1", Priority.BACKGROUND)
    waiting.add("Bob", "b1")
    waiting.add("Bob", "b2")
    assert waiting.take_all() == ["b1", "b2", "a1"]


def test_what_is_removed_is_not_taken() -> None:
    queue = FairQueue()
    first = queue.put(("Ann",), Priority.WAITED_FOR, 1)
    second = queue.put(("Ann",), Priority.WAITED_FOR, 2)
    queue.remove(first)
    assert (queue.find_place(first), queue.find_place(second), len(queue)) == (0, 1, 1)
    assert queue.clear() == [second]
    assert queue.take() is None
