"""What plays matches for a server, and ends with it."""

from engine.referee import Job
from runners.execution.executor import Attempt, Result
from runners.execution.pool import executor_for
from runners.run_options import RunOptions

NICENESS = 10
"""Matches leave the processor to the web and to people's games."""


class Ending(Exception):
    """The server ends, or somebody wants that nothing more is played."""


class EndingExecutor:
    """Processes of this machine, or a cluster, not started again once they were ended."""

    def __init__(self, run: RunOptions) -> None:
        """Raises: UsageError, EngineFailure: the cluster cannot be used."""
        self._executor = executor_for(run, niceness=NICENESS, is_watched=True)
        self._is_ending = False

    @property
    def workers(self) -> int:
        return self._executor.workers

    def submit(self, job: Job) -> Attempt:
        return self._executor.submit(job)

    def outcome_of(self, job: Job, attempt: Attempt) -> Result | Attempt:
        return self._executor.outcome_of(job, attempt)

    def restart(self) -> None:
        """Raises: Ending, EngineFailure."""
        if self._is_ending:
            raise Ending
        self._executor.restart()
        if self._is_ending:  # since we looked: what was just started was not ended
            raise Ending

    def terminate(self) -> None:
        self._executor.terminate()

    def end(self, *, at_once: bool) -> None:
        self._executor.end(at_once=at_once)

    def end_for_good(self) -> None:
        """Lose what is played, at once; nothing is started any more."""
        self._is_ending = True
        self.terminate()
