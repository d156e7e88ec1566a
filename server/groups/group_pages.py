"""The pages of groups for their members: joining, who is in it, and what they have handed in."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from http import HTTPStatus

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from starlette.convertors import Convertor, register_url_convertor
from starlette.responses import Response
from starlette.routing import Route

from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.contests.contests import IS_BEGUN, Ladder, find_contests, find_ladders
from runners.contests.entries import Entry, find_entries
from runners.contests.standings import StandingsRow
from runners.contests.visibility import table_until
from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.game_tables import group_members, people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    coauthors,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.store import find_entrants_of_all
from runners.storage.tables import contests
from runners.storage.together import AnyRow, Lookup
from server.bots.source_folder import NEVER_SHOWN
from server.contests.ladder_tables import LadderTable, LadderTables, Standing
from server.contests.tournament_views import TournamentView, TournamentViews
from server.groups.groups import Groups
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission
from server.identity.groups import Group, NotPossible, group_of_id, is_member, member_list
from server.identity.people import Person


class HandIn(msgspec.Struct, frozen=True, kw_only=True):
    """The version of a bot that was handed in last."""

    authors: frozenset[str]
    """The ids of its authors."""
    by: str
    """The name of who has handed it in."""
    bot: str
    name: str
    game: str
    number: int
    state: VersionState
    why: str
    """Why it was refused or quarantined."""
    at: datetime


class HandInEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was handed in, in a contest that it has entered."""

    hand_in: HandIn
    contest: str | None = None
    """The id of a ladder, or the name of a tournament; None where it has entered none."""
    title: str | None = None
    entry: EntryState | None = None
    rank: int | None = None
    rating: float | None = None
    games: int = 0
    faults: int = 0
    is_final: bool = False
    """Whether the place is that of a final table."""

    @property
    def checks(self) -> str:
        """Return what came of the checks of the version, in words."""
        match self.hand_in.state:
            case VersionState.CHECKING:
                return "being checked"
            case VersionState.REFUSED:
                return f"refused: {self.hand_in.why}"
            case VersionState.QUARANTINED:
                return f"passed, then quarantined: {self.hand_in.why}"
            case _:
                return "passed"


def group_hand_ins(group_id: str, viewer: Person) -> Lookup[list[HandIn]]:
    """Look up what the members of a group have handed in last, as somebody may know it.

    Who is no organizer knows of others' versions what the pages of bots tell: none that have not
    passed their checks, and none of the time in which a ladder is frozen.
    """
    shown: ColumnElement[bool] = versions.c.number > 0
    if not viewer.is_organizer:
        shown = or_(
            is_author(viewer.id),
            and_(versions.c.state.not_in(NEVER_SHOWN), ~_is_hidden_by_freeze()),
        )
    newest = (
        select(versions.c.bot, func.max(versions.c.number).label("number"))
        .join(bots, bots.c.id == versions.c.bot)
        .where(bots.c.id.in_(_group_bots_query(group_id)), shown)
        .group_by(versions.c.bot)
        .subquery()
    )
    query = (
        select(
            *(versions.c.bot, versions.c.number, versions.c.state, versions.c.why),
            *(versions.c.handed_in_at, bots.c.person, bots.c.name, bots.c.game),
            *(coauthor_ids(), people.c.name.label("by")),
        )
        .join(newest, (newest.c.bot == versions.c.bot) & (newest.c.number == versions.c.number))
        .join(bots, bots.c.id == versions.c.bot)
        .outerjoin(people, people.c.id == func.coalesce(versions.c.person, bots.c.person))
        .order_by(versions.c.handed_in_at.desc(), bots.c.name)
    )
    return Lookup(query, lambda rows: [_hand_in(row) for row in rows])


def faults_of_group(group_id: str) -> Lookup[Mapping[tuple[str, str], int]]:
    """Look up the faults in matches that count, by the ids of bot and ladder."""
    query = (
        select(versions.c.bot, fixtures.c.ladder, func.sum(players.c.faults).label("faults"))
        .select_from(
            players.join(fixtures, fixtures.c.id == players.c.fixture).join(
                versions, versions.c.id == players.c.version
            )
        )
        .where(
            versions.c.bot.in_(_group_bots_query(group_id)),
            fixtures.c.has_result,
            fixtures.c.is_void.is_(False),
        )
        .group_by(versions.c.bot, fixtures.c.ladder)
    )
    return Lookup(query, lambda rows: {(row.bot, row.ladder): row.faults or 0 for row in rows})


def place_hand_ins(
    hand_ins: Sequence[HandIn],
    entered: Sequence[Entry],
    tables: Mapping[str, tuple[Ladder, LadderTable]],
    faults: Mapping[tuple[str, str], int],
    views: Sequence[TournamentView],
) -> list[HandInEntry]:
    """Return each hand-in in each contest that its bot has entered, or once where it is in none.

    `tables`: by the ids of ladders, the ladder and how it stands; `faults`: by bot and ladder.
    `views`: how tournaments stand, where a bot is known by its name.
    """
    by_bot: dict[str, list[Entry]] = {}
    for entry in entered:
        by_bot.setdefault(entry.bot, []).append(entry)
    standings = {
        (one.bot, ladder_id): one
        for ladder_id, (_, table) in tables.items()
        for one in table.standings
    }
    played = _group_rows(views)
    found = []
    for hand_in in hand_ins:
        in_tournaments = played.get((hand_in.game, hand_in.name), [])
        on = [entry for entry in by_bot.get(hand_in.bot, []) if entry.contest in tables]
        if not on and not in_tournaments:
            found.append(HandInEntry(hand_in=hand_in))
        for entry in on:
            key, (ladder, _) = (hand_in.bot, entry.contest), tables[entry.contest]
            found.append(
                _make_ladder_entry(hand_in, ladder, entry, standings.get(key), faults.get(key, 0))
            )
        found += [_make_tournament_entry(hand_in, view, row) for view, row in in_tournaments]
    return found


def _group_rows(
    views: Sequence[TournamentView],
) -> dict[tuple[str, str], list[tuple[TournamentView, StandingsRow]]]:
    """Return the rows of tournaments by the game and the name of the bot."""
    played: dict[tuple[str, str], list[tuple[TournamentView, StandingsRow]]] = {}
    for view in views:
        for row in view.shown.standings.rows:
            key = view.tournament.field.plan.game, row.bot.name
            played.setdefault(key, []).append((view, row))
    return played


def _make_ladder_entry(
    hand_in: HandIn, ladder: Ladder, entry: Entry, standing: Standing | None, faults: int
) -> HandInEntry:
    return HandInEntry(
        hand_in=hand_in,
        contest=ladder.id,
        title=ladder.name,
        entry=entry.state,
        rank=None if standing is None else standing.rank,
        rating=None if standing is None else standing.elo,
        games=0 if standing is None else standing.games,
        faults=faults,
        is_final=ladder.is_over(now()),
    )


def _make_tournament_entry(hand_in: HandIn, view: TournamentView, row: StandingsRow) -> HandInEntry:
    return HandInEntry(
        hand_in=hand_in,
        contest=view.contest.id,
        title=view.contest.title,
        entry=EntryState.PLAYING,
        rank=row.rank,
        games=row.games,
        faults=row.faults.total(),
        is_final=view.shown.standings.is_over,
    )


def by_author(found: Sequence[HandInEntry]) -> dict[str, list[HandInEntry]]:
    """Return places by the ids of authors; those of a bot that several share stand at each."""
    of_person: dict[str, list[HandInEntry]] = {}
    for place in found:
        for author in place.hand_in.authors:
            of_person.setdefault(author, []).append(place)
    return of_person


def _group_bots_query(group_id: str) -> Select[tuple[str]]:
    """Return the query of the ids of the bots that members of a group have written or share."""
    members = select(group_members.c.person).where(group_members.c.group == group_id)
    shared = select(coauthors.c.bot).where(
        coauthors.c.person.in_(members), coauthors.c.accepted_at.is_not(None)
    )
    return select(bots.c.id).where(bots.c.person.in_(members) | bots.c.id.in_(shared))


def _is_hidden_by_freeze() -> ColumnElement[bool]:
    """Return the condition of versions that came while a ladder of their bot is frozen."""
    frozen = (
        select(contests.c.name)
        .join(entries, entries.c.contest == contests.c.name)
        .where(
            entries.c.bot == versions.c.bot,
            contests.c.freezes_at <= now(),
            contests.c.concluded_at.is_(None),
            versions.c.handed_in_at >= contests.c.freezes_at,
        )
    )
    return frozen.correlate(versions).exists()


def _hand_in(row: AnyRow) -> HandIn:
    at, by = with_time_zone(row.handed_in_at), row.by or ""
    return struct_from_row(HandIn, row, authors=author_ids(row), by=by, at=at)


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


class PagesOfGroups:
    """What the pages of groups for members and for organizers are made with."""

    def __init__(
        self, pages: Pages, database: Database, tables: LadderTables, views: TournamentViews
    ) -> None:
        self._pages = pages
        self._database = database
        self._groups = Groups(database)
        self._tables = tables
        self._views = views

    def _load_table(self, group_id: str, viewer: Person) -> list[HandInEntry]:
        """Return the bots of a group's members, as somebody may know them; the newest first."""
        found, entered, faults, every, begun, entrants = self._database.read(
            group_hand_ins(group_id, viewer),
            find_entries(entries.c.bot.in_(_group_bots_query(group_id))),
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
            places=by_author(self._load_table(group_id, me)),
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
