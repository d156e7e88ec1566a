"""Change a server's database as an organizer does, without its pages."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import timedelta, tzinfo
from pathlib import Path

from msgspec.structs import replace

from cli.server_address import server_run
from engine.bots.finding import Copies
from engine.catalog import find_game
from engine.errors import UsageError
from engine.result_folder import OutName
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.commands import Commands
from runners.configuration import read_configuration
from runners.contests.contests import Contest, Ladder
from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_fixtures import LadderFixtures
from runners.contests.ladder_ratings import Published
from runners.contests.ladders import Ladders
from runners.contests.organizer import Copied, Location, copy_tournament
from runners.contests.persistence import find_tournament
from runners.contests.player import ContestObserver, ContestPlayer
from runners.match_request import (
    MatchRequest,
    RunOptions,
    limits_for,
    read_kept_replays,
    settings_for,
)
from runners.observers import say
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import EntryRule, EntryState
from runners.storage.schema import DATABASE, downgrade
from runners.storage.store import Store, StoredResult, default_url, existing_store, open_store
from runners.storage.tables import name_key
from server.bots.bots import Bots
from server.bots.built_in_bots import BuiltInBots
from server.bots.source_folder import write_sources
from server.contests.contest_entries import Moderation
from server.contests.contest_forms import ContestForm, new_ladder, save_ladder
from server.contests.ladder_tables import LadderTables, ladder_state
from server.contests.reporting import Reporter
from server.games.game_storage import GameStorage
from server.games.open_games import OpenGames
from server.identity.audit_log import AuditLog
from server.identity.people import Kind, People
from server.operations.cleaning import Cleaning
from server.operations.copying import copy_database
from server.operations.results_folder import measure_disk_use
from server.operations.server_lock import find_server_address, server_lock

HERE = "this machine"
"""What the audit log says in place of an address."""
MAX_NOTE_LENGTH = 60
END_IT = "end that process first"


class Administration:
    """A server's database, as an organizer works on it."""

    def __init__(self, storage: GameStorage, out: Path, address: str = "") -> None:
        """`address`: that of the server which serves it now; '' for none."""
        self.address = address
        database = storage.database
        self._location = Location(Store(database), out)
        self.people = People(database)
        self.audit = AuditLog(database)
        self.ladders = Ladders(database)
        self._bots = Bots(database)
        self._built_in = BuiltInBots(database, out)
        self._moderation = Moderation(database)
        self._open_games = OpenGames(database)

    def invite(self, note: str, days: int) -> str:
        """Return the path of a new link that makes an account."""
        text = one_line(note)[:MAX_NOTE_LENGTH]
        good_for = timedelta(days=days)
        key = self.people.new_link(Kind.PERSON, made_by=None, note=text, good_for=good_for)
        self._note("invitation made", text)
        return f"/welcome/{key}"

    def set_banned(self, name: str, is_banned: bool) -> str:
        """Ban somebody or let them in again; return what was done. Raises: UsageError."""
        person = self.people.find_person_by_name(name)
        if person is None:
            raise UsageError(f"nobody is called {name!r}; 'admin people' lists everybody")
        self.people.set_banned(person.id, is_banned)
        if is_banned:
            self._open_games.withdraw(person.id)
        self._note("banned" if is_banned else "unbanned", about=person.id)
        return f"{person.name} is banned" if is_banned else f"{person.name} may sign in again"

    def make_ladder(
        self, request: MatchRequest, fields: Mapping[str, str | bool], zone: tzinfo
    ) -> str:
        """Make a ladder or season; return what was done. Raises: UsageError."""
        configuration, usual = read_configuration(), new_ladder(find_game(request.game)).ladder
        spec = replace(
            usual.spec,
            settings=settings_for(request, configuration),
            limits=limits_for(request, configuration),
        )
        contest = Contest(ladder=replace(usual, spec=spec))
        typed = {name: value for name, value in fields.items() if isinstance(value, str)}
        typed["entry"] = EntryRule.APPROVED if fields["approved"] else EntryRule.OPEN
        ladder = ContestForm(contest=contest, is_new=True, zone=zone).read(typed).ladder
        save_ladder(self.ladders, ladder)
        if not fields["no_house"]:
            self._built_in.enter(ladder)
        self._note("ladder made", ladder.name)
        kind = "season" if ladder.is_season else "ladder"
        return f"{ladder.name}: a {kind} of {ladder.game.title}, /contests/{ladder.id}"

    def set_paused(self, name: str, is_paused: bool) -> str:
        """Pause a ladder or let it go on; return what was done. Raises: UsageError."""
        ladder = self._find_ladder(name)
        self.ladders.set_paused(ladder.id, is_paused)
        self._note("ladder paused" if is_paused else "ladder resumed", ladder.name)
        return f"{ladder.name} is paused" if is_paused else f"{ladder.name} goes on"

    def play_ladder(
        self, run: RunOptions, *, ladder: str, workers: int | None, cluster: str | None
    ) -> str:
        """Play a ladder here until its end, or until interrupted; return its table.

        Raises: UsageError.
        """
        found, database = self._find_ladder(ladder), self._location.store.database
        run = server_run(run, workers, cluster)
        with suppress(KeyboardInterrupt):
            play_ladder(database, found, run, say)
        return _format_table(standings_lines(database, found))

    def disqualify(self, *, ladder: str, bot: str, why: str, voids: bool) -> str:
        """Take a bot off a ladder; return what was done. Raises: UsageError."""
        found_ladder = self._find_ladder(ladder)
        found = self._bots.find_bot_by_name(found_ladder.spec.game, bot)
        text = one_line(why)
        if not text:
            raise UsageError("--why: say the reason: everybody reads it")
        if found is None:
            raise UsageError(f"there is no bot {bot!r} that plays {found_ladder.game.title}")
        out = EntryState.DISQUALIFIED
        try:
            count = self._moderation.take_out(found_ladder.id, found.id, out, text, voids=voids)
        except Stale as error:
            raise UsageError(
                f"{found.name} has not entered {found_ladder.name}, or is disqualified already"
            ) from error
        matches = pluralize(count, "match")
        said = f"{found.name}, {found_ladder.name}: {text} ({matches} void)"
        self._note("bot: disqualify", said, about=found.person_id)
        return f"disqualified: {said}"

    def import_tournament(self, name: str, folder: Path, results: str | None, ladder: str) -> str:
        """Take in a tournament of the command line; return what was done. Raises: UsageError."""
        found_ladder = self._find_ladder(ladder)
        store = existing_store(results or default_url(folder, found_ladder.spec.game))
        if store is None:
            raise UsageError(f"{folder}: there are no results of {found_ladder.game.title} there")
        with closing(store):
            source = Location(store, folder)
            copied = copy_tournament(name, source, self._location, new_of=found_ladder.id)
        self._note("tournament imported", name)
        return f"{_copy_summary(name, copied)}; /contests/{name}"

    def export_tournament(self, name: str, folder: Path, results: str | None) -> str:
        """Copy a tournament out; return what was done. Raises: UsageError."""
        game = find_tournament(self._location.store, name).field.plan.game
        with closing(open_store(results or default_url(folder, game))) as store:
            copied = copy_tournament(name, self._location, Location(store, folder), new_of=None)
        self._note("tournament exported", name)
        shown = Commands(out=folder, game=game, results=results).standings(name)
        return f"{_copy_summary(name, copied)}; see {shown}"

    def export_sources(self, folder: Path, ladder_name: str | None) -> str:
        """Write the sources of bots into a folder; return what was done. Raises: UsageError."""
        ladder = None if ladder_name is None else self._find_ladder(ladder_name)
        copies = Copies(self._location.out / OutName.BOTS)
        count = write_sources(self._location.store.database, copies, folder, ladder)
        self._note("sources exported", "" if ladder is None else ladder.name)
        return f"{folder}: {pluralize(count, 'bot')}"

    def clean(self, kept_replays: str | None, *, is_dry_run: bool) -> str:
        """Remove what is old; return what went, or what would go. Raises: UsageError."""
        retained = read_kept_replays(kept_replays)
        cleaning = Cleaning(self._location.store.database, self._location.out, retained)
        counts = cleaning.count_old(now()) if is_dry_run else cleaning.clean(now())
        if not is_dry_run:
            self._note("cleaned", f"{sum(counts.values())} rows and folders")
        rows = [(name, str(count)) for name, count in counts.items() if count]
        if not rows:
            return "nothing is old"
        return _format_table([("what", "would go" if is_dry_run else "removed"), *rows])

    def disk_table(self) -> str:
        """Return what takes how much, as lines."""
        use = measure_disk_use(self._location.store.database, self._location.out)
        return _format_table(
            [
                ("what", "size"),
                ("database", _mib_text(use.database_bytes)),
                *((f"  {name}", pluralize(rows, "row")) for name, rows in use.rows),
                *((f"{self._location.out / name}", _mib_text(size)) for name, size in use.folders),
                *((f"  replays of {name}", _mib_text(size)) for name, size in use.contests),
            ]
        )

    def _find_ladder(self, name: str) -> Ladder:
        for ladder in self.ladders.all():
            if name_key(name) == name_key(ladder.name) or name == ladder.id:
                return ladder
        raise UsageError(f"there is no ladder {name!r}; 'admin ladders' lists them")

    def _note(self, what: str, message: str = "", about: str | None = None) -> None:
        self.audit.note(what, message, address=HERE, about=about)


def _mib_text(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB"


def _copy_summary(name: str, copied: Copied) -> str:
    bots = pluralize(copied.bots, "bot")
    results = pluralize(copied.results, "result")
    return f"{name}: {bots} and {results} copied, {copied.open} to be played"


@contextmanager
def open_administration(out: Path, url: str | None = None) -> Iterator[Administration]:
    """Yield the database of the server whose folder this is. Raises: UsageError."""
    where = _database_in(out) if url is None else url
    with closing(GameStorage(where)) as storage:
        yield Administration(storage, out, find_server_address(where))


def copy_from(out: Path, url: str) -> str:
    """Copy the database of a folder to a URL; return what was done. Raises: UsageError."""
    path = _database_in(out)
    with server_lock(path, f"{END_IT}; what it writes meanwhile would be lost"):
        rows = copy_database(path, url)
    return f"{pluralize(rows, 'row')} copied; bots and replays stay in {out}"


def downgrade_to(out: Path, url: str | None, revision: int) -> str:
    """Take the tables back; return what was done. Raises: UsageError."""
    where = _database_in(out) if url is None else url
    with (
        server_lock(where, END_IT),
        closing(Database(where)) as database,
        database.transaction() as connection,
    ):
        downgrade(connection, revision)
    return f"the tables are of revision {revision} now"


def _database_in(out: Path) -> Path:
    """Return a folder's database file. Raises: UsageError."""
    if not (out / DATABASE).exists():
        raise UsageError(f"{out}: there is no server's database there ({DATABASE}); see --out")
    return out / DATABASE


def people_table(server: Administration) -> str:
    """Return everybody who has an account, as lines."""
    return _format_table(
        [("name", "joined", "state")]
        + [
            (
                person.name,
                f"{person.created_at:%Y-%m-%d}",
                "organizer" if person.is_organizer else "banned" if person.is_banned else "member",
            )
            for person in server.people.find_all()
        ]
    )


def ladders_table(server: Administration) -> str:
    """Return the ladders, as lines."""
    at = now()
    return _format_table(
        [("name", "game", "state", "bots", "ends (UTC)")]
        + [
            (
                ladder.name,
                ladder.game.title,
                ladder_state(ladder, at),
                str(len(server.ladders.entries(ladder.id))),
                "never" if ladder.ends_at is None else f"{ladder.ends_at:%Y-%m-%d %H:%M}",
            )
            for ladder in server.ladders.all()
        ]
    )


def audit_table(server: Administration, rows: int) -> str:
    """Return the newest rows of the audit log, as lines."""
    return _format_table(
        [("when (UTC)", "who", "about", "address", "what")]
        + [
            (
                f"{row.at:%Y-%m-%d %H:%M:%S}",
                row.person or "-",
                row.about or "-",
                row.address or "-",
                one_line(f"{row.what}: {row.words}" if row.words else row.what),
            )
            for row in server.audit.rows(rows)
        ]
    )


def _format_table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines whose columns are as wide as they must be."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


POLL_INTERVAL_S = 0.5
"""Whether a season is over is looked at so often."""
RATED_S = 30.0
"""So long the last matches of a season are waited for to be rated."""
MIN_AUTHORS = 2
MAX_SHOWN = 20
"""Bots of a table that are printed."""


class LadderObserver(ContestObserver):
    """Tells authors what a server would tell them, and whoever waits how far the ladder is."""

    def __init__(self, reporter: Reporter, say: Callable[[str], object]) -> None:
        """`say` is called with a line for whoever reads along."""
        self.holder = ""
        """Who plays instead of us, if somebody does."""
        self.is_rated = True
        """Whether all that was played is rated."""
        self._count = 0
        self._reporter = reporter
        self._say = say

    def on_waiting(self, holder: str) -> None:
        self.holder = holder

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        self._count += 1
        self.is_rated = False
        for one in match.seated:
            if one.version in quarantined:
                self._say(f"{one.name} broke too often in a row, and plays no more")
        self._reporter.on_match_played(match, result, quarantined)

    def on_ratings(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        self.is_rated = True
        self._reporter.on_ratings_published(ladder_id, ratings)
        if ratings:
            matches = pluralize(self._count, "match")
            self._say(f"{matches} played here, {len(ratings)} bots rated")

    def on_failure(self, message: str) -> None:
        self._say(f"warning: {message}")


def play_ladder(
    database: Database, ladder: Ladder, run: RunOptions, say: Callable[[str], object]
) -> None:
    """Play a ladder until it is over. Raises: UsageError where it is not to be played here now."""
    _require_running(ladder)
    contenders = LadderFixtures(database).find_contenders(ladder.id)
    if len({one.authors for one in contenders}) < MIN_AUTHORS:
        say(f"{ladder.name} waits for bots of two authors: those of one never meet")
    tables = LadderTables(database)
    observer = LadderObserver(Reporter(database, tables), say)
    player = ContestPlayer(database, run, observer, only=ladder.id)
    player.start()
    try:
        _wait(database, ladder, observer)
    finally:
        player.close()


def _require_running(ladder: Ladder) -> None:
    at = now()
    if not ladder.has_begun(at):
        raise UsageError(f"{ladder.name} begins on {ladder.begins_at:%Y-%m-%d at %H:%M} UTC")
    if ladder.is_over(at):
        raise UsageError(f"{ladder.name} is over")
    if ladder.is_paused:
        raise UsageError(f"{ladder.name} is paused: 'admin resume' lets it go on")
    if not ladder.has_present_rules:
        raise UsageError(f"{ladder.name} is of older rules, and no more matches of it are played")


def _wait(database: Database, ladder: Ladder, observer: LadderObserver) -> None:
    """Return at the end of a season; of a ladder without an end, never. Raises: UsageError."""
    ladders = Ladders(database)
    present: Ladder | None = ladder
    while present is not None and not present.is_over(now()):
        if observer.holder:
            raise UsageError(
                f"{ladder.name} is being played by {observer.holder}; end that process first"
            )
        time.sleep(POLL_INTERVAL_S)
        present = ladders.ladder(ladder.id)
    end = time.monotonic() + RATED_S
    while not observer.is_rated and time.monotonic() < end:
        time.sleep(POLL_INTERVAL_S)


def standings_lines(database: Database, ladder: Ladder) -> list[tuple[str, ...]]:
    """Return the head of a ladder's table, a row a bot, after a row of titles."""
    table = LadderTables(database).table(ladder, None)
    return [
        ("rank", "bot", "author", "matches", "rating"),
        *(
            (
                "-" if one.rank is None else str(one.rank),
                one.name,
                one.author,
                str(one.games),
                "-" if one.rating is None or one.rating.elo is None else f"{one.rating.elo:.0f}",
            )
            for one in table.standings[:MAX_SHOWN]
        ),
    ]
