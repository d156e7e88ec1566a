"""The turn of SMAC over arrays, stage by stage as the engine plays it (rules 5)."""

import numpy as np

from learning.simulation.compiled import kernel, plain_part
from learning.smac.allocation import allocate
from learning.smac.board import (
    find_deaths,
    find_growth,
    find_reductions,
    layers_of,
    production_of,
    team_at,
)
from learning.smac.combat import fight_all
from learning.smac.layout import (
    AFTER_LAST_TURN,
    BANK,
    BLIGHTED_IN,
    BY_PRODUCTION,
    EARLY_END,
    ENDED,
    FIGHT_DRAWS,
    FOUND,
    HEIGHTS,
    LAST_TURN,
    LISTS,
    NOBODY_LEFT,
    ORDERS,
    OUT_IN,
    OVER,
    OWNER,
    PLACEMENT_1,
    PLACEMENT_2,
    PLACES,
    PRODUCTION,
    RUNNING,
    SCORE,
    SEED,
    SEED_LETTERS,
    SOLE_SURVIVOR,
    STAGE,
    STRIDE,
    TEAMS,
    TURN,
    UNUSUAL,
    VALUES,
    VICTORY_FROM,
    VICTORY_PCT,
    VICTORY_STEP,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.log import (
    AT_ALLOCATION,
    AT_COMBAT,
    AT_DEATH,
    AT_GROWTH,
    AT_ORDERS,
    AT_PLACEMENT_1,
    AT_PLACEMENT_2,
    AT_PRODUCTION,
    AT_REDUCTION,
    AT_SPECIALS,
    AT_VICTORY,
    BANKED,
    DIED,
    END,
    GROWN,
    PRODUCED,
    REDUCED,
    WENT_OUT,
    put,
    put_found,
    put_heights,
    put_stage,
    put_team,
)
from learning.smac.placement import place_centers, set_up
from learning.smac.specials import use_specials


@plain_part
def new_work(s: Row, most: int) -> Work:
    """Return room to compute in, for so many orders of a team."""
    return np.zeros((LISTS, max(s[PLACES], most + 1)), np.int64)


@kernel
def new_match(s: Row, m: Row, letters: int, seed: Row, log: Log) -> None:
    """Set up the dish and begin the first placement round; `seed` has so many letters."""
    m[:] = 0
    m[SEED_LETTERS] = letters
    for i in range(len(seed)):
        m[SEED + i] = seed[i]
    set_up(s, m, layers_of(s, m), new_work(s, 0), log)
    m[TURN] = 1
    m[STAGE] = PLACEMENT_1
    put_stage(log, 1, AT_PLACEMENT_1)


@plain_part
def play(s: Row, m: Row, g: Cells, w: Work, orders: Row, log: Log) -> None:
    """Play from one decision of all teams to the next; `orders` has a row for each team."""
    if m[STAGE] == PLACEMENT_1:
        place_centers(s, m, g, w, orders, 1, log)
        m[STAGE] = PLACEMENT_2
        put_stage(log, 1, AT_PLACEMENT_2)
        return
    turn = m[TURN]
    is_turn = m[STAGE] == ORDERS
    if is_turn:
        put_stage(log, turn, AT_ALLOCATION)
        allocate(s, m, g, w, orders, log)
    else:
        place_centers(s, m, g, w, orders, 2, log)
    put_stage(log, turn, AT_GROWTH)
    grow_all(s, m, g, w, log)
    if is_turn:
        put_stage(log, turn, AT_SPECIALS)
        use_specials(s, m, g, w, orders, log)
    put_stage(log, turn, AT_COMBAT)
    fight_all(s, m, g, w, log)
    if is_turn:
        put_stage(log, turn, AT_DEATH)
        kill_unsupported(s, m, g, w, log)
        put_stage(log, turn, AT_REDUCTION)
        reduce_stacks(s, m, g, w, log)
        put_stage(log, turn, AT_PRODUCTION)
        produce(s, m, g, log)
    put_stage(log, turn, AT_VICTORY)
    playing = eliminate_teams(s, m, g, log)
    reason = reason_to_end(s, m, playing, is_turn)
    if reason != RUNNING:
        end_match(s, m, g, reason, log)
        return
    if is_turn:
        m[TURN] += 1
        m[FIGHT_DRAWS] = 0
    m[STAGE] = ORDERS
    put_stage(log, m[TURN], AT_ORDERS)


@plain_part
def grow_all(s: Row, m: Row, g: Cells, w: Work, log: Log) -> None:
    """Let all stacks grow once (rules 5.5); that of one team does not depend on another's."""
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN]:
            continue
        count = find_growth(s, m, g, w, team, 0, s[STRIDE], 0)
        for i in range(count):
            g[HEIGHTS + team, w[FOUND, i]] += 1
        if count:
            put_heights(log, GROWN, g, w, team, count)


@plain_part
def kill_unsupported(s: Row, m: Row, g: Cells, w: Work, log: Log) -> None:
    """Remove stacks with too little support (rules 5.11)."""
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN]:
            continue
        count = find_deaths(s, g, w, team)
        for i in range(count):
            place = w[FOUND, i]
            g[HEIGHTS + team, place] = g[OWNER, place] = 0
            g[UNUSUAL, place] = m[TURN]
        if count:
            put_team(log, DIED, team)
            put_found(log, w, count)


@plain_part
def reduce_stacks(s: Row, m: Row, g: Cells, w: Work, log: Log) -> None:
    """Reduce stacks to what their neighbors hold (rules 5.12)."""
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN]:
            continue
        count = find_reductions(s, g, w, team)
        for i in range(count):
            place = w[FOUND, i]
            g[HEIGHTS + team, place] = w[VALUES, place]
            g[UNUSUAL, place] = m[TURN]
        if count:
            put_heights(log, REDUCED, g, w, team, count)


@plain_part
def produce(s: Row, m: Row, g: Cells, log: Log) -> None:
    """Add production to the banks, half of it under a BLIGHT (rules 5.15, 8.3)."""
    put(log, PRODUCED)
    for team in range(1, s[TEAMS] + 1):
        production = production_of(s, m, g, team)
        m[team_at(team) + PRODUCTION] = production
        put(log, production)
    for team in range(1, s[TEAMS] + 1):
        at = team_at(team)
        income = m[at + PRODUCTION]
        if m[at + BLIGHTED_IN] == m[TURN]:
            income //= 2
        if income and m[at + OUT_IN] == 0:
            m[at + BANK] += income
            put_team(log, BANKED, team)
            put(log, m[at + BANK])


@plain_part
def eliminate_teams(s: Row, m: Row, g: Cells, log: Log) -> int:
    """Eliminate teams without a stack (rules 6.3); return how many are left."""
    playing = 0
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN]:
            continue
        if has_stacks(s, g, team):
            playing += 1
        else:
            m[team_at(team) + OUT_IN] = m[TURN]
            put_team(log, WENT_OUT, team)
    return playing


@plain_part
def has_stacks(s: Row, g: Cells, team: int) -> bool:
    heights, place = g[HEIGHTS + team], 0
    while place < s[PLACES] and heights[place] == 0:
        place += 1
    return bool(place < s[PLACES])


@plain_part
def reason_to_end(s: Row, m: Row, playing: int, is_turn: bool) -> int:
    """Return why the match ends (rules 6.1 to 6.3); after the placement only for lack of teams."""
    if playing == 0:
        return NOBODY_LEFT
    if playing == 1 and s[EARLY_END]:
        return SOLE_SURVIVOR
    if not is_turn:
        return RUNNING
    later = m[TURN] - s[VICTORY_FROM]
    if later >= 0 and has_winner(s, m, max(0, s[VICTORY_PCT] - later * s[VICTORY_STEP])):
        return BY_PRODUCTION
    return AFTER_LAST_TURN if m[TURN] == s[LAST_TURN] else RUNNING


@plain_part
def has_winner(s: Row, m: Row, threshold_pct: int) -> bool:
    """Return whether one team alone has the highest production, and enough (rules 6.1)."""
    best, total, leaders = 0, 0, 0
    for team in range(1, s[TEAMS] + 1):
        production = m[team_at(team) + PRODUCTION]
        total += production
        if production > best:
            best, leaders = production, 0
        if production == best:
            leaders += 1
    return bool(leaders == 1 and total > 0 and 100 * best >= threshold_pct * total)


@plain_part
def rank_of(s: Row, m: Row, g: Cells, team: int) -> tuple[int, int, int]:
    """Return what teams are ranked by: production, cells, total raw height (rules 6.2)."""
    cells, heights = 0, 0
    for place in range(s[PLACES]):
        if g[HEIGHTS + team, place]:
            cells += 1
            heights += int(g[HEIGHTS + team, place])
    return int(m[team_at(team) + PRODUCTION]), cells, heights


@plain_part
def end_match(s: Row, m: Row, g: Cells, reason: int, log: Log) -> None:
    """Score the teams: production, and a ten-thousandth for each rank tied below (6.2, 6.5)."""
    m[ENDED], m[STAGE] = reason, OVER
    put(log, END)
    put(log, reason)
    for team in range(1, s[TEAMS] + 1):
        own = rank_of(s, m, g, team)
        score = 10 * own[0]
        for other in range(1, s[TEAMS] + 1):
            rank = rank_of(s, m, g, other)
            if rank[0] == own[0] and rank < own and is_first_with(s, m, g, other, rank):
                score += 1
        m[team_at(team) + SCORE] = score
        put(log, score)


@plain_part
def is_first_with(s: Row, m: Row, g: Cells, team: int, rank: tuple[int, int, int]) -> bool:
    """Return whether no team before this one has the same rank."""
    other = 1
    while rank_of(s, m, g, other) != rank:
        other += 1
    return other == team
