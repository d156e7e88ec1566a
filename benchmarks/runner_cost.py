"""The cost of a tournament's runner: matches of 1 ms, scheduled, stored and counted.

Run as a program it plays one, and prints what it took.
"""

from contextlib import suppress
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.command_line import in_a_process
from benchmarks.table import Effort, Figure, Target, figure
from engine.bots.sandbox import Level
from engine.catalog import find_game
from engine.replays.writing import Contestant
from engine.referee import Job
from engine.result import CpuUse, MatchResult, Protection, TeamResult
from runners.execution.executor import Result
from runners.execution.pool import Pool
from runners.storage.store import open_store
from runners.match_request import RunOptions
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan
from runners.contests.tournament import Tournament
from runners.contests.standings import compute_standings

with suppress(ImportError):  # Windows has none
    import resource

MATCH_S = 0.001
BOTS = 11
PAIRINGS = BOTS * (BOTS - 1) // 2
MATCHES_PER_CALL = 50
"""A hundred thousand in all with full effort."""
KB_PER_MB = 1_024


class Took(msgspec.Struct, frozen=True, kw_only=True):
    matches: int
    cpu_s: float
    """CPU time of the runner's own process."""
    grown_mb: float
    """How far it grew from before the first match to its largest."""


def measure(effort: Effort) -> list[Figure]:
    maps = max(1, effort.calls * MATCHES_PER_CALL // (2 * PAIRINGS))
    took = in_a_process("benchmarks.runner_cost", maps, Took)
    matches = f"of {took.matches} matches of 1 ms"
    return [
        figure("runner", "ms", took.cpu_s / took.matches * 1_000, Target.at_most(3)).says(
            f"CPU time of the runner per match, {matches}"
        ),
        figure("runner memory", "MB", took.grown_mb, Target.at_most(100)).says(
            f"memory growth of the runner in a tournament {matches}"
        ),
    ]


def play(maps: int) -> Took:
    with (
        TemporaryDirectory() as name,
        closing(open_store(f"sqlite:///{name}/results.sqlite")) as store,
    ):
        tournament = Tournament(a_field(maps), store)
        with Pool(Nappers()) as pool:
            before_mb, began = peak_mb(), time.process_time()
            tournament.play_on(pool, RunOptions(out=Path(name), workers=1))
            standings = compute_standings(tournament.ledger())
            cpu_s = time.process_time() - began
    assert standings.is_over
    return Took(matches=standings.played, cpu_s=cpu_s, grown_mb=peak_mb() - before_mb)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB_PER_MB


def a_field(games: int) -> Field:
    """Return a field in which everybody meets everybody on this many maps."""
    game = find_game("slime_mind")
    plan = TournamentPlan(
        name="benchmark",
        game=game.name,
        rules_version=game.rules_version,
        format="round_robin",
        games=games,
        seed=1,
        settings=game.settings(),
        limits=game.limits,
    )
    bots = [Contestant(name=f"bot_{number}", digest=f"{number:016x}") for number in range(BOTS)]
    return Field(plan, tuple(Entrant(bot=bot, secret=Secret(0, 1)) for bot in bots))


class Nappers:
    """A match executor without processes, in which a match takes a millisecond."""

    workers = 1

    def __init__(self) -> None:
        self._executor = ProcessPoolExecutor(1)

    def submit(self, job: Job) -> "Future[MatchResult]":
        return self._executor.submit(nap, job)

    def outcome_of(self, job: Job, future: "Future[MatchResult]") -> Result:
        return future.result()

    def restart(self) -> None:
        """Start anew: nothing is ever lost."""

    def terminate(self) -> None:
        """Do nothing: nobody ends it from elsewhere."""

    def end(self, *, at_once: bool) -> None:
        self._executor.shutdown()


def nap(job: Job) -> MatchResult:
    time.sleep(MATCH_S)
    teams = tuple(
        TeamResult(
            bot=contestant,
            score=float(job.spec.seed >> shift & 255),
            left="2 slimes: 2 of level 3",
            faults={},
            details={},
            restarts=0,
            out=None,
            cpu=CpuUse(calls=1200, median_us=14, p95_us=950, max_us=50_100, total_ms=7540),
        )
        for shift, contestant in enumerate(job.contestants)
    )
    return MatchResult(
        key=job.spec.key,
        spec=job.spec,
        winner=None,
        reason="last turn",
        turns=300,
        teams=teams,
        fingerprint="f" * 64,
        wall_ms=1,
        cpu_ms=1,
        sandbox=Protection(level=Level.OFF, layers=(), failings={}),
    )


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(play(int(sys.argv[1]))).decode())
