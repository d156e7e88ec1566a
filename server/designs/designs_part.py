"""The designer's page, what its scripts ask the server, and what members keep of their designs."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import delete, insert, select, update
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.errors import BadBot
from engine.games.game_of_death.army_files import BadArmy, army_in
from engine.games.game_of_death.drawn_armies import WRITTEN, DrawnArmy, add_shapes
from runners.contests.ladders import Ladders
from runners.match_request import MatchRequest
from runners.starter_bots import starter_bots
from runners.storage.database import Database, now
from runners.storage.game_tables import designs
from server.bots.enrollment import filter_open_ladders
from server.designs.bodies import (
    ArmyBody,
    ArmyFile,
    BattleBody,
    FillBody,
    InspectedArmy,
    KeepBody,
    KeptDesign,
    Offered,
    OfferedOpponent,
    OpenBody,
    StoredDesign,
)
from server.designs.drawn import (
    GAME,
    GRID_PRESETS,
    all_mistakes,
    designer_options,
    grid_settings,
    inspect_army,
    make_army_file,
    pack_army,
)
from server.games.new_games import LADDER, Opponents
from server.http.bodies import Empty
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission, require_caller
from server.http.responses import client_address, json_response, read
from server.identity.rate_limits import Asker
from server.runs.run_pages import RunAnswer, make_run_answer
from server.runs.runs import Draft, Opponent, Runs

B = TypeVar("B")

INSPECTION_REFUSALS = (HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS)
MAX_ARMIES = 50
"""Armies that somebody has in store; another one takes the place of the oldest."""
SIGN_IN = "code of your own plays once you have signed in; without an account, choose a behavior"


class DesignsPart(Part):
    """The designer: for everybody to draw in, and for people with accounts to write code in."""

    def __init__(self, pages: Pages, database: Database, opponents: Opponents, runs: Runs) -> None:
        self._pages = pages
        self._ladders = Ladders(database)
        self._saved = SavedDesigns(database)
        self._opponents = opponents
        self._runs = runs

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [self._pages.route("/design", Permission.ANYBODY, self._design_page)]

    @property
    def operations(self) -> Sequence[Operation]:
        return [
            Operation("GET", "/designs", self._offer, Offered, refusals=()),
            Operation(
                "GET",
                "/designs/mine",
                self._load_own,
                KeepBody,
                KeptDesign,
                refusals=(HTTPStatus.UNAUTHORIZED,),
                permission=Permission.CALLER,
            ),
            Operation(
                "PUT",
                "/designs/mine",
                self._save,
                Empty,
                KeepBody,
                refusals=(HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS),
                permission=Permission.CALLER,
            ),
            _make_operation("inspect", self._inspect, InspectedArmy, ArmyBody),
            _make_operation("fill", self._fill, DrawnArmy, FillBody),
            _make_operation("file", self._write, ArmyFile, ArmyBody),
            _make_operation("open", self._open, DrawnArmy, OpenBody),
            _make_operation("battle", self._fight, RunAnswer, BattleBody),
        ]

    def personal_data(self, person_id: str) -> dict[str, object]:
        saved = self._saved.load(person_id)
        return {} if saved.design is None else {"design": saved.design, "armies": saved.armies}

    def forget(self, person_id: str) -> None:
        self._saved.forget(person_id)

    def _design_page(self, request: PageRequest) -> Response:
        self._runs.warm_up()
        return request.html("design.html")

    # -- API ------------------------------------------------------------------------------------

    async def _offer(self, request: Request) -> Response:
        """Return what an army can be made of, and what it can fight."""
        return json_response(await run_in_threadpool(self._designer_options))

    async def _load_own(self, request: Request) -> Response:
        """Return what somebody has drawn last, in any browser, and the armies in store."""
        me = require_caller(request.user)

        return json_response(await run_in_threadpool(self._saved.load, me.id))

    async def _save(self, request: Request) -> Response:
        """Keep what somebody draws, which may have mistakes, or put it in store."""
        me = require_caller(request.user)

        def save(body: KeepBody) -> Empty:
            made = ArmyBody(body.army, body.preset)
            self._saved.save(me.id, made, in_store=body.in_store)
            return Empty()

        return await self._respond(request, KeepBody, save)

    async def _inspect(self, request: Request) -> Response:
        """Return the figures of an army, and what is wrong with it."""

        def inspect(body: ArmyBody) -> InspectedArmy:
            return inspect_army(body.army, grid_settings(body.preset))

        return await self._respond(request, ArmyBody, inspect)

    async def _fill(self, request: Request) -> Response:
        """Return an army with more shapes of a type, where there is room."""

        def fill(body: FillBody) -> DrawnArmy:
            if body.type >= len(body.army.types):
                raise _unprocessable_error(f"there is no type {body.type}")
            return add_shapes(body.army, body.type, body.count, grid_settings(body.preset))

        return await self._respond(request, FillBody, fill, "fill")

    async def _write(self, request: Request) -> Response:
        """Return the file of an army: a bot to hand in, or to go on with by hand."""

        def write(body: ArmyBody) -> ArmyFile:
            require_valid(body.army, body.preset)
            return make_army_file(body.army)

        return await self._respond(request, ArmyBody, write)

    async def _open(self, request: Request) -> Response:
        """Return the army that a file was written from; nothing of the file is run."""

        def open_file(body: OpenBody) -> DrawnArmy:
            try:
                return army_in(body.source)
            except BadArmy as error:
                raise _unprocessable_error(str(error)) from error

        return await self._respond(request, OpenBody, open_file)

    async def _fight(self, request: Request) -> Response:
        """Begin a mock battle on the small grid, to be watched at once."""
        return await self._respond(
            request, BattleBody, lambda body: self._start_battle(request, body)
        )

    # -- details --------------------------------------------------------------------------------

    async def _respond(
        self, request: Request, kind: type[B], answer: Callable[[B], object], action: str = "draw"
    ) -> Response:
        """Answer on a thread. Raises: Denied, TooMany, msgspec.DecodeError."""
        by = await run_in_threadpool(_make_asker, request)
        self._pages.limits.count(action, by)
        body = await read(request, kind)
        return json_response(await run_in_threadpool(answer, body))

    def _designer_options(self) -> Offered:
        words = {one.value: one.words for one in self._opponents.list_opponents(GAME)}
        names = [name for name in starter_bots(GAME) if name in words]
        starters = [OfferedOpponent(name, words[name], is_starter=True) for name in names]
        others = [
            OfferedOpponent(one.value, one.words, is_starter=False)
            for one in self._opponents.ladder_bots(GAME)
        ]
        return designer_options([*starters, *others], filter_open_ladders(self._ladders.all()))

    def _start_battle(self, request: Request, body: BattleBody) -> RunAnswer:
        """Raises: Denied, TooMany, EngineFailure."""
        person = request.user.caller
        if person is None and any(drawn.behavior == WRITTEN for drawn in body.army.types):
            raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)
        is_of_ladder = body.opponent.startswith(LADDER)
        if not is_of_ladder and body.opponent not in starter_bots(GAME):
            raise _unprocessable_error(f"there is no starter army {body.opponent!r:.60}")
        require_valid(body.army, GRID_PRESETS[0])
        by = _make_asker(request)
        self._pages.limits.count("battle", by)
        draft = Draft(name=body.army.name, packed=pack_army(body.army))
        asked = MatchRequest(game=GAME, preset=GRID_PRESETS[0])
        try:
            seat = self._opponents.seat(GAME, body.opponent)
            opponent = Opponent(seat.name, seat.digest, is_confidential=is_of_ladder)
            return make_run_answer(self._runs.start_run(draft, [opponent], asked, by), self._runs)
        except BadBot as error:
            raise _unprocessable_error(str(error)) from error


def _make_asker(request: Request) -> Asker:
    person = request.user.caller
    return Asker(client_address(request), None if person is None else person.id)


def _make_operation(
    path: str,
    endpoint: Callable[[Request], Awaitable[Response]],
    answer: object,
    body: type[Struct],
) -> Operation:
    return Operation(
        "POST", f"/designs/{path}", endpoint, answer, body, refusals=INSPECTION_REFUSALS
    )


def require_valid(army: DrawnArmy, preset: str) -> None:
    """Raises: Denied with the first mistake of an army."""
    wrong = all_mistakes(army, grid_settings(preset))
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise _unprocessable_error(f"{wrong[0].words}{more}")


def _unprocessable_error(message: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, message)


class SavedDesigns:
    """A design for each member, what was drawn last, and armies in store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, person_id: str, body: ArmyBody, *, in_store: bool = False) -> None:
        """Keep a design in place of the one before; `in_store`: also by the name of its army."""
        where = designs.c.person == person_id
        with self._database.transaction() as connection:
            stored = self.load(person_id).armies
            if in_store:
                others = [one for one in stored if one.army.name != body.army.name]
                stored = [body, *others][:MAX_ARMIES]
            content = StoredDesign(army=body.army, preset=body.preset, armies=stored)
            row = {"content": msgspec.json.encode(content).decode(), "changed_at": now()}
            if not connection.execute(update(designs).where(where).values(row)).rowcount:
                connection.execute(insert(designs).values(person=person_id, **row))

    def load(self, person_id: str) -> KeptDesign:
        """Return what somebody keeps; nothing where there is none, or another version's."""
        query = select(designs.c.content).where(designs.c.person == person_id)
        content = self._database.fetch_value(query)
        try:
            stored = msgspec.json.decode(content or "", type=StoredDesign)
        except msgspec.DecodeError:
            return KeptDesign(None, [])
        return KeptDesign(ArmyBody(stored.army, stored.preset), stored.armies)

    def forget(self, person_id: str) -> None:
        self._database.write(delete(designs).where(designs.c.person == person_id))
