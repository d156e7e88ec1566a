"""Tournaments that begin by themselves at their hour, with the bots that play by then.

A scheduled tournament is a row until it begins; from then on it is a contest like any other, and
the row has only the words about it. Beginning it is one transaction, and telling everybody another:
whichever the server was ended before is done at the next look.
"""

from contextlib import suppress
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, or_, select, update

from engine.errors import BadResult, UsageError
from runners.contests.authors import author_ids, author_names, coauthor_ids
from runners.contests.ladders import Ladder, Ladders, ladder_in
from runners.contests.registration import require_table
from runners.contests.tournament_request import tournament_title
from runners.storage.database import Database, aware, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    FieldRule,
    VersionState,
    bots,
    scheduled_tournaments,
    tournament_entries,
    versions,
)
from runners.storage.tables import contests
from runners.storage.together import AnyRow, Lookup, Rows
from server.contests.notices import page_of, tell_all, tell_of_begin
from server.contests.tournaments import (
    Candidate,
    TournamentChoices,
    Tournaments,
    name_taken_message,
    plan_of_choices,
)

MAX_DESCRIPTION_LENGTH = 2_000
"""Letters that an organizer writes about a tournament."""


class ScheduledTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with an hour at which it begins."""

    name: str
    ladder: str
    """The id of the ladder whose bots play."""
    words: str = ""
    """What an organizer says of it: text, of one or more lines."""
    choices: TournamentChoices
    field: FieldRule
    entries_until: datetime
    """Bots and versions that are handed in, or entered, after this do not play in it."""
    starts_at: datetime
    is_sealed: bool = False
    """Whether the ladder plays no matches before it begins, so that nobody sees what others do."""
    settled_at: datetime | None = None
    """When it began, or could not; None until then."""
    why: str = ""
    """Why it did not begin at its hour."""
    created_at: datetime

    @property
    def is_open(self) -> bool:
        """Return whether it is still to begin."""
        return self.settled_at is None

    def takes_entries(self, at: datetime) -> bool:
        return self.is_open and at < self.entries_until


class EnteredBot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that its author has entered for a scheduled tournament."""

    bot: str
    name: str
    author: str
    """The names of its authors."""


class NotScheduled(Exception):
    """Why a tournament cannot be scheduled, or a bot entered, in a sentence."""


class ScheduledTournaments:
    """The scheduled tournaments of a server. All methods may be called from any thread."""

    def __init__(self, database: Database, tournaments: Tournaments) -> None:
        self._database = database
        self._ladders = Ladders(database)
        self._tournaments = tournaments

    # -- what there is ------------------------------------------------------------------------

    def field(self, one: ScheduledTournament) -> list[Candidate]:
        """Return who would play if it began now, the first seed first."""
        candidates = self._tournaments.candidates(
            one.ladder, one.entries_until, opens_seal=one.is_sealed
        )
        if one.field is FieldRule.EVERYBODY:
            return candidates
        entered = {entry.bot for entry in self._database.find(tournament_entrants(one.name))}
        return [candidate for candidate in candidates if candidate.bot in entered]

    # -- what organizers do -------------------------------------------------------------------

    def add(self, one: ScheduledTournament) -> None:
        """Schedule a tournament. Raises: NotScheduled."""
        self._require_sound(one)
        try:
            self._tournaments.require_new(one.name)
        except UsageError as error:
            raise NotScheduled(str(error)) from error
        with self._database.writing() as connection:
            if not self._database.insert_new(connection, scheduled_tournaments, _to_row(one)):
                raise NotScheduled(name_taken_message(one.name))

    def change(self, one: ScheduledTournament) -> None:
        """Change one that has not begun; one that could not begin is to begin once more.

        Raises: NotScheduled.
        """
        self._require_sound(one)
        changed = update(scheduled_tournaments).where(scheduled_tournaments.c.name == one.name)
        with self._database.writing() as connection:
            if _has_begun(connection, one.name):
                raise NotScheduled(f"{tournament_title(one.name)} has begun: it stays as it is")
            if connection.execute(changed.values(_to_row(one))).rowcount != 1:
                raise NotScheduled(f"{tournament_title(one.name)} was called off meanwhile")

    def call_off(self, name: str) -> None:
        """Drop a tournament that has not begun, and tell whoever has entered it.

        Raises: NotScheduled.
        """
        with self._database.writing() as connection:
            if _has_begun(connection, name):
                raise NotScheduled(f"{tournament_title(name)} has begun: pause it instead")
            concerned = _find_entrant_authors(connection, name)
            mine = tournament_entries.c.tournament == name
            connection.execute(delete(tournament_entries).where(mine))
            this = scheduled_tournaments.c.name == name
            if connection.execute(delete(scheduled_tournaments).where(this)).rowcount != 1:
                raise NotScheduled("there is no such tournament: it may have been called off")
            tell_all(
                connection, concerned, f"{tournament_title(name)} was called off.", "/tournaments"
            )

    # -- what authors do ----------------------------------------------------------------------

    def enter(self, name: str, bot_id: str) -> None:
        """Enter a bot, as its author wishes. Raises: NotScheduled."""
        with self._database.writing() as connection:
            one = self._taking_entries(connection, name)
            if one.field is not FieldRule.ENTERED:
                raise NotScheduled(f"every bot of the ladder plays in {tournament_title(name)}")
            game = connection.execute(select(bots.c.game).where(bots.c.id == bot_id)).scalar()
            ladder = self._ladders.ladder(one.ladder)
            assert ladder is not None
            if game != ladder.spec.game:
                raise NotScheduled(
                    f"only bots of {ladder.game.title} play in {tournament_title(name)}"
                )
            row = {"tournament": name, "bot": bot_id, "entered_at": now()}
            self._database.insert_new(connection, tournament_entries, row)

    def leave(self, name: str, bot_id: str) -> None:
        """Take a bot out again. Raises: NotScheduled once entries are closed."""
        with self._database.writing() as connection:
            self._taking_entries(connection, name)
            entry = tournament_entries.c.tournament == name, tournament_entries.c.bot == bot_id
            connection.execute(delete(tournament_entries).where(*entry))

    # -- beginning ----------------------------------------------------------------------------

    def begin_due(self, at: datetime) -> None:
        """Begin what is due, and tell everybody concerned; what cannot begin says why.

        It waits for the checks of versions that were handed in before entries closed.
        """
        for one in self._database.find(due_tournaments(at)):
            if self._is_checking(one):
                continue
            with self._database.reading() as connection:
                has_begun = _has_begun(connection, one.name)
            self._settle(one, "" if has_begun else self._begin(one))

    def _begin(self, one: ScheduledTournament) -> str:
        """Begin a tournament; return why it cannot begin, or ''."""
        ladder = self._ladders.ladder(one.ladder)
        assert ladder is not None
        if not ladder.has_present_rules:
            return f"the rules of {ladder.game.title} have changed: schedule another tournament"
        try:
            self._tournaments.make(one.name, ladder, self.field(one), one.choices)
        except UsageError as error:
            return str(error)
        return ""

    def _settle(self, one: ScheduledTournament, why: str) -> None:
        """Note that a tournament has begun, or could not, and tell whom it concerns, at once."""
        begun = None
        with suppress(BadResult):  # it is told of where it is played
            begun = self._tournaments.load_tournament(one.name)
        this = (
            scheduled_tournaments.c.name == one.name,
            scheduled_tournaments.c.settled_at.is_(None),
        )
        values = {"settled_at": now(), "why": why}
        with self._database.writing() as connection:
            changed = update(scheduled_tournaments).where(*this).values(values)
            if connection.execute(changed).rowcount != 1:
                return  # another process was first
            if why:
                organizers = select(people.c.id).where(people.c.is_organizer)
                concerned = {
                    *connection.execute(organizers).scalars(),
                    *_find_entrant_authors(connection, one.name),
                }
                words = f"{tournament_title(one.name)} could not begin: {why}."
                tell_all(connection, concerned, words, page_of(one.name))
            elif begun is not None:
                tell_of_begin(connection, begun)

    # -- details ------------------------------------------------------------------------------

    def _require_sound(self, one: ScheduledTournament) -> None:
        """Raises: NotScheduled."""
        ladder = self._ladders.ladder(one.ladder)
        if ladder is None:
            raise NotScheduled("there is no such ladder")
        if not ladder.has_present_rules:
            raise NotScheduled(f"{ladder.name} is a ladder of older rules: choose another")
        if one.starts_at <= now():
            raise NotScheduled("the begin is in the past: choose a later time, or begin it now")
        if one.entries_until > one.starts_at:
            raise NotScheduled("entries close before the tournament begins, or as it begins")
        try:
            require_table(plan_of_choices(one.name, ladder, one.choices))
        except UsageError as error:
            raise NotScheduled(str(error)) from error

    def _taking_entries(self, connection: Connection, name: str) -> ScheduledTournament:
        """Raises: NotScheduled."""
        rows = connection.execute(tournament_by_name(name).query).all()
        one = tournament_by_name(name).made_of(rows)
        if one is None:
            raise NotScheduled("there is no such tournament: it may have been called off")
        if not one.takes_entries(now()):
            raise NotScheduled(
                f"entries for {tournament_title(name)} closed on "
                f"{one.entries_until:%Y-%m-%d at %H:%M} UTC"
            )
        return one

    def _is_checking(self, one: ScheduledTournament) -> bool:
        """Return whether the checks of a version that could play have not ended yet."""
        query = (
            select(versions.c.id)
            .join(bots, bots.c.id == versions.c.bot)
            .where(
                versions.c.state == VersionState.CHECKING,
                versions.c.handed_in_at < one.entries_until,
            )
        )
        if one.field is FieldRule.ENTERED:
            of_entered = select(tournament_entries.c.bot).where(
                tournament_entries.c.tournament == one.name
            )
            query = query.where(bots.c.id.in_(of_entered))
        else:
            query = query.where(versions.c.ladder == one.ladder)
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None


def upcoming_tournaments() -> Lookup[list[ScheduledTournament]]:
    """Look up the tournaments that are to begin, the next first."""
    return _tournaments_where(scheduled_tournaments.c.settled_at.is_(None))


def upcoming_or_failed_tournaments() -> Lookup[list[ScheduledTournament]]:
    """Look up the tournaments that have not begun, the next first; last those that could not."""
    return _tournaments_where(
        or_(scheduled_tournaments.c.settled_at.is_(None), scheduled_tournaments.c.why != "")
    )


def due_tournaments(at: datetime) -> Lookup[list[ScheduledTournament]]:
    """Look up the tournaments whose hour has come, and that have neither begun nor failed to."""
    return _tournaments_where(
        scheduled_tournaments.c.settled_at.is_(None), scheduled_tournaments.c.starts_at <= at
    )


def next_sealed_tournament(ladder_id: str) -> Lookup[ScheduledTournament | None]:
    """Look up the next tournament before which a ladder plays no matches; None for none."""
    found = _tournaments_where(
        scheduled_tournaments.c.ladder == ladder_id,
        scheduled_tournaments.c.is_sealed,
        scheduled_tournaments.c.settled_at.is_(None),
    )
    return Lookup(found.query, lambda rows: _read(rows[-1]) if rows else None)


def tournament_by_name(name: str) -> Lookup[ScheduledTournament | None]:
    """Look up a tournament that has, or had, an hour at which it begins."""
    query = select(scheduled_tournaments).where(scheduled_tournaments.c.name == name)
    return Lookup(query, lambda rows: _read(rows[0]) if rows else None)


def tournament_ladder(name: str) -> Lookup[Ladder | None]:
    """Look up the ladder whose bots play in a tournament that has, or had, an hour to begin at."""
    this = scheduled_tournaments.c.name == name
    return ladder_in(select(scheduled_tournaments.c.ladder).where(this))


def tournament_entrants(name: str) -> Lookup[list[EnteredBot]]:
    """Look up the bots that were entered for a tournament, by name."""
    query = (
        select(bots.c.id.label("bot"), bots.c.name, author_names())
        .join(tournament_entries, tournament_entries.c.bot == bots.c.id)
        .join(people, people.c.id == bots.c.person)
        .where(tournament_entries.c.tournament == name)
        .order_by(bots.c.name)
    )
    return Lookup(query, _read_entrants)


def _has_begun(connection: Connection, name: str) -> bool:
    query = select(contests.c.name).where(contests.c.name == name)
    return connection.execute(query).first() is not None


def _read_entrants(rows: Rows) -> list[EnteredBot]:
    return [EnteredBot(bot=row.bot, name=row.name, author=row.author) for row in rows]


def _find_entrant_authors(connection: Connection, name: str) -> frozenset[str]:
    """Return the ids of all authors of the bots that were entered for a tournament."""
    query = (
        select(bots.c.person, coauthor_ids())
        .join(tournament_entries, tournament_entries.c.bot == bots.c.id)
        .where(tournament_entries.c.tournament == name)
    )
    return frozenset[str]().union(*map(author_ids, connection.execute(query)))


def _tournaments_where(*where: ColumnElement[bool]) -> Lookup[list[ScheduledTournament]]:
    query = select(scheduled_tournaments).where(*where)
    ordered = query.order_by(
        scheduled_tournaments.c.settled_at.is_not(None), scheduled_tournaments.c.starts_at
    )
    return Lookup(ordered, lambda rows: [_read(row) for row in rows])


def _to_row(one: ScheduledTournament) -> dict[str, object]:
    choices = msgspec.json.encode(one.choices).decode()
    return {**msgspec.structs.asdict(one), "choices": choices}


def _read(row: AnyRow) -> ScheduledTournament:
    return ScheduledTournament(
        name=row.name,
        ladder=row.ladder,
        words=row.words,
        choices=msgspec.json.decode(row.choices, type=TournamentChoices),
        field=FieldRule(row.field),
        entries_until=aware(row.entries_until),
        starts_at=aware(row.starts_at),
        is_sealed=row.is_sealed,
        settled_at=None if row.settled_at is None else aware(row.settled_at),
        why=row.why,
        created_at=aware(row.created_at),
    )
