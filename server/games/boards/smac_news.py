"""What the events of SMAC say to a person: a sentence per event, and one per cell of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from engine.game import Event, MatchEnded
from engine.games.smac import events as ev
from engine.games.smac.grid import grid_of
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish
from visualizer.scene import counted
from visualizer.scenes.smac.narration import report

CellWords = tuple[int, int, str]
"""x, y, and a sentence about this cell."""


class Happening(msgspec.Struct, frozen=True):
    """Something that happened in a stage: who (0: nobody), the rest of the sentence, and where."""

    kind: str
    """`placed`, `grew`, `fought`, `died`, `reduced`, `produced`, `special`, and so on."""
    team: int
    words: str
    reports: tuple[CellWords, ...] = ()
    """What there is to say of each cell."""


def happenings_of(dish: Dish, event: Event) -> Sequence[Happening]:
    """Return what an event says that has not been applied to `dish` yet; often nothing."""
    say = _SAY.get(type(event))
    return () if say is None else say(dish, event)


def touched_cells(event: Any) -> Sequence[int]:
    """Return the cells that an event may change."""
    if isinstance(event, ev.Fought):
        return (event.fight.cell,)
    return getattr(event, "cells", ())


def place_of(dish: Dish, cell: int) -> str:
    """Return the words for a cell: `12, 3`."""
    x, y = grid_of(dish.side).xy(cell)
    return f"{x}, {y}"


def _reports(dish: Dish, cells: Iterable[int], words: Iterable[str]) -> tuple[CellWords, ...]:
    xy = grid_of(dish.side).xy
    return tuple((*xy(cell), sentence) for cell, sentence in zip(cells, words, strict=True))


def _settled(dish: Dish, event: ev.Settled) -> Sequence[Happening]:
    if event.center is None:
        return (Happening("settled", event.team, "found no room for a center"),)
    words = [f"team {event.team} settled here"] * len(event.cells)
    around = f"settled around {place_of(dish, event.center)}"
    return (Happening("settled", event.team, around, _reports(dish, event.cells, words)),)


def _placed(dish: Dish, event: ev.Placed) -> Sequence[Happening]:
    words = [f"team {event.team} placed: height {height}" for height in event.heights]
    said = f"placed in {counted(len(event.cells), 'cell')}"
    return (Happening("placed", event.team, said, _reports(dish, event.cells, words)),)


def _grown(dish: Dish, event: ev.Grown) -> Sequence[Happening]:
    words = [f"team {event.team} grew: height {height}" for height in event.heights]
    said = f"grew in {counted(len(event.cells), 'cell')}"
    return (Happening("grew", event.team, said, _reports(dish, event.cells, words)),)


def _reduced(dish: Dish, event: ev.Reduced) -> Sequence[Happening]:
    words = [
        f"team {event.team}: too high for its neighbors, reduced to height {height}"
        for height in event.heights
    ]
    said = f"had {counted(len(event.cells), 'stack')} reduced"
    return (Happening("reduced", event.team, said, _reports(dish, event.cells, words)),)


def _died(dish: Dish, event: ev.Died) -> Sequence[Happening]:
    words = [f"team {event.team}: the stack died without support"] * len(event.cells)
    said = f"lost {counted(len(event.cells), 'stack')} without support"
    return (Happening("died", event.team, said, _reports(dish, event.cells, words)),)


def _fought(dish: Dish, event: ev.Fought) -> Sequence[Happening]:
    fight = event.fight
    said = f"won the fight at {place_of(dish, fight.cell)}"
    return (
        Happening("fought", fight.winner, said, _reports(dish, (fight.cell,), (report(fight),))),
    )


def _claimed(dish: Dish, event: ev.Claimed) -> Sequence[Happening]:
    words = [f"team {event.team} took the cell"] * len(event.cells)
    said = f"took {counted(len(event.cells), 'cell')}"
    return (Happening("claimed", event.team, said, _reports(dish, event.cells, words)),)


def _used(dish: Dish, event: ev.SpecialUsed) -> Sequence[Happening]:
    aim = ""
    if event.square is not None:
        aim = f" at {place_of(dish, event.square)}"
    elif event.target not in (None, event.team):
        aim = f" against team {event.target}"
    words = [f"team {event.team} used {event.special} here"] * len(event.cells)
    reports = _reports(dish, event.cells, words)
    return (Happening("special", event.team, f"used {event.special}{aim}", reports),)


def _cleared(dish: Dish, event: ev.Cleared) -> Sequence[Happening]:
    lost = [
        (team, [cell for cell in event.cells if layer[cell]])
        for team, layer in enumerate(dish.heights, 1)
    ]
    return [
        Happening(
            "cleared",
            team,
            f"had {counted(len(cells), 'stack')} wiped out",
            _reports(dish, cells, [f"team {team}: the stack was wiped out"] * len(cells)),
        )
        for team, cells in lost
        if cells
    ]


def _rose(dish: Dish, event: ev.Rose) -> Sequence[Happening]:
    before = dish.team(event.team).levels
    risen = [
        f"{name} {level}"
        for name, level, was in zip(Characteristics._fields, event.levels, before, strict=True)
        if level != was
    ]
    return (Happening("rose", event.team, f"evolved: {', '.join(risen)}"),)


def _skipped(dish: Dish, event: ev.Skipped) -> Sequence[Happening]:
    shown = "; ".join(f"{skip.order}: {skip.reason}" for skip in event.skips)
    more = f"; and {event.more} more" if event.more else ""
    return (Happening("skipped", event.team, f"had orders skipped: {shown}{more}"),)


def _produced(dish: Dish, event: ev.Produced) -> Sequence[Happening]:
    return [
        Happening("produced", team, f"produced {points / MILLI:g} points")
        for team, points in enumerate(event.production, 1)
        if points
    ]


_SAY: dict[type, Callable[[Dish, Any], Sequence[Happening]]] = {
    ev.Bid: lambda dish, event: (
        (Happening("bid", event.team, f"bid {event.points}"),) if event.points else ()
    ),
    ev.Settled: _settled,
    ev.Placed: _placed,
    ev.Grown: _grown,
    ev.Rose: _rose,
    ev.Skipped: _skipped,
    ev.OrdersLost: lambda dish, event: (
        Happening("lost", event.team, f"gave no orders: {event.reason}"),
    ),
    ev.Selected: lambda dish, event: (
        Happening("selected", event.team, f"selected {event.special}"),
    ),
    ev.SpecialUsed: _used,
    ev.Cleared: _cleared,
    ev.Fought: _fought,
    ev.Claimed: _claimed,
    ev.Died: _died,
    ev.Reduced: _reduced,
    ev.Produced: _produced,
    ev.WentOut: lambda dish, event: (
        Happening("out", event.team, "lost the last stack, and with it the match"),
    ),
    MatchEnded: lambda dish, event: (Happening("ended", 0, f"The match is over: {event.reason}."),),
}
