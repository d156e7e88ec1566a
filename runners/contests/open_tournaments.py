"""The tournaments of a server as they are played, with breaks between their rounds."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import update

from engine.errors import BadResult
from engine.play_options import PlayOptions
from runners.contests.contests import IS_BEGUN, SavedTournament, find_tournaments
from runners.contests.ledger import LedgerEntry, State
from runners.contests.persistence import load_tournament
from runners.contests.playing import BACK_OFF_S, MatchQueue, PlannedMatch
from runners.contests.tournament import Tournament, TournamentContest
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.store import Store
from runners.storage.tables import contests


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


class TournamentQueue:
    """The matches of a tournament, which keeps no other from being played."""

    def __init__(self, contest: TournamentContest) -> None:
        self.contest = contest
        self.why_bad: BadResult | None = None
        """Why it cannot be understood; None if it can."""
        self._queue = MatchQueue(contest, BACK_OFF_S)
        self._rounds = contest if isinstance(contest, RoundByRound) else None

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played, or can be."""
        is_in_break = self._rounds is not None and self._rounds.opens_at is not None
        return self.why_bad is not None or (self._queue.is_over and not is_in_break)

    def next_match(self) -> PlannedMatch[LedgerEntry] | None:
        """Return the next match; None for none now."""
        if self._rounds is not None and self._rounds.opens_at is not None:
            if self._rounds.is_waiting(now()):
                return None
            self._queue.reload()
        if self.why_bad is None:
            try:
                return self._queue.next_match()
            except BadResult as error:
                self.why_bad = error
        return None


class OpenTournaments:
    """The tournaments that are to be played. Used by one thread."""

    def __init__(
        self,
        database: Database,
        run: RunOptions,
        is_settled: Callable[[str], bool],
        on_end: Callable[[str], object],
        on_failure: Callable[[str], object],
        on_next_round: OnNextRound,
    ) -> None:
        """`is_settled`: whether all that follows from a tournament's end was done.

        `on_end` is told the name of one that has ended, `on_next_round` of a round after a break.
        """
        self._on_next_round = on_next_round
        self._database = database
        self._store = Store(database)
        self._run = run
        self._is_settled = is_settled
        self._on_end = on_end
        self._on_failure = on_failure
        self._known: dict[str, TournamentQueue] = {}
        self._ended = set[str]()

    def poll(self) -> list[TournamentQueue]:
        """Return what is to be played now; who has ended since the last look is told of."""
        found = self._database.find(find_tournaments(IS_BEGUN))
        queues = []
        for saved in reversed(found):
            if saved.is_paused or saved.name in self._ended:
                continue
            queue = self._known.get(saved.name) or self._make_queue(saved)
            if queue is not None and queue.is_over:
                self._end(saved.name, queue)
            elif queue is not None:
                queues.append(queue)
        return queues

    def _make_queue(self, saved: SavedTournament) -> TournamentQueue | None:
        """Return a tournament, whose matches that failed before are tried again."""
        if not saved.stuck and self._is_settled(saved.name):
            self._ended.add(saved.name)
            return None
        try:
            tournament = load_tournament(self._store, saved.name)
        except BadResult as error:
            self._leave(saved.name, error)
            return None
        if tournament is None:  # its plan is in the folder of another process
            return None
        if saved.stuck:
            self._save_stuck_count(saved.name, 0)
        contest = (
            RoundByRound(tournament, self._run.play, saved.break_s, self._on_next_round)
            if saved.break_s
            else TournamentContest(tournament, self._run.play)
        )
        queue = self._known[saved.name] = TournamentQueue(contest)
        return queue

    def _end(self, name: str, queue: TournamentQueue) -> None:
        if queue.why_bad is not None:
            self._leave(name, queue.why_bad)
            return
        self._ended.add(name)
        del self._known[name]
        stuck = len(queue.contest.tournament.given_up)
        if stuck:
            self._save_stuck_count(name, stuck)
        self._on_end(name)

    def _leave(self, name: str, error: BadResult) -> None:
        """Leave a tournament that cannot be understood until the next start."""
        self._ended.add(name)
        self._known.pop(name, None)
        self._on_failure(f"tournaments: {error}")

    def _save_stuck_count(self, name: str, count: int) -> None:
        """Note how many matches cannot be played: pages are sent by other processes, too."""
        changed = update(contests).where(contests.c.name == name)
        self._database.write(changed.values(stuck=count))
