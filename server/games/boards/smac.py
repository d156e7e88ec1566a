"""What the page of SMAC and programs are told of a dish.

All of it comes from the fold of one team, or of the public: nothing here can tell a secret that
the fold does not hold. What happened is told by the scene.
"""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from engine.game import Event
from engine.games.smac.events import OrdersLost
from engine.games.smac.grid import Cell, make_grid
from engine.games.smac.orders import ORDERS
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import MILLI, Characteristic
from engine.games.smac.state import Dish
from engine.games.smac.terrain import PLAIN, terrain_names

CHARACTERISTIC_WORDS = {
    Characteristic.ATTACK: "added to each attack in combat",
    Characteristic.DEFENSE: "added to the defense of each stack",
    Characteristic.JUMP: "how far from your stacks you can place",
    Characteristic.PRODUCTIVITY: "10 % more points per level",
    Characteristic.STACKING: "how high your stacks can be",
    Characteristic.PINIT: "placement initiative: whose placement comes first in an empty cell",
    Characteristic.CINIT: "combat initiative: who attacks first",
}
"""What a level is good for (rules 4.1)."""
SPECIAL_WORDS = {
    Special.SHELL: "+2 defense of your stacks in this turn's combats",
    Special.BLIGHT: "halves another team's points this turn",
    Special.ENRICH: "BARE becomes plain, plain becomes SUGAR",
    Special.BLOOM: "easier extra growth within 2 of a cell",
    Special.SPORE: "a stack of 1 in empty cells of 3 x 3",
    Special.NUKE: "removes all stacks in 3 x 3 cells",
}
"""What a special does (rules 8.3)."""


class TerrainShown(msgspec.Struct, frozen=True, array_like=True):
    """The terrain of a cell that is not plain."""

    x: int
    y: int
    names: tuple[str, ...]


class CellShown(msgspec.Struct, frozen=True, array_like=True):
    """A cell with a stack."""

    x: int
    y: int
    owner: int
    """0 for nobody."""
    heights: tuple[int, ...]
    """A raw height per team, team 1 first."""


class TeamShown(msgspec.Struct, frozen=True):
    """What everybody may know of a team."""

    team: int
    levels: dict[str, int]
    production: float
    """Points of the last turn, before any BLIGHT."""
    share_pct: float
    """Its part of all production."""
    cells: int
    highest: int
    used: tuple[Special, ...]
    centers: tuple[Cell, ...]
    out_in: int | None


class OwnShown(msgspec.Struct, frozen=True):
    """What a team alone knows of itself."""

    bank: float
    points: dict[str, int]
    selected: Special | None
    is_armed: bool


class BoardShown(msgspec.Struct, frozen=True):
    """A dish: for programs, whose orders go with it, and what a page says beside its picture."""

    side: int
    terrain: tuple[TerrainShown, ...]
    cells: tuple[CellShown, ...]
    teams: tuple[TeamShown, ...]
    own: OwnShown | None
    """None for the public."""
    turn: int
    stage: str
    last_turn: int
    threshold_pct: int | None
    """The share of production that wins this turn; None if none does yet (rules 6.1)."""
    victory_from_turn: int
    skips: tuple[Skip, ...]
    """The viewer's orders of the last turn that were not carried out."""
    lost: str | None
    """Why the viewer gave no orders at all last time; None if it did."""
    ending: str | None
    characteristic_words: dict[Characteristic, str]
    special_words: dict[Special, str]


def view(
    known: Dish, viewer: int | None, teams: Collection[int], observed: Sequence[Sequence[Event]]
) -> BoardShown:
    """Return what a team (None: the public) is told; `known` is the dish as it knows it."""
    return BoardShown(
        side=known.side,
        terrain=_terrain_shown(known),
        cells=_cells_shown(known),
        teams=_teams_shown(known),
        own=None if viewer is None else _own_shown(known, viewer),
        turn=known.turn,
        stage=known.stage,
        last_turn=known.settings.last_turn,
        threshold_pct=known.settings.threshold_pct(known.turn),
        victory_from_turn=known.settings.victory_from_turn,
        skips=() if viewer is None else _skipped_orders(known, viewer),
        lost=_find_lost_orders(observed[-1], viewer) if observed else None,
        ending=known.ending.reason if known.ending else None,
        characteristic_words=CHARACTERISTIC_WORDS,
        special_words=SPECIAL_WORDS,
    )


def words(event: Event) -> str | None:
    """Return nothing: the scene tells what happened."""
    return None


def _find_lost_orders(events: Sequence[Event], team: int | None) -> str | None:
    lost = (e.reason for e in events if isinstance(e, OrdersLost) and e.team == team)
    return next(lost, None)


def _skipped_orders(dish: Dish, team: int) -> tuple[Skip, ...]:
    """Return the orders of the last turn that were not carried out, while orders are awaited."""
    skips = dish.team(team).skips
    shown = dish.turn - 1 if dish.stage == ORDERS and dish.turn > 1 else dish.turn
    return skips.skips if skips and skips.turn >= shown else ()


def _terrain_shown(dish: Dish) -> tuple[TerrainShown, ...]:
    xy = make_grid(dish.side).xy
    return tuple(
        TerrainShown(*xy(cell), terrain_names(terrain))
        for cell, terrain in enumerate(dish.terrain)
        if terrain != PLAIN
    )


def _cells_shown(dish: Dish) -> tuple[CellShown, ...]:
    xy = make_grid(dish.side).xy
    heights = [tuple(layer[cell] for layer in dish.heights) for cell in range(dish.side**2)]
    return tuple(
        CellShown(*xy(cell), dish.owners[cell], stacks)
        for cell, stacks in enumerate(heights)
        if any(stacks)
    )


def _teams_shown(dish: Dish) -> tuple[TeamShown, ...]:
    total = sum(team.production for team in dish.teams)
    return tuple(_team_shown(dish, number, total) for number in range(1, len(dish.teams) + 1))


def _team_shown(dish: Dish, number: int, total: int) -> TeamShown:
    team, layer, xy = dish.team(number), dish.layer(number), make_grid(dish.side).xy
    return TeamShown(
        team=number,
        levels=dict(team.levels._asdict()),
        production=team.production / MILLI,
        share_pct=round(100 * team.production / total, 1) if total else 0.0,
        cells=len(layer) - layer.count(0),
        highest=max(layer),
        used=tuple(team.used),
        centers=tuple(xy(cell) for cell in team.centers),
        out_in=team.out_in,
    )


def _own_shown(dish: Dish, number: int) -> OwnShown:
    team: Any = dish.team(number)
    selection = team.selection
    return OwnShown(
        bank=(team.bank or 0) / MILLI,
        points=dict(team.points._asdict()) if team.points else {},
        selected=selection.special if selection else None,
        is_armed=bool(selection and selection.is_armed(dish.turn)),
    )
