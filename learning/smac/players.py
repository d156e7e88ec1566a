"""Who decides for a team: whoever gives orders from outside, or a compiled player."""

from enum import IntEnum

from engine.games.smac.settings import MILLI
from learning.simulation.compiled import kernel, plain_part
from learning.simulation.dice import roll
from learning.smac.board import column_of, layers_of, row_of, team_at
from learning.smac.layout import (
    BANK,
    BLIGHT,
    CHARACTERISTICS,
    ENDED,
    FIRST,
    FIRST_ORDER,
    FOUND,
    HEIGHTS,
    JUMP,
    LEVELS,
    NONE,
    ORDERS,
    OUT_IN,
    PLACE,
    PLACES,
    RUNNING,
    SELECT,
    SELECTED,
    SHELL,
    SIDE,
    SPECIALS,
    SPECIALS_FROM,
    STACKING,
    STAGE,
    TARGET,
    TEAMS,
    TURN,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.rules import new_work, play


class Player(IntEnum):
    """Who decides for a team."""

    OUTSIDE = -1
    """The orders are given."""
    RANDOM = 0
    """Spends its bank on random points and stacks within reach, and uses specials at random."""


@kernel
def advance(
    s: Row, rows: Row, orders: Row, players: Row, chance: Row, decisions: int, log: Log
) -> int:
    """Play decisions of each match, so many or up to its end; return how many were played.

    `orders` has rows for the teams of each match: those of compiled players are overwritten.
    `players` has who decides for each team of each match, and `chance` a number for each match.
    """
    w, played = new_work(s, orders.shape[2]), 0
    for number in range(len(rows)):
        m = rows[number]
        g = layers_of(s, m)
        for _ in range(decisions):
            if m[ENDED] != RUNNING:
                break
            decide_all(s, m, g, w, orders[number], players[number], chance[number])
            play(s, m, g, w, orders[number], log)
            played += 1
    return played


@kernel
def orders_of_players(s: Row, rows: Row, orders: Row, players: Row, chance: Row) -> None:
    """Write the orders of compiled players for the next decision of each match."""
    w = new_work(s, orders.shape[2])
    for number in range(len(rows)):
        m = rows[number]
        if m[ENDED] == RUNNING:
            g = layers_of(s, m)
            decide_all(s, m, g, w, orders[number], players[number], chance[number])


@plain_part
def decide_all(s: Row, m: Row, g: Cells, w: Work, orders: Row, players: Row, chance: Row) -> None:
    """Write the orders of the compiled players of a match."""
    for team in range(1, s[TEAMS] + 1):
        if players[team - 1] >= 0 and m[team_at(team) + OUT_IN] == 0:
            orders[team - 1, :] = NONE
            if m[STAGE] == ORDERS:
                decide(s, m, g, w, team, orders[team - 1], chance)
            else:
                orders[team - 1, FIRST] = roll(chance, 4)


@plain_part
def decide(s: Row, m: Row, g: Cells, w: Work, team: int, orders: Row, chance: Row) -> None:
    """Write random orders of a team for a turn."""
    at, stacks, heights = team_at(team), 0, g[HEIGHTS + team]
    for place in range(s[PLACES]):
        if heights[place]:
            w[FOUND, stacks] = place
            stacks += 1
    bank, written = int(m[at + BANK]) // MILLI, FIRST_ORDER
    jump, side = int(m[at + LEVELS + JUMP]), int(s[SIDE])
    for _ in range(len(orders) - FIRST_ORDER):
        if bank < 1 or stacks == 0:
            break
        if roll(chance, 4) == 0:
            orders[written] = roll(chance, CHARACTERISTICS)
            written += 1
            bank -= 1
            continue
        place = w[FOUND, roll(chance, stacks)]
        x = column_of(s, place) + roll(chance, 2 * jump + 1) - jump
        y = row_of(s, place) + roll(chance, 2 * jump + 1) - jump
        if x < 1 or y < 1 or x > side or y > side:
            continue
        height = heights[y * (side + 2) + x]
        cost = 1 if height else 2
        if height < m[at + LEVELS + STACKING] and cost <= bank:
            orders[written] = PLACE + (y - 1) * side + x - 1
            written += 1
            bank -= cost
    decide_special(s, m, team, orders, chance)


@plain_part
def decide_special(s: Row, m: Row, team: int, orders: Row, chance: Row) -> None:
    """Use the special that is selected, on any target, or select one now and then."""
    at, cells = team_at(team), int(s[SIDE] * s[SIDE])
    if m[at + SELECTED]:
        special = int(m[at + SELECTED]) - 1
        orders[FIRST] = special
        if special == BLIGHT:
            orders[TARGET] = cells + 1 + roll(chance, s[TEAMS])
        elif special != SHELL:
            orders[TARGET] = roll(chance, cells)
    elif m[TURN] >= s[SPECIALS_FROM] and roll(chance, 4) == 0:
        orders[SELECT] = roll(chance, SPECIALS)
