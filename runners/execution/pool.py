"""Plays jobs side by side, whatever their number, and again where a process was killed."""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import TYPE_CHECKING

from engine.errors import EngineFailure, SlimeMindError, UsageError
from engine.referee import Job
from engine.support.extras import how_to_install
from engine.support.interpreter_state import format_traceback
from runners.execution.executor import Attempt, FairExecutor, JobLost, MatchExecutor, Result
from runners.execution.local_executor import Processes
from runners.match_request import RunOptions

if TYPE_CHECKING:
    from runners.execution.cluster import Cluster

MAX_TRIES = 3
"""How often a lost job is played again."""

Numbered = tuple[int, Job]
NICENESS = 10
"""Matches leave the processor to the web and to people's games."""


class Ending(Exception):
    """The server ends, or somebody wants that nothing more is played."""


class Pool:
    """Plays jobs on an executor. Use it as a context: it leaves no process behind."""

    def __init__(self, executor: MatchExecutor) -> None:
        self._executor = executor
        self._is_ending = False

    @property
    def workers(self) -> int:
        """Return how many matches it plays at once."""
        return self._executor.workers

    def end_for_good(self) -> None:
        """Lose what is played, at once; nothing is started any more. From any thread."""
        self._is_ending = True
        self._executor.terminate()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._executor.end(at_once=kind is not None or self._is_ending)

    def _restart(self) -> None:
        """Raises: Ending, EngineFailure."""
        if not self._is_ending:
            self._executor.restart()
        if self._is_ending:  # since we looked, perhaps: what was just started was not ended
            raise Ending

    def play_all(self, jobs: Iterable[Job]) -> Generator[tuple[int, Result], None, None]:
        """Yield the number of each job (from 0) with what came of it, as they finish.

        `jobs` may be an iterator that has come to its end and goes on after more results.
        """
        todo = enumerate(jobs)
        while lost := (yield from self._play_until_lost(todo)):
            self._restart()
            for number, job in lost:
                yield number, self._play_alone(job)

    def _play_until_lost(
        self, todo: Iterator[Numbered]
    ) -> Generator[tuple[int, Result], None, list[Numbered]]:
        """Play on until all is done or some was lost; what was lost.

        What was killed may have been killed with others: the rest is taken for lost, too.
        """
        playing: dict[Attempt, Numbered] = {}
        lost: list[Numbered] = []
        while not lost:
            # Twice as many as can play, so that nobody waits for us to read a result.
            for number, job in islice(todo, max(0, 2 * self._executor.workers - len(playing))):
                playing[self._executor.submit(job)] = number, job
            if not playing:
                break
            wait(playing, return_when=FIRST_COMPLETED)
            yield from self._collect_finished(playing, lost)
        return [*lost, *playing.values()]

    def _collect_finished(
        self, playing: dict[Attempt, Numbered], lost: list[Numbered]
    ) -> Iterator[tuple[int, Result]]:
        """Yield what is done; jobs that are to be tried again stay in `playing` or go to `lost`."""
        for future in [future for future in playing if future.done()]:
            number, job = playing.pop(future)
            try:
                came = self._executor.outcome_of(job, future)
            except JobLost:
                lost.append((number, job))
                continue
            if isinstance(came, Future):  # it is played again, without its number being given up
                playing[came] = number, job
            else:
                yield number, came

    def _play_alone(self, job: Job) -> Result:
        """Play a lost job again with nothing beside it: it is then known whether it is to blame."""
        for _ in range(MAX_TRIES):
            try:
                return self._play(job)
            except JobLost:
                self._restart()
        return EngineFailure(f"the process that played it was killed, {MAX_TRIES + 1} times")

    def _play(self, job: Job) -> Result:
        """Raises: JobLost."""
        came: Result | Attempt = self._executor.submit(job)
        while isinstance(came, Future):
            wait([came])
            came = self._executor.outcome_of(job, came)
        return came


def executor_for(run: RunOptions, *, niceness: int = 0, is_watched: bool = False) -> FairExecutor:
    """Return the executor of this machine, with that niceness, or of a cluster.

    `is_watched`: whether what this machine plays can be read meanwhile (engine/result_folder.py).

    Raises: UsageError, EngineFailure.
    """
    if run.cluster is None:
        return Processes(run.out, run.workers, niceness=niceness, is_watched=is_watched)
    return _import_cluster()(run.out, run.cluster)


def require_cluster(cluster: str) -> None:
    """Raises: UsageError for what names no cluster, or where packages for clusters are missing."""
    _import_cluster().require_address(cluster)


def _import_cluster() -> "type[Cluster]":
    """Raises: UsageError."""
    try:
        from runners.execution.cluster import Cluster  # its packages are optional
    except ImportError as error:
        raise UsageError(
            f"--cluster needs more packages ({error}): {how_to_install('cluster')}"
        ) from error
    return Cluster


def describe_error(error: BaseException) -> str:
    """Return an error as a sentence; for a bug of ours the whole traceback."""
    if isinstance(error, SlimeMindError):
        return str(error)
    return format_traceback(error)
