"""Decisions that bots lost over several matches: how many, why, and in which match first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from engine.errors import BadReplay
from engine.fault import Cause
from engine.replays.reading import Replay
from engine.replays.writing import Contestant, FaultAside
from engine.result import CpuUse
from engine.support.wording import pluralize

NEARLY_ALL_SHARE = 0.9
"""The share of its decisions from which on a bot plays nothing that could be compared."""
MIN_MATCHES = 2
"""After so many matches that is said: with sides swapped, the bot had both of them."""
OF_CALLS = frozenset(
    {
        *(Cause.EXCEPTION, Cause.FORBIDDEN, Cause.UNREADABLE, Cause.ILLEGAL),
        *(Cause.TIMEOUT, Cause.SLEPT, Cause.PONDERED),
    }
)
"""The causes of faults of calls that came to their end, and were counted as calls."""


class Side(Protocol):
    """One team's side of a match, as a result has it."""

    @property
    def bot(self) -> Contestant: ...
    @property
    def faults(self) -> dict[Cause, int]: ...
    @property
    def details(self) -> dict[Cause, str]: ...
    @property
    def out(self) -> str | None: ...
    @property
    def cpu(self) -> CpuUse: ...


class LostDecisions(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions that one bot lost, and where the first of them stands."""

    bot: Contestant
    player: int
    """The number of the bot among the players of these matches."""
    lost: int
    decisions: int
    """The decisions it was asked for, lost ones included."""
    causes: dict[Cause, int]
    details: dict[Cause, str]
    """The words of the first fault of each cause."""
    matches: int
    """The matches in which it lost any."""
    played: int
    key: str
    """The first of these matches, and the team that it played there."""
    team: int

    @property
    def is_nearly_all(self) -> bool:
        """Return whether it loses so many that nothing can be learned of how it plays."""
        return self.played >= MIN_MATCHES and self.lost >= NEARLY_ALL_SHARE * self.decisions


class LossTally:
    """Sums up what the players of several matches lost; a player has a number of its own."""

    def __init__(self, *, keeps_going: bool = False) -> None:
        """`keeps_going`: nobody is hopeless, whatever it loses."""
        self._keeps_going = keeps_going
        self._players: dict[int, _PlayerTally] = {}

    def add(self, key: str, seats: Sequence[int], sides: Sequence[Side]) -> None:
        """Add a match; `seats` has the player of each team, team 1 first."""
        for team, (player, side) in enumerate(zip(seats, sides, strict=True), 1):
            self._players.setdefault(player, _PlayerTally(side.bot)).add(key, team, side)

    @property
    def losses(self) -> tuple[LostDecisions, ...]:
        """Return what was lost, by the numbers of the players; nothing of those that lost none."""
        players = sorted(self._players.items())
        return tuple(
            tally.summarize(player) for player, tally in players if tally.first is not None
        )

    @property
    def hopeless(self) -> LostDecisions | None:
        """Return what the first of those lost that lose nearly all their decisions."""
        if self._keeps_going:
            return None
        return next((lost for lost in self.losses if lost.is_nearly_all), None)


class _PlayerTally:
    def __init__(self, bot: Contestant) -> None:
        self._bot = bot
        self._causes = Counter[Cause]()
        self._details: dict[Cause, str] = {}
        self._played, self._keys = set[str](), set[str]()
        self._decisions = 0
        self.first: tuple[str, int] | None = None

    def add(self, key: str, team: int, side: Side) -> None:
        self._decisions += count_decisions(side)
        self._played.add(key)
        self._causes.update(side.faults)
        self._details = {**side.details, **self._details}
        if side.faults:
            self._keys.add(key)
            self.first = self.first or (key, team)

    def summarize(self, player: int) -> LostDecisions:
        assert self.first is not None
        key, team = self.first
        return LostDecisions(
            bot=self._bot,
            player=player,
            lost=self._causes.total(),
            decisions=self._decisions,
            causes=dict(self._causes),
            details=self._details,
            matches=len(self._keys),
            played=len(self._played),
            key=key,
            team=team,
        )


def count_decisions(side: Side) -> int:
    """Return how many decisions a team was asked for.

    A result counts calls and faults: of a call that raised there are both. Of a bot that is out
    of the match there are only faults, with the cause for which it is.
    """
    why_out = "" if side.out is None else side.out.partition(":")[0]
    both = sum(
        count for cause, count in side.faults.items() if cause in OF_CALLS and cause != why_out
    )
    return max(side.cpu.calls, both) + sum(side.faults.values()) - both


def in_order(causes: Mapping[Cause, int]) -> list[tuple[Cause, int]]:
    """Return causes with their counts, the most frequent first."""
    return sorted(causes.items(), key=lambda item: (-item[1], item[0]))


def forfeits_text(faults: Mapping[Cause, int]) -> str:
    """Return `3 forfeited turns (1 crash, 2 timeout)`."""
    parts = ", ".join(f"{count} {cause}" for cause, count in sorted(faults.items()))
    return f"{pluralize(sum(faults.values()), 'forfeited turn')} ({parts})"


def first_fault(replay: Path, team: int) -> FaultAside | None:
    """Return the first fault of a team in a recorded match; None if the replay is not there."""
    try:
        asides = Replay(replay).asides
    except BadReplay:
        return None
    faults = (aside for aside in asides if isinstance(aside, FaultAside))
    return next((fault for fault in faults if fault.team == team), None)
