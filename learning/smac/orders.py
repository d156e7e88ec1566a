"""The engine's orders as rows of numbers, and back; layout.py says what is where."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.games.smac.orders import Evolve, Order, Orders, Place, Placement, Use
from engine.games.smac.pieces import Special
from engine.games.smac.settings import Characteristic
from learning.smac.layout import (
    FIRST,
    FIRST_ORDER,
    LOST,
    NONE,
    PLACE,
    SELECT,
    SPECIALS,
    TARGET,
    Row,
)

CHARACTERISTICS = tuple(Characteristic)
TABLE = tuple(Special)
TEAM_NUMBERS = 100
"""A target names a team by a number below it."""
MOST_BID = 1_000_000


def numbers_of(order: Order | None, side: int, most: int) -> Row:
    """Return an order on a board of this side as a row for so many orders; None: it is lost.

    Raises: ValueError if there are more.
    """
    parts = [] if order is None else _parts_of(order, side)
    if len(parts) > most:
        raise ValueError(f"{len(parts)} orders: there is room for {most}")
    row = np.full(FIRST_ORDER + most, NONE, np.int64)
    row[FIRST_ORDER : FIRST_ORDER + len(parts)] = parts
    if order is None:
        row[FIRST] = LOST
    elif isinstance(order, Placement):
        row[FIRST] = order.bid
    else:
        if order.use is not None:
            row[FIRST] = TABLE.index(order.use.special)
            row[TARGET] = _number_of_target(order.use.target, side)
        if order.select is not None:
            row[SELECT] = TABLE.index(order.select)
    return row


def order_of(numbers: Sequence[int], side: int, *, is_placement: bool) -> Order | None:
    """Return the order of a row; None if it is lost."""
    first, target, select, *rest = (int(number) for number in numbers)
    given = [number for number in rest if number != NONE]
    if first == LOST:
        return None
    if is_placement:
        return Placement(max(0, first), tuple(_xy(number, side) for number in given))
    parts = tuple(
        Place(*_xy(number, side)) if number >= PLACE else Evolve(CHARACTERISTICS[number])
        for number in given
    )
    use = None if first == NONE else Use(TABLE[first], _target_of(target, side))
    return Orders(parts, use, None if select == NONE else TABLE[select])


def check(orders: NDArray[np.integer], side: int, is_placement: NDArray[np.bool_]) -> None:
    """Refuse what is no order; `is_placement` says which matches are in a placement round.

    Raises: ValueError.
    """
    cells = side * side
    first = np.where(is_placement[:, None], MOST_BID, SPECIALS - 1)
    least = np.where(is_placement, PLACE, 0)[:, None, None]
    rest = orders[:, :, FIRST_ORDER:]
    wrong = {
        "a special, or the bid": (orders[:, :, FIRST] < LOST) | (orders[:, :, FIRST] > first),
        "a target": _is_beyond(orders[:, :, TARGET], cells + TEAM_NUMBERS),
        "a special to select": _is_beyond(orders[:, :, SELECT], SPECIALS),
        "an order": _is_beyond(rest, PLACE + cells) | ((rest != NONE) & (rest < least)),
    }
    for what, where in wrong.items():
        if where.any():
            match, team = np.argwhere(where)[0][:2].tolist()
            raise ValueError(
                f"orders of team {team + 1} in match {match}: a number is not {what}; "
                "learning/smac/layout.py says what they mean"
            )


def _is_beyond(numbers: NDArray[np.integer], end: int) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (numbers < NONE) | (numbers >= end)
    return found


def _parts_of(order: Order, side: int) -> list[int]:
    if isinstance(order, Placement):
        return [PLACE + y * side + x for x, y in order.centers]
    return [
        PLACE + part.y * side + part.x
        if isinstance(part, Place)
        else CHARACTERISTICS.index(part.characteristic)
        for part in order.orders
    ]


def _number_of_target(target: tuple[int, int] | int | None, side: int) -> int:
    if target is None:
        return NONE
    if isinstance(target, tuple):
        return target[1] * side + target[0]
    return side * side + target


def _target_of(number: int, side: int) -> tuple[int, int] | int | None:
    if number == NONE:
        return None
    if number >= side * side:
        return number - side * side
    return _xy(PLACE + number, side)


def _xy(number: int, side: int) -> tuple[int, int]:
    y, x = divmod(number - PLACE, side)
    return x, y
