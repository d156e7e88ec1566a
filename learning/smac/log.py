"""What happens in a match of numbers, written down as numbers; reader.py reads them as events.

Each event is its number here and then its own numbers, as `Reader` takes them.
"""

import numpy as np

from learning.simulation.compiled import plain_part
from learning.smac.layout import (
    FIRST_ORDER,
    FOUND,
    HEIGHTS,
    MOST_ORDERS,
    PLACES,
    TEAMS,
    Cells,
    Log,
    Row,
    Work,
)

(
    STAGE,
    TERRAIN_LAID,
    ENDOWED,
    BID,
    PLACEMENT_ORDERED,
    SETTLED,
    SKIP,
    SKIPPED,
    ORDERS_LOST,
    BANKED,
    INVESTED,
    ROSE,
    PLACED,
    GROWN,
    SELECTED,
    SPECIAL_USED,
    CLEARED,
    FOUGHT,
    CLAIMED,
    DIED,
    REDUCED,
    PRODUCED,
    WENT_OUT,
    END,
) = range(24)
"""SKIP is a part of the event that SKIPPED is."""
(
    AT_PLACEMENT_1,
    AT_PLACEMENT_2,
    AT_ORDERS,
    AT_ALLOCATION,
    AT_GROWTH,
    AT_SPECIALS,
    AT_COMBAT,
    AT_DEATH,
    AT_REDUCTION,
    AT_PRODUCTION,
    AT_VICTORY,
) = range(11)
"""The stages, in the order of a match."""
OF_ORDER, OF_CENTER, OF_USE, OF_SELECT, OF_BID = range(5)
"""What is skipped."""
(
    BEYOND_REACH,
    AT_STACKING_LEVEL,
    TOO_EXPENSIVE,
    SECOND_LEVEL,
    TOO_HIGH_A_BID,
    NOT_ON_BOARD,
    ON_TERRAIN,
    AMONG_OTHERS,
    TOO_NEAR,
    NOT_SELECTED,
    NOT_ARMED,
    NOT_ONESELF,
    NOT_ANOTHER,
    NO_SQUARE,
    NO_BLOCK,
    TOO_EARLY,
    USED_BEFORE,
    ONE_PER_GAME,
) = range(18)
"""Why it is skipped."""
CAN = -1
"""It is not skipped."""


@plain_part
def put(log: Log, number: int) -> None:
    """Write a number into a log, if it has room for any."""
    if log.shape[0] > 1:
        log[0] += 1
        log[log[0]] = number


@plain_part
def put_team(log: Log, what: int, team: int) -> None:
    """Write an event, or the beginning of one, of a team."""
    put(log, what)
    put(log, team)


@plain_part
def put_stage(log: Log, turn: int, stage: int) -> None:
    put(log, STAGE)
    put(log, turn)
    put(log, stage)


@plain_part
def put_found(log: Log, w: Work, count: int) -> None:
    """Write how many places were found, and these."""
    if log.shape[0] > 1:
        put(log, count)
        for i in range(count):
            put(log, w[FOUND, i])


@plain_part
def put_heights(log: Log, what: int, g: Cells, w: Work, team: int, count: int) -> None:
    """Write that a team's stacks in the places that were found have other heights now."""
    if log.shape[0] > 1:
        put_team(log, what, team)
        put_found(log, w, count)
        for i in range(count):
            put(log, g[HEIGHTS + team, w[FOUND, i]])


@plain_part
def put_skip(log: Log, team: int, kind: int, order: int, reason: int, a: int, b: int) -> None:
    """Write that a part of a team's orders is skipped, and why."""
    if log.shape[0] > 1:
        put_team(log, SKIP, team)
        put(log, kind)
        put(log, order)
        put(log, reason)
        put(log, a)
        put(log, b)


def new_log(s: Row | None = None) -> Log:
    """Return a log with room for all that one decision leads to; without settings for nothing."""
    if s is None:
        return np.zeros(1, np.int64)
    teams, places = int(s[TEAMS]), int(s[PLACES])
    in_cells = places * (12 * teams + 16)
    in_orders = teams * (MOST_ORDERS + FIRST_ORDER + 8) * 10
    return np.zeros(256 + in_cells + in_orders, np.int64)
