"""What contests hold as CSV and JSON, for everybody; and everything in one zip, for organizers."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from itertools import groupby
from pathlib import Path

import msgspec
from sqlalchemy import select
from starlette.responses import Response
from starlette.routing import Route

from engine.streams import parse_seed, seed_text
from report.files import Row, Value, write_table
from report.rows import team_rows
from runners.contests.authors import author_names
from runners.contests.contests import (
    IS_BEGUN,
    Ladder,
    find_contests,
    find_tournaments,
    ladder_of_id,
)
from runners.contests.game_records import PlayedGame, make_pgn, tournament_pgn
from runners.contests.ladder_fixtures import WITH_RESULTS
from runners.contests.ladder_ratings import find_latest_ratings
from runners.contests.ladders import Ladders
from runners.contests.registration import MIN_PLAYERS
from runners.contests.visibility import table_until, was_played_before
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import group_members, people, people_groups
from runners.storage.ladder_tables import bots, fixtures, versions
from runners.storage.store import StoredResult
from runners.storage.tables import IS_LADDER, matches
from runners.storage.together import read_lookups
from server.contests.contest_entries import EnteredBot, absentees, entered_bots
from server.contests.tournament_views import TournamentView, TournamentViews
from server.contests.tournaments import Tournaments
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.table_answers import MEDIA_TYPES, table_answer
from server.identity.audit_log import AuditRow
from server.identity.people import Person

MAX_AUDIT_ROWS = 1_000_000


class Exports(Part):
    """Tables of contests, as whoever asks may see them."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        ladders: Ladders,
        tournaments: Tournaments,
        views: TournamentViews,
    ) -> None:
        self._pages = pages
        self._database = database
        self._ladders = ladders
        self._tournaments = tournaments
        self._views = views
        self._tables: Mapping[str, Callable[[Ladder, datetime | None], Iterator[Row]]] = {
            "table": self.table,
            "matches": self.matches,
            "entries": self.entries,
        }

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/contests/{id}/report.zip", Permission.ANYBODY, self._send_report),
            route("/contests/{id}/matches.pgn", Permission.ANYBODY, self._send_pgn),
            route("/contests/{id}/{table}.{kind}", Permission.ANYBODY, self._send_table),
            route("/admin/export", Permission.ORGANIZER, self._export_page),
            route("/admin/export.zip", Permission.ORGANIZER, self._send_everything),
        ]

    # -- one ladder ---------------------------------------------------------------------------

    def table(self, ladder: Ladder, until: datetime | None) -> Iterator[Row]:
        """Yield the ratings of a ladder's versions, the best first; at the end who did not play."""
        with self._database.reading() as connection:
            rated = find_latest_ratings(connection, ladder.id, until)
            query = (
                select(versions.c.id, versions.c.number, versions.c.state, versions.c.bot)
                .add_columns(bots.c.name, bots.c.person, author_names())
                .join(bots, bots.c.id == versions.c.bot)
                .join(people, people.c.id == bots.c.person)
                .where(versions.c.id.in_(list(rated)))
            )
            known = {row.id: row for row in connection.execute(query)}
            is_over = ladder.is_over(now())
            (missing,) = read_lookups(connection, absentees(ladder)) if is_over else ([],)
        best = sorted(rated.values(), key=lambda one: (one.elo is None, -(one.elo or 0.0)))
        for rank, one in enumerate(best, 1):
            bot = known[one.version]
            yield {
                **_table_row(bot.name, bot.bot, bot.author, bot.person),
                "rank": rank,
                "version": bot.number,
                "state": bot.state if until is None else "",
                "games": one.games,
                "rating": one.elo,
                "rating_low": one.low,
                "rating_high": one.high,
                "at": _format_time(one.at),
            }
        for absent in missing:
            row = _table_row(absent.name, absent.bot, absent.author, absent.person)
            yield {**row, "why": absent.why}

    def matches(self, ladder: Ladder, until: datetime | None) -> Iterator[Row]:
        """Yield a row for each seat of each match that was played, in the order of play."""
        query = (
            select(fixtures, matches.c.result)
            .select_from(WITH_RESULTS)
            .where(fixtures.c.ladder == ladder.id, was_played_before(until))
            .order_by(fixtures.c.played_at, fixtures.c.id)
        )
        with self._database.reading() as connection:
            names = {
                row.id: row
                for row in connection.execute(
                    select(versions.c.id, versions.c.number, versions.c.bot, bots.c.name).join(
                        bots, bots.c.id == versions.c.bot
                    )
                )
            }
            for row in connection.execute(query):
                result = row.result and msgspec.json.decode(row.result, type=StoredResult)
                for seat, version in enumerate(msgspec.json.decode(row.seats, type=list[str])):
                    team = result.teams[seat] if result else None
                    yield {
                        "match": row.public_id,
                        "set": row.set_number,
                        "played_at": _format_time(with_time_zone(row.played_at)),
                        "key": row.key,
                        "seed": seed_text(parse_seed(row.seed)),
                        "seat": seat + 1,
                        "bot": names[version].name,
                        "bot_id": names[version].bot,
                        "version": names[version].number,
                        "winner": None if result is None else result.winner,
                        "winners": "" if result is None else " ".join(map(str, result.winners)),
                        "score": None if team is None else team.score,
                        "faults": None if team is None else sum(team.faults.values()),
                        "reason": "" if result is None else result.reason,
                        "turns": None if result is None else result.turns,
                        "is_void": row.is_void,
                        # Why one could not be played is for its authors: it may tell of them.
                        "why": row.why if row.is_void else "",
                    }

    def entries(self, ladder: Ladder, until: datetime | None) -> Iterator[Row]:
        """Yield the bots that have entered, the first to enter first."""
        for one in self._database.find(entered_bots(ladder.id)):
            if until is None or one.entered_at < until:
                yield _entry_row(one)

    def _send_table(self, request: PageRequest) -> Response:
        """Send a table of a contest, as whoever asks may see it."""
        contest, name, kind = request.part("id"), request.part("table"), request.part("kind")
        if name not in self._tables or kind not in MEDIA_TYPES:
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        request.count("table")
        return table_answer(request, name, kind, self._rows(request, contest, name))

    def _rows(self, request: PageRequest, contest: str, name: str) -> Iterable[Row]:
        """Return the rows of a table, as whoever asks may see it. Raises: Denied."""
        ladder = self._ladders.ladder(contest)
        if ladder is not None:
            return self._tables[name](ladder, table_until(ladder, request.person, now()))
        view = self._views.load(request.read, contest)
        if name == "entries":
            entered: list[EnteredBot] = self._database.find(entered_bots(contest))
            return map(_entry_row, entered)
        if name == "table":
            return standing_rows(view)
        entrants = {row.number: row for row in view.shown.standings.rows}
        ledger = view.tournament.ledger()
        return (row for entry in ledger for row in team_rows(entry, entrants))

    def _send_pgn(self, request: PageRequest) -> Response:
        """Send the matches of a contest for programs that rate games of two."""
        request.count("table")
        (ladder,) = request.read(ladder_of_id(request.part("id")))
        if ladder is None:
            tournament = self._views.load(request.read, request.part("id")).tournament
            is_of_two = tournament.field.plan.table == MIN_PLAYERS
            content = tournament_pgn(tournament) if is_of_two else b""
        else:
            is_of_two = max(ladder.game.team_counts) == MIN_PLAYERS
            rows = self.matches(ladder, table_until(ladder, request.person, now()))
            games = _games_of_two(rows) if is_of_two else ()
            content = make_pgn(ladder.name, ladder.spec.game, games)
        if not is_of_two:
            raise Denied(HTTPStatus.NOT_FOUND, "PGN is for matches of two")
        headers = {"content-disposition": 'attachment; filename="matches.pgn"'}
        headers["cache-control"] = "no-store"
        return Response(content, media_type="application/x-chess-pgn", headers=headers)

    def _send_report(self, request: PageRequest) -> Response:
        """Send the report of a tournament as a zip: its pages need no server."""
        name = self._views.load(request.read, request.part("id")).saved.name
        if not self._tournaments.has_report(name):
            raise Denied(HTTPStatus.NOT_FOUND, "the report is written at the end")
        request.count("report_file")
        headers = {"content-disposition": f'attachment; filename="{name}.zip"'}
        content = zip_folder(self._tournaments.report_folder(name), name)
        return Response(content, media_type="application/zip", headers=headers)

    # -- everything ---------------------------------------------------------------------------

    def _export_page(self, request: PageRequest) -> Response:
        (found,) = request.read(find_contests(IS_LADDER | IS_BEGUN))
        return request.html("admin_export.html", contests=found)

    def _send_everything(self, request: PageRequest) -> Response:
        """Send all tables of all ladders, people, the audit log and reports."""
        request.note("everything exported")
        content = io.BytesIO()
        with (
            tempfile.TemporaryDirectory(prefix="slime-mind-") as name,
            zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made,
        ):
            folder = Path(name)
            self._write(folder)
            add_folder_to_zip(made, folder, "")
            for kept in self._database.find(find_tournaments(IS_BEGUN)):
                report = self._tournaments.report_folder(kept.name)
                add_folder_to_zip(made, report, f"tournaments/{kept.name}/")
        headers = {"content-disposition": 'attachment; filename="arena.zip"'}
        return Response(content.getvalue(), media_type="application/zip", headers=headers)

    def _group_rows(self) -> Iterator[Row]:
        """Yield the members of each group; of one without any, a row without a person."""
        query = (
            select(
                *(people_groups.c.id, people_groups.c.name, people_groups.c.note),
                *(group_members.c.person, group_members.c.joined_at),
                people.c.name.label("member"),
            )
            .outerjoin(group_members, group_members.c.group == people_groups.c.id)
            .outerjoin(people, people.c.id == group_members.c.person)
            .order_by(people_groups.c.name_key, people.c.name_key)
        )
        with self._database.reading() as connection:
            for row in connection.execute(query):
                yield {
                    "group_id": row.id,
                    "group": row.name,
                    "note": row.note,
                    "person_id": row.person or "",
                    "person": row.member or "",
                    "joined": _format_time(row.joined_at and with_time_zone(row.joined_at)),
                }

    def _write(self, folder: Path) -> None:
        write_table(folder, "people", map(_person_row, self._pages.people.find_all()))
        write_table(folder, "audit", map(_audit_row, self._pages.audit.rows(MAX_AUDIT_ROWS)))
        write_table(folder, "groups", self._group_rows())
        write_table(folder, "ladders", map(_ladder_row, self._ladders.all()))
        for ladder in self._ladders.all():
            own = folder / "ladders" / ladder.id
            own.mkdir(parents=True)
            for name, rows in self._tables.items():
                write_table(own, name, rows(ladder, ladder.final_time(now())))


def _games_of_two(rows: Iterable[Row]) -> Iterator[PlayedGame]:
    """Yield the matches that count; `rows`: one for each seat."""
    for key, seats in groupby(rows, lambda row: (row["match"], row["key"])):
        white, black = seats
        scores = white["score"], black["score"]
        if not white["is_void"] and isinstance(scores[0], float) and isinstance(scores[1], float):
            points = ((scores[0] > scores[1]) - (scores[0] < scores[1]) + 1) / 2
            at = datetime.fromisoformat(str(white["played_at"]))
            names = str(white["bot"]), str(black["bot"])
            yield PlayedGame(str(white["set"]), *names, points, str(key[1]), at)


def _format_time(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")


def _person_row(person: Person) -> Row:
    return {
        "id": person.id,
        "name": person.name,
        "is_organizer": person.is_organizer,
        "is_banned": person.is_banned,
        "joined": _format_time(person.created_at),
        "invitation": person.joined_by,
    }


def _audit_row(row: AuditRow) -> Row:
    return {
        "at": _format_time(row.at),
        "what": row.what,
        "words": row.words,
        "who": row.person or "",
        "about": row.about or "",
        "address": row.address,
    }


def _table_row(name: str, bot: str, author: str, person: str) -> dict[str, Value]:
    """Return the row of a bot of which nothing else is known."""
    return {
        "rank": None,
        "bot": name,
        "bot_id": bot,
        "author": author,
        "author_id": person,
        "version": None,
        "state": "",
        "games": 0,
        **dict.fromkeys(("rating", "rating_low", "rating_high")),
        "at": "",
        "why": "",
    }


def _entry_row(one: EnteredBot) -> Row:
    return {
        "bot": one.name,
        "bot_id": one.bot,
        "author": one.author,
        "author_id": one.person,
        "state": one.state,
        "why": one.why,
        "entered_at": _format_time(one.entered_at),
    }


def standing_rows(view: TournamentView) -> Iterator[Row]:
    """Yield the standings of a tournament, the best first."""
    for row in view.shown.standings.rows:
        yield {
            "rank": row.rank,
            "bot": row.bot.name,
            "author": row.bot.author,
            "version": row.bot.version,
            "points": row.points,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "mean_score": row.mean_score,
            "faults": row.faults.total(),
        }


def _ladder_row(ladder: Ladder) -> Row:
    return {
        "id": ladder.id,
        "name": ladder.name,
        "game": ladder.spec.game,
        "entry_rule": ladder.entry_rule,
        "source_rule": ladder.source_rule,
        "begins_at": _format_time(ladder.begins_at),
        "freezes_at": _format_time(ladder.freezes_at),
        "ends_at": _format_time(ladder.ends_at),
        "concluded_at": _format_time(ladder.concluded_at),
        "is_paused": ladder.is_paused,
        "only_group": ladder.only_group or "",
    }


def zip_folder(folder: Path, name: str) -> bytes:
    """Return a folder as a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        add_folder_to_zip(made, folder, f"{name}/")
    return content.getvalue()


def add_folder_to_zip(made: zipfile.ZipFile, folder: Path, prefix: str) -> None:
    """Add all files below a folder, where there is one, by names that begin with a prefix."""
    for path in sorted(path for path in folder.rglob("[!.]*") if path.is_file()):
        made.write(path, prefix + path.relative_to(folder).as_posix())
