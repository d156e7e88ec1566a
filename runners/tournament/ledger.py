"""Folding results along the schedule: what every fixture came to, and what is still to play."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

import msgspec

from runners.formats.pairing import Pairing
from runners.schedules import Fixture
from runners.store import KeptResult
from runners.tournament.plan import MOST_EXTRA_MAPS, Field

Find = Callable[[str], KeptResult | None]
"""A result by its key, if it is there."""


class State(StrEnum):
    """How it stands with a fixture."""

    PLAYED = "played"
    FORFEITED = "forfeited"
    OPEN = "open"


class Entry(msgspec.Struct, frozen=True):
    """A fixture and what came of it."""

    pairing: Pairing
    fixture: Fixture
    key: str
    state: State
    shares: tuple[float, ...] = ()
    """Of each seat: the share of the others it beat, draws half; () while it is open."""
    result: KeptResult | None = None
    broken: tuple[int, ...] = ()
    """The entrants that forfeited, or whose bots broke in it."""


class Ledger:
    """A tournament as it stands. Entries come in the schedule's order, whatever was played first.

    Read it by iterating: what is known of later rounds follows from the entries before.
    """

    def __init__(self, field: Field, find: Find) -> None:
        self.field = field
        self._find = find
        self.format = field.format()
        self.points: dict[tuple[int, int], tuple[float, ...]] = {}
        """Of the pairings that are over."""
        self.quarantined: dict[int, Fixture] = {}
        """The first fixture each of these entrants forfeited."""
        self._broke = dict.fromkeys(range(len(field.members)), 0)

    def __iter__(self) -> Iterator[Entry]:
        seen = set[tuple[int, int]]()
        is_new = True
        while is_new:  # results of one pairing may make others known
            is_new = False
            for pairing in self.format.pairings(self.points):
                if pairing.place not in seen:
                    seen.add(pairing.place)
                    is_new = True
                    if not pairing.is_bye:
                        yield from self._play_through(pairing)

    def ranking(self) -> list[int]:
        """Entrants, the best first, after all that was iterated."""
        return self.format.ranking(self.points)

    def _play_through(self, pairing: Pairing) -> Iterator[Entry]:
        """The maps of a pairing; a level one that must be decided has more of them."""
        plan, won = self.field.plan, dict.fromkeys(pairing.entrants, 0.0)
        games, map_number, is_open = 0, 0, False
        while map_number < plan.maps or (
            pairing.is_decisive
            and not is_open
            and _is_level(list(won.values()))
            and map_number < plan.maps + MOST_EXTRA_MAPS
        ):
            for fixture in self.field.fixtures(pairing, map_number):
                entry = self._entry(pairing, fixture)
                yield entry
                is_open = is_open or entry.state is State.OPEN
                for number, share in zip(fixture.seats, entry.shares, strict=False):
                    won[number] += share
                games += 1
            map_number += 1
        if not is_open:
            self.points[pairing.place] = tuple(won[number] / games for number in pairing.entrants)

    def _entry(self, pairing: Pairing, fixture: Fixture) -> Entry:
        out = tuple(number for number in fixture.seats if number in self.quarantined)
        key = self.field.spec(fixture).key
        if out:
            shares = forfeit_shares(fixture.seats, out)
            return Entry(pairing, fixture, key, State.FORFEITED, shares, None, out)
        result = self._find(key)
        if result is None:
            return Entry(pairing, fixture, key, State.OPEN)
        broken = tuple(
            number
            for number, team in zip(fixture.seats, result.teams, strict=True)
            if team.out is not None
        )
        self._watch(fixture, broken)
        shares = score_shares([team.score for team in result.teams])
        return Entry(pairing, fixture, key, State.PLAYED, shares, result, broken)

    def _watch(self, fixture: Fixture, broken: Sequence[int]) -> None:
        """Count what breaks in a row."""
        for number in fixture.seats:
            self._broke[number] = self._broke[number] + 1 if number in broken else 0
            if self._broke[number] == self.field.plan.quarantine > 0:
                self.quarantined[number] = fixture


def score_shares(scores: list[float]) -> tuple[float, ...]:
    """Of each team: the share of the others it has beaten, draws half."""
    others = len(scores) - 1
    return tuple(
        (sum(score > other for other in scores) + (scores.count(score) - 1) / 2) / others
        for score in scores
    )


def forfeit_shares(seats: Sequence[int], out: Sequence[int]) -> tuple[float, ...]:
    """Those who are out lose to all who are not."""
    return score_shares([0.0 if number in out else 1.0 for number in seats])


def _is_level(won: Sequence[float]) -> bool:
    return max(won) == min(won)
