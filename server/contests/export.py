"""What a ladder holds as CSV and JSON, for everybody; and everything in one zip, for organizers."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from pathlib import Path

import msgspec
from sqlalchemy import select, true
from starlette.responses import Response
from starlette.routing import Route

from engine.streams import parse_seed, seed_text
from report.files import Row, write_table
from runners.contests.authors import author_names
from runners.contests.ladder_fixtures import WITH_RESULTS
from runners.contests.ladder_ratings import latest
from runners.contests.ladders import Ladder, Ladders
from runners.contests.visibility import table_until, was_played_before
from runners.storage.database import Database, aware, now
from runners.storage.game_tables import group_members, people, people_groups
from runners.storage.ladder_tables import bots, entries, fixtures, versions
from runners.storage.store import StoredResult
from runners.storage.tables import matches
from runners.storage.together import read_lookups
from server.contests.absentees import absentees
from server.contests.tournament_pages import add_folder_to_zip
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
    """Tables of ladders, as whoever asks may see them."""

    def __init__(
        self, pages: Pages, database: Database, ladders: Ladders, tournaments: Tournaments
    ) -> None:
        self._pages = pages
        self._database = database
        self._ladders = ladders
        self._tournaments = tournaments
        self._tables: Mapping[str, Callable[[Ladder, datetime | None], Iterator[Row]]] = {
            "table": self.table,
            "matches": self.matches,
            "entries": self.entries,
        }

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/ladders/{id}/{table}.{kind}", Permission.ANYBODY, self._send_table),
            route("/admin/export", Permission.ORGANIZER, self._export_page),
            route("/admin/export.zip", Permission.ORGANIZER, self._send_everything),
        ]

    # -- one ladder ---------------------------------------------------------------------------

    def table(self, ladder: Ladder, until: datetime | None) -> Iterator[Row]:
        """Yield the ratings of a ladder's versions, the best first; at the end who did not play."""
        with self._database.reading() as connection:
            rated = latest(connection, ladder.id, until)
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
            yield {
                "rank": rank,
                "bot": known[one.version].name,
                "bot_id": known[one.version].bot,
                "author": known[one.version].author,
                "author_id": known[one.version].person,
                "version": known[one.version].number,
                "state": known[one.version].state if until is None else "",
                "games": one.games,
                "rating": one.elo,
                "rating_low": one.low,
                "rating_high": one.high,
                "at": _format_time(one.at),
                "why": "",
            }
        for absent in missing:
            yield {
                "rank": None,
                "bot": absent.name,
                "bot_id": absent.bot,
                "author": absent.author,
                "author_id": absent.person,
                "version": None,
                "state": "",
                "games": 0,
                "rating": None,
                "rating_low": None,
                "rating_high": None,
                "at": "",
                "why": absent.why,
            }

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
                        "played_at": _format_time(aware(row.played_at)),
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
        query = (
            select(entries, bots.c.name, bots.c.person, author_names())
            .join(bots, bots.c.id == entries.c.bot)
            .join(people, people.c.id == bots.c.person)
            .where(entries.c.ladder == ladder.id)
            .where(true() if until is None else entries.c.entered_at < until)
            .order_by(entries.c.entered_at, bots.c.name)
        )
        with self._database.reading() as connection:
            for row in connection.execute(query):
                yield {
                    "bot": row.name,
                    "bot_id": row.bot,
                    "author": row.author,
                    "author_id": row.person,
                    "state": row.state,
                    "why": row.why,
                    "entered_at": _format_time(aware(row.entered_at)),
                }

    def _send_table(self, request: PageRequest) -> Response:
        """Send a table of a ladder, as whoever asks may see it."""
        ladder = self._ladders.ladder(request.part("id"))
        name, kind = request.part("table"), request.part("kind")
        if ladder is None or name not in self._tables or kind not in MEDIA_TYPES:
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        request.count("table")
        until = table_until(ladder, request.person, now())
        return table_answer(request, name, kind, self._tables[name](ladder, until))

    # -- everything ---------------------------------------------------------------------------

    def _export_page(self, request: PageRequest) -> Response:
        return request.html("admin_export.html", ladders=self._ladders.all())

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
            for kept in self._tournaments.all():
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
                    "joined": "" if row.joined_at is None else _format_time(aware(row.joined_at)),
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
