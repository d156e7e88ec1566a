"""Audits whether a seat is favored: bots play each other on the same maps, and themselves."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb

import msgspec

from engine.referee import Job
from engine.replays.writing import Contestant
from engine.streams import seed_text
from runners.execution.pool import Pool
from runners.lost_decisions import LossTally, LostDecisions
from runners.questions.versus import results_in_order
from runners.series import Fixture, Series
from runners.statistics.fairness import Fairness, audit_fairness
from runners.statistics.scores import Score, SideSwappedSet
from runners.storage.store import Store, StoredResult

Watch = Callable[[StoredResult], object]
"""Is told of each match."""


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """The matches of one choice of bots (or of one bot in all seats) on all maps of an audit."""

    series: Series
    entrants: tuple[int, ...]
    """The numbers of the bots; one number in all seats where a bot plays itself."""

    @property
    def is_alone(self) -> bool:
        return len(set(self.entrants)) == 1

    def fixtures(self) -> list[Fixture]:
        """Return the fixtures; one for each map where a bot plays itself."""
        fixtures = self.series.fixtures()
        return fixtures[:: self.series.teams] if self.is_alone else fixtures


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The results of an audit, separately for bots that met others and that met themselves."""

    bots: tuple[Contestant, ...]
    seed: str
    secret: str
    """The secret from which the maps were drawn."""
    between: Fairness
    alone: Fairness
    lost_decisions: tuple[LostDecisions, ...] = ()
    """What the bots lost by faults."""
    hopeless: LostDecisions | None = None
    """What a bot lost that loses nearly all its decisions: it was not played on."""

    @property
    def is_fair(self) -> bool:
        """Return whether chance alone explains both."""
        return self.between.is_fair and self.alone.is_fair


def make_encounters(bots: Sequence[Contestant], series: Series) -> list[Encounter]:
    """Return those of all bots with each other and themselves, on the same maps."""
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
    bots: Sequence[Contestant], series: Series, store: Store, pool: Pool, watch: Watch
) -> Audit:
    """Play what is not known yet, and no more where a bot cannot play.

    Raises: EngineFailure, KeyboardInterrupt.
    """
    played, losses = make_encounters(bots, series), LossTally(keeps_going=series.run.keeps_going)
    results = results_in_order(_make_jobs(played), store, pool)
    sets = [
        (encounter, swapped)
        for encounter in played
        for swapped in _read_sets(encounter, results, losses, watch)
    ]
    return Audit(
        bots=tuple(bots),
        seed=seed_text(series.seed),
        secret=seed_text(series.secret),
        between=audit_fairness(swapped for encounter, swapped in sets if not encounter.is_alone),
        alone=audit_fairness(swapped for encounter, swapped in sets if encounter.is_alone),
        lost_decisions=losses.losses,
        hopeless=losses.hopeless,
    )


def count_matches(bots: int, series: Series) -> int:
    """Return how many matches an audit of so many bots has."""
    return bots * series.maps + comb(bots, series.teams) * series.matches


def _make_jobs(played: Sequence[Encounter]) -> list[Job]:
    return [
        encounter.series.make_job(fixture)
        for encounter in played
        for fixture in encounter.fixtures()
    ]


def _read_sets(
    encounter: Encounter, results: Iterator[StoredResult], losses: LossTally, watch: Watch
) -> Iterator[SideSwappedSet]:
    scores: dict[int, list[Score]] = {}
    for fixture in encounter.fixtures():
        if losses.hopeless is not None:
            return
        result = next(results)
        seats = tuple(encounter.entrants[player] for player in fixture.seats)
        scores.setdefault(fixture.seed, []).append(Score(seats, result.scores, result.groups))
        losses.add(result.key, seats, result.teams)
        watch(result)
    for seed, matches in scores.items():
        yield SideSwappedSet(seed, tuple(matches))
