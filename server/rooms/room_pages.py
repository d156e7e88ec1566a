"""The pages of rooms, and what their scripts ask the server."""

import secrets
from collections.abc import Collection, Sequence
from http import HTTPStatus
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.catalog import find_game
from engine.errors import BadBot
from engine.games.game_of_death.drawn_armies import WRITTEN, DrawnArmy
from runners.storage.database import Database, now
from runners.storage.game_tables import rooms
from server.designs.designs_part import (
    GAME,
    GRID_PRESETS,
    SIGN_IN,
    ArmyBody,
    SavedDesigns,
    require_valid,
)
from server.games.lobby_pages import links_with_codes, read_guest_name
from server.games.new_games import LADDER, Opponents
from server.games.open_games import KEPT_FROM, NotPossible, SeatKind
from server.games.recorded_matches import RecordedMatches
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part, Report
from server.http.permissions import Permission
from server.http.responses import (
    EVENTS,
    client_address,
    game_cookie_name,
    json_response,
    read,
    seat_at,
    seat_cookies,
)
from server.identity.names import BadName
from server.identity.people import hash_key
from server.identity.rate_limits import Asker
from server.messages.block_list import BlockList
from server.rooms.battles import Battles
from server.rooms.rooms import (
    DESIGN_TIMES,
    Phase,
    Room,
    Rooms,
    RoomSeat,
    RoomTerms,
    find_rooms,
    has_seat,
    ready_armies,
)
from server.runs.runs import Runs

MAX_ARMY_BYTES = 100_000
"""What an army may have as JSON, with its code: a room keeps those of all its seats."""


class RoomAnswer(Struct, frozen=True):
    """How a room stands; `army` is what whoever asks has sealed, or has fought with last."""

    phase: str
    number: int
    run: str
    words: str
    grid: str
    army: DrawnArmy | None


class SealBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The army for the next battle: one that was drawn, or a ready one by its name."""

    army: DrawnArmy | str


class RoomsPart(Part):
    """Armies of people against each other: by link, with strangers, and against bots."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        opponents: Opponents,
        runs: Runs,
        matches: RecordedMatches,
        out: Path,
        report: Report,
        *,
        has_guests: bool,
    ) -> None:
        """`matches`: those in `out`, the folder of results, in which battles are filed."""
        self._pages = pages
        self._opponents = opponents
        self._matches = matches
        self._has_guests = has_guests
        self._blocked = BlockList(database)
        self._designs = SavedDesigns(database)
        self.rooms = Rooms(database)
        self.battles = Battles(self.rooms, runs, out, report)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route, anybody = self._pages.route, Permission.ANYBODY
        battle = "/rooms/{room}/battles/{number:int}"
        return [
            route("/rooms/new", anybody, self._make, "GET POST"),
            route("/rooms/{room}", anybody, self._room_page),
            route("/rooms/{room}/join", anybody, self._join, "GET POST"),
            route("/rooms/{room}/bots", anybody, self._seat_bots, "POST"),
            route("/rooms/{room}/leave", anybody, self._leave, "POST"),
            route(f"{battle}/watch", anybody, self._watch),
            route(f"{battle}/replay", anybody, self._send_replay),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        refusals = (
            *(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND),
            *(HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS),
        )
        scene = "/rooms/{room}/battles/{number}/scene"
        return [
            Operation("GET", "/rooms/{room}", self._state, RoomAnswer),
            Operation(
                "PUT", "/rooms/{room}/army", self._seal, RoomAnswer, SealBody, refusals=refusals
            ),
            Operation("GET", scene, self._scene, str, media_type=EVENTS),
        ]

    def start(self) -> None:
        self.battles.start()

    def close(self) -> None:
        self.battles.close()

    def personal_data(self, person_id: str) -> dict[str, object]:
        own = self.rooms.database.find(find_rooms(has_seat(person_id)))
        return {"rooms": [{"id": room.id, "battles": len(room.results)} for room in own]}

    def forget(self, person_id: str) -> None:
        self.rooms.forget(person_id)

    withdraw = forget

    def adopt(self, request: Request, person_id: str) -> None:
        own = dict(seat_cookies(request))
        for found in self.rooms.database.find(find_rooms(rooms.c.id.in_(own))):
            with self.rooms.change_room(found.id) as room:
                team = room.find_team(None, hash_key(own[room.id]))
                if team is not None and room.find_team(person_id) is None:
                    seat = room.seats[team - 1]
                    seat.kind, seat.person, seat.token = SeatKind.PERSON, person_id, ""

    def list_open(self, apart: Collection[str]) -> list[Room]:
        """Return the rooms that wait for strangers, but those of some people."""
        waiting = self.rooms.database.find(find_rooms(rooms.c.phase == Phase.OPEN))
        return [one for one in waiting if one.is_listed and one.seats[0].person not in apart]

    # -- pages ----------------------------------------------------------------------------------

    def _make(self, request: PageRequest) -> Response:
        """Make a room; what the form leaves out is the usual."""
        self._require_welcome(request)
        why = ""
        if request.method == "POST":
            request.count("guest_game" if request.person is None else "new_game")
            token = secrets.token_urlsafe(24)
            try:
                seats = [_own_seat(request, token, "Guest"), *self._other_seats(request)]
                room = self.rooms.add(_read_terms(request), seats)
                return _lead_to_seat(request, room, token)
            except (BadBot, BadName, NotPossible) as error:
                why = str(error)
        return request.html(
            "new_room.html",
            is_paired="4" in (request.query_params.get("seats"), request.field("seats")),
            bots=self._opponents.list_opponents(GAME)[::-1],
            grids=GRID_PRESETS,
            times=DESIGN_TIMES,
            why=why,
        )

    def _other_seats(self, request: PageRequest) -> list[RoomSeat]:
        """Raises: BadBot, NotPossible."""
        count = 3 if request.field("seats") == "4" else 1
        said = [request.field(f"other-{number}") for number in range(1, count + 1)]
        if SeatKind.OPEN in said and SeatKind.FRIEND in said:
            raise NotPossible("choose friends or strangers: who finds the room takes any free seat")
        if SeatKind.OPEN in said and request.person is None:
            raise NotPossible("sign in to play with strangers; a friend gets a link from anybody")
        return [self._make_seat(one) for one in said]

    def _make_seat(self, said: str) -> RoomSeat:
        """Return a seat: a free one, or a bot's, the middle one's by itself. Raises: BadBot."""
        if said in (SeatKind.OPEN, SeatKind.FRIEND):
            return RoomSeat(kind=SeatKind(said))
        name = said.removeprefix("bot:") or self._opponents.find_middle_bot(GAME)
        if name.startswith(LADDER):
            raise BadBot("in rooms only built-in bots play")
        bot = self._opponents.seat(GAME, name, shows_title=True)
        return RoomSeat(kind=SeatKind.BOT, name=bot.name, digest=bot.digest)

    def _room_page(self, request: PageRequest) -> Response:
        room = self._find(request)
        team = _own_team(request, room)
        if room.phase is Phase.DESIGNING:
            self.battles.warm_up()
        return request.html(
            "room.html",
            room=room,
            team=team,
            my_seat=None if team is None else room.seats[team - 1],
            ready=ready_armies(room.terms.grid),
            links=links_with_codes([request.link(f"/rooms/{room.id}/join")]),
        )

    def _join(self, request: PageRequest) -> Response:
        """Let somebody who was sent the address take the next free seat."""
        self._require_welcome(request)
        room, person, why = self._find(request), request.person, ""
        if _own_team(request, room) is not None or not room.free_teams:
            return redirect_to(f"/rooms/{room.id}")
        if person is not None:
            others = {seat.person for seat in room.seats}
            if not self._blocked.blocked_with(person.id).isdisjoint(others):
                request.note("seat refused", "a block")
                raise Denied(HTTPStatus.FORBIDDEN, KEPT_FROM)
        if request.method == "POST":
            token = secrets.token_urlsafe(24)
            try:
                seat = _own_seat(request, token, "Friend")
                with self.rooms.change_room(room.id) as changed:
                    if not (person and request.field("rated")):  # both want it, or it is not
                        changed.terms = msgspec.structs.replace(changed.terms, is_rated=False)
                    changed.take_seat(seat, now())
                self.battles.wake()
                return _lead_to_seat(request, room, token)
            except (BadName, NotPossible) as error:
                why = str(error)
        return request.html(
            "friend.html",
            title=find_game(GAME).title,
            maker=room.seats[0].name,
            is_rated=room.terms.is_rated,
            why=why,
        )

    def _seat_bots(self, request: PageRequest) -> Response:
        """Let bots take the seats that are free: a friend does not come."""
        room, _ = self._find_own(request)
        with self.rooms.change_room(room.id) as changed:
            for _ in changed.free_teams:
                changed.take_seat(self._make_seat(""), now())
        self.battles.wake()
        return redirect_to(f"/rooms/{room.id}")

    def _leave(self, request: PageRequest) -> Response:
        room, team = self._find_own(request)
        with self.rooms.change_room(room.id) as changed:
            changed.close(f"{room.seats[team - 1].name} has left")
        return redirect_to(f"/rooms/{room.id}")

    def _watch(self, request: PageRequest) -> Response:
        """Show a battle that is over; one that is played is a run."""
        return self._matches.page(self._find_battle(request)[1])

    def _send_replay(self, request: PageRequest) -> Response:
        room, key = self._find_battle(request)
        content = self._matches.open_replay(key, list(filter(None, [_own_team(request, room)])))
        disposition = f'attachment; filename="battle-{request.part("number")}.jsonl.gz"'
        headers = {"content-disposition": disposition, "cache-control": "no-store"}
        return Response(content, media_type="application/gzip", headers=headers)

    # -- API ------------------------------------------------------------------------------------

    def _state(self, request: Request) -> RoomAnswer:
        """Return how a room stands, as everybody with its address may know it."""
        room = self._find(request)
        team = _own_team(request, room)
        own_seat = None if team is None else room.seats[team - 1]
        army = None if own_seat is None else own_seat.army or own_seat.last
        status = room.describe_status(team)
        return RoomAnswer(room.phase, room.number, room.run, status, room.terms.grid, army)

    async def _seal(self, request: Request) -> Response:
        """Seal an army for the next battle: nobody else sees it before that."""
        await run_in_threadpool(self._find_own, request)  # before what is sent is read
        body = await read(request, SealBody)
        await run_in_threadpool(self._take_army, request, body.army)
        return json_response(await run_in_threadpool(self._state, request))

    def _scene(self, request: Request) -> Response:
        """Return a battle that is over, as whoever asks may see it."""
        room, key = self._find_battle(request)
        return self._matches.scene_event(key, list(filter(None, [_own_team(request, room)])))

    # -- what the above have in common ----------------------------------------------------------

    def _take_army(self, request: Request, said: DrawnArmy | str) -> None:
        """Take in an army for the next battle. Raises: Denied, TooMany."""
        person, (room, team) = request.user.person, self._find_own(request)
        by = Asker(client_address(request), None if person is None else person.id)
        self._pages.limits.count("draw", by)
        ready = {one.name: one for one in ready_armies(room.terms.grid)}
        army = ready.get(said) if isinstance(said, str) else _without_hidden_code(said)
        if army is None:
            message = f"there is no ready army {said!r:.60}; expected {', '.join(ready)}"
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, message)
        if person is None and any(drawn.behavior == WRITTEN for drawn in army.types):
            raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)
        if len(msgspec.json.encode(army)) > MAX_ARMY_BYTES:
            message = f"the army has too much code: {MAX_ARMY_BYTES // 1_000} kB are the most"
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, message)
        require_valid(army, room.terms.grid)
        try:
            with self.rooms.change_room(room.id) as changed:
                changed.seal(team, army, now())
        except NotPossible as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        if person is not None and not isinstance(said, str):
            self._designs.save(person.id, ArmyBody(army, room.terms.grid), in_store=True)
        self.battles.wake()

    def _require_welcome(self, request: PageRequest) -> None:
        """Raises: Denied."""
        if not self._has_guests and request.person is None:
            message = "this server is for people with accounts: sign in, or ask for an invitation"
            raise Denied(HTTPStatus.FORBIDDEN, message)

    def _find(self, request: Request) -> Room:
        """Raises: Denied."""
        room = self.rooms.find(str(request.path_params["room"]))
        if room is None:
            message = "there is no such room: it may be that nobody came, and it was removed"
            raise Denied(HTTPStatus.NOT_FOUND, message)
        return room

    def _find_own(self, request: Request) -> tuple[Room, int]:
        """Return a room, and the team of whoever asks. Raises: Denied."""
        room = self._find(request)
        team = _own_team(request, room)
        if team is None:
            raise Denied(HTTPStatus.FORBIDDEN, "only who has a seat in this room may do that")
        return room, team

    def _find_battle(self, request: Request) -> tuple[Room, str]:
        """Return a room, and the key of one of its battles. Raises: Denied."""
        room, number = self._find(request), str(request.path_params["number"])
        for one in room.results:
            if str(one.number) == number:
                return room, one.key
        raise Denied(HTTPStatus.NOT_FOUND, "there is no such battle, or it is not over")


def _own_seat(request: PageRequest, token: str, usual: str) -> RoomSeat:
    """Return a seat with whoever asks. Raises: BadName."""
    person = request.person
    if person is not None:
        return RoomSeat(kind=SeatKind.PERSON, name=person.name, person=person.id)
    name = read_guest_name(request, usual)
    return RoomSeat(kind=SeatKind.GUEST, name=name, token=hash_key(token))


def _lead_to_seat(request: PageRequest, room: Room, token: str) -> Response:
    response = redirect_to(f"/rooms/{room.id}")
    if request.person is None:
        seat_at(request, response, room.id, token)
    return response


def _own_team(request: Request, room: Room) -> int | None:
    person = request.user.person
    token = request.cookies.get(game_cookie_name(room.id), "")
    return room.find_team(None if person is None else person.id, token and hash_key(token))


def _read_terms(request: PageRequest) -> RoomTerms:
    """Return what a form says is played. Raises: NotPossible."""
    fields = {"grid": "grid", "best_of": "rounds", "minutes": "clock"}
    said = {name: request.field(field) for name, field in fields.items() if request.field(field)}
    wants_rating = request.field("rated") == "yes" and request.field("seats") != "4"
    is_rated = wants_rating and request.person is not None
    try:
        return msgspec.convert({**said, "is_rated": is_rated}, RoomTerms, strict=False)
    except msgspec.ValidationError as error:
        raise NotPossible(f"choose from the lists: {error}") from error


def _without_hidden_code(army: DrawnArmy) -> DrawnArmy:
    """Return an army without the code of types that behave otherwise: nobody would see it."""
    types = tuple(
        drawn if drawn.behavior == WRITTEN else msgspec.structs.replace(drawn, code="")
        for drawn in army.types
    )
    return msgspec.structs.replace(army, types=types)
