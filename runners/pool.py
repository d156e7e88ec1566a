"""Jobs -> results: matches side by side, however many there are, and whoever is killed."""

import traceback
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any

from engine.errors import EngineFailure, SlimeMindError
from engine.referee import Job
from runners.crew import Crew, Lost, Result

MOST_TRIES = 3
"""How often a job is begun again that was lost with whoever played it."""

Numbered = tuple[int, Job]


class Pool:
    """Has a crew play jobs. Use it as a context: it leaves no process behind."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._crew.end(at_once=kind is not None)

    def play_all(self, jobs: Iterable[Job]) -> Generator[tuple[int, Result], None, None]:
        """The number of each job (from 0) with what came of it, as they come."""
        todo = enumerate(jobs)
        while lost := (yield from self._play_until_lost(todo)):
            self._crew.begin_anew()
            for number, job in lost:
                yield number, self._play_alone(job)

    def _play_until_lost(
        self, todo: Iterator[Numbered]
    ) -> Generator[tuple[int, Result], None, list[Numbered]]:
        """Play on until all is done or some was lost; what was lost.

        One killed process breaks a whole ProcessPoolExecutor: the rest is as good as lost too.
        """
        playing: dict[Future[Any], Numbered] = {}
        lost: list[Numbered] = []
        while not lost:
            for number, job in islice(todo, max(0, 2 * self._crew.workers - len(playing))):
                playing[self._crew.submit(job)] = number, job
            if not playing:
                break
            wait(playing, return_when=FIRST_COMPLETED)
            yield from self._take_done(playing, lost)
        return [*lost, *playing.values()]

    def _take_done(
        self, playing: dict[Future[Any], Numbered], lost: list[Numbered]
    ) -> Iterator[tuple[int, Result]]:
        """What is done leaves `playing`, and if it is not done after all comes to `lost`."""
        for future in [future for future in playing if future.done()]:
            number, job = playing.pop(future)
            try:
                came = self._crew.take(job, future)
            except Lost:
                lost.append((number, job))
                continue
            if isinstance(came, Future):
                playing[came] = number, job
            else:
                yield number, came

    def _play_alone(self, job: Job) -> Result:
        """A lost job again, with nothing beside it: who is to blame is then known."""
        for _ in range(MOST_TRIES):
            try:
                return self._play(job)
            except Lost:
                self._crew.begin_anew()
        return EngineFailure(f"the process that played it was killed, {MOST_TRIES + 1} times")

    def _play(self, job: Job) -> Result:
        """Raises: Lost."""
        came: Result | Future[Any] = self._crew.submit(job)
        while isinstance(came, Future):
            wait([came])
            came = self._crew.take(job, came)
        return came


def words_of(error: BaseException) -> str:
    """A sentence; for a bug of ours the whole traceback."""
    if isinstance(error, SlimeMindError):
        return str(error)
    return "".join(traceback.format_exception(error)).rstrip()
