"""The designer's page, what its scripts ask the server, and what members keep of their designs.

An army comes from a stranger. It is bounded by its type, what may be wrong with it is found by the
rules, and its code is parsed in a confined child (engine/bots/parsing.py).
"""

import re
from collections.abc import Sequence
from functools import cache, partial
from http import HTTPStatus
from inspect import getdoc
from textwrap import indent
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import insert, select, update
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.bots.finding import Packed
from engine.bots.parsing import Parser
from engine.bots.source import SYNTAX_ERROR
from engine.catalog import find_game
from engine.errors import BadBot
from engine.games.game_of_death.army_files import (
    BadArmy,
    army_in,
    behavior_code,
    file_name,
    lines_before_code,
    source_of_army,
)
from engine.games.game_of_death.behaviors import NUMBERS
from engine.games.game_of_death.designs import Mistake
from engine.games.game_of_death.drawn_armies import (
    WRITTEN,
    DrawnArmy,
    DrawnType,
    add_shapes,
    find_mistakes,
    ready_made_armies,
    sure_rows,
)
from engine.games.game_of_death.inspection import ShapeFigures, compute_figures, mistakes_in_code
from engine.games.game_of_death.settings import Settings
from engine.settings import apply_changes, read_toml
from runners.configuration import preset_path
from runners.contests.contests import Ladder
from runners.contests.ladders import Ladders
from runners.match_request import MatchRequest
from runners.starter_bots import starter_bots
from runners.storage.database import Database, now
from runners.storage.game_tables import designs
from server.bots.submissions import filter_open_ladders
from server.games.new_games import LADDER, Opponents
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission, require_caller
from server.http.responses import Empty, client_address
from server.identity.rate_limits import Asker
from server.identity.text_limits import FIELDS
from server.runs.run_pages import RunAnswer, make_run_answer
from server.runs.runs import Draft, Opponent, Runs

Preset = Annotated[
    str, Meta(max_length=FIELDS["game"], description="`small` or `standard`: the grid.")
]
MAX_SOURCE_LENGTH = 200_000
"""Letters of a file that is opened."""


class ArmyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, and the grid for which it is meant."""

    army: DrawnArmy
    preset: Preset = "small"


class KeepBody(ArmyBody, frozen=True, forbid_unknown_fields=True):
    """What is to be kept."""

    in_store: bool = False
    """Whether it is to be there by its name, too, whatever is drawn after it."""


class KeptDesign(Struct, frozen=True):
    """What a member has drawn last, null where that is nothing, and the armies in store."""

    design: ArmyBody | None
    armies: list[ArmyBody]
    """The newest first."""


class StoredDesign(Struct, frozen=True, kw_only=True):
    """The same as a row has it."""

    army: DrawnArmy
    preset: str = "small"
    armies: list[ArmyBody] = []


class FillBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How many more shapes of a type are to be placed where there is room."""

    army: DrawnArmy
    type: Annotated[int, Meta(ge=0, description="The number of the type, from 0.")]
    count: Annotated[int, Meta(ge=1, le=500)]
    preset: Preset = "small"


class BattleBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, and the one that it is to fight on the small grid, by its name as offered."""

    army: DrawnArmy
    opponent: Annotated[str, Meta(max_length=FIELDS["name"])]


class OpenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the designer has made."""

    source: Annotated[str, Meta(max_length=MAX_SOURCE_LENGTH)]


class PlacedMistake(Struct, frozen=True, kw_only=True):
    """What is wrong, and which type or placement it is about, from 0; null: the whole army."""

    words: str
    type: int | None
    placement: int | None


class InspectedArmy(Struct, frozen=True, kw_only=True):
    """The figures of an army, and what is wrong with it; without mistakes it can be played."""

    figures: list[ShapeFigures | None]
    """Of each type; null where its drawing is no shape."""
    cells: int
    """Cells that are placed."""
    mistakes: list[PlacedMistake]


class ArmyFile(Struct, frozen=True):
    """The file of an army."""

    name: str
    source: str


class BehaviorNumber(Struct, frozen=True, kw_only=True):
    """A number of a behavior that may be set."""

    name: str
    words: str
    usual: int
    least: int
    most: int


class OfferedBehavior(Struct, frozen=True, kw_only=True):
    """A behavior that a type can have."""

    name: str
    words: str
    numbers: list[BehaviorNumber]
    code: str
    """Its methods, to go on from."""


class OfferedGrid(Struct, frozen=True, kw_only=True):
    """A grid, and where an army may stand; rows are counted from the home's first."""

    name: str
    max_cells: int
    columns: int
    """The columns of the zone."""
    first_row: int
    last_row: int
    sure_first_row: int
    """From here to the next, a cell is on the grid wherever the home lies."""
    sure_last_row: int
    home: tuple[int, int, int]
    """Its column, width and height."""


class OfferedOpponent(Struct, frozen=True):
    """An army to fight: a starter army, or one that its author lets people fight."""

    name: str
    words: str
    is_starter: bool


class ArmyLadder(Struct, frozen=True):
    """A ladder of the game."""

    id: str
    name: str


class Offered(Struct, frozen=True, kw_only=True):
    """What the designer offers."""

    behaviors: list[OfferedBehavior]
    grids: list[OfferedGrid]
    opponents: list[OfferedOpponent]
    """Starter armies, the weakest first, and those of the ladder, the strongest first."""
    armies: list[DrawnArmy]
    """To start from."""
    ladders: list[ArmyLadder]


GAME = "game_of_death"
GRID_PRESETS = ("small", "standard")
"""The presets for two armies."""
IN_LINE = re.compile(r" in line (\d+)")
ITS_LINE = re.compile(r"^class \w+, its line (\d+)")


@cache
def grid_settings(preset: str) -> Settings:
    """Return the settings of a grid; of one that is not known those of the small one."""
    path = preset_path(find_game(GAME), preset if preset in GRID_PRESETS else GRID_PRESETS[0])
    settings: Settings = apply_changes(Settings(), read_toml(path), source=str(path))
    return settings


def inspect_army(army: DrawnArmy, settings: Settings) -> InspectedArmy:
    """Return the figures of an army, and what is wrong with it. Raises: EngineFailure."""
    figures = [compute_figures(drawn.rows, settings) for drawn in army.types]
    sizes = [0 if one is None else one.size for one in figures]
    return InspectedArmy(
        figures=figures,
        cells=sum(sizes[each.type] for each in army.placements if each.type < len(sizes)),
        mistakes=[
            PlacedMistake(words=one.words, type=one.type, placement=one.placement)
            for one in all_mistakes(army, settings)
        ],
    )


def all_mistakes(army: DrawnArmy, settings: Settings) -> list[Mistake]:
    """Return everything that is wrong with an army, its code too. Raises: EngineFailure."""
    wrong = find_mistakes(army, settings)
    flawed = {one.type for one in wrong}
    with Parser() as parser:
        for number, drawn in enumerate(army.types):
            if drawn.behavior == WRITTEN and number not in flawed:
                wrong += [
                    Mistake(f"class {drawn.name}: {why}", type=number)
                    for why in _code_mistakes(drawn, parser)
                ]
    return wrong


def _code_mistakes(drawn: DrawnType, parser: Parser) -> list[str]:
    """Return what is wrong with the code of a type, each with its line in that code."""
    alone = DrawnArmy(name="alone", types=(drawn,), placements=())
    before = lines_before_code(alone, 0)
    flaw = parser.parse(source_of_army(alone).encode()).flaw
    if flaw.startswith(SYNTAX_ERROR):
        return [IN_LINE.sub(lambda line: f" in line {int(line[1]) - before}", flaw)]
    if flaw:
        return [flaw]
    # It was parsed in a child, and so it does no harm here.
    own_class = f"class {drawn.name}:\n{indent(drawn.code, ' ')}"
    found = mistakes_in_code(drawn.name, own_class)
    return [ITS_LINE.sub(lambda line: f"line {int(line[1]) - 1} of its code", why) for why in found]


def make_army_file(army: DrawnArmy) -> ArmyFile:
    return ArmyFile(file_name(army), source_of_army(army))


def pack_army(army: DrawnArmy) -> Packed:
    """Return the file of an army as a bot is kept."""
    file = make_army_file(army)
    return Packed(files={file.name: file.source.encode()}, is_folder=False)


def designer_options(opponents: Sequence[OfferedOpponent], ladders: Sequence[Ladder]) -> Offered:
    """Return what the designer offers; `ladders` are those that take bots now."""
    return Offered(
        behaviors=_offered_behaviors(),
        grids=[_offered_grid(name) for name in GRID_PRESETS],
        opponents=list(opponents),
        armies=ready_made_armies(grid_settings(GRID_PRESETS[0])),
        ladders=[ArmyLadder(one.id, one.name) for one in ladders if one.spec.game == GAME],
    )


@cache
def _offered_behaviors() -> list[OfferedBehavior]:
    return [
        OfferedBehavior(
            name=kind.__name__,
            words=getdoc(kind) or "",
            numbers=[
                BehaviorNumber(**one._asdict(), usual=getattr(kind, one.name)) for one in numbers
            ],
            code=behavior_code(kind.__name__),
        )
        for kind, numbers in NUMBERS.items()
    ]


def _offered_grid(name: str) -> OfferedGrid:
    settings = grid_settings(name)
    sure = sure_rows(settings)
    return OfferedGrid(
        name=name,
        max_cells=settings.max_cells,
        columns=settings.zone_width,
        first_row=-settings.home_v,
        last_row=settings.height - settings.home_v - 1,
        sure_first_row=sure[0],
        sure_last_row=sure[-1],
        home=(settings.home_u, settings.home_width, settings.home_height),
    )


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
