"""The tournaments of a server: those announced, those that are played, and those that are over."""

from collections.abc import Callable
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, case, or_, select, update

from engine.errors import BadResult
from runners.contests.ladders import ContestBase, Ladder, ladder_from_row
from runners.contests.ledger import LedgerEntry
from runners.contests.persistence import load_tournament
from runners.contests.playing import BACK_OFF_S, MatchQueue, PlannedMatch
from runners.contests.rounds import OnNextRound, RoundByRound
from runners.contests.tournament import TournamentContest
from runners.contests.tournament_request import tournament_title
from runners.run_options import RunOptions
from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.ladder_tables import FieldRule
from runners.storage.store import Store
from runners.storage.tables import contests
from runners.storage.together import AnyRow, Lookup, Rows


class TournamentChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What an organizer chooses of a tournament; the rest is the ladder's."""

    format: str
    games: int
    """Map pairs per pairing."""
    rounds: int | None
    """None: as many as the format usually has."""
    table: int
    """How many bots a match has."""
    break_minutes: int = 0
    """The pause between two rounds."""


class SavedTournament(ContestBase, frozen=True, kw_only=True):
    """A tournament as its row says it: one that is announced, or has begun.

    `created_at`: when it began; until then, when it was announced.
    """

    name: str
    ladder: str
    """The id of the ladder whose bots play."""
    plan: str = ""
    """JSON, once it has begun."""
    stuck: int = 0
    """How many of its matches could not be played, however often they were tried."""
    break_s: int = 0
    """The pause between two rounds."""
    words: str = ""
    """What an organizer says of it: text, of one or more lines."""
    choices: TournamentChoices | None = None
    """None of one that began without having been announced, as what follows."""
    field: FieldRule | None = None
    entries_until: datetime | None = None
    """Bots and versions that are handed in, or entered, after this do not play in it."""
    begins_at: datetime | None = None
    is_sealed: bool = False
    """Whether the ladder plays no matches before it begins, so that nobody sees what others do."""
    settled_at: datetime | None = None
    """When it began, or could not; None until then."""
    why: str = ""
    """Why it did not begin at its hour."""

    @property
    def is_begun(self) -> bool:
        return bool(self.plan)

    def takes_entries(self, at: datetime) -> bool:
        is_early = self.entries_until is not None and at < self.entries_until
        return self.settled_at is None and is_early


IS_BEGUN = contests.c.plan != ""
IS_ANNOUNCED = contests.c.plan == ""
"""It has not begun: it is to begin, or could not."""
IS_WAITING = IS_ANNOUNCED & contests.c.settled_at.is_(None)


def all_tournaments() -> Lookup[list[SavedTournament]]:
    """Look up the tournaments of a server that have begun, the newest first."""
    return find_tournaments(IS_BEGUN)


def upcoming_tournaments() -> Lookup[list[SavedTournament]]:
    """Look up the tournaments that are to begin, the next first."""
    return find_tournaments(IS_WAITING)


def next_sealed_tournament(ladder_id: str) -> Lookup[SavedTournament | None]:
    """Look up the last tournament before which a ladder plays no matches; None for none."""
    sealed = find_tournaments(IS_WAITING, contests.c.is_sealed, contests.c.ladder == ladder_id)
    return Lookup(sealed.query, lambda rows: _tournament_from_row(rows[-1]) if rows else None)


def tournament_by_name(name: str) -> Lookup[SavedTournament | None]:
    """Look up a tournament of a server."""
    found = find_tournaments(contests.c.name == name)
    return Lookup(found.query, lambda rows: _tournament_from_row(rows[0]) if rows else None)


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder, or a tournament with the ladder whose bots play it."""

    ladder: Ladder
    """The contest itself, or whose bots play it."""
    tournament: SavedTournament | None = None
    """None of a ladder."""

    @property
    def id(self) -> str:
        return self.ladder.id if self.tournament is None else self.tournament.name

    @property
    def title(self) -> str:
        if self.tournament is None:
            return self.ladder.name
        return tournament_title(self.tournament.name)

    @property
    def base(self) -> ContestBase:
        return self.tournament or self.ladder

    @property
    def kind(self) -> str:
        return "ladder" if self.tournament is None else "tournament"


def contest_of_id(contest: str) -> Lookup[Contest | None]:
    """Look up a contest by what stands in its address."""
    of = select(contests.c.ladder).where(contests.c.name == contest)
    query = select(contests).where(or_(contests.c.name == contest, contests.c.name.in_(of)))

    def make(rows: Rows) -> Contest | None:
        ladders = {row.name: row for row in rows if row.spec is not None}
        if contest in ladders:
            return Contest(ladder=ladder_from_row(ladders[contest]))
        for row in rows:
            if row.ladder in ladders:
                ladder = ladder_from_row(ladders[row.ladder])
                return Contest(ladder=ladder, tournament=_tournament_from_row(row))
        return None

    return Lookup(query, make)


def find_tournaments(*where: ColumnElement[bool]) -> Lookup[list[SavedTournament]]:
    """Look up tournaments of a server: those to begin, the next first; the newest of others."""
    query = (
        select(contests)
        .where(contests.c.ladder.is_not(None), *where)
        .order_by(
            IS_WAITING.desc(),
            case((IS_BEGUN, None), else_=contests.c.begins_at),
            contests.c.begun_at.desc(),
            contests.c.name,
        )
    )
    return Lookup(query, lambda rows: [_tournament_from_row(row) for row in rows])


def _tournament_from_row(row: AnyRow) -> SavedTournament:
    return struct_from_row(
        SavedTournament,
        row,
        created_at=with_time_zone(row.begun_at),
        choices=msgspec.json.decode(row.choices, type=TournamentChoices) if row.choices else None,
    )


def tournament_to_row(one: SavedTournament) -> dict[str, object]:
    """Return the row of a tournament that is announced."""
    row = msgspec.structs.asdict(one)
    choices = msgspec.json.encode(one.choices).decode()
    row |= {"choices": choices, "begun_at": row.pop("created_at")}
    row |= {"format": one.choices.format if one.choices else None}
    return row


class TournamentQueue:
    """The matches of a tournament, which keeps no other from being played."""

    def __init__(self, contest: TournamentContest) -> None:
        self.contest = contest
        self.why_bad: BadResult | None = None
        """Why it cannot be understood; None if it can."""
        self._queue = MatchQueue(contest, BACK_OFF_S)

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played, or can be."""
        return self.why_bad is not None or (self._queue.is_over and self._opens_at is None)

    def next_match(self) -> PlannedMatch[LedgerEntry] | None:
        """Return the next match; None for none now."""
        if self._opens_at is not None:
            if now() < self._opens_at:
                return None
            self._queue.reload()
        if self.why_bad is None:
            try:
                return self._queue.next_match()
            except BadResult as error:
                self.why_bad = error
        return None

    @property
    def _opens_at(self) -> datetime | None:
        """Return when the next round begins; None where nobody waits for one."""
        return self.contest.opens_at if isinstance(self.contest, RoundByRound) else None


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
        found = self._database.find(all_tournaments())
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
