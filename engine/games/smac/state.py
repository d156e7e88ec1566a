"""The petri dish of SMAC, and `apply`: the only code that changes it."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engine.game import MatchEnded, Stage
from engine.games.smac import events as ev
from engine.games.smac.pieces import Fight, Selection, Skips, Special, Team
from engine.games.smac.settings import Characteristics, Settings, levels_of
from engine.games.smac.terrain import CENTRE

NOBODY = 0


class Dish(msgspec.Struct):
    """All cells in layers, `y * side + x` being the number of a cell, and the teams.

    A team's own copy does not hold what others keep secret: see `Team`.
    """

    settings: Settings
    side: int
    terrain: bytearray
    """Flags (terrain.py)."""
    owners: bytearray
    """The team that owns the cell; 0 for nobody."""
    heights: list[bytearray]
    """A layer of raw heights per team, team 1 first; 0 for no stack."""
    since: bytearray
    """The turn in which the owner came to own the cell; says nothing where nobody does."""
    teams: list[Team]
    turn: int = 0
    """The normal round; the placement rounds belong to the first."""
    stage: str = ""
    unusual: dict[int, int] = {}
    """Cells of combat, death, reduction and specials: the last turn in which there was any."""
    fights: dict[int, Fight] = {}
    """The last combat in each cell."""
    placement_order: tuple[int, ...] | None = None
    """In which the teams took their first centres; None where that is not known."""
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        """Make it so. Raises: KeyError for an event of another game."""
        _APPLY[type(event)](self, event)

    def team(self, number: int) -> Team:
        return self.teams[number - 1]

    def layer(self, team: int) -> bytearray:
        """A team's raw heights."""
        return self.heights[team - 1]

    @property
    def playing(self) -> list[int]:
        """The teams that are in the match."""
        return [number for number, team in enumerate(self.teams, 1) if team.out_in is None]

    def is_new(self, cell: int) -> bool:
        """Whether the stack there came this turn."""
        return self.owners[cell] == NOBODY or self.since[cell] == self.turn

    def stacks_in(self, cell: int) -> dict[int, int]:
        """Raw height by team."""
        return {team: layer[cell] for team, layer in enumerate(self.heights, 1) if layer[cell]}


def new_dish(settings: Settings, teams: int) -> Dish:
    """Nothing in it yet, and all that is private not known."""
    side = settings.side_for(teams)
    levels = levels_of(Characteristics(*settings.start_level_points))
    return Dish(
        settings=settings,
        side=side,
        terrain=bytearray(side * side),
        owners=bytearray(side * side),
        heights=[bytearray(side * side) for _ in range(teams)],
        since=bytearray(side * side),
        teams=[Team(levels=levels) for _ in range(teams)],
    )


def _stage(dish: Dish, event: Stage) -> None:
    dish.turn, dish.stage = event.turn, event.name


def _lay_terrain(dish: Dish, event: ev.TerrainLaid) -> None:
    for cell, terrain in zip(event.cells, event.terrains, strict=True):
        dish.terrain[cell] = terrain


def _endow(dish: Dish, event: ev.Endowed) -> None:
    team = dish.team(event.team)
    team.bank, team.points, team.selection = event.bank, event.points, Selection()


def _bid(dish: Dish, event: ev.Bid) -> None:
    dish.team(event.team).bank = event.bank


def _order_placement(dish: Dish, event: ev.PlacementOrdered) -> None:
    dish.placement_order = event.teams


def _settle(dish: Dish, event: ev.Settled) -> None:
    if event.centre is None:
        return
    dish.team(event.team).centres.append(event.centre)
    dish.terrain[event.centre] = CENTRE
    _set_heights(dish.layer(event.team), event.cells, [1] * len(event.cells))
    _own(dish, event.team, event.cells)


def _skip(dish: Dish, event: ev.Skipped) -> None:
    team, skips, more = dish.team(event.team), event.skips, event.more
    if team.skips is not None and team.skips.turn == dish.turn:
        skips, more = team.skips.skips + skips, team.skips.more + more
    team.skips = Skips(dish.turn, skips, more)


def _bank(dish: Dish, event: ev.Banked) -> None:
    dish.team(event.team).bank = event.bank


def _invest(dish: Dish, event: ev.Invested) -> None:
    dish.team(event.team).points = event.points


def _rise(dish: Dish, event: ev.Rose) -> None:
    dish.team(event.team).levels = event.levels


def _place(dish: Dish, event: ev.Placed) -> None:
    _set_heights(dish.layer(event.team), event.cells, event.heights)
    _own(dish, event.team, event.claimed)


def _change_heights(dish: Dish, event: ev.Grown | ev.Reduced) -> None:
    _set_heights(dish.layer(event.team), event.cells, event.heights)


def _reduce(dish: Dish, event: ev.Reduced) -> None:
    _change_heights(dish, event)
    _mark_unusual(dish, event.cells)


def _select(dish: Dish, event: ev.Selected) -> None:
    dish.team(event.team).selection = Selection(event.special, dish.turn)


def _use_special(dish: Dish, event: ev.SpecialUsed) -> None:
    team = dish.team(event.team)
    team.used.append(event.special)
    if team.selection is not None:
        team.selection = Selection()
    _mark_unusual(dish, event.cells)
    if event.special is Special.SHELL:
        team.shelled_in = dish.turn
    elif event.special is Special.BLIGHT and event.target is not None:
        dish.team(event.target).blighted_in = dish.turn


def _clear(dish: Dish, event: ev.Cleared) -> None:
    for cell in event.cells:
        dish.owners[cell] = NOBODY
        for layer in dish.heights:
            layer[cell] = 0


def _fight(dish: Dish, event: ev.Fought) -> None:
    fight = event.fight
    cell, winner = fight.cell, fight.winner
    dish.fights[cell] = fight
    dish.unusual[cell] = fight.turn
    for team, layer in enumerate(dish.heights, 1):
        layer[cell] = fight.left if team == winner else 0
    if winner != fight.owner:
        _own(dish, winner, (cell,))


def _claim(dish: Dish, event: ev.Claimed) -> None:
    _own(dish, event.team, event.cells)


def _die(dish: Dish, event: ev.Died) -> None:
    layer = dish.layer(event.team)
    for cell in event.cells:
        layer[cell] = 0
        dish.owners[cell] = NOBODY
    _mark_unusual(dish, event.cells)


def _produce(dish: Dish, event: ev.Produced) -> None:
    for team, production in zip(dish.teams, event.production, strict=True):
        team.production = production


def _go_out(dish: Dish, event: ev.WentOut) -> None:
    dish.team(event.team).out_in = dish.turn


def _end(dish: Dish, event: MatchEnded) -> None:
    dish.ending = event


def _change_nothing(dish: Dish, event: ev.OrdersLost) -> None:
    pass


def _set_heights(layer: bytearray, cells: Iterable[int], heights: Iterable[int]) -> None:
    for cell, height in zip(cells, heights, strict=True):
        layer[cell] = height


def _own(dish: Dish, team: int, cells: Iterable[int]) -> None:
    for cell in cells:
        dish.owners[cell] = team
        dish.since[cell] = dish.turn


def _mark_unusual(dish: Dish, cells: Iterable[int]) -> None:
    for cell in cells:
        dish.unusual[cell] = dish.turn


_APPLY: dict[type, Callable[[Dish, Any], None]] = {
    Stage: _stage,
    ev.TerrainLaid: _lay_terrain,
    ev.Endowed: _endow,
    ev.Bid: _bid,
    ev.PlacementOrdered: _order_placement,
    ev.Settled: _settle,
    ev.Skipped: _skip,
    ev.OrdersLost: _change_nothing,
    ev.Banked: _bank,
    ev.Invested: _invest,
    ev.Rose: _rise,
    ev.Placed: _place,
    ev.Grown: _change_heights,
    ev.Selected: _select,
    ev.SpecialUsed: _use_special,
    ev.Cleared: _clear,
    ev.Fought: _fight,
    ev.Claimed: _claim,
    ev.Died: _die,
    ev.Reduced: _reduce,
    ev.Produced: _produce,
    ev.WentOut: _go_out,
    MatchEnded: _end,
}
