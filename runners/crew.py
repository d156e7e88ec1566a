"""Who plays matches side by side: the processes of this machine, or those of a cluster."""

from concurrent.futures import Future
from typing import Any, Protocol

from engine.referee import Job
from engine.result import MatchResult

Result = MatchResult | BaseException
"""What came of a job; an exception that is no SlimeMindError is a bug of ours."""


class Lost(Exception):
    """A job went down with those who played it; it may have been their fault, or its own."""


class Crew(Protocol):
    """An executor, and what is special to it."""

    @property
    def workers(self) -> int:
        """How many matches it plays at once."""

    def submit(self, job: Job) -> Future[Any]: ...

    def take(self, job: Job, future: Future[Any]) -> "Result | Future[Any]":
        """What came of a job, or the future of another try at it. Raises: Lost."""

    def begin_anew(self) -> None:
        """After a loss; what else was submitted is lost too. Raises: EngineFailure."""

    def end(self, *, at_once: bool) -> None:
        """Leave no process behind; at once, or when what was submitted is done."""
