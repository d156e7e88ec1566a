"""Define the result of a match: who played, the outcome, and what went wrong."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots.sandbox import Failings, Layer, Level
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, Groups, Refused, State, find_winners
from engine.observer import Observer
from engine.replays.writing import Contestant, Continued


class CpuUse(msgspec.Struct, frozen=True, kw_only=True):
    """CPU time of a bot's calls; wall time, where it was asked over HTTP."""

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
    refused: int = 0
    """Parts of its answers that were refused, while the rest was taken."""
    refusals: tuple[str, ...] = ()
    """The first of them, each with its turn and reason."""

    @property
    def ran_here(self) -> bool:
        """Return whether the bot was run by us, and not asked over HTTP."""
        return self.bot.origin is msgspec.UNSET


class Protection(msgspec.Struct, frozen=True, kw_only=True):
    """What the bots of a match were confined by."""

    level: Level
    layers: tuple[Layer, ...]
    failings: Failings
    """The layers this machine does not offer, and why."""
    as_root: bool = False
    """Whether the bots ran as root, who could take limits off again."""


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a match: all but its events."""

    key: str
    spec: Any
    """A MatchSpec, or its fields as files have them."""
    winner: int | None
    """The winning team, from 1; None for a draw."""
    reason: str
    turns: int
    teams: tuple[TeamResult, ...]
    fingerprint: str
    """The fingerprint, equal for matches in which the same was ordered and happened."""
    wall_ms: int
    cpu_ms: int
    """CPU time of the engine and the bots, milliseconds."""
    sandbox: Protection
    host: str = ""
    """The machine of a cluster that played it; '' for the runner's own."""
    in_process: bool = False
    """Whether the bots played in our own process, without limits."""
    first_fingerprint: str | None = None
    """The fingerprint of the playing that is this match's result, if this is another one."""
    groups: Groups = ()
    """The teams that played together; () where each played for itself."""
    continued: Continued | None = None
    """Where it was resumed, if it was interrupted before."""
    void_tries: tuple[str, ...] = ()
    """Why it was begun again each time that a bot waited too long for a processor."""
    folder: str = ""
    """Where result, replay and logs are filed."""
    replay: str | None = None
    """Path of the replay."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the team that won, or those of the group that did; () for a draw."""
        return find_winners([team.score for team in self.teams], self.groups)

    @property
    def differs(self) -> bool:
        """Return whether it came out otherwise than the first playing of this match."""
        return self.first_fingerprint not in (None, self.fingerprint)

    @property
    def gaps(self) -> tuple[Layer, ...]:
        """Return the layers of the sandbox that were asked for and did not hold."""
        return () if self.sandbox.level is Level.OFF else tuple(self.sandbox.failings)

    @property
    def faults(self) -> int:
        """Return how many decisions all teams lost."""
        return sum(sum(team.faults.values()) for team in self.teams)

    def with_text_seed(self) -> "MatchResult":
        """Return the result as files have it: the seed in its spec is text."""
        return msgspec.structs.replace(self, spec=self.spec.to_fields())


BY_THE_CLOCK = frozenset({Cause.TIMEOUT, Cause.SLEPT, Cause.LOAD_TIMEOUT, Cause.PONDERED})
FIRST_REFUSALS = 3


class FaultTally(Observer):
    """Counts faults by team and cause, and keeps the first words of each."""

    def __init__(self, teams: int) -> None:
        self.counts: list[Counter[Cause]] = [Counter() for _ in range(teams)]
        self.details: list[dict[Cause, str]] = [{} for _ in range(teams)]

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        self.counts[ask.team - 1][fault.cause] += 1
        self.details[ask.team - 1].setdefault(fault.cause, fault.detail)


class RefusalTally(Observer):
    """Counts what was refused of answers that were taken otherwise, and keeps the first words."""

    def __init__(self, game: AnyGame, teams: int) -> None:
        self.counts = [0] * teams
        self.first: list[list[str]] = [[] for _ in range(teams)]
        self._game = game
        self._state: State

    def on_start(self, state: State) -> None:
        self._state = state

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[object]) -> None:
        for ask, order in zip(asks, orders, strict=True):
            self._add(ask.team, self._game.find_refusals(order))

    def on_event(self, event: Event) -> None:
        self._add(0, self._game.find_refusals(event))

    def _add(self, team: int, refused: Refused | None) -> None:
        if refused is None:
            return
        index = (refused.team or team) - 1
        self.counts[index] += refused.count
        room = FIRST_REFUSALS - len(self.first[index])
        where = f"turn {self._state.turn}"
        self.first[index] += [f"{where}: {message}" for message in refused.first[:room]]


def cpu_use(calls_us: Sequence[int]) -> CpuUse:
    """Return median, 95th percentile (nearest rank) and so on of a bot's calls."""
    ordered = sorted(calls_us) or [0]
    return CpuUse(
        calls=len(calls_us),
        median_us=ordered[len(ordered) // 2],
        p95_us=ordered[-(-len(ordered) * 95 // 100) - 1],
        max_us=ordered[-1],
        total_ms=sum(ordered) // 1_000,
    )
