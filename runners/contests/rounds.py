"""Tournaments that pause between their rounds, so that spectators and authors can follow."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

import msgspec

from engine.play_options import PlayOptions
from runners.contests.ledger import LedgerEntry, State
from runners.contests.tournament import Tournament, TournamentContest
from runners.storage.database import now
from runners.storage.store import Store


class NextRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round whose pairings are known, and that begins after a break."""

    tournament: str
    number: int
    label: str
    """What the round is called: `round 3`, `semi-final`."""
    opens_at: datetime
    meetings: tuple[tuple[int, ...], ...]
    """The numbers of the entrants of each pairing."""


OnNextRound = Callable[[NextRound], object]


class RoundByRound(TournamentContest):
    """The contest of a tournament in which a round begins some time after the one before ended."""

    def __init__(
        self, tournament: Tournament, play: PlayOptions, break_s: int, on_next_round: OnNextRound
    ) -> None:
        """`on_next_round` is told of each round once its pairings are known, maybe twice."""
        super().__init__(tournament, play)
        self.opens_early = False
        self.opens_at: datetime | None = None
        """When the next round begins; None while one is played."""
        self._break_s = break_s
        self._on_next_round = on_next_round
        self._begun = 0
        """The last round of which it is known that it has begun."""

    def is_waiting(self, at: datetime) -> bool:
        """Return whether the next round is yet to begin; no longer than a break."""
        left = timedelta() if self.opens_at is None else self.opens_at - at
        return timedelta() < left <= timedelta(seconds=self._break_s)

    def open_fixtures(self) -> Iterator[LedgerEntry]:
        """Yield what has no result of the present round. Raises: BadResult."""
        self.opens_at = None
        played, present = list[LedgerEntry](), list[LedgerEntry]()
        for entry in self.tournament.ledger():
            if present and entry.pairing.round > present[0].pairing.round:
                break
            if self.tournament.is_to_be_played(entry):
                present.append(entry)
            elif entry.state is State.PLAYED:
                played.append(entry)
        if present and self._has_begun(present, played):
            yield from present

    def _has_begun(self, present: list[LedgerEntry], played: list[LedgerEntry]) -> bool:
        """Return whether a round has begun; else note when it does, and tell of it."""
        number = present[0].pairing.round
        if number <= self._begun:
            return True
        # Of a round that was broken off some matches have been played: it has no break within.
        is_new = not played or played[-1].pairing.round < number
        before = (one.key for one in played)
        opens_at = round_opens_at(self.tournament.store, before, self._break_s) if is_new else None
        if opens_at is None or opens_at <= now():
            self._begun = number
            return True
        self.opens_at = opens_at
        self._on_next_round(
            NextRound(
                tournament=self.tournament.field.plan.name,
                number=number,
                label=present[0].pairing.label,
                opens_at=opens_at,
                meetings=tuple(dict.fromkeys(one.pairing.entrants for one in present)),
            )
        )
        return False


def round_opens_at(store: Store, before: Iterable[str], break_s: int) -> datetime | None:
    """Return when a round begins; None for the first one.

    `before`: the keys of the matches that were played in earlier rounds.
    """
    last, pause = store.last_played_at(before), timedelta(seconds=break_s)
    # The clock was set back since: nobody waits until it shows once more what it has shown.
    is_ahead = last is not None and last > now() + pause
    return None if last is None or is_ahead else last + pause
