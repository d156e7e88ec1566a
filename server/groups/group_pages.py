"""The pages of groups for their members: joining, who is in it, their bots, leaving."""

import re
from collections.abc import Sequence
from http import HTTPStatus

from starlette.convertors import Convertor, register_url_convertor
from starlette.responses import Response
from starlette.routing import Route

from runners.contests.contests import IS_BEGUN, find_contests, find_ladders
from runners.contests.visibility import table_until
from runners.storage.database import Database, now
from runners.storage.store import find_entrants_of_all
from server.contests.ladder_tables import LadderTables
from server.contests.tournament_views import TournamentViews
from server.groups.groups import Groups
from server.groups.hand_ins import (
    HandInEntry,
    by_author,
    entries_of_group,
    faults_of_group,
    group_hand_ins,
    place_hand_ins,
)
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission
from server.identity.groups import Group, NotPossible, group_of_id, is_member, member_list
from server.identity.people import Person

NO_GROUP = "no group has this code: it was mistyped, or its organizer has made a new one"
NO_SUCH_GROUP = "there is no such group, or you are not in it"


class GroupCode(Convertor[str]):
    """The code of a group in a path: keys of games, which stand there too, look otherwise."""

    regex = "[A-Za-z0-9]{5}-?[A-Za-z0-9]{5}"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("group_code", GroupCode())
IN_LINK = re.compile(rf"/join/({GroupCode.regex})")


class GroupTables:
    """Puts together what members have handed in, and how that stands."""

    def __init__(self, database: Database, tables: LadderTables, views: TournamentViews) -> None:
        self._database = database
        self._tables = tables
        self._views = views

    def load_table(self, group_id: str, viewer: Person) -> list[HandInEntry]:
        """Return the bots of a group's members, as somebody may know them; the newest first."""
        found, entered, faults, every, begun, entrants = self._database.read(
            group_hand_ins(group_id, viewer),
            entries_of_group(group_id),
            faults_of_group(group_id),
            find_ladders(),
            find_contests(IS_BEGUN),
            find_entrants_of_all(),
        )
        at, used = now(), {entry.contest for entry in entered}
        wanted = [ladder for ladder in every if ladder.id in used]
        tables = self._tables.tables([(one, table_until(one, viewer, at)) for one in wanted])
        by_id = {one.id: (one, table) for one, table in zip(wanted, tables, strict=True)}
        views, _ = self._views.view_all(begun, entrants)
        return place_hand_ins(found, entered, by_id, faults, views)


class PagesOfGroups:
    """What the pages of groups for members and for organizers are made with."""

    def __init__(
        self, pages: Pages, database: Database, groups: Groups, tables: GroupTables
    ) -> None:
        self._pages = pages
        self._database = database
        self._groups = groups
        self._tables = tables


class GroupPages(PagesOfGroups):
    """What members do with their groups."""

    @property
    def routes(self) -> Sequence[Route]:
        route, member = self._pages.route, Permission.MEMBER
        return [
            route("/join", member, self._join_form),
            route("/join", member, self._join, "POST"),
            route("/join/{code:group_code}", member, self._ask),
            route("/groups/{group}", member, self._show),
            route("/groups/{group}/leave", member, self._leave, "POST"),
        ]

    def _join_form(
        self, request: PageRequest, status: int = HTTPStatus.OK, why: str = ""
    ) -> Response:
        return request.html("join_group.html", status, group=None, code="", why=why)

    def _ask(self, request: PageRequest) -> Response:
        """Ask somebody who has opened the link of a group, since programs open links, too."""
        code = request.part("code")
        group = self._find_group_of_code(request, code)
        if group is None:
            return self._join_form(request, HTTPStatus.NOT_FOUND, NO_GROUP)
        return request.html("join_group.html", group=group, code=code)

    def _join(self, request: PageRequest) -> Response:
        me, code = request.me, _code_in(request.field("code"))
        if self._find_group_of_code(request, code) is None:
            return self._join_form(request, HTTPStatus.NOT_FOUND, NO_GROUP)
        try:
            group = self._groups.join(code, me.id)
        except NotPossible as error:
            return self._join_form(request, HTTPStatus.CONFLICT, str(error))
        if group is None:  # its code was changed meanwhile
            return self._join_form(request, HTTPStatus.NOT_FOUND, NO_GROUP)
        request.note("group joined", group.name)
        return redirect_to(f"/groups/{group.id}")

    def _find_group_of_code(self, request: PageRequest, code: str) -> Group | None:
        """Return the group of a code; a wrong one counts. Raises: Denied."""
        give_back = request.count("group_code")
        group = self._groups.of_code(code)
        if group is not None:
            give_back()
            return group
        request.count("wrong_group_code")
        request.note("group code refused")
        return None

    def _show(self, request: PageRequest) -> Response:
        me, group_id = request.me, request.part("group")
        group, is_in, members = request.read(
            group_of_id(group_id), is_member(group_id, me.id), member_list(group_id)
        )
        if group is None or not (is_in or me.is_organizer):
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_GROUP)
        return request.html(
            "group.html",
            group=group,
            is_in=is_in,
            members=[one for one in members if not one.is_banned],
            places=by_author(self._tables.load_table(group_id, me)),
        )

    def _leave(self, request: PageRequest) -> Response:
        me, group_id = request.me, request.part("group")
        (group,) = request.read(group_of_id(group_id))
        if group is None or not self._groups.take_out(group_id, me.id):
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_GROUP)
        request.note("group left", group.name)
        return redirect_to("/me#groups")


def _code_in(typed: str) -> str:
    """Return the code that somebody means who may have typed, or copied, the whole link."""
    found = IN_LINK.search(typed)
    return typed if found is None else found[1]
