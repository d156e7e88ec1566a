"""An executor that plays nothing: results of matches are made up."""

from collections.abc import Callable
from concurrent.futures import Future

from msgspec.structs import replace

from engine.referee import Job
from engine.result import MatchResult
from runners.execution.executor import Result
from tests.runners.results import a_match_result, a_team

OUT = "crash: it broke"


class MadeUpExecutor:
    """`comes`: what comes of a job. The first of those submitted is done first."""

    def __init__(self, comes: Callable[[Job], Result], workers: int = 2) -> None:
        self.workers = workers
        self.jobs: list[Job] = []
        """All that was submitted."""
        self._comes = comes

    def submit(self, job: Job) -> "Future[Result]":
        self.jobs.append(job)
        future: Future[Result] = Future()
        future.set_result(self._comes(job))
        return future

    def outcome_of(self, job: Job, future: "Future[Result]") -> Result:
        return future.result()

    def restart(self) -> None:
        raise AssertionError("nothing gets lost here")

    def terminate(self) -> None:
        """Do nothing: nobody ends it from elsewhere."""

    def end(self, *, at_once: bool) -> None:
        pass

    def names(self) -> list[tuple[str, ...]]:
        """Return who sat where in what was submitted."""
        return [tuple(bot.name for bot in job.contestants) for job in self.jobs]


def a_draw(job: Job) -> MatchResult:
    return make_result(job)


def make_result(job: Job, winner: str = "", out: str = "") -> MatchResult:
    """`winner` scores more than all others; the bot called `out` broke."""
    teams = tuple(
        replace(
            a_team(bot.name),
            score=2.0 if bot.name == winner else 1.0,
            out=OUT if bot.name == out else None,
        )
        for bot in job.contestants
    )
    key = job.spec.key
    return a_match_result(key=key, spec=job.spec, teams=teams, fingerprint=key)
