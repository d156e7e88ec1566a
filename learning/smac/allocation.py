"""Sealed orders carried out over arrays (rules 5.1 to 5.4).

Each team's orders are carried out on a copy of what it has, in ACCOUNT; then the teams' passes
decide who was first in empty cells, and the copies become what the teams have.
"""

from engine.games.smac.settings import MILLI
from learning.simulation.compiled import plain_part
from learning.smac.board import column_of, has_any, place_of, row_of, team_at
from learning.smac.chance import OF_ALLOCATION, open_stream
from learning.smac.combat import draw_lots, list_playing
from learning.smac.layout import (
    ACCOUNT,
    AFTER,
    BANK,
    CHARACTERISTICS,
    FIRST,
    FIRST_ORDER,
    HEIGHTS,
    INDEXES,
    JUMP,
    LEVELS,
    LISTED,
    LOST,
    NUMBERS,
    ORDERED,
    OUT_IN,
    OWNER,
    PLACE,
    POINTS,
    RANKS,
    SIDE,
    SINCE,
    STACKING,
    STRIDE,
    TEAMS,
    TURN,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.log import (
    AT_STACKING_LEVEL,
    BANKED,
    BEYOND_REACH,
    INVESTED,
    OF_ORDER,
    ORDERS_LOST,
    PLACED,
    ROSE,
    SECOND_LEVEL,
    SKIPPED,
    TOO_EXPENSIVE,
    put,
    put_skip,
    put_team,
)

OWN_BANK, OWN_LISTED, OWN_CARRIED_OUT, OWN_POINTS, OWN_LEVELS = 0, 1, 2, 3, 10
OWN_SIZE = 17
"""What an account has of a team: OWN_LISTED counts the places it placed in."""


@plain_part
def account_at(team: int) -> int:
    """Return where the account of a team begins in ACCOUNT."""
    return (team - 1) * OWN_SIZE


@plain_part
def allocate(s: Row, m: Row, g: Cells, w: Work, orders: Row, log: Log) -> None:
    """Carry out the orders of all teams; `orders` has a row for each team."""
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN] == 0:
            open_account(m, w, team)
            if orders[team - 1, FIRST] == LOST:
                put_team(log, ORDERS_LOST, team)
            else:
                carry_out_all(s, m, g, w, team, orders[team - 1], log)
    claim_all(s, m, g, w)
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN] == 0:
            settle_account(m, g, w, team, log)


@plain_part
def open_account(m: Row, w: Work, team: int) -> None:
    at, own = team_at(team), account_at(team)
    w[ACCOUNT, own + OWN_BANK] = m[at + BANK]
    w[ACCOUNT, own + OWN_LISTED] = 0
    w[ACCOUNT, own + OWN_CARRIED_OUT] = 0
    for i in range(CHARACTERISTICS):
        w[ACCOUNT, own + OWN_POINTS + i] = m[at + POINTS + i]
        w[ACCOUNT, own + OWN_LEVELS + i] = m[at + LEVELS + i]


@plain_part
def carry_out_all(s: Row, m: Row, g: Cells, w: Work, team: int, orders: Row, log: Log) -> None:
    """Carry out all legal orders of a team in turn; others are skipped, free of charge."""
    for i in range(FIRST_ORDER, len(orders)):
        order = orders[i]
        if order >= PLACE:
            place(s, g, w, team, order, log)
        elif order >= 0:
            evolve(m, w, team, order, log)


@plain_part
def place(s: Row, g: Cells, w: Work, team: int, order: int, log: Log) -> None:
    """Raise the stack of a cell, or begin one, if that is legal (rules 5.3)."""
    own, account, where = account_at(team), w[ACCOUNT], place_of(s, order - PLACE)
    jump = account[own + OWN_LEVELS + JUMP]
    distance = distance_to_stack(s, g, team, where, jump)
    if distance < 0:
        put_skip(log, team, OF_ORDER, order, BEYOND_REACH, jump, 0)
        return
    height = g[HEIGHTS + team, where] + w[AFTER + team, where]
    if height >= account[own + OWN_LEVELS + STACKING]:
        put_skip(log, team, OF_ORDER, order, AT_STACKING_LEVEL, height, 0)
        return
    cost, bank = 1 + distance, account[own + OWN_BANK]
    if bank < cost * MILLI:
        put_skip(log, team, OF_ORDER, order, TOO_EXPENSIVE, cost, bank)
        return
    account[own + OWN_BANK] -= cost * MILLI
    if w[INDEXES + team, where] == 0:
        listed = account[own + OWN_LISTED]
        w[LISTED + team, listed] = where
        w[NUMBERS + team, listed] = account[own + OWN_CARRIED_OUT]
        account[own + OWN_LISTED] += 1
        w[INDEXES + team, where] = listed + 1
    w[AFTER + team, where] += 1
    account[own + OWN_CARRIED_OUT] += 1


@plain_part
def evolve(m: Row, w: Work, team: int, order: int, log: Log) -> None:
    """Put a point into a characteristic, if that is legal (rules 4.2)."""
    own, account = account_at(team), w[ACCOUNT]
    before = m[team_at(team) + LEVELS + order]
    points = account[own + OWN_POINTS + order] + 1
    if points >= (before + 2) * (before + 2):
        put_skip(log, team, OF_ORDER, order, SECOND_LEVEL, before, 0)
        return
    bank = account[own + OWN_BANK]
    if bank < MILLI:
        put_skip(log, team, OF_ORDER, order, TOO_EXPENSIVE, 1, bank)
        return
    account[own + OWN_BANK] -= MILLI
    account[own + OWN_POINTS + order] = points
    level = account[own + OWN_LEVELS + order] + 1
    if points >= level * level:
        account[own + OWN_LEVELS + order] = level
    account[own + OWN_CARRIED_OUT] += 1


@plain_part
def distance_to_stack(s: Row, g: Cells, team: int, where: int, most: int) -> int:
    """Return the distance to the team's nearest stack at the start of the turn; -1: too far."""
    if g[HEIGHTS + team, where]:
        return 0
    x, y, side, stride = column_of(s, where), row_of(s, where), s[SIDE], s[STRIDE]
    for distance in range(1, most + 1):
        left, right = max(1, x - distance), min(side, x + distance)
        for row in range(max(1, y - distance), min(side, y + distance) + 1):
            # Whole rows at both ends, and between them both columns.
            step = 1 if abs(row - y) == distance else 2 * distance
            first = left if step == 1 or left == x - distance else right
            for column in range(first, right + 1, step):
                is_at_distance = step == 1 or abs(column - x) == distance
                if is_at_distance and g[HEIGHTS + team, row * stride + column]:
                    return distance
    return -1


@plain_part
def claim_all(s: Row, m: Row, g: Cells, w: Work) -> None:
    """Mark in NUMBERS whose the empty cells are that teams placed in: of the first (rules 2.4).

    A number becomes -1 where the team owns the cell by that.
    """
    passes = 0
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN]:
            continue
        for listed in range(w[ACCOUNT, account_at(team) + OWN_LISTED]):
            where = w[LISTED + team, listed]
            if has_any(s, g, where) or is_contended_before(w, team, where):
                continue
            first = team
            for other in range(team + 1, s[TEAMS] + 1):
                index = w[INDEXES + other, where]
                if index == 0:
                    continue
                number = w[NUMBERS + other, index - 1]
                best = w[NUMBERS + first, w[INDEXES + first, where] - 1]
                passes = draw_passes(s, m, w, passes, max(number, best))
                if number < best or (
                    number == best and w[RANKS + other, number] < w[RANKS + first, number]
                ):
                    first = other
            w[NUMBERS + first, w[INDEXES + first, where] - 1] = -1


@plain_part
def is_contended_before(w: Work, team: int, where: int) -> bool:
    """Return whether a team with a lower number placed there: it was decided with that one."""
    other = 1
    while other < team and w[INDEXES + other, where] == 0:
        other += 1
    return other < team


@plain_part
def draw_passes(s: Row, m: Row, w: Work, passes: int, last: int) -> int:
    """Draw the order of the teams in all passes up to one; return how many passes are drawn."""
    if passes == 0:
        open_stream(m, w, OF_ALLOCATION, m[TURN], 0)
    while passes <= last:
        count = list_playing(s, m, w)
        draw_lots(w, count)
        for i in range(count):
            w[RANKS + w[ORDERED, i], passes] = i
        passes += 1
    return passes


@plain_part
def settle_account(m: Row, g: Cells, w: Work, team: int, log: Log) -> None:
    """Let a team have what its account has; only sums are told (rules 7.2)."""
    at, own = team_at(team), account_at(team)
    put_team(log, SKIPPED, team)
    take_numbers(m, w, at + POINTS, own + OWN_POINTS, INVESTED, team, log)
    take_numbers(m, w, at + LEVELS, own + OWN_LEVELS, ROSE, team, log)
    count = w[ACCOUNT, own + OWN_LISTED]
    if count:
        put_team(log, PLACED, team)
        put(log, count)
    for listed in range(count):
        where, is_claimed = w[LISTED + team, listed], w[NUMBERS + team, listed] < 0
        g[HEIGHTS + team, where] += w[AFTER + team, where]
        w[AFTER + team, where] = w[INDEXES + team, where] = 0
        if is_claimed:
            g[OWNER, where] = team
            g[SINCE, where] = m[TURN]
        put(log, where)
        put(log, g[HEIGHTS + team, where])
        put(log, int(is_claimed))
    if m[at + BANK] != w[ACCOUNT, own + OWN_BANK]:
        m[at + BANK] = w[ACCOUNT, own + OWN_BANK]
        put_team(log, BANKED, team)
        put(log, m[at + BANK])


@plain_part
def take_numbers(m: Row, w: Work, at: int, own: int, what: int, team: int, log: Log) -> None:
    """Copy the numbers of all characteristics; `what` happened if any is another one."""
    is_other = False
    for i in range(CHARACTERISTICS):
        if m[at + i] != w[ACCOUNT, own + i]:
            m[at + i] = w[ACCOUNT, own + i]
            is_other = True
    if is_other:
        put_team(log, what, team)
        for i in range(CHARACTERISTICS):
            put(log, m[at + i])
