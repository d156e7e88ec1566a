"""How SMAC looks: cells in the colour of who owns them, and stacks as numbers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from engine.game import MatchEnded, Stage
from engine.games.smac import events as ev
from engine.games.smac.grid import grid_of
from engine.games.smac.orders import ORDERS, Order, Orders
from engine.games.smac.settings import MILLI, Settings
from engine.games.smac.state import Dish
from engine.games.smac.terrain import PLAIN, names_of
from visualizer.scene import Extent, Happening, Kind, Label, Mark, Note, Panel, Scene, Tile
from visualizer.theme import COORDINATES, TEXT

WHITE, TAN, UNUSUAL = "#ffffff", "#d9b98a", "#d1242f"
ROOM = 0.4
LETTER = 0.5
# Ids: the cell's number in the layer of the tiles, or of the stacks.
TILES, STACKS = 10_000, 20_000


class SmacScene(Scene[Dish]):
    """A tile and a stack per cell."""

    kinds: ClassVar = {
        "cell": Kind("cell", ("owner", "terrain", "since turn", "at")),
        "stack": Kind("stack", ("team", "level", "at")),
    }
    happenings: ClassVar = {
        "settled": Happening("settled", Mark.BIRTH),
        "fought": Happening("{words}", Mark.STRIKE, "combats"),
        "died": Happening("died for want of support", Mark.DEATH),
        "special": Happening("{words}", Mark.RISE, "specials"),
    }

    def __init__(self, settings: Settings, teams: int) -> None:
        super().__init__(settings, teams)
        self._grid = grid_of(settings.side_for(teams))

    @property
    def extent(self) -> Extent:
        return Extent(-ROOM, -ROOM, self._grid.side + ROOM, self._grid.side + ROOM)

    def backdrop(self) -> Sequence[Tile | Label]:
        side = self._grid.side
        return [Tile("cell", 0, 0, side, side, WHITE, COORDINATES, (0, "", 0, "the dish"))]

    def ids(self, state: Dish) -> Iterator[int]:
        for cell in range(self._grid.size):
            yield TILES + cell
            if state.stacks_in(cell):
                yield STACKS + cell

    def thing(self, state: Dish, thing_id: int) -> Tile | Label | None:
        if thing_id >= STACKS:
            return self._stack(state, thing_id - STACKS)
        return self._tile(state, thing_id - TILES)

    def touched(self, event: Any) -> Collection[int]:
        if isinstance(event, Stage):  # red borders go when a turn begins
            is_new_turn = event.name == ORDERS
            return range(TILES, TILES + self._grid.size) if is_new_turn else ()
        cells = _CELLS.get(type(event), _no_cells)(event)
        return [layer + cell for cell in cells for layer in (TILES, STACKS)]

    def notes(self, state: Dish, event: Any) -> Sequence[Note]:
        match event:
            case ev.Settled(_, centre, _) if centre is not None:
                return (Note("settled", STACKS + centre),)
            case ev.Fought(fight):
                words = f"team {fight.winner} is left with {fight.left}, round {fight.rounds}"
                return (Note("fought", STACKS + fight.cell, 0, words),)
            case ev.Died(_, cells):
                return [Note("died", STACKS + cell) for cell in cells]
            case ev.SpecialUsed(team, special, square, target, _):
                words = f"{special} by team {team}" + (f" against team {target}" if target else "")
                return (Note("special", TILES + (square or 0), 0, words),)
            case _:
                return ()

    def panel(self, state: Dish, team: int) -> Panel:
        of_team, layer = state.team(team), state.layer(team)
        levels = of_team.levels._asdict().items()
        return (
            ("cells", len(layer) - layer.count(0)),
            ("production", of_team.production / MILLI),
            ("bank", (of_team.bank or 0) / MILLI),
            *((name, level) for name, level in levels),
        )

    def order_text(self, order: Order) -> str:
        if isinstance(order, Orders):
            return f"{len(order.orders)} orders"
        return f"a bid of {order.bid}"

    def _tile(self, state: Dish, cell: int) -> Tile:
        x, y = self._grid.xy(cell)
        owner, terrain = state.owners[cell], state.terrain[cell]
        fill = self.team_colour(owner) if owner else WHITE if terrain == PLAIN else TAN
        border = UNUSUAL if state.unusual.get(cell) == state.turn else COORDINATES
        facts = (owner, " ".join(names_of(terrain)), state.since[cell], f"{x} {y}")
        return Tile("cell", x, y, 1, 1, fill, border, facts)

    def _stack(self, state: Dish, cell: int) -> Label | None:
        stacks = state.stacks_in(cell)
        if not stacks:
            return None
        x, y = self._grid.xy(cell)
        team = max(stacks, key=lambda team: stacks[team])
        text = "+".join(map(str, stacks.values()))
        facts = (team, stacks[team], f"{x} {y}")
        return Label("stack", x + 0.5, y + 0.5, LETTER, text, TEXT, facts)


def _no_cells(event: Any) -> Iterable[int]:
    return ()


_CELLS: dict[type, Callable[[Any], Iterable[int]]] = {
    ev.TerrainLaid: lambda event: event.cells,
    ev.Settled: lambda event: event.cells,
    ev.Placed: lambda event: event.cells,
    ev.Grown: lambda event: event.cells,
    ev.SpecialUsed: lambda event: event.cells,
    ev.Cleared: lambda event: event.cells,
    ev.Fought: lambda event: (event.fight.cell,),
    ev.Claimed: lambda event: event.cells,
    ev.Died: lambda event: event.cells,
    ev.Reduced: lambda event: event.cells,
    MatchEnded: _no_cells,
}

SCENE = SmacScene
