"""The dish before anybody settles, and the two placement rounds, over arrays (rules 2.3, 3)."""

from engine.games.smac.settings import MILLI
from engine.games.smac.setup import CENTERS_PER_TEAM, FULL_TERRAIN_DRAWS
from engine.games.smac.terrain import ACID, BARE, BASE, CENTER, DIP, HILL, SUGAR
from learning.simulation.compiled import plain_part
from learning.smac.board import distance_between, find_block, is_inner, place_of, team_at
from learning.smac.chance import OF_PLACEMENT, OF_TERRAIN, draw_below, open_stream
from learning.smac.combat import draw_lots
from learning.smac.layout import (
    BANK,
    BARRED,
    BARRED_COLUMNS,
    BIDS,
    CENTER_1,
    CENTER_DISTANCE,
    CENTERS,
    CHARACTERISTICS,
    FIRST,
    FIRST_ORDER,
    FOUND,
    HEIGHTS,
    INITIATIVE,
    LEVELS,
    LOST,
    ORDERED,
    OWNER,
    PLACE,
    PLACED_AT,
    PLACED_FIRST,
    PLACES,
    POINTS,
    SIDE,
    SINCE,
    START_LEVELS,
    START_POINTS,
    STRIDE,
    SYMMETRIC,
    TAKEN,
    TEAMS,
    TERRAIN,
    TERRAIN_PCT,
    TURN,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.log import (
    AMONG_OTHERS,
    BID,
    CAN,
    ENDOWED,
    NOT_ON_BOARD,
    OF_BID,
    OF_CENTER,
    ON_TERRAIN,
    ORDERS_LOST,
    PLACEMENT_ORDERED,
    SETTLED,
    SKIPPED,
    TERRAIN_LAID,
    TOO_HIGH_A_BID,
    TOO_NEAR,
    put,
    put_found,
    put_skip,
    put_team,
)


@plain_part
def set_up(s: Row, m: Row, g: Cells, w: Work, log: Log) -> None:
    """Lay out the terrain, and give each team its points."""
    draw_terrain(s, m, g, w)
    count = 0
    for place in range(s[PLACES]):
        if g[TERRAIN, place]:
            w[FOUND, count] = place
            count += 1
    put(log, TERRAIN_LAID)
    put_found(log, w, count)
    for i in range(count):
        put(log, g[TERRAIN, w[FOUND, i]])
    for team in range(1, s[TEAMS] + 1):
        at = team_at(team)
        m[at + BANK] = s[START_POINTS] * MILLI
        put_team(log, ENDOWED, team)
        put(log, m[at + BANK])
        for i in range(CHARACTERISTICS):
            points, level = s[START_LEVELS + i], 0
            while (level + 1) * (level + 1) <= points:
                level += 1
            m[at + POINTS + i] = points
            m[at + LEVELS + i] = level
            put(log, points)


@plain_part
def draw_terrain(s: Row, m: Row, g: Cells, w: Work) -> None:
    """Draw boards until one has room for all teams (rules 2.3)."""
    open_stream(m, w, OF_TERRAIN, 0, 0)
    boards, size = 0, s[SIDE] * s[SIDE]
    while True:
        percent = max(0, s[TERRAIN_PCT] - max(0, boards - FULL_TERRAIN_DRAWS))
        for place in range(s[PLACES]):
            g[TERRAIN, place] = 0
        for cell in range((size + 1) // 2 if s[SYMMETRIC] else size):
            if draw_below(w, 100) < percent:
                terrain = draw_cell(w)
                g[TERRAIN, place_of(s, cell)] = terrain
                if s[SYMMETRIC]:
                    g[TERRAIN, place_of(s, size - 1 - cell)] = terrain
        if find_free_centers(s, m, g, w, 0) >= CENTERS_PER_TEAM * s[TEAMS]:
            return
        boards += 1


@plain_part
def draw_cell(w: Work) -> int:
    """Draw each trait from -, nothing, nothing, +, until a cell has one at least (rules 2.3)."""
    while True:
        terrain = draw_trait(w, BARE, SUGAR)
        terrain += draw_trait(w, DIP, HILL)
        terrain += draw_trait(w, ACID, BASE)
        if terrain:
            return terrain


@plain_part
def draw_trait(w: Work, minus: int, plus: int) -> int:
    drawn = draw_below(w, 4)
    if drawn == 0:
        return minus
    return plus if drawn == 3 else 0


@plain_part
def is_among_others(s: Row, g: Cells, w: Work, team: int, place: int) -> bool:
    """Return whether another team is in the 3 x 3 cells of a place, or will be after the round."""
    for row in range(place - s[STRIDE], place + s[STRIDE] + 1, s[STRIDE]):
        for other in range(row - 1, row + 2):
            if w[TAKEN, other]:
                return True
            for enemy in range(1, s[TEAMS] + 1):
                if enemy != team and g[HEIGHTS + enemy, other]:
                    return True
    return False


@plain_part
def why_not_center(s: Row, m: Row, g: Cells, w: Work, team: int, place: int) -> int:
    """Return why a team's cluster cannot stand there (rules 3.2, 3.4).

    TAKEN has the places that others got in this round.
    """
    if not is_inner(s, place):
        return NOT_ON_BOARD
    for row in range(place - s[STRIDE], place + s[STRIDE] + 1, s[STRIDE]):
        for other in range(row - 1, row + 2):
            if g[TERRAIN, other]:
                return ON_TERRAIN
    if is_among_others(s, g, w, team, place):
        return AMONG_OTHERS
    if m[team_at(team) + CENTERS]:
        distance = distance_between(s, place, m[team_at(team) + CENTER_1])
        if distance < s[CENTER_DISTANCE]:
            return TOO_NEAR
    return CAN


@plain_part
def find_free_centers(s: Row, m: Row, g: Cells, w: Work, team: int) -> int:
    """Find all places for which `why_not_center` returns CAN, computed at once."""
    stride, count = s[STRIDE], 0
    for place in range(s[PLACES]):
        barred = int(g[TERRAIN, place]) | w[TAKEN, place]
        for enemy in range(1, s[TEAMS] + 1):
            if enemy != team:
                barred |= int(g[HEIGHTS + enemy, place])
        w[BARRED, place] = barred
    for place in range(stride, s[PLACES] - stride):
        above, below = w[BARRED, place - stride], w[BARRED, place + stride]
        w[BARRED_COLUMNS, place] = above | w[BARRED, place] | below
    first = m[team_at(team) + CENTER_1] if team and m[team_at(team) + CENTERS] else 0
    for y in range(2, s[SIDE]):
        for place in range(y * stride + 2, y * stride + s[SIDE]):
            columns = w[BARRED_COLUMNS, place - 1] | w[BARRED_COLUMNS, place]
            if columns | w[BARRED_COLUMNS, place + 1]:
                continue
            if first == 0 or distance_between(s, place, first) >= s[CENTER_DISTANCE]:
                w[FOUND, count] = place
                count += 1
    return count


@plain_part
def place_centers(s: Row, m: Row, g: Cells, w: Work, orders: Row, number: int, log: Log) -> None:
    """Play placement round `number` (rules 3.1 to 3.4).

    All results are computed first and told by team number: see the engine's `place_centers`.
    """
    bids = w[BIDS]
    for team in range(1, s[TEAMS] + 1):
        bid = orders[team - 1, FIRST]
        if bid == LOST:
            put_team(log, ORDERS_LOST, team)
        if bid < 0:
            bid = 0
        bank = m[team_at(team) + BANK]
        if bid * MILLI > bank:
            put_skip(log, team, OF_BID, bid, TOO_HIGH_A_BID, bank, 0)
            bid = 0
        bids[team] = bid
    order_teams(s, m, w, number)
    take_centers(s, m, g, w, orders, number, log)
    put(log, PLACEMENT_ORDERED)
    for i in range(s[TEAMS]):
        put(log, m[PLACED_FIRST + i])
    for team in range(1, s[TEAMS] + 1):
        m[team_at(team) + BANK] -= bids[team] * MILLI
        put_team(log, SKIPPED, team)
        put_team(log, BID, team)
        put(log, bids[team])
        put(log, m[team_at(team) + BANK])
    for team in range(1, s[TEAMS] + 1):
        settle(s, m, g, w, team, int(w[PLACED_AT, team]), log)


@plain_part
def order_teams(s: Row, m: Row, w: Work, number: int) -> None:
    """Order the teams by bid, equal ones by lot (rules 3.1), in round 2 reversed (rules 3.4)."""
    teams = s[TEAMS]
    if number == 1:
        for team in range(1, teams + 1):
            w[ORDERED, team - 1] = team
            w[INITIATIVE, team - 1] = w[BIDS, team]
        open_stream(m, w, OF_PLACEMENT, number, 0)
        draw_lots(w, teams)
    else:
        for i in range(teams):
            team = m[PLACED_FIRST + teams - 1 - i]
            at = i
            while at > 0 and w[BIDS, w[ORDERED, at - 1]] < w[BIDS, team]:
                w[ORDERED, at] = w[ORDERED, at - 1]
                at -= 1
            w[ORDERED, at] = team
    for i in range(teams):
        m[PLACED_FIRST + i] = w[ORDERED, i]


@plain_part
def take_centers(s: Row, m: Row, g: Cells, w: Work, orders: Row, number: int, log: Log) -> None:
    """Find the center of each team, 0 where nothing is free (rules 3.1), into PLACED_AT."""
    for place in range(s[PLACES]):
        w[TAKEN, place] = 0
    for i in range(s[TEAMS]):
        team = int(m[PLACED_FIRST + i])
        center = first_free(s, m, g, w, team, orders[team - 1], log)
        if center == 0:
            free = find_free_centers(s, m, g, w, team)
            if free:
                open_stream(m, w, OF_PLACEMENT, number, team)
                center = int(w[FOUND, draw_below(w, free)])
        w[PLACED_AT, team] = center
        if center:
            for part_of_it in range(find_block(s, w, center, 1)):
                w[TAKEN, w[FOUND, part_of_it]] = 1


@plain_part
def first_free(s: Row, m: Row, g: Cells, w: Work, team: int, orders: Row, log: Log) -> int:
    """Return the first of a team's centers that is free; 0 if none is."""
    if orders[FIRST] == LOST:
        return 0
    for i in range(FIRST_ORDER, len(orders)):
        if orders[i] < PLACE:
            continue
        place = place_of(s, orders[i] - PLACE)
        reason = why_not_center(s, m, g, w, team, place)
        if reason == CAN:
            return place
        distance = 0
        if reason == TOO_NEAR:
            distance = distance_between(s, place, m[team_at(team) + CENTER_1])
        put_skip(log, team, OF_CENTER, orders[i], reason, distance, s[CENTER_DISTANCE])
    return 0


@plain_part
def settle(s: Row, m: Row, g: Cells, w: Work, team: int, center: int, log: Log) -> None:
    """Give a team a center, and the cells around it a stack of 1 (rules 3.3)."""
    put_team(log, SETTLED, team)
    put(log, center)
    if center == 0:
        return
    at = team_at(team)
    m[at + CENTER_1 + m[at + CENTERS]] = center
    m[at + CENTERS] += 1
    g[TERRAIN, center] = CENTER
    for i in range(find_block(s, w, center, 1)):
        place = w[FOUND, i]
        g[HEIGHTS + team, place] = 1
        g[OWNER, place] = team
        g[SINCE, place] = m[TURN]
