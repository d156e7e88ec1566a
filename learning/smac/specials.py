"""Specials over arrays: selecting, aiming and using them (rules 8)."""

from engine.games.smac.specials import BLOOM_RADIUS
from engine.games.smac.terrain import BARE, SUGAR
from learning.simulation.compiled import plain_part
from learning.smac.board import (
    find_block,
    find_growth,
    has_any,
    is_inner,
    place_of,
    team_at,
)
from learning.smac.chance import OF_SPECIALS, open_stream
from learning.smac.combat import draw_lots, list_playing
from learning.smac.layout import (
    BLIGHT,
    BLIGHTED_IN,
    BLOOM,
    ENRICH,
    FIRST,
    FOUND,
    HEIGHTS,
    LOST,
    NONE,
    NUKE,
    ONE_SPECIAL,
    ORDERED,
    OUT_IN,
    OWNER,
    SELECT,
    SELECTED_IN,
    SHELL,
    SHELLED_IN,
    SIDE,
    SPECIALS,
    SPECIALS_FROM,
    SPORE,
    TARGET,
    TEAMS,
    TERRAIN,
    TURN,
    UNUSUAL,
    USED,
    USED_1,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.layout import SELECTED as CHOSEN
from learning.smac.log import (
    CAN,
    CLEARED,
    GROWN,
    NO_BLOCK,
    NO_SQUARE,
    NOT_ANOTHER,
    NOT_ARMED,
    NOT_ONESELF,
    NOT_SELECTED,
    OF_SELECT,
    OF_USE,
    ONE_PER_GAME,
    SELECTED,
    SKIPPED,
    SPECIAL_USED,
    TERRAIN_LAID,
    TOO_EARLY,
    USED_BEFORE,
    put,
    put_found,
    put_heights,
    put_skip,
    put_team,
)


@plain_part
def use_specials(s: Row, m: Row, g: Cells, w: Work, orders: Row, log: Log) -> None:
    """Carry out specials in the order of the table, then select new ones (rules 8.1, 8.4)."""
    teams, users = list_playing(s, m, w), 0
    for i in range(teams):
        if orders[w[ORDERED, i] - 1, FIRST] >= 0:
            users += 1
    if users > 1:  # a single one has no need of lots
        open_stream(m, w, OF_SPECIALS, m[TURN], 0)
        draw_lots(w, teams)
    if users:
        for special in range(SPECIALS):
            for i in range(teams):
                team = int(w[ORDERED, i])
                if orders[team - 1, FIRST] == special:
                    use(s, m, g, w, team, special, orders[team - 1, TARGET], log)
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN] == 0 and orders[team - 1, FIRST] != LOST:
            select(s, m, team, orders[team - 1, SELECT], log)
            put_team(log, SKIPPED, team)


@plain_part
def use(s: Row, m: Row, g: Cells, w: Work, team: int, special: int, target: int, log: Log) -> None:
    """Use a special on its target, if that is legal as the dish is now."""
    at = team_at(team)
    if m[at + CHOSEN] != special + 1:
        put_skip(log, team, OF_USE, special, NOT_SELECTED, m[at + CHOSEN], 0)
        return
    if m[at + SELECTED_IN] >= m[TURN]:
        put_skip(log, team, OF_USE, special, NOT_ARMED, m[at + SELECTED_IN], 0)
        return
    place = place_of(s, target) if 0 <= target < s[SIDE] * s[SIDE] else 0
    named = team_named(s, g, target, place)
    reason = why_not_at(s, m, team, special, target, place, named)
    if reason != CAN:
        put_skip(log, team, OF_USE, special, reason, 0, 0)
        return
    m[at + USED_1 + m[at + USED]] = special
    m[at + USED] += 1
    m[at + CHOSEN] = m[at + SELECTED_IN] = 0
    carry_out(s, m, g, w, team, special, place, named, log)


@plain_part
def team_named(s: Row, g: Cells, target: int, place: int) -> int:
    """Return the team that a target names, by number or as the owner of a cell; -1: none (8.2)."""
    if target == NONE:
        return NONE
    if place == 0:
        return int(target - s[SIDE] * s[SIDE])
    owner = int(g[OWNER, place])
    return owner or NONE


@plain_part
def why_not_at(s: Row, m: Row, team: int, special: int, target: int, place: int, named: int) -> int:
    """Return why a special cannot be used on a target (rules 8.2)."""
    if special == SHELL:
        return CAN if target == NONE or named == team else NOT_ONESELF
    if special == BLIGHT:
        if named == team or named < 1 or named > s[TEAMS] or m[team_at(named) + OUT_IN]:
            return NOT_ANOTHER
        return CAN
    if special == SPORE:
        return CAN if place and is_inner(s, place) else NO_BLOCK
    return CAN if place else NO_SQUARE


@plain_part
def carry_out(
    s: Row,
    m: Row,
    g: Cells,
    w: Work,
    team: int,
    special: int,
    place: int,
    named: int,
    log: Log,
) -> None:
    """Carry out a legal use (rules 8.3)."""
    if special == SHELL:
        m[team_at(team) + SHELLED_IN] = m[TURN]
        tell(m, g, w, team, special, 0, team, 0, log)
    elif special == BLIGHT:
        m[team_at(named) + BLIGHTED_IN] = m[TURN]
        tell(m, g, w, team, special, 0, named, 0, log)
    elif special == ENRICH:
        w[FOUND, 0] = place
        tell(m, g, w, team, special, place, 0, 1, log)
        terrain = g[TERRAIN, place]
        g[TERRAIN, place] = terrain & ~BARE if terrain & BARE else terrain | SUGAR
        put(log, TERRAIN_LAID)
        put_found(log, w, 1)
        put(log, g[TERRAIN, place])
    elif special == NUKE:
        count = find_block(s, w, place, 1)
        tell(m, g, w, team, special, place, 0, count, log)
        put(log, CLEARED)
        put_found(log, w, count)
        for i in range(count):
            g[OWNER, w[FOUND, i]] = 0
            for other in range(1, s[TEAMS] + 1):
                g[HEIGHTS + other, w[FOUND, i]] = 0
    else:
        grow_more(s, m, g, w, team, special, place, log)


@plain_part
def grow_more(
    s: Row, m: Row, g: Cells, w: Work, team: int, special: int, place: int, log: Log
) -> None:
    """Carry out a BLOOM or a SPORE (rules 8.3): the cells of a SPORE have owners after combat."""
    if special == BLOOM:
        count = find_growth(s, m, g, w, team, place, BLOOM_RADIUS, 1)
    else:
        block, count = find_block(s, w, place, 1), 0
        for i in range(block):
            if not has_any(s, g, w[FOUND, i]):
                w[FOUND, count] = w[FOUND, i]
                count += 1
    if count == 0:
        w[FOUND, 0] = place
        tell(m, g, w, team, special, place, 0, 1, log)
        return
    tell(m, g, w, team, special, place, 0, count, log)
    for i in range(count):
        g[HEIGHTS + team, w[FOUND, i]] += 1
    put_heights(log, GROWN, g, w, team, count)


@plain_part
def tell(
    m: Row,
    g: Cells,
    w: Work,
    team: int,
    special: int,
    square: int,
    target: int,
    count: int,
    log: Log,
) -> None:
    """Mark the places that were found as unusual, and tell of the special."""
    for i in range(count):
        g[UNUSUAL, w[FOUND, i]] = m[TURN]
    put_team(log, SPECIAL_USED, team)
    put(log, special)
    put(log, square)
    put(log, target)
    put_found(log, w, count)


@plain_part
def select(s: Row, m: Row, team: int, special: int, log: Log) -> None:
    """Select a special for later turns, if that is legal (rules 8.1)."""
    at = team_at(team)
    if special < 0 or m[at + CHOSEN] == special + 1:
        return  # selecting it again must not disarm it
    if m[TURN] < s[SPECIALS_FROM]:
        put_skip(log, team, OF_SELECT, special, TOO_EARLY, s[SPECIALS_FROM], 0)
        return
    for i in range(m[at + USED]):
        if m[at + USED_1 + i] == special:
            put_skip(log, team, OF_SELECT, special, USED_BEFORE, 0, 0)
            return
    if m[at + USED] and s[ONE_SPECIAL]:
        put_skip(log, team, OF_SELECT, special, ONE_PER_GAME, m[at + USED_1], 0)
        return
    m[at + CHOSEN] = special + 1
    m[at + SELECTED_IN] = m[TURN]
    put_team(log, SELECTED, team)
    put(log, special)
