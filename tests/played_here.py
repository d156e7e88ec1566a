"""Matches played in the process of a command, for tests of what is said and kept of them.

Rules, orders, faults, results, replays and files are those of every match. Missing is what takes
the time: a zygote, the bots' processes, and those of a pool. So nothing here limits a bot, ends it,
or keeps what it prints; tests of these play as users do.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from msgspec.structs import replace

from engine.bots.local_seat import LocalSeat
from engine.bots.sandbox import is_root, layers_for
from engine.fault import Fault
from engine.referee import BotSeat, Job, Referee
from engine.result import MatchResult, Protection
from runners.execution.executor import Result


class RefereeHere(Referee):
    """Seats all bots in this process, and files what they play as any other match."""

    def make_seat(self, job: Job, team: int, folder: Path) -> BotSeat:
        play = replace(job.play, in_process=True)
        seat = super().make_seat(replace(job, play=play, own_files={}), team, folder)
        assert isinstance(seat, LocalSeat)
        seat._show = ignore  # type: ignore[method-assign]
        return seat

    def _describe_protection(self, job: Job) -> Protection:
        """Say what the bots would have been confined by."""
        layers = layers_for(job.play.sandbox, {})
        return Protection(level=job.play.sandbox, layers=layers, failings={}, as_root=is_root())


def ignore(report: str) -> None:
    """Show nobody the traceback of a bot, as where it has a process of its own."""


class ProcessesHere:
    """A match executor in place of `Processes`: what is submitted has been played."""

    def __init__(
        self, out: Path, workers: int, *, niceness: int = 0, is_watched: bool = False
    ) -> None:
        self.workers = workers
        self._referee = RefereeHere(out)

    def submit(self, job: Job) -> "Future[Result]":
        future: Future[Result] = Future()
        try:
            future.set_result(self._referee.play(job))
        except Exception as error:  # noqa: BLE001 - `outcome_of` returns it
            future.set_exception(error)
        return future

    def outcome_of(self, job: Job, future: "Future[MatchResult]") -> Result:
        return future.exception() or future.result()

    def try_bot(self, job: Job) -> "Future[Fault | None]":
        future: Future[Fault | None] = Future()
        future.set_result(self._referee.why_it_cannot_play(job))
        return future

    def restart(self) -> None:
        raise AssertionError("nothing gets lost here")

    def terminate(self) -> None:
        pass

    def end(self, *, at_once: bool) -> None:
        self._referee.close()


STAND_INS: Mapping[tuple[str, str], type] = {
    ("cli.design", "Referee"): RefereeHere,
    ("runners.execution.pool", "Processes"): ProcessesHere,
    ("runners.multi_match", "Processes"): ProcessesHere,
    ("runners.single_match", "Referee"): RefereeHere,
    ("runners.contests.organizer", "Processes"): ProcessesHere,
    ("runners.contests.organizer", "Referee"): RefereeHere,
    ("runners.contests.forecast", "Referee"): RefereeHere,
}
"""What takes the place of a name in a module, by both."""
