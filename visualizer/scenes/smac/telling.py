"""What the events of SMAC are in words, and where their signs stand."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.games.smac import events as ev
from engine.games.smac.grid import grid_of
from engine.games.smac.orders import Order, Orders
from engine.games.smac.pieces import Fight
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish
from visualizer.scene import Happening, Mark, Note
from visualizer.scenes.smac.looks import CELL, LAYER, RIVALS, STACK, TEAM

Notes = Sequence[Note]

HAPPENINGS = {
    "settled": Happening("settled around {words}", Mark.BIRTH),
    "stranded": Happening("found no room for a centre"),
    "placed": Happening("was placed in: {words}"),
    "grew": Happening("grew: {words}"),
    "evolved": Happening("evolved: {words}"),
    "skipped": Happening("had orders skipped: {words}"),
    "lost": Happening("gave no orders: {words}", Mark.FAULT, "faults"),
    "selected": Happening("selected {words}"),
    "used": Happening("used {words}", None, "specials"),
    "struck": Happening("felt {words}", Mark.RISE),
    "cleared": Happening("was wiped out at {place}", Mark.DEATH),
    "fought": Happening("was fought over: {words}", Mark.STRIKE, "combats"),
    "died": Happening("died at {place} for want of support", Mark.DEATH, "deaths"),
    "sank": Happening("came down: {words}"),
    "produced": Happening("produced {words}"),
    "out": Happening("is out: it has no stack left", None, "eliminations"),
}


def notes_of(dish: Dish, event: Any) -> Notes:
    """Of an event that has not happened yet."""
    note = _NOTES.get(type(event))
    return () if note is None else note(dish, event)


def order_text(order: Order) -> str:
    if isinstance(order, Orders):
        parts = [_count(len(order.orders), "order")]
        parts += [f"use {order.use.special}"] if order.use else []
        parts += [f"select {order.select}"] if order.select else []
        return ", ".join(parts)
    return f"bid {order.bid}, {_count(len(order.centers), 'centre')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _settled(dish: Dish, event: ev.Settled) -> Notes:
    if event.centre is None:
        return (Note("stranded", TEAM + event.team),)
    place = _place(dish, event.centre)
    return (Note("settled", TEAM + event.team, STACK + event.centre, place),)


def _placed(dish: Dish, event: ev.Placed) -> Notes:
    return _heights("placed", event.team, event.cells, event.heights)


def _grown(dish: Dish, event: ev.Grown) -> Notes:
    return _heights("grew", event.team, event.cells, event.heights)


def _reduced(dish: Dish, event: ev.Reduced) -> Notes:
    return _heights("sank", event.team, event.cells, event.heights)


def _heights(what: str, team: int, cells: Iterable[int], heights: Iterable[int]) -> Notes:
    return [
        Note(what, CELL + cell, 0, f"team {team}, height {height}")
        for cell, height in zip(cells, heights, strict=True)
    ]


def _evolved(dish: Dish, event: ev.Rose) -> Notes:
    before = dish.team(event.team).levels
    risen = [
        f"{name} {level}"
        for name, level, was in zip(Characteristics._fields, event.levels, before, strict=True)
        if level != was
    ]
    return (Note("evolved", TEAM + event.team, 0, ", ".join(risen)),)


def _skipped(dish: Dish, event: ev.Skipped) -> Notes:
    first, *others = event.skips
    more = len(others) + event.more
    words = f"{first.order}: {first.reason}" + (f"; and {more} more" if more else "")
    return (Note("skipped", TEAM + event.team, 0, words),)


def _used(dish: Dish, event: ev.SpecialUsed) -> Notes:
    aim = ""
    if event.square is not None:
        aim = f" at {_place(dish, event.square)}"
    elif event.target not in (None, event.team):
        aim = f" against team {event.target}"
    own = Note("used", TEAM + event.team, 0, f"{event.special}{aim}")
    words = f"{event.special} of team {event.team}"
    return own, *(Note("struck", CELL + cell, 0, words) for cell in event.cells)


def _cleared(dish: Dish, event: ev.Cleared) -> Notes:
    return [
        Note("cleared", _stack_id(dish, cell, team), CELL + cell)
        for cell in event.cells
        for team in dish.stacks_in(cell)
    ]


def _died(dish: Dish, event: ev.Died) -> Notes:
    return [Note("died", _stack_id(dish, cell, event.team), CELL + cell) for cell in event.cells]


def _stack_id(dish: Dish, cell: int, team: int) -> int:
    is_alone = len(dish.stacks_in(cell)) == 1
    return STACK + cell if is_alone else RIVALS + (team - 1) * LAYER + cell


def _fought(dish: Dish, event: ev.Fought) -> Notes:
    cell = CELL + event.fight.cell
    return (Note("fought", cell, cell, report(event.fight)),)


def report(fight: Fight) -> str:
    """`team 2 (height 3) beat team 1 (height 2, owner) in 4 rounds, 1 left`."""
    fighters = {
        team: f"team {team} (height {height}{', owner' if team == fight.owner else ''})"
        for team, height in enumerate(fight.heights, 1)
        if height
    }
    winner = fighters.pop(fight.winner)
    beaten, rounds = " and ".join(fighters.values()), _count(fight.rounds, "round")
    return f"{winner} beat {beaten} in {rounds}, {fight.left} left"


def _produced(dish: Dish, event: ev.Produced) -> Notes:
    return [
        Note("produced", TEAM + team, 0, f"{points / MILLI:g} points")
        for team, points in enumerate(event.production, 1)
        if points
    ]


def _place(dish: Dish, cell: int) -> str:
    x, y = grid_of(dish.side).xy(cell)
    return f"{x}, {y}"


_NOTES: dict[type, Callable[[Dish, Any], Notes]] = {
    ev.Settled: _settled,
    ev.Placed: _placed,
    ev.Grown: _grown,
    ev.Rose: _evolved,
    ev.Skipped: _skipped,
    ev.OrdersLost: lambda dish, event: (Note("lost", TEAM + event.team, 0, event.reason),),
    ev.Selected: lambda dish, event: (Note("selected", TEAM + event.team, 0, event.special),),
    ev.SpecialUsed: _used,
    ev.Cleared: _cleared,
    ev.Fought: _fought,
    ev.Died: _died,
    ev.Reduced: _reduced,
    ev.Produced: _produced,
    ev.WentOut: lambda dish, event: (Note("out", TEAM + event.team),),
}
