"""Plays the matches that a tournament lacks, until it lacks none."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

import msgspec

from engine.referee import Job
from engine.result import MatchResult
from runners.contests.player import MOST_TRIES, play_contests
from runners.execution.pool import Pool, executor_for, words_of
from runners.run_options import RunOptions
from runners.storage.store import KeptResult, Store
from runners.tournament.ledger import Ledger, LedgerEntry, State
from runners.tournament.plan import Field


class Progress(msgspec.Struct, frozen=True):
    """The result of trying to play a match."""

    entry: LedgerEntry
    result: KeptResult | None
    """None if it could not be played; `words` say why."""
    words: str = ""


Tell = Callable[[Progress], None]


def tell_nobody(progress: Progress) -> None:
    """Do nothing with what came of a match."""


class Tournament:
    """A field, and a store with its results so far."""

    def __init__(self, field: Field, store: Store) -> None:
        self.field = field
        self.store = store
        self.failed: Counter[str] = Counter()
        """How often matches could not be played, by key, ..."""
        self.words: dict[str, str] = {}
        """... and why the last time."""

    def ledger(self) -> Ledger:
        """Return how it stands; to be iterated."""
        return Ledger(self.field, self.store.results)

    def play(self, run_options: RunOptions, tell: Tell = tell_nobody) -> None:
        """Play until all is known, or only what failed too often is left.

        Raises: KeyboardInterrupt; what was played by then is kept.
        """
        if not any(self.is_to_be_played(entry) for entry in self.ledger()):
            return
        executor = executor_for(
            run_options.out, workers=run_options.workers, cluster=run_options.cluster
        )
        with Pool(executor) as pool:
            self.play_on(pool, run_options, tell)

    def play_on(self, pool: Pool, run_options: RunOptions, tell: Tell = tell_nobody) -> None:
        """Play in the same way, on a pool that the caller owns."""
        matches = MissingMatches(self, run_options, tell)
        for _ in play_contests(pool, lambda: [matches]):
            """What came of it was kept, and told."""

    @property
    def given_up(self) -> dict[str, str]:
        """Return the matches that could not be played, however often they were tried, and why."""
        return {key: self.words[key] for key, times in self.failed.items() if times >= MOST_TRIES}

    def is_to_be_played(self, entry: LedgerEntry) -> bool:
        return entry.state is State.OPEN and self.failed[entry.key] < MOST_TRIES


class MissingMatches:
    """The contest of the matches that a tournament lacks.

    All that is known to be open is played; what failed, and what follows from results, comes when
    nothing of that is being played any more, or earlier where the format allows.
    """

    def __init__(
        self,
        tournament: Tournament,
        run_options: RunOptions,
        tell: Tell,
        back_off_s: Sequence[float] = (),
    ) -> None:
        """`back_off_s`: how long a match rests after its first failure, its second, and so on."""
        self.tournament = tournament
        self._run_options = run_options
        self._tell = tell
        self._back_off_s = back_off_s
        self._opens_early = tournament.field.format().opens_early
        self._found: Iterator[LedgerEntry] = iter(())
        self._is_to_be_read = True
        """Whether there may be more in the ledger than was found."""
        self._given_out = set[str]()
        """Keys, until nothing is being played."""
        self._playing = set[str]()
        self._resting: dict[str, float] = {}
        self._broke: Counter[int] = Counter()
        """The number of matches in a row in which each entrant's bot broke, as results came in."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played, as far as was looked."""
        return not (self._is_to_be_read or self._playing or self._resting)

    def next(self) -> "MissingMatch | None":
        """Return the next open fixture in the order of the schedule; None for none now."""
        while True:
            for entry in self._found:
                if entry.key not in self._given_out and entry.key not in self._resting:
                    self._given_out.add(entry.key)
                    self._playing.add(entry.key)
                    return MissingMatch(self, entry, self._run_options)
            self._wake()
            if not self._is_to_be_read:
                return None
            self._is_to_be_read = False
            if not self._playing:
                self._given_out.clear()
            self._found = filter(self.tournament.is_to_be_played, self.tournament.ledger())

    def keep(self, entry: LedgerEntry, result: MatchResult) -> None:
        """Keep the result of a match, and tell of it."""
        kept = self.tournament.store.add(result)
        self._playing.discard(entry.key)
        self._watch(entry, kept)
        self._is_to_be_read |= self._opens_early or not self._playing
        self._tell(Progress(entry, kept))

    def fail(self, entry: LedgerEntry, error: BaseException) -> None:
        """Keep why a match could not be played, and tell of it."""
        words = words_of(error)
        self.tournament.store.add_failure(entry.key, words)
        self._playing.discard(entry.key)
        failed = self.tournament.failed
        failed[entry.key] += 1
        self.tournament.words[entry.key] = words
        if failed[entry.key] < MOST_TRIES and self._back_off_s:
            rest_s = self._back_off_s[min(failed[entry.key], len(self._back_off_s)) - 1]
            self._resting[entry.key] = monotonic() + rest_s
        self._is_to_be_read |= self._opens_early or not self._playing
        self._tell(Progress(entry, None, words))

    def _wake(self) -> None:
        """Try again what has rested, once nothing else is being played."""
        if self._resting and not self._playing:
            now = monotonic()
            awake = [key for key, end in self._resting.items() if end <= now]
            for key in awake:
                del self._resting[key]
            self._is_to_be_read |= bool(awake)

    def _watch(self, entry: LedgerEntry, result: KeptResult) -> None:
        """Read the ledger again where somebody seems to be due for quarantine: it says who is."""
        most = self.tournament.field.plan.quarantine
        for number, team in zip(entry.fixture.seats, result.teams, strict=True):
            self._broke[number] = self._broke[number] + 1 if team.out is not None else 0
            if self._broke[number] == most > 0:
                self._broke[number] = 0
                self._found = iter(())
                self._is_to_be_read = True


class MissingMatch:
    """A match of a tournament that is to be played."""

    def __init__(
        self, matches: MissingMatches, entry: LedgerEntry, run_options: RunOptions
    ) -> None:
        self._matches = matches
        self._entry = entry
        self.job: Job = matches.tournament.field.job(entry.fixture, run_options.play)

    def keep(self, result: MatchResult) -> None:
        """Keep its result."""
        self._matches.keep(self._entry, result)

    def fail(self, error: BaseException) -> None:
        """Keep why there is none."""
        self._matches.fail(self._entry, error)
