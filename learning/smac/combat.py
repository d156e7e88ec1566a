"""Combat over arrays, until one stack is left in a cell (rules 5.6 to 5.10)."""

from engine.games.smac.combat import RELIEF
from engine.games.smac.combat import SHELL as SHELL_DEFENSE
from engine.games.smac.terrain import DIP, HILL
from learning.simulation.compiled import plain_part
from learning.smac.board import effective_height, team_at
from learning.smac.chance import (
    OF_COMBAT,
    draw_below,
    draw_chance,
    draw_number,
    draws_so_far,
    open_stream,
    skip_draws,
)
from learning.smac.layout import (
    ATTACK,
    CINIT,
    DEFENSE,
    FIGHT_DRAWS,
    FOUGHT_IN,
    FOUGHT_LEFT,
    FOUGHT_OWNER,
    FOUGHT_ROUNDS,
    FOUGHT_WINNER,
    FOUND,
    HEIGHTS,
    INITIATIVE,
    IS_SEED_DEFENSE,
    LEVELS,
    LOTS,
    ORDERED,
    OUT_IN,
    OWNER,
    PINIT,
    PLACES,
    RAW,
    ROUND_LIMIT,
    SHELLED_IN,
    SINCE,
    TEAMS,
    TERRAIN,
    TURN,
    UNUSUAL,
    VALUES,
    Cells,
    Log,
    Row,
    Work,
)
from learning.smac.log import CLAIMED, FOUGHT, put, put_found


@plain_part
def draw_lots(w: Work, count: int) -> None:
    """Sort the teams in ORDERED: the highest INITIATIVE first, equal ones by lot (rules 5.1)."""
    teams, initiative, lots = w[ORDERED], w[INITIATIVE], w[LOTS]
    for i in range(count):
        team, level, lot = teams[i], initiative[i], draw_number(w)
        at = i
        while at > 0 and (
            initiative[at - 1] < level or (initiative[at - 1] == level and lots[at - 1] > lot)
        ):
            teams[at], initiative[at], lots[at] = teams[at - 1], initiative[at - 1], lots[at - 1]
            at -= 1
        teams[at], initiative[at], lots[at] = team, level, lot


@plain_part
def list_playing(s: Row, m: Row, w: Work) -> int:
    """List the teams in the match in ORDERED, with their pinit levels; return how many."""
    count = 0
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN] == 0:
            w[ORDERED, count] = team
            w[INITIATIVE, count] = m[team_at(team) + LEVELS + PINIT]
            count += 1
    return count


@plain_part
def fight_all(s: Row, m: Row, g: Cells, w: Work, log: Log) -> None:
    """Fight in each contested cell; whoever is left in a cell owns it (rules 5.6, 2.4)."""
    is_open, stacks = False, w[VALUES]
    for place in range(s[PLACES]):
        stacks[place] = 0
    for team in range(1, s[TEAMS] + 1):
        heights = g[HEIGHTS + team]
        for place in range(s[PLACES]):
            stacks[place] += int(heights[place] > 0)
    for place in range(s[PLACES]):
        if stacks[place] > 1:
            if not is_open:
                open_stream(m, w, OF_COMBAT, m[TURN], 0)
                skip_draws(w, m[FIGHT_DRAWS])
                is_open = True
            fight(s, m, g, w, place, log)
    if is_open:
        m[FIGHT_DRAWS] = draws_so_far(w)
    for team in range(1, s[TEAMS] + 1):
        if m[team_at(team) + OUT_IN] == 0:
            claim(s, m, g, w, team, log)


@plain_part
def claim(s: Row, m: Row, g: Cells, w: Work, team: int, log: Log) -> None:
    """Let a team own the cells in which only its stack is."""
    heights, owners, count = g[HEIGHTS + team], g[OWNER], 0
    for place in range(s[PLACES]):
        if heights[place] and owners[place] != team:
            owners[place] = team
            g[SINCE, place] = m[TURN]
            w[FOUND, count] = place
            count += 1
    if count:
        put(log, CLAIMED)
        put(log, team)
        put_found(log, w, count)


@plain_part
def attack_of(m: Row, w: Work, team: int) -> int:
    """Return the attack value A without chance (rules 5.7)."""
    return int(m[team_at(team) + LEVELS + ATTACK] + 2 * w[RAW, team])


@plain_part
def defense_of(s: Row, m: Row, g: Cells, w: Work, team: int, place: int) -> int:
    """Return the defense value D (rules 5.7): an owner has relief and effective height."""
    at = team_at(team)
    defense, raw = int(m[at + LEVELS + DEFENSE]), int(w[RAW, team])
    if m[at + SHELLED_IN] == m[TURN]:
        defense += SHELL_DEFENSE
    is_owner = g[OWNER, place] == team
    if not is_owner and not s[IS_SEED_DEFENSE]:
        return defense + raw
    terrain = int(g[TERRAIN, place])
    height = effective_height(raw, terrain)
    if terrain & HILL:
        height += RELIEF
    elif terrain & DIP:
        height -= RELIEF
    return defense + (height + raw if is_owner else max(0, height))


@plain_part
def gather(s: Row, m: Row, w: Work) -> int:
    """List the teams that have a stack left in the fight, with their initiative."""
    count = 0
    for team in range(1, s[TEAMS] + 1):
        if w[RAW, team]:
            w[ORDERED, count] = team
            w[INITIATIVE, count] = m[team_at(team) + LEVELS + CINIT]
            count += 1
    return count


@plain_part
def choose_enemy(s: Row, w: Work, team: int) -> int:
    """Return whom a team attacks, by lot; 0 if nobody else is left (rules 5.7)."""
    enemies, last = 0, 0
    for enemy in range(1, s[TEAMS] + 1):
        if enemy != team and w[RAW, enemy]:
            enemies += 1
            last = enemy
    if enemies < 2:
        return last
    chosen = draw_below(w, enemies)
    for enemy in range(1, s[TEAMS] + 1):
        if enemy != team and w[RAW, enemy]:
            if chosen == 0:
                return enemy
            chosen -= 1
    return 0


@plain_part
def fight(s: Row, m: Row, g: Cells, w: Work, place: int, log: Log) -> None:
    """Fight rounds until one stack is left (rules 5.6), or the limit is reached (rules 5.9)."""
    raw, rounds, owner = w[RAW], 0, int(g[OWNER, place])
    for team in range(1, s[TEAMS] + 1):
        raw[team] = g[HEIGHTS + team, place]
        g[HEIGHTS + s[TEAMS] + team, place] = g[HEIGHTS + team, place]
    count = gather(s, m, w)
    while count > 1 and rounds < s[ROUND_LIMIT]:
        rounds += 1
        draw_lots(w, count)
        for i in range(count):
            team = int(w[ORDERED, i])
            if raw[team] == 0:
                continue  # rules 5.7: out at once, it attacks no more in this round
            enemy = choose_enemy(s, w, team)
            if enemy == 0:
                continue
            attack = attack_of(m, w, team) + draw_chance(s, w)
            if attack > defense_of(s, m, g, w, enemy, place):
                raw[enemy] -= 1
        count = gather(s, m, w)
    winner = owner
    if owner == 0 or raw[owner] == 0:  # rules 5.9: the highest stack, of several by lot
        for i in range(count):
            w[INITIATIVE, i] = raw[w[ORDERED, i]]
        draw_lots(w, count)
        winner = int(w[ORDERED, 0])
    end_fight(s, m, g, w, place, rounds, winner, log)


@plain_part
def end_fight(
    s: Row, m: Row, g: Cells, w: Work, place: int, rounds: int, winner: int, log: Log
) -> None:
    """Leave the winner's stack alone in the cell, and keep the report."""
    owner, turn = g[OWNER, place], m[TURN]
    g[FOUGHT_IN, place] = g[UNUSUAL, place] = turn
    g[FOUGHT_OWNER, place] = owner
    g[FOUGHT_ROUNDS, place] = rounds
    g[FOUGHT_WINNER, place] = winner
    g[FOUGHT_LEFT, place] = w[RAW, winner]
    put(log, FOUGHT)
    put(log, turn)
    put(log, place)
    put(log, owner)
    put(log, rounds)
    put(log, winner)
    put(log, w[RAW, winner])
    for team in range(1, s[TEAMS] + 1):
        put(log, g[HEIGHTS + team, place])
        g[HEIGHTS + team, place] = w[RAW, team] if team == winner else 0
    if winner != owner:
        g[OWNER, place] = winner
        g[SINCE, place] = turn
