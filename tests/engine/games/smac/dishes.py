"""Dishes drawn as text, and ways to play a stage on them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.fault import Fault
from engine.game import Event, Stage
from engine.games.smac import events as ev
from engine.games.smac.orders import ORDERS, Order, Orders, parse
from engine.games.smac.rules import TeamOrders
from engine.games.smac.settings import MILLI, Characteristics, Settings
from engine.games.smac.state import Dish, new_dish
from engine.streams import Streams
from tests.engine.advancing import advance

TeamStage = Callable[[Dish, TeamOrders, Streams], Iterator[Event]]
TOKEN = re.compile(r"([A-Fa-f])(\d+)")


def a_dish(
    picture: str = "",
    *,
    terrain: Mapping[tuple[int, int], int] | None = None,
    levels: Mapping[int, Characteristics] | None = None,
    points: int = 20,
    teams: int = 2,
    turn: int = 1,
    side: int = 12,
    **settings: Any,
) -> Dish:
    """A dish at the time of orders; what the picture leaves out is empty.

    A row per line, a word per cell: `.` or stacks such as `A2` (of team 1, which owns the cell),
    `b1` (of team 2, which does not), `A1b2` for both.
    """
    dish = new_dish(Settings(side=side, **settings), teams)
    for team in range(1, teams + 1):
        own = (levels or {}).get(team, dish.team(team).levels)
        put_in = Characteristics(*(level * level for level in own))
        dish.apply(ev.Endowed(team, points * MILLI, put_in))
        dish.apply(ev.Rose(team, own))
    for y, row in enumerate(picture.strip().splitlines() if picture.strip() else []):
        for x, word in enumerate(row.split()):
            _fill(dish, y * dish.side + x, word)
    for (x, y), flags in (terrain or {}).items():
        dish.terrain[y * dish.side + x] = flags
    dish.turn, dish.stage = turn, ORDERS
    return dish


def _fill(dish: Dish, cell: int, word: str) -> None:
    for letter, height in TOKEN.findall(word):
        team = "ABCDEF".index(letter.upper()) + 1
        dish.layer(team)[cell] = int(height)
        if letter.isupper():
            dish.owners[cell] = team


def block(dish: Dish, team: int, x: int, y: int, radius: int = 1, height: int = 1) -> Dish:
    """Add a square of a team's stacks around a cell, and return the dish."""
    for row in range(y - radius, y + radius + 1):
        for column in range(x - radius, x + radius + 1):
            dish.layer(team)[row * dish.side + column] = height
            dish.owners[row * dish.side + column] = team
    return dish


def run(
    dish: Dish, stage: TeamStage, given: Mapping[int, Order | Fault] | None = None, seed: int = 1
) -> list[Any]:
    """Play one stage of the turn alone."""
    return advance(dish, stage(dish, given or {}, Streams(seed)))


def orders(dish: Dish, *lines: Sequence[Any], **parts: Any) -> Orders:
    """Return parsed orders: `orders(dish, ["place", 3, 4], ["evolve", "jump"], select="NUKE")`."""
    order = parse(dish, {"orders": list(lines), **parts})
    assert isinstance(order, Orders)
    return order


def begin_turn(dish: Dish, turn: int) -> None:
    dish.apply(Stage(turn, ORDERS))


def heights(dish: Dish, team: int) -> dict[tuple[int, int], int]:
    """Return a team's raw heights, by cell."""
    side = dish.side
    return {(c % side, c // side): h for c, h in enumerate(dish.layer(team)) if h}


def owned_cells(dish: Dish, team: int) -> set[tuple[int, int]]:
    side = dish.side
    return {(c % side, c // side) for c, owner in enumerate(dish.owners) if owner == team}


def of_type(events: Sequence[Any], kind: type) -> list[Any]:
    return [event for event in events if type(event) is kind]
