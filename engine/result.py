"""What is kept of a match: who, what came out, and what went wrong."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots.fault import Cause, Fault
from engine.bots.sandbox import Failings, Layer, Level
from engine.game import Ask
from engine.match import Watcher
from engine.record import Contestant, Continued


class CpuUse(msgspec.Struct, frozen=True, kw_only=True):
    """CPU time of a bot's calls."""

    calls: int
    median_us: int
    p95_us: int
    max_us: int
    total_ms: int


class TeamResult(msgspec.Struct, frozen=True, kw_only=True):
    """One team's side of a match."""

    bot: Contestant
    score: float
    left: str
    """What the team has at the end, in words."""
    faults: dict[Cause, int]
    """Decisions lost, by cause."""
    details: dict[Cause, str]
    """The words of the first fault of each cause."""
    restarts: int
    out: str | None
    """Why the bot was asked no more; None if it was asked to the end."""
    cpu: CpuUse


class Protection(msgspec.Struct, frozen=True, kw_only=True):
    """What the bots of a match were confined by."""

    level: Level
    layers: tuple[Layer, ...]
    failings: Failings
    """The layers this machine does not offer, and why."""


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """All of a match but its events."""

    key: str
    spec: Any
    winner: int | None
    """The winning team, from 1; None for a draw."""
    reason: str
    turns: int
    teams: tuple[TeamResult, ...]
    fingerprint: str
    """Equal for matches in which the same was ordered and happened."""
    wall_ms: int
    cpu_ms: int
    """Of the engine and the bots."""
    sandbox: Protection
    in_process: bool = False
    """Nobody judged it: the bots played in our own process, without limits."""
    first_fingerprint: str | None = None
    """Of the playing that is this match's result, where this is another one."""
    continued: Continued | None = None
    """Where it went on, if it was cut off before."""
    is_suspect: bool = False
    """Bots lost rounds by the clock, and the machine was too busy to tell whose fault it was."""
    folder: str = ""
    """Where result, replay and logs are filed."""
    replay: str | None = None
    """Path of the replay."""

    @property
    def differs(self) -> bool:
        """Whether it came out otherwise than the first playing of this match."""
        return self.first_fingerprint not in (None, self.fingerprint)

    @property
    def faults(self) -> int:
        """Decisions lost by all teams."""
        return sum(sum(team.faults.values()) for team in self.teams)


BY_THE_CLOCK = frozenset({Cause.TIMEOUT, Cause.SLEPT, Cause.LOAD_TIMEOUT, Cause.PONDERED})
STARVED = 3
"""So many times its CPU time a match took, and did nothing for most of it."""
BUSY = 3
"""So many processes in line per core: far more than the match per core that we start ourselves."""


def looks_starved(result: MatchResult) -> bool:
    """Whether rounds were lost by the clock while far more was to be done than cores could do."""
    if not any(cause in BY_THE_CLOCK for team in result.teams for cause in team.faults):
        return False
    is_slow = result.wall_ms > STARVED * result.cpu_ms
    return (
        is_slow and hasattr(os, "getloadavg") and os.getloadavg()[0] > BUSY * (os.cpu_count() or 1)
    )


class FaultTally(Watcher):
    """Counts faults by team and cause, and keeps the first words of each."""

    def __init__(self, teams: int) -> None:
        self.counts: list[Counter[Cause]] = [Counter() for _ in range(teams)]
        self.details: list[dict[Cause, str]] = [{} for _ in range(teams)]

    def faulted(self, ask: Ask, fault: Fault) -> None:
        self.counts[ask.team - 1][fault.cause] += 1
        self.details[ask.team - 1].setdefault(fault.cause, fault.detail)


def cpu_use(calls_us: Sequence[int]) -> CpuUse:
    """Median, 95th percentile (nearest rank) and so on of a bot's calls."""
    ordered = sorted(calls_us) or [0]
    return CpuUse(
        calls=len(calls_us),
        median_us=ordered[len(ordered) // 2],
        p95_us=ordered[-(-len(ordered) * 95 // 100) - 1],
        max_us=ordered[-1],
        total_ms=sum(ordered) // 1_000,
    )
