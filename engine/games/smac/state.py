"""The petri dish of SMAC, and `apply`: the only code that changes it."""

from collections.abc import Iterable
from copy import copy

import msgspec

from engine.game import Event, MatchEnded, Stage, find_appliers
from engine.games.smac import events
from engine.games.smac.pieces import Fight, Selection, Skips, Special, Team
from engine.games.smac.settings import Characteristics, Settings, compute_levels
from engine.games.smac.terrain import CENTER

NOBODY = 0


class Dish(msgspec.Struct):
    """All cells in layers, and the teams. Cell (x, y) has the number `y * side + x`.

    Layers are byte arrays, because `bytes.translate` turns one into a bitboard at once (grid.py).
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
    """The turn in which the owner took the cell; meaningless where there is no owner."""
    teams: list[Team]
    turn: int = 0
    """The turn being played; the placement rounds belong to turn 1."""
    stage: str = ""
    unusual: dict[int, int] = {}
    """Cells of combat, death, reduction and specials, with the last turn in which one happened."""
    fights: dict[int, Fight] = {}
    """The last combat in each cell."""
    placement_order: tuple[int, ...] | None = None
    """The order in which teams took their first centers; None where that is hidden."""
    ending: MatchEnded | None = None

    def copy(self) -> "Dish":
        """Return a copy. Fights and what teams have selected are never changed, only replaced."""
        copied = copy(self)
        copied.terrain, copied.owners = self.terrain[:], self.owners[:]
        copied.heights, copied.since = [layer[:] for layer in self.heights], self.since[:]
        copied.teams = [team.copy() for team in self.teams]
        copied.unusual, copied.fights = {**self.unusual}, {**self.fights}
        return copied

    def apply(self, event: Event) -> None:
        """Apply an event. Raises: KeyError for an event of another game."""
        _APPLY[type(event)](self, event)

    def team(self, number: int) -> Team:
        """Return the team with this number, counted from 1."""
        return self.teams[number - 1]

    def layer(self, team: int) -> bytearray:
        """Return a team's raw heights."""
        return self.heights[team - 1]

    @property
    def playing(self) -> list[int]:
        """The teams that are still in the match, in ascending order."""
        return [number for number, team in enumerate(self.teams, 1) if team.out_in is None]

    def is_new(self, cell: int) -> bool:
        """Return whether the stack there appeared this turn."""
        return self.owners[cell] == NOBODY or self.since[cell] == self.turn

    def stacks_in(self, cell: int) -> dict[int, int]:
        """Return the raw heights in a cell, by team."""
        return {team: layer[cell] for team, layer in enumerate(self.heights, 1) if layer[cell]}


def new_dish(settings: Settings, teams: int) -> Dish:
    """Return an empty dish, with all that is private unknown."""
    side = settings.side_for(teams)
    levels = compute_levels(Characteristics(*settings.start_level_points))
    return Dish(
        settings=settings,
        side=side,
        terrain=bytearray(side * side),
        owners=bytearray(side * side),
        heights=[bytearray(side * side) for _ in range(teams)],
        since=bytearray(side * side),
        teams=[Team(levels=levels) for _ in range(teams)],
    )


def _apply_stage(dish: Dish, event: Stage) -> None:
    dish.turn, dish.stage = event.turn, event.name


def _apply_terrain_laid(dish: Dish, event: events.TerrainLaid) -> None:
    for cell, terrain in zip(event.cells, event.terrains, strict=True):
        dish.terrain[cell] = terrain


def _apply_endowed(dish: Dish, event: events.Endowed) -> None:
    team = dish.team(event.team)
    team.bank, team.points, team.selection = event.bank, event.points, Selection()


def _apply_bid(dish: Dish, event: events.Bid | events.Banked) -> None:
    dish.team(event.team).bank = event.bank


def _apply_placement_ordered(dish: Dish, event: events.PlacementOrdered) -> None:
    dish.placement_order = event.teams


def _apply_settled(dish: Dish, event: events.Settled) -> None:
    if event.center is None:
        return
    dish.team(event.team).centers.append(event.center)
    dish.terrain[event.center] = CENTER
    _set_heights(dish.layer(event.team), event.cells, [1] * len(event.cells))
    _set_owner(dish, event.team, event.cells)


def _apply_skipped(dish: Dish, event: events.Skipped) -> None:
    team, skips, more = dish.team(event.team), event.skips, event.more
    if team.skips is not None and team.skips.turn == dish.turn:
        skips, more = team.skips.skips + skips, team.skips.more + more
    team.skips = Skips(dish.turn, skips, more)


def _apply_invested(dish: Dish, event: events.Invested) -> None:
    dish.team(event.team).points = event.points


def _apply_rose(dish: Dish, event: events.Rose) -> None:
    dish.team(event.team).levels = event.levels


def _apply_placed(dish: Dish, event: events.Placed) -> None:
    _set_heights(dish.layer(event.team), event.cells, event.heights)
    _set_owner(dish, event.team, event.claimed)


def _apply_grown(dish: Dish, event: events.Grown) -> None:
    _set_heights(dish.layer(event.team), event.cells, event.heights)


def _apply_reduced(dish: Dish, event: events.Reduced) -> None:
    _set_heights(dish.layer(event.team), event.cells, event.heights)
    _mark_unusual(dish, event.cells)


def _apply_selected(dish: Dish, event: events.Selected) -> None:
    dish.team(event.team).selection = Selection(event.special, dish.turn)


def _apply_special_used(dish: Dish, event: events.SpecialUsed) -> None:
    team = dish.team(event.team)
    team.used.append(event.special)
    if team.selection is not None:
        team.selection = Selection()
    _mark_unusual(dish, event.cells)
    if event.special is Special.SHELL:
        team.shelled_in = dish.turn
    elif event.special is Special.BLIGHT and event.target is not None:
        dish.team(event.target).blighted_in = dish.turn


def _apply_cleared(dish: Dish, event: events.Cleared) -> None:
    for cell in event.cells:
        dish.owners[cell] = NOBODY
        for layer in dish.heights:
            layer[cell] = 0


def _apply_fought(dish: Dish, event: events.Fought) -> None:
    fight = event.fight
    cell, winner = fight.cell, fight.winner
    dish.fights[cell] = fight
    dish.unusual[cell] = fight.turn
    for team, layer in enumerate(dish.heights, 1):
        layer[cell] = fight.left if team == winner else 0
    if winner != fight.owner:
        _set_owner(dish, winner, (cell,))


def _apply_claimed(dish: Dish, event: events.Claimed) -> None:
    _set_owner(dish, event.team, event.cells)


def _apply_died(dish: Dish, event: events.Died) -> None:
    layer = dish.layer(event.team)
    for cell in event.cells:
        layer[cell] = 0
        dish.owners[cell] = NOBODY
    _mark_unusual(dish, event.cells)


def _apply_produced(dish: Dish, event: events.Produced) -> None:
    for team, production in zip(dish.teams, event.production, strict=True):
        team.production = production


def _apply_went_out(dish: Dish, event: events.WentOut) -> None:
    dish.team(event.team).out_in = dish.turn


def _apply_orders_lost(dish: Dish, event: events.OrdersLost) -> None:
    pass


def _set_heights(layer: bytearray, cells: Iterable[int], heights: Iterable[int]) -> None:
    for cell, height in zip(cells, heights, strict=True):
        layer[cell] = height


def _set_owner(dish: Dish, team: int, cells: Iterable[int]) -> None:
    for cell in cells:
        dish.owners[cell] = team
        dish.since[cell] = dish.turn


def _mark_unusual(dish: Dish, cells: Iterable[int]) -> None:
    for cell in cells:
        dish.unusual[cell] = dish.turn


_APPLY = find_appliers(globals())
