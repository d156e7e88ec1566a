"""The designer's page, what its scripts ask the server, and what members keep of their designs."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

import msgspec
from sqlalchemy import delete, insert, select, update
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
from server.bots.submissions import filter_open_ladders
from server.designs.drawn import (
    GAME,
    GRID_PRESETS,
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
from server.http.responses import client_address
from server.identity.rate_limits import Asker
from server.runs.run_pages import RunAnswer, make_run_answer
from server.runs.runs import Draft, Opponent, Runs

KEEPING_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS)
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
        own, mine = partial(Operation, permission=Permission.CALLER), "/designs/mine"
        drawing = partial(Operation, "POST", refusals=INSPECTION_REFUSALS)
        return [
            Operation("GET", "/designs", self._offer, Offered, refusals=()),
            own("GET", mine, self._load_own, KeptDesign, refusals=(HTTPStatus.UNAUTHORIZED,)),
            own("PUT", mine, self._save, Empty, KeepBody, refusals=KEEPING_REFUSALS),
            drawing("/designs/inspect", self._inspect, InspectedArmy, ArmyBody),
            drawing("/designs/fill", self._fill, DrawnArmy, FillBody),
            drawing("/designs/file", self._write, ArmyFile, ArmyBody),
            drawing("/designs/open", self._open, DrawnArmy, OpenBody),
            drawing("/designs/battle", self._fight, RunAnswer, BattleBody),
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

    def _offer(self, request: Request) -> Offered:
        """Return what an army can be made of, and what it can fight."""
        words = {one.value: one.words for one in self._opponents.list_opponents(GAME)}
        names = [name for name in starter_bots(GAME) if name in words]
        starters = [OfferedOpponent(name, words[name], is_starter=True) for name in names]
        others = [
            OfferedOpponent(one.value, one.words, is_starter=False)
            for one in self._opponents.ladder_bots(GAME)
        ]
        return designer_options([*starters, *others], filter_open_ladders(self._ladders.all()))

    def _load_own(self, request: Request) -> KeptDesign:
        """Return what somebody has drawn last, in any browser, and the armies in store."""
        return self._saved.load(require_caller(request.user).id)

    def _save(self, request: Request, body: KeepBody) -> None:
        """Keep what somebody draws, which may have mistakes, or put it in store."""
        self._count(request)
        made = ArmyBody(body.army, body.preset)
        self._saved.save(require_caller(request.user).id, made, in_store=body.in_store)

    def _inspect(self, request: Request, body: ArmyBody) -> InspectedArmy:
        """Return the figures of an army, and what is wrong with it."""
        self._count(request)
        return inspect_army(body.army, grid_settings(body.preset))

    def _fill(self, request: Request, body: FillBody) -> DrawnArmy:
        """Return an army with more shapes of a type, where there is room."""
        self._count(request, "fill")
        if body.type >= len(body.army.types):
            raise _unprocessable_error(f"there is no type {body.type}")
        return add_shapes(body.army, body.type, body.count, grid_settings(body.preset))

    def _write(self, request: Request, body: ArmyBody) -> ArmyFile:
        """Return the file of an army: a bot to hand in, or to go on with by hand."""
        self._count(request)
        require_valid(body.army, body.preset)
        return make_army_file(body.army)

    def _open(self, request: Request, body: OpenBody) -> DrawnArmy:
        """Return the army that a file was written from; nothing of the file is run."""
        self._count(request)
        try:
            return army_in(body.source)
        except BadArmy as error:
            raise _unprocessable_error(str(error)) from error

    def _count(self, request: Request, action: str = "draw") -> Asker:
        """Count what somebody does. Raises: TooMany."""
        person = request.user.caller
        by = Asker(client_address(request), None if person is None else person.id)
        self._pages.limits.count(action, by)
        return by

    def _fight(self, request: Request, body: BattleBody) -> RunAnswer:
        """Begin a mock battle on the small grid, to be watched at once."""
        self._count(request)
        person = request.user.caller
        if person is None and any(drawn.behavior == WRITTEN for drawn in body.army.types):
            raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)
        is_of_ladder = body.opponent.startswith(LADDER)
        if not is_of_ladder and body.opponent not in starter_bots(GAME):
            raise _unprocessable_error(f"there is no starter army {body.opponent!r:.60}")
        require_valid(body.army, GRID_PRESETS[0])
        by = self._count(request, "battle")
        draft = Draft(name=body.army.name, packed=pack_army(body.army))
        asked = MatchRequest(game=GAME, preset=GRID_PRESETS[0])
        try:
            seat = self._opponents.seat(GAME, body.opponent)
            opponent = Opponent(seat.name, seat.digest, is_confidential=is_of_ladder)
            return make_run_answer(self._runs.start_run(draft, [opponent], asked, by), self._runs)
        except BadBot as error:
            raise _unprocessable_error(str(error)) from error


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
