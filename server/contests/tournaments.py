"""Tournaments of a ladder's bots: announced or begun by organizers, and played by the dispatcher.

A tournament is its plan, its entrants and the results so far, as everywhere in this project: what
has no result is what remains to be played, so that a restart goes on where the server was ended.
One that is announced has no plan yet, and begins by itself at its hour, with the bots that play by
then: in one transaction, which tells everybody, too.
"""

import threading
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from queue import SimpleQueue

import msgspec
from sqlalchemy import Connection, delete, select, update

from engine.errors import SlimeMindError, UsageError
from engine.replays.writing import Contestant
from engine.streams import draw_seed
from report.folder import PUBLIC_MARK_FILE, write_report
from runners.commands import Commands
from runners.contests.authors import author_ids, coauthor_ids
from runners.contests.contests import (
    IS_WAITING,
    Contest,
    Ladder,
    SavedTournament,
    TournamentChoices,
    contest_of_id,
    contest_to_row,
    find_tournaments,
    ladder_of_id,
)
from runners.contests.entries import ENTERED_STATES, entry_condition, require_entries_open
from runners.contests.ledger import State
from runners.contests.open_tournaments import NextRound, round_opens_at
from runners.contests.persistence import encode_field, load_tournament, read_tournament
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan
from runners.contests.registration import require_playable, require_table
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import tournament_title, why_no_name
from runners.contests.visibility import is_met, is_sealed
from runners.execution.pool import describe_error
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    FieldRule,
    VersionState,
    bots,
    entries,
    ratings,
    versions,
)
from runners.storage.store import Store, insert_entrants
from runners.storage.tables import contests
from runners.storage.together import read_lookups
from server.contests.contest_entries import entered_bots
from server.contests.contest_forms import name_taken_error
from server.contests.form_fields import BadForm
from server.contests.notices import page_of, tell_all, tell_of_begin, tell_of_end, tell_of_round
from server.http.parts import Report, ignore_report
from server.identity.names import looks_like_one_of

PLAYS = (EntryState.PLAYING,)
UNRATED_ELO = -1e9
"""What stands for the rating of whom nothing is known: they are seeded last."""
FORM_NAME = "new"
"""What stands for a contest in the address of the form of new ones."""
MAX_REASONS = 5
MAX_PAGES = 60
"""Pages of the report to watch matches."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a ladder that can play in a tournament, with its active version."""

    bot: str
    contestant: Contestant


class Tournaments:
    """The tournaments of a server. All methods may be called from any thread."""

    def __init__(self, database: Database, run: RunOptions, report: Report = ignore_report) -> None:
        """`run`: how matches are played, and the folder of results and bots' copies."""
        self._database = database
        self._store = Store(database)
        self._run = run
        self._ended = SimpleQueue[str | None]()
        """The names of tournaments whose report is to be written; None at the end."""
        self._thread = threading.Thread(target=self._write, name="tournaments", daemon=True)
        self._report = report

    # -- what there is ------------------------------------------------------------------------

    def load_tournament(self, name: str) -> Tournament | None:
        """Return a tournament with its results so far. Raises: EngineFailure, BadResult."""
        return load_tournament(self._store, name)

    def read(self, name: str, plan: str | None, texts: Sequence[str]) -> Tournament | None:
        """Return a tournament by its plan and entrants. Raises: EngineFailure, BadResult."""
        return read_tournament(self._store, name, plan, texts)

    def reasons(self, tournament: Tournament) -> list[str]:
        """Return why matches of a tournament could not be played, each reason once."""
        entries = tournament.ledger()
        keys = {entry.key for entry in entries if entry.state is State.OPEN}
        reasons = chain.from_iterable(self._store.load_failures(keys).values())
        return list(dict.fromkeys(reasons))[:MAX_REASONS]

    def count_results(self) -> int:
        """Return how many results there are of all tournaments."""
        return self._store.count()

    def report_folder(self, name: str) -> Path:
        """Return where the report of a tournament is, once it was written."""
        return self._run.out / name / "report"

    def candidates(
        self, ladder_id: str, until: datetime | None = None, *, opens_seal: bool = False
    ) -> list[Candidate]:
        """Return who can play in a tournament of a ladder, the strongest first.

        A bot plays its active version; with `until`, its newest one that was handed in before and
        has passed its checks. Versions under a seal play only in a tournament that opens it.
        """
        living = versions.alias()
        is_living = select(living.c.id).where(
            living.c.bot == bots.c.id, living.c.state == VersionState.ACTIVE
        )
        query = (
            select(bots.c.id, bots.c.name, versions.c.digest, versions.c.id.label("version"))
            .add_columns(versions.c.number, people.c.name.label("author"))
            .join(versions, versions.c.bot == bots.c.id)
            .join(entries, entries.c.bot == bots.c.id)
            .join(people, people.c.id == bots.c.person)
            .where(
                entries.c.contest == ladder_id,
                entries.c.state == EntryState.PLAYING,
                is_living.exists(),
            )
            .order_by(versions.c.number)
        )
        if until is None:
            query = query.where(is_met())
        else:
            passed = versions.c.state.in_((VersionState.ACTIVE, VersionState.FORMER))
            query = query.where(passed, versions.c.handed_in_at < until)
            if not opens_seal:
                query = query.where(~is_sealed(versions))
        rated = select(ratings.c.version, ratings.c.elo).where(ratings.c.ladder == ladder_id)
        with self._database.reading() as connection:
            newest = rated.order_by(ratings.c.at)
            elo = {row.version: row.elo for row in connection.execute(newest)}
            playing = {row.id: row for row in connection.execute(query)}  # the last version stays
        rows = sorted(
            playing.values(), key=lambda row: (-(elo.get(row.version) or UNRATED_ELO), row.name)
        )
        return [
            Candidate(
                bot=row.id,
                contestant=Contestant(
                    name=row.name, digest=row.digest, author=row.author, version=str(row.number)
                ),
            )
            for row in rows
        ]

    def field(self, one: SavedTournament) -> list[Candidate]:
        """Return who would play in one that is announced if it began now, the first seed first."""
        candidates = self.candidates(one.ladder, one.entries_until, opens_seal=one.is_sealed)
        if one.field is FieldRule.EVERYBODY:
            return candidates
        entered = {entry.bot for entry in self._database.find(entered_bots(one.name, PLAYS))}
        return [candidate for candidate in candidates if candidate.bot in entered]

    # -- what organizers do: all raise UsageError, with what is wrong -------------------------

    def make(
        self,
        name: str,
        ladder: Ladder,
        chosen: Sequence[Candidate],
        choices: TournamentChoices,
        description: str = "",
    ) -> None:
        """Begin a tournament of bots of a ladder, with its settings and limits; tell their authors.

        The first are seeded first.
        """
        self.require_new(name)
        field = make_field(name, ladder, chosen, choices)
        with self._database.transaction() as connection:
            row: dict[str, object] = {"name": name, "ladder": ladder.id, "words": description}
            plan, entrants = encode_field(field)
            row |= _begun_values(plan, choices)
            if not self._database.insert_new(connection, contests, row):
                raise name_taken_error("tournament", name)
            insert_entrants(connection, name, entrants)
            tell_of_begin(connection, field)

    def announce(self, one: SavedTournament) -> None:
        """Announce a tournament, which begins by itself at its hour."""
        self._require_sound(one)
        self.require_new(one.name)
        with self._database.transaction() as connection:
            if not self._database.insert_new(connection, contests, contest_to_row(one)):
                raise name_taken_error("tournament", one.name)

    def change(self, one: SavedTournament) -> None:
        """Change one that has not begun; one that could not begin is to begin once more."""
        self._require_sound(one)
        with self._database.transaction() as connection:
            self._require_announced(connection, one.name, "it stays as it is")
            this = contests.c.name == one.name
            connection.execute(update(contests).where(this).values(contest_to_row(one)))

    def call_off(self, name: str) -> None:
        """Drop a tournament that has not begun, and tell whoever has entered it."""
        with self._database.transaction() as connection:
            self._require_announced(connection, name, "pause it instead")
            concerned = _find_entrant_authors(connection, name)
            connection.execute(delete(entries).where(entries.c.contest == name))
            connection.execute(delete(contests).where(contests.c.name == name))
            tell_all(
                connection, concerned, f"{tournament_title(name)} was called off.", "/contests"
            )

    def require_new(self, name: str) -> None:
        if why := why_no_name(name) or (name == FORM_NAME and "choose a name that says more"):
            raise BadForm({"name": why})
        is_kept = bool(self._database.find(find_tournaments(contests.c.name == name)))
        with self._database.reading() as connection:
            others = {*connection.execute(select(contests.c.name)).scalars()} - {name}
        if is_kept or (self._run.out / name).exists() or looks_like_one_of(name, others):
            raise name_taken_error("tournament", name)

    def _require_sound(self, one: SavedTournament) -> None:
        ladder = self._database.find(ladder_of_id(one.ladder))
        if ladder is None:
            raise UsageError("there is no such ladder")
        if not ladder.has_present_rules:
            raise UsageError(f"{ladder.name} is a ladder of older rules: choose another")
        assert one.begins_at is not None
        assert one.entries_until is not None
        assert one.choices is not None
        if one.begins_at <= now():
            why = "the begin is in the past: choose a later time, or begin it now"
            raise BadForm({"starts": why})
        if one.entries_until > one.begins_at:
            why = "entries close before the tournament begins, or as it begins"
            raise BadForm({"entries_until": why})
        require_table(plan_of_choices(one.name, ladder, one.choices))

    def _require_announced(self, connection: Connection, name: str, instead: str) -> None:
        one = _require_tournament(connection, name)
        if one.is_begun:
            raise UsageError(f"{tournament_title(name)} has begun: {instead}")

    def has_report(self, name: str) -> bool:
        """Return whether there is a report of a tournament that may be shown to everybody."""
        return (self.report_folder(name) / PUBLIC_MARK_FILE).exists()

    # -- what authors do ----------------------------------------------------------------------

    def leave(self, name: str, bot_id: str) -> None:
        """Take a bot out again. Raises: UsageError once entries are closed."""
        with self._database.transaction() as connection:
            one = _require_tournament(connection, name)
            require_entries_open(one, tournament_title(name), now())
            entry = *entry_condition(name, bot_id), entries.c.state.in_(ENTERED_STATES)
            connection.execute(delete(entries).where(*entry))

    # -- beginning at the hour ----------------------------------------------------------------

    def begin_due(self, at: datetime) -> None:
        """Begin what is due, and tell everybody concerned; what cannot begin says why.

        It waits for the checks of versions that were handed in before entries closed.
        """
        for one in self._database.find(find_tournaments(IS_WAITING, contests.c.begins_at <= at)):
            if not self._is_checking(one):
                self._start_tournament(one)

    def _start_tournament(self, one: SavedTournament) -> None:
        """Begin a tournament, or note why it cannot, and tell whom that concerns, at once."""
        ladder = self._database.find(ladder_of_id(one.ladder))
        assert ladder is not None
        assert one.choices is not None
        values: dict[str, object] = {"settled_at": now()}
        field = None
        try:
            if not ladder.has_present_rules:
                title = ladder.game.title
                raise UsageError(f"the rules of {title} have changed: schedule another tournament")
            field = make_field(one.name, ladder, self.field(one), one.choices)
            plan, entrants = encode_field(field)
            values = _begun_values(plan, one.choices)
        except UsageError as error:
            values["why"] = why = str(error)
        with self._database.transaction() as connection:
            this = update(contests).where(contests.c.name == one.name, IS_WAITING)
            if connection.execute(this.values(values)).rowcount != 1:
                return  # another process was first
            if field is not None:
                insert_entrants(connection, one.name, entrants)
                tell_of_begin(connection, field)
                return
            organizers = select(people.c.id).where(people.c.is_organizer)
            concerned = {
                *connection.execute(organizers).scalars(),
                *_find_entrant_authors(connection, one.name),
            }
            message = f"{tournament_title(one.name)} could not begin: {why}."
            tell_all(connection, concerned, message, page_of(one.name))

    def _is_checking(self, one: SavedTournament) -> bool:
        """Return whether the checks of a version that could play have not ended yet."""
        assert one.entries_until is not None
        playing = entries.c.contest == one.name, entries.c.state.in_(PLAYS)
        entered = versions.c.bot.in_(select(entries.c.bot).where(*playing))
        query = select(versions.c.id).where(
            versions.c.state == VersionState.CHECKING,
            versions.c.handed_in_at < one.entries_until,
            entered if one.field is FieldRule.ENTERED else versions.c.ladder == one.ladder,
        )
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    # -- playing ------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to tell authors of what has ended, and to write reports, in a thread."""
        self._thread.start()

    def close(self) -> None:
        """End once the report that is being written is there."""
        self._ended.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def tell_of_round(self, upcoming: NextRound) -> None:
        """Tell authors whom their bots meet in a round. Raises: EngineFailure, BadResult."""
        tournament = load_tournament(self._store, upcoming.tournament)
        if tournament is not None:
            tell_of_round(self._database, tournament, upcoming)

    def round_opens_at(self, kept: SavedTournament, before: Iterable[str]) -> datetime | None:
        """Return when a round begins that waits for its break to end; None for none.

        `before`: the keys of the matches of earlier rounds.
        """
        opens_at = round_opens_at(self._store, before, kept.break_s) if kept.break_s else None
        return opens_at if opens_at is not None and opens_at > now() else None

    def report_on(self, name: str) -> None:
        """Tell authors how it ended, and write its report, in a thread: it may take a while."""
        self._ended.put(name)

    def _write(self) -> None:
        while (name := self._ended.get()) is not None:
            try:
                tournament = load_tournament(self._store, name)
                if tournament is not None:
                    tell_of_end(self._database, tournament)
                    commands = Commands(out=self._run.out)
                    write_report(tournament, self._run.out, commands, MAX_PAGES, is_public=True)
            except SlimeMindError:
                """A page says that there is no report."""
            except Exception as error:  # noqa: BLE001 - the next one is to be written all the same
                self._report(f"tournaments: {describe_error(error)}")


def _require_tournament(connection: Connection, name: str) -> SavedTournament:
    """Raises: UsageError."""
    found: Contest | None
    (found,) = read_lookups(connection, contest_of_id(name))
    if found is None or found.tournament is None:
        raise UsageError("there is no such tournament: it may have been called off")
    return found.tournament


def plan_of_choices(name: str, ladder: Ladder, choices: TournamentChoices) -> TournamentPlan:
    """Return the plan of a tournament with a ladder's settings and limits."""
    return TournamentPlan(
        name=name,
        game=ladder.spec.game,
        rules_version=ladder.game.rules_version,
        format=choices.format,
        games=choices.games,
        rounds=choices.rounds,
        table=choices.table,
        settings=ladder.spec.settings,
        limits=ladder.spec.limits,
        packages=ladder.spec.packages,
    )


def _begun_values(plan: str, choices: TournamentChoices) -> dict[str, object]:
    """Return what a row says of a tournament that begins now."""
    at, break_s = now(), 60 * choices.break_minutes
    begun = {"plan": plan, "begun_at": at, "settled_at": at, "break_s": break_s, "why": ""}
    return {**begun, "format": choices.format}


def make_field(
    name: str, ladder: Ladder, chosen: Sequence[Candidate], choices: TournamentChoices
) -> Field:
    """Return a tournament of bots of a ladder, the first seed first. Raises: UsageError."""
    secret = Secret(0, draw_seed())
    plan = plan_of_choices(name, ladder, choices)
    require_table(plan)
    if len(chosen) < plan.table:
        raise UsageError(
            f"a tournament of matches between {plan.table} bots needs {plan.table} or more; "
            f"there {'is' if len(chosen) == 1 else 'are'} {len(chosen) or 'none'}"
        )
    field = Field(plan, tuple(Entrant(bot=one.contestant, secret=secret) for one in chosen))
    require_playable(field)
    return field


def _find_entrant_authors(connection: Connection, name: str) -> frozenset[str]:
    """Return the ids of all authors of the bots that were entered for a tournament."""
    query = (
        select(bots.c.person, coauthor_ids())
        .join(entries, entries.c.bot == bots.c.id)
        .where(entries.c.contest == name)
    )
    return frozenset[str]().union(*map(author_ids, connection.execute(query)))
