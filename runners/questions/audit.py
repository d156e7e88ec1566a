"""Is a seat favoured? Bots play each other on mirrored maps, and themselves."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb

import msgspec

from engine.record import Contestant
from engine.referee import Job
from runners.fairness import Fairness, audit
from runners.multi_match import Series
from runners.pool import Pool
from runners.questions.recall import results_in_order
from runners.schedules import Fixture
from runners.scores import MirroredSet, Score
from runners.store import KeptResult, Store

Watch = Callable[[], object]
"""Is told of each match."""


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """As many bots as have seats, or one in all of them, on all maps of an audit."""

    series: Series
    entrants: tuple[int, ...]
    """By their numbers; or one number again and again."""

    @property
    def is_alone(self) -> bool:
        return len(set(self.entrants)) == 1

    def fixtures(self) -> list[Fixture]:
        """A bot and itself exchange seats without a difference: once for each map will do."""
        fixtures = self.series.fixtures()
        return fixtures[:: self.series.teams] if self.is_alone else fixtures


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """Kept apart: who meets itself is matched best, who meets others is what counts."""

    bots: tuple[Contestant, ...]
    between: Fairness
    alone: Fairness

    @property
    def is_fair(self) -> bool:
        """Chance alone explains both."""
        return self.between.is_fair and self.alone.is_fair


def encounters(bots: Sequence[Contestant], series: Series) -> list[Encounter]:
    """Of all bots with each other and themselves, on the same maps. `series` says how."""
    numbers, seats = range(len(bots)), series.teams
    tables = [*((number,) * seats for number in numbers), *combinations(numbers, seats)]
    return [
        Encounter(
            series=msgspec.structs.replace(
                series, contestants=tuple(bots[number] for number in table)
            ),
            entrants=table,
        )
        for table in tables
    ]


def hold_audit(
    bots: Sequence[Contestant],
    series: Series,
    store: Store,
    pool: Pool,
    watch: Watch,
) -> Audit:
    """Play what is not known yet. Raises: EngineFailure, KeyboardInterrupt."""
    meetings = encounters(bots, series)
    results = results_in_order(_jobs(meetings), store, pool)
    sets = [
        (encounter, mirrored)
        for encounter in meetings
        for mirrored in _sets(encounter, results, watch)
    ]
    return Audit(
        bots=tuple(bots),
        between=audit(mirrored for encounter, mirrored in sets if not encounter.is_alone),
        alone=audit(mirrored for encounter, mirrored in sets if encounter.is_alone),
    )


def count_matches(bots: int, series: Series) -> int:
    """How many there are of so many bots."""
    return bots * series.maps + comb(bots, series.teams) * series.matches


def _jobs(meetings: Sequence[Encounter]) -> list[Job]:
    return [
        encounter.series.job(fixture) for encounter in meetings for fixture in encounter.fixtures()
    ]


def _sets(
    encounter: Encounter, results: Iterator[KeptResult], watch: Watch
) -> Iterator[MirroredSet]:
    scores: dict[int, list[Score]] = {}
    for fixture in encounter.fixtures():
        result = next(results)
        seats = tuple(encounter.entrants[player] for player in fixture.seats)
        scores.setdefault(fixture.seed, []).append(Score(seats, result.scores))
        watch()
    for seed, matches in scores.items():
        yield MirroredSet(seed, tuple(matches))
