"""Plays the matches that a tournament lacks, until it lacks none."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

import msgspec

from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool, executor_for, words_of
from runners.run_options import RunOptions
from runners.storage.store import KeptResult, Store
from runners.tournament.ledger import Ledger, LedgerEntry, State
from runners.tournament.plan import Field

MOST_TRIES = 3
"""How often a match is tried that cannot be played, for no bot's fault."""


class Progress(msgspec.Struct, frozen=True):
    """The result of trying to play a match."""

    entry: LedgerEntry
    result: KeptResult | None
    """None if it could not be played; `words` say why."""
    words: str = ""


class Tournament:
    """A field, and a store with its results so far."""

    def __init__(self, field: Field, store: Store) -> None:
        self.field = field
        self._store = store
        self._failed: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        """Why a match failed the last time."""
        self._broke: Counter[int] = Counter()
        """The number of matches in a row in which each entrant's bot broke, as results came in."""
        self._is_to_be_read_again = False
        self._opens_early = field.format().opens_early

    def ledger(self) -> Ledger:
        """Return how it stands; to be iterated."""
        return Ledger(self.field, self._store.results)

    def play(
        self, run_options: RunOptions, tell: Callable[[Progress], None] = lambda progress: None
    ) -> None:
        """Play until all is known, or only what failed too often is left.

        Raises: KeyboardInterrupt; what was played by then is kept.
        """
        if not self._has_more():
            return
        executor = executor_for(
            run_options.out, workers=run_options.workers, cluster=run_options.cluster
        )
        with Pool(executor) as pool:
            self.play_on(pool, run_options, tell)

    def play_on(
        self,
        pool: Pool,
        run_options: RunOptions,
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        """Play in the same way, on a pool that the caller owns."""
        while self._has_more():
            self._play_wave(pool, run_options, tell)

    @property
    def given_up(self) -> dict[str, str]:
        """Return the matches that could not be played, however often they were tried, and why."""
        return {key: self._words[key] for key, times in self._failed.items() if times >= MOST_TRIES}

    def _has_more(self) -> bool:
        return any(True for _ in self._to_play(set()))

    def _to_play(self, seen: set[str]) -> Iterator[LedgerEntry]:
        """Yield open fixtures in the order of the schedule, but for the keys in `seen`."""
        self._is_to_be_read_again = True
        while self._is_to_be_read_again:
            self._is_to_be_read_again = False
            for entry in self.ledger():
                if entry.state is State.OPEN and entry.key not in seen:
                    seen.add(entry.key)
                    if self._failed[entry.key] < MOST_TRIES:
                        yield entry
                if self._is_to_be_read_again:
                    break  # somebody has been put in quarantine: the fixtures to come are others

    def _play_wave(
        self, pool: Pool, run_options: RunOptions, tell: Callable[[Progress], None]
    ) -> None:
        """Play all that is known to be open now."""
        entries: dict[int, LedgerEntry] = {}
        numbers, seen = count(), set[str]()

        def look() -> Iterator[Job]:
            for entry in self._to_play(seen):
                entries[next(numbers)] = entry
                yield self.field.job(
                    entry.fixture,
                    keep_replay=run_options.keep_replays,
                    sandbox=run_options.sandbox,
                )

        jobs = _GrowingJobs(look)
        for number, result in pool.play_all(jobs):
            tell(self._keep(entries.pop(number), result))
            jobs.may_be_more = self._opens_early

    def _keep(self, entry: LedgerEntry, result: MatchResult | BaseException) -> Progress:
        if isinstance(result, MatchResult):
            kept = self._store.add(result)
            self._watch(entry, kept)
            return Progress(entry, kept)
        words = self._words[entry.key] = words_of(result)
        self._failed[entry.key] += 1
        self._store.add_failure(entry.key, words)
        return Progress(entry, None, words)

    def _watch(self, entry: LedgerEntry, result: KeptResult) -> None:
        """Return whether somebody seems to be due for quarantine; the ledger then says who is."""
        most = self.field.plan.quarantine
        for number, team in zip(entry.fixture.seats, result.teams, strict=True):
            self._broke[number] = self._broke[number] + 1 if team.out is not None else 0
            if self._broke[number] == most > 0:
                self._broke[number] = 0
                self._is_to_be_read_again = True


class _GrowingJobs(Iterator[Job]):
    """Jobs to which results may add: whoever has come to their end may go on."""

    def __init__(self, look: Callable[[], Iterator[Job]]) -> None:
        """`look` finds those that have not been found before."""
        self._look = look
        self._found = look()
        self.may_be_more = False

    def __next__(self) -> Job:
        while True:
            for job in self._found:
                return job
            if not self.may_be_more:
                raise StopIteration
            self.may_be_more = False
            self._found = self._look()
