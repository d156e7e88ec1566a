"""The matches of the tournaments of a server that are to be played."""

from collections.abc import Callable

from sqlalchemy import update

from engine.errors import BadResult
from runners.contests.contests import IS_BEGUN, SavedTournament, find_tournaments
from runners.contests.ledger import LedgerEntry
from runners.contests.persistence import load_tournament
from runners.contests.playing import BACK_OFF_S, MatchQueue, PlannedMatch
from runners.contests.rounds import OnNextRound, RoundByRound
from runners.contests.tournament import TournamentContest
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.store import Store
from runners.storage.tables import contests


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
