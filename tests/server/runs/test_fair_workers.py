"""Who comes next: whoever has waited longest, person by person."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.support.process_pool import ProcessLost
from server.games.bot_seats import set_worker_signals
from server.runs.fair_workers import FairWorkers
from tests.shell import eventually


def wait_for(path: str) -> str:
    """Wait until there is a file."""
    while not Path(path).exists():
        time.sleep(0.01)
    return path


def fail() -> None:
    raise ValueError("no")


@pytest.fixture
def workers() -> Iterator[FairWorkers]:
    with closing(FairWorkers(set_worker_signals, ())) as made:
        yield made


class Begun:
    """Work that waits for a file, and the order in which work ends."""

    def __init__(self, workers: FairWorkers, folder: Path) -> None:
        self._workers = workers
        self.gate = folder / "gate"
        self.first = workers.submit(("Eve",), wait_for, str(self.gate))
        assert eventually(self.first.running, 20)
        self.order: list[str] = []
        self.futures: dict[str, Future[Any]] = {}

    def add(self, by: str, name: str, *, can_wait: bool = False) -> None:
        """`by`: whose it is, after a word for each key that they share with others."""
        submit = self._workers.submit_patiently if can_wait else self._workers.submit
        future = submit(tuple(by.split()), str, name)
        future.add_done_callback(lambda done: self.order.append(done.result()))
        self.futures[name] = future

    def places(self) -> dict[str, int]:
        return {name: self._workers.find_place(one).number for name, one in self.futures.items()}

    def go(self) -> list[str]:
        self.gate.touch()
        assert eventually(lambda: len(self.order) == len(self.futures), 20)
        return self.order


def test_nobody_waits_for_all_that_somebody_else_wants(
    workers: FairWorkers, tmp_path: Path
) -> None:
    begun = Begun(workers, tmp_path)
    for name in ("a1", "a2", "a3"):
        begun.add("Ann", name)
    begun.add("Bob", "b1")
    begun.add("Eve", "e2")
    begun.add("Bob", "b2")
    places = begun.places()
    order = begun.go()
    assert order == ["a1", "b1", "e2", "a2", "b2", "a3"]
    assert sorted(places, key=lambda name: places[name]) == order
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 6]


def test_guests_at_one_address_have_the_turns_of_one_person(
    workers: FairWorkers, tmp_path: Path
) -> None:
    begun = Begun(workers, tmp_path)
    for name in ("g1", "g2", "h1"):
        begun.add(f"there {name[0]}", name)
    begun.add("Ann", "a1")
    begun.add("Ann", "a2")
    places = begun.places()
    order = begun.go()
    assert order == ["g1", "a1", "h1", "a2", "g2"]
    assert sorted(places, key=lambda name: places[name]) == order


def test_what_can_wait_comes_last(workers: FairWorkers, tmp_path: Path) -> None:
    begun = Begun(workers, tmp_path)
    begun.add("Ann", "a1", can_wait=True)
    begun.add("Bob", "b1")
    begun.add("Bob", "b2")
    assert begun.go() == ["b1", "b2", "a1"]


def test_what_is_done_or_begun_waits_for_nothing(workers: FairWorkers, tmp_path: Path) -> None:
    begun = Begun(workers, tmp_path)
    assert workers.find_place(begun.first).number == 0
    begun.gate.touch()
    assert begun.first.result(20) == str(begun.gate)
    assert workers.find_place(begun.first).number == 0


def test_what_waits_is_told_when_it_begins(workers: FairWorkers, tmp_path: Path) -> None:
    begun = Begun(workers, tmp_path)
    begun.add("Ann", "a1")
    begun.add("Ann", "a2")
    workers._mean_s = 8.0
    assert [workers.find_place(one).wait_s for one in begun.futures.values()] == [4, 12]
    begun.go()
    assert workers._mean_s < 8.0


def test_what_a_function_raises_is_raised_where_it_was_asked_for(workers: FairWorkers) -> None:
    with pytest.raises(ValueError, match="no"):
        workers.submit(("Ann",), fail).result(20)
    assert workers.submit(("Ann",), str, 7).result(20) == "7"


def test_what_is_stopped_is_lost_and_the_next_is_done(workers: FairWorkers, tmp_path: Path) -> None:
    begun = Begun(workers, tmp_path)
    waiting = workers.submit(("Ann",), str, "never")
    workers.stop(waiting)
    assert waiting.cancelled()
    workers.stop(begun.first)
    with pytest.raises(ProcessLost):
        begun.first.result(20)
    assert workers.submit(("Ann",), str, 7).result(20) == "7"


def test_several_processes_do_several_things_at_once(tmp_path: Path) -> None:
    with closing(FairWorkers(set_worker_signals, (), processes=2)) as workers:
        begun = Begun(workers, tmp_path)
        assert workers.submit(("Ann",), str, 7).result(20) == "7"
        assert begun.first.running()
        begun.gate.touch()


def test_at_the_end_nothing_is_waited_for(tmp_path: Path) -> None:
    workers = FairWorkers(set_worker_signals, ())
    begun = Begun(workers, tmp_path)
    waiting = workers.submit(("Ann",), str, "never")
    closed = threading.Thread(target=workers.close)
    closed.start()
    closed.join(20)
    assert not closed.is_alive()
    assert waiting.cancelled()
    assert begun.first.done()
    with pytest.raises(CancelledError):
        workers.submit(("Ann",), str, "late").result(1)
