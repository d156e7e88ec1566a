"""The protocol of match executors: processes of this machine, or workers of a cluster."""

from concurrent.futures import Future
from typing import Any, Protocol

from engine.referee import Job
from engine.result import MatchResult
from engine.support.fair_queue import Owner, Priority, QueuePlace

Attempt = Future[Any]
"""A job that is being played; only its executor knows what such a future holds."""
Result = MatchResult | BaseException
"""The result of a job; an exception that is no SlimeMindError is a bug of ours."""


class JobLost(Exception):
    """The process that played a job was killed, perhaps for another job's fault."""


class MatchExecutor(Protocol):
    """Plays matches side by side, and may lose some with the processes that play them."""

    @property
    def workers(self) -> int:
        """Return how many matches it plays at once."""

    def submit(self, job: Job) -> Attempt: ...

    def outcome_of(self, job: Job, attempt: Attempt) -> Result | Attempt:
        """Return what came of a job, or another attempt at it. Raises: JobLost."""

    def restart(self) -> None:
        """Start again after a loss; what else was submitted is lost too. Raises: EngineFailure."""

    def end(self, *, at_once: bool) -> None:
        """Leave no process behind; at once, or when what was submitted is done."""

    def terminate(self) -> None:
        """Lose what is being played, at once. Waits for nothing; from any thread."""


class FairExecutor(MatchExecutor, Protocol):
    """An executor for several owners: whoever has waited longest comes next.

    Its methods may be called from any thread.
    """

    def submit(
        self, job: Job, owner: Owner = (), priority: Priority = Priority.WAITED_FOR
    ) -> Attempt: ...

    def find_place(self, attempt: Attempt) -> QueuePlace:
        """Return where a job is in the queue, and when it is begun, about."""

    def stop(self, attempt: Attempt) -> None:
        """Let a job not be played; one that is being played is lost."""
