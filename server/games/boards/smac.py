"""What the page of SMAC is told of the dish: cells, teams, and the news of the last decision.

All of it comes from the fold of one team, or of the public: nothing here can tell a secret that
the fold does not hold. Teams are named `team 2` in words; the page puts in who that is.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine.game import Event, Stage
from engine.games.smac.combat import fighter
from engine.games.smac.grid import Cell, grid_of
from engine.games.smac.orders import ORDERS, PLACEMENTS
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.production import yield_of
from engine.games.smac.settings import MILLI, Characteristic
from engine.games.smac.state import Dish, new_dish
from engine.games.smac.terrain import PLAIN, effective_height, names_of
from server.games.boards.smac_news import Happening, happenings_of, touched_cells

ASKING = (*PLACEMENTS, ORDERS)
"""The stages in which all teams are asked; what happens between two of them is the news."""


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
    """A cell with a stack, and what it is worth to its owner."""

    x: int
    y: int
    owner: int
    """0 for nobody."""
    heights: tuple[int, ...]
    """A raw height per team, team 1 first."""
    is_new: bool
    """It was taken since the turn before this one."""
    effective_height: int
    production: float
    """Points per turn, productivity included (rules 5.13 to 5.15)."""
    defense: int
    """The owner's D (rules 5.7)."""


class CellChange(msgspec.Struct, frozen=True, array_like=True):
    """What stands in a cell after a stage."""

    x: int
    y: int
    owner: int
    heights: tuple[int, ...]


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
    skips: tuple[Skip, ...]
    """Its orders of the last turn that were not carried out."""


class StageShown(msgspec.Struct, frozen=True):
    """A stage of the last turn: what happened, and the cells it changed as they were after it."""

    name: str
    happenings: tuple[Happening, ...]
    changes: tuple[CellChange, ...]


class News(msgspec.Struct, frozen=True):
    """What happened between the last two decisions."""

    turn: int
    decision: str
    """The stage whose orders were carried out: `placement 1`, `placement 2` or `orders`."""
    before: tuple[CellChange, ...]
    """The cells with stacks before it."""
    stages: tuple[StageShown, ...]


class CellReport(msgspec.Struct, frozen=True, array_like=True):
    """What happened in a cell in the last turn, a sentence each."""

    x: int
    y: int
    words: tuple[str, ...]


class BoardShown(msgspec.Struct, frozen=True):
    """All that the page draws of a dish."""

    side: int
    turn: int
    stage: str
    last_turn: int
    threshold_pct: int | None
    """The share of production that wins this turn; None if none does yet (rules 6.1)."""
    victory_from_turn: int
    terrain: tuple[TerrainShown, ...]
    cells: tuple[CellShown, ...]
    unusual: tuple[Cell, ...]
    """Cells in which the last turn had a combat, a death, a reduction or a special."""
    teams: tuple[TeamShown, ...]
    own: OwnShown | None
    reports: tuple[CellReport, ...]
    news: News | None
    ending: str | None
    characteristic_words: dict[Characteristic, str]
    special_words: dict[Special, str]


def view(
    known: Dish, viewer: int | None, teams: Collection[int], observed: Sequence[Sequence[Event]]
) -> BoardShown:
    """Return the dish as a viewer knows it."""
    return board(known, viewer, [event for events in observed for event in events])


def words(event: Event) -> str | None:
    """Return nothing: the news of a turn stand on the board, stage by stage."""
    return None


def board(dish: Dish, team: int | None, events: Sequence[Event]) -> BoardShown:
    """Return what this team (None: the public) is told; `dish` and `events` are its own.

    `events` are all that it has observed since the match began.
    """
    news = happened(dish, events)
    return BoardShown(
        side=dish.side,
        turn=dish.turn,
        stage=dish.stage,
        last_turn=dish.settings.last_turn,
        threshold_pct=dish.settings.threshold_pct(dish.turn),
        victory_from_turn=dish.settings.victory_from_turn,
        terrain=_terrain(dish),
        cells=tuple(_cell(dish, cell) for cell in _cells_with_stacks(dish)),
        unusual=_unusual(dish),
        teams=_teams(dish),
        own=None if team is None else _own(dish, team),
        reports=_reports(news),
        news=news,
        ending=dish.ending.reason if dish.ending else None,
        characteristic_words=CHARACTERISTIC_WORDS,
        special_words=SPECIAL_WORDS,
    )


def happened(dish: Dish, events: Sequence[Event]) -> News | None:
    """Return the news of the last decision, stage by stage; None before there was one.

    `dish` tells the settings and how many teams there are; `events` as in `board`.
    """
    begin, end = _last_decision(events)
    if begin is None:
        return None
    past = new_dish(dish.settings, len(dish.teams))
    for event in events[: begin + 1]:
        past.apply(event)
    before = tuple(_change(past, cell) for cell in _cells_with_stacks(past))
    turn, decision = past.turn, past.stage
    stages = tuple(_stages(past, events[begin + 1 : end]))
    return News(turn, decision, before, stages)


def _last_decision(events: Sequence[Event]) -> tuple[int | None, int]:
    """Return where the last decision was asked for, and where the next one was (or the end)."""
    asking = [
        place
        for place, event in enumerate(events)
        if isinstance(event, Stage) and event.name in ASKING
    ]
    if asking and asking[-1] < len(events) - 1:  # orders were played and nobody is asked: the end
        return asking[-1], len(events)
    return (asking[-2], asking[-1]) if len(asking) > 1 else (None, 0)


def _stages(dish: Dish, events: Iterable[Event]) -> Iterator[StageShown]:
    """Apply the events, and yield the stages in which something happened."""
    happenings: list[Happening] = []
    touched: set[int] = set()
    for event in events:
        if isinstance(event, Stage):
            yield from _stage(dish, happenings, touched)
            happenings, touched = [], set()
        happenings += happenings_of(dish, event)
        dish.apply(event)
        touched.update(touched_cells(event))
    yield from _stage(dish, happenings, touched)


def _stage(dish: Dish, happenings: list[Happening], touched: set[int]) -> Iterator[StageShown]:
    if happenings:
        changes = tuple(_change(dish, cell) for cell in sorted(touched))
        yield StageShown(dish.stage, tuple(happenings), changes)


def _reports(news: News | None) -> tuple[CellReport, ...]:
    words: dict[Cell, list[str]] = {}
    for stage in news.stages if news else ():
        for happening in stage.happenings:
            for x, y, sentence in happening.reports:
                words.setdefault((x, y), []).append(sentence)
    return tuple(CellReport(x, y, tuple(words[x, y])) for x, y in sorted(words))


def _cells_with_stacks(dish: Dish) -> list[int]:
    return [cell for cell in range(dish.side**2) if any(layer[cell] for layer in dish.heights)]


def _heights(dish: Dish, cell: int) -> tuple[int, ...]:
    return tuple(layer[cell] for layer in dish.heights)


def _change(dish: Dish, cell: int) -> CellChange:
    x, y = grid_of(dish.side).xy(cell)
    return CellChange(x, y, dish.owners[cell], _heights(dish, cell))


def _terrain(dish: Dish) -> tuple[TerrainShown, ...]:
    xy = grid_of(dish.side).xy
    return tuple(
        TerrainShown(*xy(cell), names_of(terrain))
        for cell, terrain in enumerate(dish.terrain)
        if terrain != PLAIN
    )


def _cell(dish: Dish, cell: int) -> CellShown:
    x, y = grid_of(dish.side).xy(cell)
    owner = dish.owners[cell]
    raw = dish.layer(owner)[cell] if owner else 0
    return CellShown(
        x=x,
        y=y,
        owner=owner,
        heights=_heights(dish, cell),
        is_new=not owner or dish.since[cell] >= _shown_turn(dish),
        effective_height=effective_height(raw, dish.terrain[cell]),
        production=_production(dish, cell, owner, raw) if raw else 0.0,
        defense=fighter(dish, cell, owner).defense_with(raw) if raw else 0,
    )


def _production(dish: Dish, cell: int, owner: int, raw: int) -> float:
    """Return the points per turn of an owner's stack (rules 5.13 to 5.15)."""
    hundredths = yield_of(raw, dish.terrain[cell], dish.settings.production_model)
    return hundredths * (10 + dish.team(owner).levels.productivity) / 1_000


def _shown_turn(dish: Dish) -> int:
    """Return the turn whose effects are shown: the last one while orders are awaited."""
    return dish.turn - 1 if dish.stage == ORDERS and dish.turn > 1 else dish.turn


def _unusual(dish: Dish) -> tuple[Cell, ...]:
    shown, xy = _shown_turn(dish), grid_of(dish.side).xy
    return tuple(xy(cell) for cell, turn in sorted(dish.unusual.items()) if turn == shown)


def _teams(dish: Dish) -> tuple[TeamShown, ...]:
    total = sum(team.production for team in dish.teams)
    return tuple(_team(dish, number, total) for number in range(1, len(dish.teams) + 1))


def _team(dish: Dish, number: int, total: int) -> TeamShown:
    team, layer, xy = dish.team(number), dish.layer(number), grid_of(dish.side).xy
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


def _own(dish: Dish, number: int) -> OwnShown:
    team: Any = dish.team(number)
    selection, skips = team.selection, team.skips
    return OwnShown(
        bank=(team.bank or 0) / MILLI,
        points=dict(team.points._asdict()) if team.points else {},
        selected=selection.special if selection else None,
        is_armed=bool(selection and selection.is_armed(dish.turn)),
        skips=skips.skips if skips and skips.turn >= _shown_turn(dish) else (),
    )
