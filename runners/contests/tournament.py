"""A tournament with its name and results, and the contest of the matches that it lacks."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from engine.play_options import PlayOptions
from engine.referee import Job
from engine.result import MatchResult
from runners.contests.ledger import Ledger, LedgerEntry, State
from runners.contests.plan import Field
from runners.contests.playing import MAX_TRIES, MatchQueue, play_contests
from runners.execution.pool import Pool, describe_error, executor_for
from runners.match_request import RunOptions
from runners.storage.store import Store, StoredResult


class Progress(msgspec.Struct, frozen=True):
    """The result of trying to play a match."""

    entry: LedgerEntry
    result: StoredResult | None
    """None if it could not be played; `words` say why."""
    words: str = ""


Tell = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
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

    def begun_at(self) -> datetime | None:
        """Return when it began, UTC; None where nobody noted it."""
        return self.store.begun_at(self.field.plan.name)

    def ledger(self) -> Ledger:
        """Return how it stands; to be iterated."""
        return Ledger(self.field, self.store.load_results)

    def play(self, run_options: RunOptions, tell: Tell = ignore_progress) -> None:
        """Play until all is known, or only what failed too often is left.

        Raises: KeyboardInterrupt; what was played by then is kept.
        """
        if not any(self.is_to_be_played(entry) for entry in self.ledger()):
            return
        with Pool(executor_for(run_options)) as pool:
            self.play_on(pool, run_options, tell)

    def play_on(self, pool: Pool, run_options: RunOptions, tell: Tell = ignore_progress) -> None:
        """Play in the same way, on a pool that the caller owns."""
        queue = MatchQueue(TournamentContest(self, run_options.play, tell))
        for _ in play_contests(pool, lambda: [queue]):
            """What came of it was kept, and told."""

    @property
    def given_up(self) -> dict[str, str]:
        """Return the matches that could not be played, however often they were tried, and why."""
        return {key: self.words[key] for key, times in self.failed.items() if times >= MAX_TRIES}

    def is_decided(self, fixture: LedgerEntry) -> bool:
        """Return whether the other matches of a fixture's pairing are not to be played any more."""
        if not self.field.plan.decides:
            return False
        return Ledger(self.field, self.store.load_results).is_decided(fixture.pairing)

    def is_to_be_played(self, entry: LedgerEntry) -> bool:
        return entry.state is State.OPEN and self.failed[entry.key] < MAX_TRIES


class TournamentContest:
    """The contest of the matches that a tournament lacks."""

    def __init__(
        self, tournament: Tournament, play: PlayOptions, tell: Tell = ignore_progress
    ) -> None:
        self.tournament = tournament
        self.opens_early = tournament.field.make_format().opens_early
        self._play = play
        self._tell = tell
        self._broke: Counter[int] = Counter()
        """The number of matches in a row in which each entrant's bot broke, as results came in."""

    def open_fixtures(self) -> Iterator[LedgerEntry]:
        """Yield what has no result, in the order of the schedule. Raises: BadResult."""
        return filter(self.tournament.is_to_be_played, self.tournament.ledger())

    def fixture_id(self, fixture: LedgerEntry) -> str:
        """Return the key of a match: fixtures of identical bots may share one."""
        return fixture.key

    def make_job(self, fixture: LedgerEntry) -> Job:
        """Return what plays a fixture."""
        return self.tournament.field.make_job(fixture.fixture, self._play)

    def save_result(self, fixture: LedgerEntry, result: MatchResult) -> bool:
        """Keep a result, and tell of it.

        Return whether a bot seems to be due for quarantine, or the pairing is decided.
        """
        stored = self.tournament.store.add(result)
        self._tell(Progress(fixture, stored))
        is_decided = self.tournament.is_decided(fixture)
        return self._breaks_often(fixture, stored) or is_decided

    def fail(self, fixture: LedgerEntry, error: BaseException) -> int:
        """Keep why a match could not be played, and tell of it."""
        message, failed = describe_error(error), self.tournament.failed
        self.tournament.store.add_failure(fixture.key, message)
        failed[fixture.key] += 1
        self.tournament.words[fixture.key] = message
        self._tell(Progress(fixture, None, message))
        return failed[fixture.key]

    def _breaks_often(self, fixture: LedgerEntry, result: StoredResult) -> bool:
        """Return whether the ledger, which says who is in quarantine, is to be read again."""
        most = self.tournament.field.plan.quarantine
        is_due = False
        for number, team in zip(fixture.fixture.seats, result.teams, strict=True):
            self._broke[number] = self._broke[number] + 1 if team.out is not None else 0
            if self._broke[number] == most > 0:
                self._broke[number] = 0
                is_due = True
        return is_due
