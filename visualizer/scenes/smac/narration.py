"""The annotations of SMAC's events."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.game import Event
from engine.games.smac import events as ev
from engine.games.smac.grid import make_grid
from engine.games.smac.orders import Order, Orders
from engine.games.smac.pieces import Fight
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish
from visualizer.scene import Annotation, EventStyle, Mark, pluralize
from visualizer.scenes.smac.themes import CELL, LAYER, RIVALS, STACK, TEAM

Annotations = Sequence[Annotation]

EVENT_STYLES = {
    "bid": EventStyle("bid {words}"),
    "settled": EventStyle(
        "settled around {words}", None, "", 20, "{team} settles around {words}",
        "{team} settles around {n} centers",
    ),
    "stranded": EventStyle("found no room for a center"),
    "centered": EventStyle("became a center of {words}", Mark.BIRTH),
    "founded": EventStyle("was settled by {words}"),
    "placed": EventStyle("was placed in: {words}"),
    "grew": EventStyle("grew: {words}"),
    "evolved": EventStyle("evolved: {words}", None, "", 12, "{team} evolves ({words})"),
    "skipped": EventStyle("had orders skipped: {words}", weight=-1),
    "lost": EventStyle(
        "gave no orders: {words}", Mark.FAULT, "faults", 45, "{team} gave no orders: {words}"
    ),
    "selected": EventStyle("selected {words}"),
    "used": EventStyle(
        "used {words}", None, "specials", 50, "{team} uses {words}", sign=Mark.SPECIAL
    ),
    "struck": EventStyle("was affected by {words}", Mark.SPECIAL),
    "cleared": EventStyle("was wiped out at {place}", Mark.SPECIAL),
    "fought": EventStyle(
        "was fought over: {words}", Mark.CONTEST, "combats", 8, "a cell is fought over: {words}",
        "{n} cells are fought over",
    ),
    "died": EventStyle(
        "died at {place} without support", Mark.DEATH, "deaths", 9,
        "a stack of {team} dies without support", "{n} stacks of {team} die without support",
    ),
    "claimed": EventStyle("was taken by {words}"),
    "sank": EventStyle("was too high for its neighbors, and lowered: {words}"),
    "produced": EventStyle("produced {words}"),
    "out": EventStyle(
        "was eliminated: no stack remaining", None, "eliminations", 90,
        "{team} is eliminated: it has no stack left", sign=Mark.END),
}  # fmt: skip


def order_text(order: Order) -> str:
    if isinstance(order, Orders):
        parts = [pluralize(len(order.orders), "order")]
        parts += [f"use {order.use.special}"] if order.use else []
        parts += [f"select {order.select}"] if order.select else []
        return ", ".join(parts)
    return f"bid {order.bid}, {pluralize(len(order.centers), 'center')}"


def _annotate_settlement(dish: Dish, event: ev.Settled) -> Annotations:
    if event.center is None:
        return (Annotation("stranded", TEAM + event.team),)
    own = Annotation("settled", TEAM + event.team, 0, _place(dish, event.center))
    center = Annotation("centered", CELL + event.center, 0, f"team {event.team}")
    return own, center, *_annotate_by_team("founded", event)


def _annotate_heights(what: str, event: ev.Placed | ev.Grown | ev.Reduced) -> Annotations:
    return [
        Annotation(what, CELL + cell, 0, f"team {event.team}, height {height}")
        for cell, height in zip(event.cells, event.heights, strict=True)
    ]


def _annotate_by_team(what: str, event: ev.Settled | ev.Claimed) -> Annotations:
    return [Annotation(what, CELL + cell, 0, f"team {event.team}") for cell in event.cells]


def _annotate_evolution(dish: Dish, event: ev.Rose) -> Annotations:
    before = dish.team(event.team).levels
    risen = [
        f"{name} {level}"
        for name, level, was in zip(Characteristics._fields, event.levels, before, strict=True)
        if level != was
    ]
    return (Annotation("evolved", TEAM + event.team, 0, ", ".join(risen)),)


def _annotate_skipped_orders(dish: Dish, event: ev.Skipped) -> Annotations:
    first, *others = event.skips
    more = len(others) + event.more
    text = f"{first.order}: {first.reason}" + (f"; and {more} more" if more else "")
    return (Annotation("skipped", TEAM + event.team, 0, text),)


def _annotate_special(dish: Dish, event: ev.SpecialUsed) -> Annotations:
    aim = ""
    if event.square is not None:
        aim = f" at {_place(dish, event.square)}"
    elif event.target not in (None, event.team):
        aim = f" against team {event.target}"
    own = Annotation("used", TEAM + event.team, 0, f"{event.special}{aim}")
    text = f"{event.special} of team {event.team}"
    return own, *(Annotation("struck", CELL + cell, 0, text) for cell in event.cells)


def _annotate_clearing(dish: Dish, event: ev.Cleared) -> Annotations:
    return [
        Annotation("cleared", _stack_id(dish, cell, team), CELL + cell)
        for cell in event.cells
        for team in dish.stacks_in(cell)
    ]


def _stack_id(dish: Dish, cell: int, team: int) -> int:
    is_alone = len(dish.stacks_in(cell)) == 1
    return STACK + cell if is_alone else RIVALS + (team - 1) * LAYER + cell


def report(fight: Fight) -> str:
    """Return `team 2 (height 3) beat team 1 (height 2, owner) in 4 rounds, 1 remaining`."""
    fighters = {
        team: f"team {team} (height {height}{', owner' if team == fight.owner else ''})"
        for team, height in enumerate(fight.heights, 1)
        if height
    }
    winner = fighters.pop(fight.winner)
    beaten, rounds = " and ".join(fighters.values()), pluralize(fight.rounds, "round")
    return f"{winner} beat {beaten} in {rounds}, {fight.left} remaining"


def _annotate_production(dish: Dish, event: ev.Produced) -> Annotations:
    return [
        Annotation("produced", TEAM + team, 0, f"{points / MILLI:g} points")
        for team, points in enumerate(event.production, 1)
        if points
    ]


def _place(dish: Dish, cell: int) -> str:
    x, y = make_grid(dish.side).xy(cell)
    return f"{x}, {y}"


ANNOTATIONS: dict[type[Event], Callable[[Dish, Any], Annotations]] = {
    ev.Bid: lambda dish, event: (
        (Annotation("bid", TEAM + event.team, 0, pluralize(event.points, "point")),)
        if event.points
        else ()
    ),
    ev.Settled: _annotate_settlement,
    ev.Placed: lambda dish, event: _annotate_heights("placed", event),
    ev.Grown: lambda dish, event: _annotate_heights("grew", event),
    ev.Rose: _annotate_evolution,
    ev.Skipped: _annotate_skipped_orders,
    ev.OrdersLost: lambda dish, event: (Annotation("lost", TEAM + event.team, 0, event.reason),),
    ev.Selected: lambda dish, event: (Annotation("selected", TEAM + event.team, 0, event.special),),
    ev.SpecialUsed: _annotate_special,
    ev.Cleared: _annotate_clearing,
    ev.Fought: lambda dish, event: (
        Annotation("fought", CELL + event.fight.cell, CELL + event.fight.cell, report(event.fight)),
    ),
    ev.Claimed: lambda dish, event: _annotate_by_team("claimed", event),
    ev.Died: lambda dish, event: [
        Annotation("died", _stack_id(dish, cell, event.team), CELL + cell) for cell in event.cells
    ],
    ev.Reduced: lambda dish, event: _annotate_heights("sank", event),
    ev.Produced: _annotate_production,
    ev.WentOut: lambda dish, event: (Annotation("out", TEAM + event.team),),
}
