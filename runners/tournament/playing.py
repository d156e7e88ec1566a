"""Playing what is missing of a tournament, until nothing is; then it is over."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from engine.bots.sandbox import Level
from engine.referee import Job
from engine.result import MatchResult
from runners.crews import crew_for
from runners.pool import Pool, words_of
from runners.store import KeptResult, Store
from runners.tournament.ledger import Entry, Ledger, State
from runners.tournament.plan import Field

MOST_TRIES = 3
"""Of a match that cannot be played, for no bot's fault."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """How it is played: nothing of it decides a result."""

    out: Path
    workers: int
    """Where it is not played on a cluster."""
    cluster: str | None = None
    """As --cluster names it."""
    keep_replays: bool = True
    sandbox: Level = Level.DEFAULT


class Progress(msgspec.Struct, frozen=True):
    """Something came of a match."""

    entry: Entry
    result: KeptResult | None
    """None if it could not be played; `words` say why."""
    words: str = ""


class Tournament:
    """A field, and the results there are of it."""

    def __init__(self, field: Field, store: Store) -> None:
        self.field = field
        self._store = store
        self._failed: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        """Why a match failed the last time."""
        self._broke: Counter[int] = Counter()
        """Of each entrant: in how many matches in a row its bot broke, as results came in."""
        self._is_to_be_read_again = False

    def ledger(self) -> Ledger:
        """How it stands; to be iterated."""
        return Ledger(self.field, self._store.results)

    def play(
        self, conditions: Conditions, tell: Callable[[Progress], None] = lambda progress: None
    ) -> None:
        """Play until all is known, or only what failed too often is left.

        Raises: KeyboardInterrupt; what was played by then is kept.
        """
        if not self._has_more():
            return
        crew = crew_for(conditions.out, workers=conditions.workers, cluster=conditions.cluster)
        with Pool(crew) as pool:
            self.play_on(pool, conditions, tell)

    def play_on(
        self,
        pool: Pool,
        conditions: Conditions,
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        """The same, by a crew of one's own."""
        while self._has_more():
            self._play_wave(pool, conditions, tell)

    @property
    def given_up(self) -> dict[str, str]:
        """The matches that could not be played, however often they were tried, and why."""
        return {key: self._words[key] for key, times in self._failed.items() if times >= MOST_TRIES}

    def _has_more(self) -> bool:
        return any(True for _ in self._to_play())

    def _to_play(self) -> Iterator[Entry]:
        """Open fixtures, each match once, in the order of the schedule."""
        seen = set[str]()
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
        self, pool: Pool, conditions: Conditions, tell: Callable[[Progress], None]
    ) -> None:
        """All that is known to be open now."""
        entries: dict[int, Entry] = {}

        def jobs() -> Iterator[Job]:
            for number, entry in enumerate(self._to_play()):
                entries[number] = entry
                yield self.field.job(
                    entry.fixture,
                    keep_replay=conditions.keep_replays,
                    sandbox=conditions.sandbox,
                )

        for number, result in pool.play_all(jobs()):
            tell(self._keep(entries.pop(number), result))

    def _keep(self, entry: Entry, result: MatchResult | BaseException) -> Progress:
        if isinstance(result, MatchResult):
            kept = self._store.add(result)
            self._watch(entry, kept)
            return Progress(entry, kept)
        words = self._words[entry.key] = words_of(result)
        self._failed[entry.key] += 1
        self._store.add_failure(entry.key, words)
        return Progress(entry, None, words)

    def _watch(self, entry: Entry, result: KeptResult) -> None:
        """Whether somebody seems to be due for quarantine; the ledger then says who is."""
        most = self.field.plan.quarantine
        for number, team in zip(entry.fixture.seats, result.teams, strict=True):
            self._broke[number] = self._broke[number] + 1 if team.out is not None else 0
            if self._broke[number] == most > 0:
                self._broke[number] = 0
                self._is_to_be_read_again = True
