"""How the Game of Death looks: every cell a square in its team's colour, homes and bodies."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from engine.game import MatchEnded, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.forms import HEADINGS
from engine.games.game_of_death.orders import Act, Design
from engine.games.game_of_death.pieces import Body, Shape, team_of
from engine.games.game_of_death.state import TEAMS, Battle
from visualizer.scene import (
    Extent,
    Happening,
    Kind,
    Label,
    Mark,
    Note,
    Panel,
    Scene,
    Sprite,
    Tile,
    no_ids,
)
from visualizer.theme import GROUND

CELLS = 65_536
"""A thing is a row of a shape's cells; its id is the shape's, so many times, and the row."""
BODY = "#8b9299"
DYING = "#c9a7a7"
FLAG = "#ffd166"
RIM = "#3a4450"


class GameOfDeathScene(Scene[Battle]):
    """A shape is as many tiles as it has rows of cells, each as wide as the row is at its place.

    A row with gaps is several tiles: they count on.
    """

    kinds: ClassVar = {
        "shape": Kind("shape", ("name", "team", "at", "heading", "hp", "most hp", "flag")),
        "body": Kind("body", ("name", "at", "takes")),
        "home": Kind("home"),
        "ground": Kind("ground"),
    }
    happenings: ClassVar = {
        "lost": Happening("lost its turn: {words}", Mark.FAULT, "turns lost"),
        "said": Happening("said {words}"),
        "hit": Happening("was hit, {words} hp left"),
        "dying": Happening("is dying", Mark.DEATH, "losses"),
        "took": Happening("took the enemy's flag", Mark.RISE, "flags"),
        "brought": Happening("brought the flag home", Mark.RISE, "flags"),
    }

    def __init__(self, settings: Any, teams: int) -> None:
        super().__init__(settings, teams)
        self._sizes: dict[int, int] = {}
        """By the id of a shape: more tiles than cells it never has."""
        self._bearers: dict[int, int] = {}
        """By the team whose flag it is: who was last seen with it."""

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, self.settings.width, self.settings.height)

    def backdrop(self) -> Sequence[Tile | Label]:
        return [Tile("ground", 0, 0, self.settings.width, self.settings.height, GROUND[0])]

    def ids(self, state: Battle) -> Iterator[int]:
        if state.home_v is not None:
            yield from TEAMS
        self._bearers.update(zip(TEAMS, state.bearers, strict=True))
        pieces: list[Shape | Body] = [*state.shapes.values(), *state.bodies.values()]
        for piece in pieces:
            self._sizes[piece.id] = state.form(piece).size
            first = piece.id * CELLS
            yield from range(first, first + len(_runs(state, piece)))

    def thing(self, state: Battle, thing_id: int) -> Sprite | Tile | Label | None:
        if thing_id in TEAMS:
            return _home(state, thing_id)
        piece_id, number = divmod(thing_id, CELLS)
        piece = state.shapes.get(piece_id) or state.bodies.get(piece_id)
        if piece is None:
            return None
        runs = _runs(state, piece)
        if number >= len(runs):
            return None
        if isinstance(piece, Body):
            facts: tuple[Any, ...] = (_name(state, piece), _at(piece), piece.left)
            return Tile("body", *runs[number], BODY, "", facts)
        return Tile("shape", *runs[number], _fill(state, piece), "", _facts(state, piece))

    def touched(self, event: Any) -> Collection[int]:
        match event:
            case ev.HomesPlaced():
                return TEAMS
            case ev.FlagReturned(team):
                return (team, *self._tiles((self._bearers.get(team, 0),)))
            case ev.FlagTaken(team, bearer):
                self._bearers[3 - team] = bearer
                return (3 - team, *self._tiles((bearer,)))
            case ev.Deployed():
                for shape in event.shapes:
                    self._sizes[shape.id] = sum(
                        row.count("#") for row in event.types[shape.type].mask
                    )
                return self._tiles(shape.id for shape in event.shapes)
        return no_ids(event) if type(event) in _UNSEEN else self._tiles(event.ids)

    def _tiles(self, pieces: Iterable[int]) -> Collection[int]:
        """All ids that the tiles of these can have."""
        return [
            thing_id
            for piece in pieces
            for thing_id in range(piece * CELLS, piece * CELLS + self._sizes.get(piece, 0))
        ]

    def notes(self, state: Battle, event: Any) -> Sequence[Note]:
        note = _NOTES.get(type(event))
        return () if note is None else note(event)

    def panel(self, state: Battle, team: int) -> Panel:
        living = list(state.living(team))
        return (
            ("shapes", len(living)),
            ("cells", state.living_cells(team)),
            ("hp", sum(shape.hp for shape in living)),
            ("enemy's flag", "held" if state.bearers[2 - team] else "-"),
        )

    def order_text(self, order: Any) -> str:
        if isinstance(order, Design):
            return "a design"
        return f"{order.do} (speaks)" if isinstance(order, Act) else str(order)


Run = tuple[float, float, float, float]


def _runs(state: Battle, piece: Shape | Body) -> list[Run]:
    """Cells side by side, as rectangles."""
    runs: list[list[float]] = []
    for x, y in state.cells(piece):
        if runs and runs[-1][1] == y and runs[-1][0] + runs[-1][2] == x:
            runs[-1][2] += 1
        else:
            runs.append([x, y, 1, 1])
    return [(x, y, width, height) for x, y, width, height in runs]


def _home(state: Battle, team: int) -> Tile | None:
    box = state.home(team)
    if box is None:
        return None
    border = RIM if state.bearers[team - 1] else FLAG
    return Tile("home", *box, GameOfDeathScene.team_colour(team), border)


def _fill(state: Battle, shape: Shape) -> str:
    if shape.dying_since:
        return DYING
    return FLAG if shape.id in state.bearers else GameOfDeathScene.team_colour(team_of(shape.id))


def _facts(state: Battle, shape: Shape) -> tuple[Any, ...]:
    return (
        _name(state, shape),
        team_of(shape.id),
        _at(shape),
        HEADINGS[shape.facing],
        shape.hp,
        state.max_hp(shape),
        shape.id in state.bearers,
    )


def _name(state: Battle, piece: Shape | Body) -> str:
    return f"{state.type_of(piece).name} {piece.id}"


def _at(piece: Shape | Body) -> str:
    return f"{piece.x}, {piece.y}"


def _said(event: ev.Spoke) -> Sequence[Note]:
    pairs = zip(event.ids, event.texts, strict=True)
    return [Note("said", piece * CELLS, 0, text) for piece, text in pairs]


def _hit(event: ev.Damaged) -> Sequence[Note]:
    pairs = zip(event.ids, event.hps, strict=True)
    return [Note("hit", piece * CELLS, 0, str(hp)) for piece, hp in pairs]


def _lost(event: ev.TurnsLost) -> Sequence[Note]:
    pairs = zip(event.ids, event.causes, strict=True)
    return [Note("lost", piece * CELLS, 0, cause) for piece, cause in pairs]


_NOTES: dict[type, Callable[[Any], Sequence[Note]]] = {
    ev.Spoke: _said,
    ev.Damaged: _hit,
    ev.TurnsLost: _lost,
    ev.Dying: lambda event: [Note("dying", piece * CELLS) for piece in event.ids],
    ev.FlagTaken: lambda event: [Note("took", event.shape * CELLS)],
    ev.Delivered: lambda event: [Note("brought", event.shape * CELLS)],
}
_UNSEEN = frozenset(
    {
        *(Stage, MatchEnded, ev.ArmyRefused, ev.TurnsLost, ev.Nothing, ev.Planned, ev.Spoke),
        *(ev.Attacked, ev.CaptureBegan, ev.CaptureStopped, ev.Delivered, ev.Disclosed),
    }
)

SCENE = GameOfDeathScene
