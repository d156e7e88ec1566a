"""Tournaments of a ladder's bots: made by organizers, and played by the dispatcher.

A tournament is its plan, its entrants and the results so far, as everywhere in this project: what
has no result is what remains to be played, so that a restart goes on where the server was ended.
"""

import threading
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue

import msgspec
from sqlalchemy import select, union, update

from engine.errors import SlimeMindError, UsageError
from engine.replays.writing import Contestant
from engine.streams import draw_seed
from report.folder import PUBLIC_MARK_FILE, write_report
from runners.commands import Commands
from runners.contests.ladders import Ladder
from runners.contests.ledger import State
from runners.contests.open_tournaments import SavedTournament, all_tournaments, find_tournaments
from runners.contests.persistence import load_tournament, read_tournament, save_tournament
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan
from runners.contests.registration import require_playable, require_table
from runners.contests.rounds import NextRound, round_opens_at
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import why_no_name
from runners.contests.visibility import is_met, is_sealed
from runners.execution.pool import describe_error
from runners.run_options import RunOptions
from runners.storage.database import Database, Stale, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    ratings,
    scheduled_tournaments,
    versions,
)
from runners.storage.store import Store, find_entrants, find_plan
from runners.storage.tables import contests
from server.contests.notices import tell_of_end, tell_of_round
from server.http.parts import Report, no_report
from server.identity.look_alikes import looks_like_one_of

UNRATED_ELO = -1e9
"""What stands for the rating of whom nothing is known: they are seeded last."""
MAX_REASONS = 5
MAX_PAGES = 60
"""Pages of the report to watch matches."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a ladder that can play in a tournament, with its active version."""

    bot: str
    contestant: Contestant


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


class Tournaments:
    """The tournaments of a server. All methods may be called from any thread."""

    def __init__(self, database: Database, run: RunOptions, report: Report = no_report) -> None:
        """`run`: how matches are played, and the folder of results and bots' copies."""
        self._database = database
        self._store = Store(database)
        self._run = run
        self._ended = SimpleQueue[str | None]()
        """The names of tournaments whose report is to be written; None at the end."""
        self._thread = threading.Thread(target=self._write, name="tournaments", daemon=True)
        self._report = report

    # -- what there is ------------------------------------------------------------------------

    def all(self) -> list[SavedTournament]:
        """Return all tournaments, the newest first."""
        return self._database.find(all_tournaments())

    def look_up(self, name: str) -> tuple[list[SavedTournament], str | None, list[str]]:
        """Return the tournament of a name, its plan and its entrants, as they are stored."""
        kept, plan, texts = self._database.read(
            find_tournaments(name), find_plan(name), find_entrants(name)
        )
        return kept, plan, texts

    def load_tournament(self, name: str) -> Tournament | None:
        """Return a tournament with its results so far. Raises: EngineFailure, BadResult."""
        kept, plan, texts = self.look_up(name)
        return self.read(name, plan, texts) if kept else None

    def read(self, name: str, plan: str | None, texts: Sequence[str]) -> Tournament | None:
        """Return a tournament by its plan and entrants. Raises: EngineFailure, BadResult."""
        return read_tournament(self._store, name, plan, texts)

    def reasons(self, tournament: Tournament) -> list[str]:
        """Return why matches of a tournament could not be played, each reason once."""
        entries = tournament.ledger()
        keys = {entry.key for entry in entries if entry.state is State.OPEN}
        words = (words for of_key in self._store.failures(keys).values() for words in of_key)
        return list(dict.fromkeys(words))[:MAX_REASONS]

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
                entries.c.ladder == ladder_id,
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

    # -- what organizers do -------------------------------------------------------------------

    def make(
        self,
        name: str,
        ladder: Ladder,
        chosen: Sequence[Candidate],
        choices: TournamentChoices,
    ) -> None:
        """Begin a tournament of bots of a ladder, with its settings and limits.

        The first are seeded first. Raises: UsageError, with what is wrong.
        """
        self.require_new(name)
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
        try:
            save_tournament(
                self._store, field, new_of=ladder.id, break_s=60 * choices.break_minutes
            )
        except Stale as error:
            raise UsageError(name_taken_message(name)) from error

    def require_new(self, name: str) -> None:
        """Raises: UsageError for the name of a tournament that there is, and for no name."""
        if why := why_no_name(name):
            raise UsageError(why)
        is_kept = bool(self._database.find(find_tournaments(name)))
        names = union(select(contests.c.name), select(scheduled_tournaments.c.name))
        with self._database.reading() as connection:
            others = {*connection.execute(names).scalars()} - {name}
        if is_kept or (self._run.out / name).exists() or looks_like_one_of(name, others):
            raise UsageError(name_taken_message(name))

    def set_paused(self, name: str, is_paused: bool) -> bool:
        """Pause a tournament or let it go on; return whether there is one."""
        changed = update(contests).where(contests.c.name == name)
        with self._database.writing() as connection:
            return connection.execute(changed.values(is_paused=is_paused)).rowcount == 1

    def has_report(self, name: str) -> bool:
        """Return whether there is a report of a tournament that may be shown to everybody."""
        return (self.report_folder(name) / PUBLIC_MARK_FILE).exists()

    # -- playing ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin to tell authors of what has ended, and to write reports, in a thread."""
        self._thread.start()

    def close(self) -> None:
        """End once the report that is being written is there."""
        self._ended.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def tell_of_round(self, ahead: NextRound) -> None:
        """Tell authors whom their bots meet in a round. Raises: EngineFailure, BadResult."""
        tournament = load_tournament(self._store, ahead.tournament)
        if tournament is not None:
            tell_of_round(self._database, tournament, ahead)

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


def name_taken_message(name: str) -> str:
    return f"there is a tournament {name} already, or one that looks like it: choose another name"
