"""The pages of groups for organizers: members, progress in courses, tables to grade."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from http import HTTPStatus

from sqlalchemy import func, select
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.catalog import find_game
from engine.support.sanitizing import make_printable
from report.files import Row
from runners.storage.database import Database
from runners.storage.game_tables import course_steps, group_members
from runners.storage.together import Lookup, Rows, read_lookups
from server.contests.ladder_tables import LadderTables
from server.contests.tournament_views import TournamentViews
from server.groups.group_pages import GroupPages, HandInEntry, PagesOfGroups, by_author
from server.groups.groups import MAX_NOTE_LENGTH
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.table_answers import FOR_SPREADSHEETS, MEDIA_TYPES, table_answer
from server.identity.groups import (
    Group,
    Member,
    NotPossible,
    every_group,
    group_of_id,
    member_list,
    person_groups,
)
from server.identity.names import BadName, validate_name
from server.writing.courses import games_with_courses, load_steps

GROUPS_PATH = "/admin/groups"
StepsDone = Mapping[str, Mapping[str, int]]
"""The steps that people have done, by their ids and games."""


class GroupAdminPages(PagesOfGroups):
    """What organizers do with groups. Every act of theirs is in the audit log."""

    @property
    def routes(self) -> Sequence[Route]:
        route, organizer, one = self._pages.route, Permission.ORGANIZER, f"{GROUPS_PATH}/{{group}}"
        return [
            route(GROUPS_PATH, organizer, self._list),
            route(GROUPS_PATH, organizer, self._make, "POST"),
            route(one, organizer, self._show),
            route(one, organizer, self._change, "POST"),
            route(f"{one}/code", organizer, self._renew_code, "POST"),
            route(f"{one}/close", organizer, self._close, "POST"),
            route(f"{one}/delete", organizer, self._delete, "POST"),
            route(f"{one}/members/{{person}}/remove", organizer, self._take_out, "POST"),
            route(f"{one}/grades.{{kind}}", organizer, self._export),
        ]

    def _list(self, request: PageRequest, why: str = "") -> Response:
        (groups,) = request.read(every_group())
        return request.html("admin_groups.html", groups=groups, most=MAX_NOTE_LENGTH, why=why)

    def _make(self, request: PageRequest) -> Response:
        try:
            name, note = _parse_name_and_note(request)
            group_id, code = self._groups.make(name, note)
        except (BadName, NotPossible) as error:
            return self._list(request, str(error))
        request.note("group made", name)
        return self._show_code(request, group_id, code)

    def _show(self, request: PageRequest, why: str = "") -> Response:
        group_id = request.part("group")
        page = f"{GROUPS_PATH}/{group_id}"
        found, members, done, has_text = request.read(
            group_of_id(group_id),
            member_list(group_id),
            steps_done_in(group_id),
            request.has_text(page),
        )
        group = _require_existing(found)
        return request.html(
            "admin_group.html",
            group=group,
            members=members,
            courses={person: in_words(steps) for person, steps in done.items()},
            places=by_author(self._load_table(group_id, request.me)),
            shown=request.take_one_time_texts(page, has_text),
            most=MAX_NOTE_LENGTH,
            spreadsheet=FOR_SPREADSHEETS,
            why=why,
        )

    def _change(self, request: PageRequest) -> Response:
        group = self._requested_group(request)
        try:
            name, note = _parse_name_and_note(request)
            self._groups.change(group.id, name, note)
        except (BadName, NotPossible) as error:
            return self._show(request, str(error))
        request.note("group changed", name if name == group.name else f"{group.name} -> {name}")
        return redirect_to(f"{GROUPS_PATH}/{group.id}")

    def _renew_code(self, request: PageRequest) -> Response:
        group = self._requested_group(request)
        request.note("group code made", group.name)
        return self._show_code(request, group.id, self._groups.renew_code(group.id))

    def _show_code(self, request: PageRequest, group_id: str, code: str) -> Response:
        """Show a new code, and the link that has it, on the page of its group: once."""
        page = f"{GROUPS_PATH}/{group_id}"
        request.show_once(page, f"{code} {request.link(f'/join/{code}')}", "code")
        return redirect_to(page)

    def _close(self, request: PageRequest) -> Response:
        group = self._requested_group(request)
        self._groups.close(group.id)
        request.note("group closed", group.name)
        return redirect_to(f"{GROUPS_PATH}/{group.id}")

    def _delete(self, request: PageRequest) -> Response:
        group = self._requested_group(request)
        try:
            self._groups.delete(group.id)
        except NotPossible as error:
            return self._show(request, str(error))
        request.note("group deleted", group.name)
        return redirect_to(GROUPS_PATH)

    def _take_out(self, request: PageRequest) -> Response:
        group, person_id = self._requested_group(request), request.part("person")
        if not self._groups.take_out(group.id, person_id):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such member in this group")
        request.note("taken out of a group", group.name, about=person_id)
        return redirect_to(f"{GROUPS_PATH}/{group.id}")

    def _export(self, request: PageRequest) -> Response:
        """Send the table for grading."""
        group, kind = self._requested_group(request), request.part("kind")
        if kind not in MEDIA_TYPES:
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        with self._database.reading() as connection:
            members, done = read_lookups(connection, member_list(group.id), steps_done_in(group.id))
        found = self._load_table(group.id, request.me)
        rows = grading_rows(members, found, done, self._pages.zone)
        return table_answer(request, "grades", kind, rows)

    def _requested_group(self, request: PageRequest) -> Group:
        """Raises: Denied."""
        (found,) = request.read(group_of_id(request.part("group")))
        return _require_existing(found)


def _require_existing(group: Group | None) -> Group:
    if group is None:
        raise Denied(HTTPStatus.NOT_FOUND, "there is no such group")
    return group


def _parse_name_and_note(request: PageRequest) -> tuple[str, str]:
    """Return the name and note that were typed. Raises: BadName."""
    note = " ".join(make_printable(request.field("words"), " ").split())
    if len(note) > MAX_NOTE_LENGTH:
        raise BadName(f"the note has at most {MAX_NOTE_LENGTH} letters; this one has {len(note)}")
    return validate_name(request.field("name")), note


def grading_rows(
    members: Iterable[Member], found: Sequence[HandInEntry], done: StepsDone, zone: tzinfo
) -> Iterator[Row]:
    """Yield the rows, members by name; times are those of the server's zone, with its offset.

    `done`: the steps of courses that they have done.
    """
    of_person = by_author(found)
    for member in members:
        for row in [_hand_in_row(place, zone) for place in of_person.get(member.id, ())] or [
            EMPTY_ROW
        ]:
            yield {
                "person": member.name,
                "person_id": member.id,
                "joined_group": _format_time(member.joined_at, zone),
                "invitation": member.joined_by,
                **row,
                **{
                    f"course_{game}": done.get(member.id, {}).get(game, 0)
                    for game in games_with_courses()
                },
            }


def _hand_in_row(place: HandInEntry, zone: tzinfo) -> Row:
    hand_in = place.hand_in
    return {
        "bot": hand_in.name,
        "bot_id": hand_in.bot,
        "game": find_game(hand_in.game).title,
        "version": hand_in.number,
        "handed_in": _format_time(hand_in.at, zone),
        "handed_in_by": hand_in.by,
        "authors": len(hand_in.authors),
        "state": hand_in.state,
        "checks": place.checks,
        "ladder": place.title,
        "ladder_id": place.contest,
        "entry": place.entry,
        "place": place.rank,
        "is_final": place.is_final,
        "rating": place.rating,
        "games": place.games,
        "faults": place.faults,
    }


EMPTY_ROW: Row = dict.fromkeys(
    (
        *("bot", "bot_id", "game", "version", "handed_in", "handed_in_by", "authors", "state"),
        *("checks", "ladder", "ladder_id", "entry", "place", "is_final", "rating", "games"),
        "faults",
    )
)
"""The columns of `_hand_in_row`, of a member who has handed in nothing."""


def _format_time(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds")


def steps_done_in(group_id: str) -> Lookup[StepsDone]:
    """Look up how many steps of each course the members of a group have done."""
    query = (
        select(course_steps.c.person, course_steps.c.game, func.count().label("done"))
        .join(group_members, group_members.c.person == course_steps.c.person)
        .where(group_members.c.group == group_id, course_steps.c.done_at.is_not(None))
        .group_by(course_steps.c.person, course_steps.c.game)
    )
    return Lookup(query, _group_by_person)


def in_words(done: Mapping[str, int]) -> str:
    """Return how far somebody has come, such as `Slime Mind 3 of 8`; '' for nothing done."""
    return ", ".join(
        f"{find_game(game).title} {done[game]} of {len(load_steps(game))}"
        for game in games_with_courses()
        if game in done
    )


def _group_by_person(rows: Rows) -> StepsDone:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        found[row.person][row.game] = row.done
    return found


class GroupsPart(Part):
    """Groups of people, for their members and for organizers."""

    def __init__(
        self, pages: Pages, database: Database, tables: LadderTables, views: TournamentViews
    ) -> None:
        self._database = database
        self._pages = GroupPages(pages, database, tables, views)
        self._admin_pages = GroupAdminPages(pages, database, tables, views)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [*self._pages.routes, *self._admin_pages.routes]

    def personal_data(self, person_id: str) -> dict[str, object]:
        """Return the groups that somebody is in."""
        return {"groups": [one.name for one in self._database.find(person_groups(person_id))]}
