"""The rules of Slime Mind on rows of numbers, order by order (docs/rules/slime_mind.md).

They say the same as engine/games/slime_mind/rules.py and state.py together, and a test compares
the two, event by event. Where a log is given, what happens is written into it.
"""

from learning.slime_mind.chance import begin_stream, below, draw_more
from learning.slime_mind.compiled import kernel, part
from learning.slime_mind.layout import (
    ALIVE,
    ATTACK,
    ATTACK_OF,
    BITE_HP,
    BITE_XP,
    COLUMNS,
    COMMANDS,
    DRAWS_AT_A_TIME,
    EATEN,
    EDGE,
    ELIMINATION,
    EMPTY,
    ENDED,
    FIRST_PLANT,
    GRID,
    GROWTH,
    HP,
    ID,
    LANES,
    LAST_TURN,
    LEVEL,
    LEVEL_SIZE,
    LEVELS_AT,
    MAX_HP,
    MAX_HP_OF,
    MAX_TURNS,
    MERGE_HEALS,
    MIN_SPLIT_LEVEL,
    MIN_XP,
    NEXT_ID,
    PLACE,
    PLANT_HP,
    PLANT_HP_LEFT,
    PLANT_ID,
    PLANT_LEVEL,
    PLANT_MAX_LEVEL,
    PLANT_PAIRS,
    PLANT_PLACE,
    PLANT_SIZE,
    PLANT_START_HP,
    PLANTS,
    PLANTS_AT,
    PLANTS_BLOCK,
    PLANTS_DRAWN,
    PLANTS_DRAWS_AT,
    PLANTS_KEY,
    QUEUE_AT,
    QUEUE_END,
    QUEUE_NEXT,
    READY,
    ROCK,
    ROCK_PAIRS,
    ROWS,
    SEEDING,
    SLIME_MAX_LEVEL,
    SLIME_PAIRS,
    SLIME_SIZE,
    SLIMES,
    SLIMES_AT,
    SPLIT_BLOCK,
    SPLIT_DIVISOR,
    SPLIT_DRAWN,
    SPLIT_DRAWS_AT,
    SPLIT_KEY,
    STRIDE,
    TEAM,
    TEAM_1,
    TENTHS,
    TENTHS_1,
    TURN,
    UP,
    XP,
    Row,
)
from learning.slime_mind.log import (
    BITTEN,
    DIED,
    END,
    GROWN,
    LEVELLED,
    MERGED,
    MOVED,
    NO_ROOM,
    NO_TARGET,
    NOTHING,
    OCCUPIED,
    OFF_MAP,
    PLANT_PLACED,
    QUEUED,
    READIED,
    READY_ENDED,
    ROCK_PLACED,
    ROUND_LOST,
    SLIME_PLACED,
    SPLIT,
    STAGE_PLANTS,
    STAGE_SCORING,
    STAGE_SLIMES,
    TOO_LOW,
    Log,
    note,
)


@kernel
def new_match(s: Row, m: Row, keys: Row, log: Log) -> None:
    """Lay out the map and play up to the first decision (rules 3).

    `keys` are those of the streams map, plants and split, two words each.
    """
    for cell in range(len(m)):
        m[cell] = 0
    m[NEXT_ID] = 1
    stride = s[STRIDE]
    for cell in range(GRID, s[SLIMES_AT]):
        m[cell] = EDGE
    for y in range(1, s[ROWS] + 1):
        for x in range(1, s[COLUMNS] + 1):
            m[GRID + y * stride + x] = EMPTY
    # The draws of the map are made where those of splits will be.
    begin_stream(m, SPLIT_KEY, SPLIT_BLOCK, SPLIT_DRAWN, keys[0], keys[1])
    for _ in range(s[SLIME_PAIRS]):
        cell = draw_place(s, m, s[COLUMNS] // 2)
        add_slime(s, m, 1, cell)
        note(log, SLIME_PLACED, 1, cell, 0)
        add_slime(s, m, 2, turn_place(s, cell))
        note(log, SLIME_PLACED, 2, turn_place(s, cell), 0)
    for _ in range(s[ROCK_PAIRS]):
        cell = draw_place(s, m, s[COLUMNS])
        add_rock(m, cell, log)
        add_rock(m, turn_place(s, cell), log)
    for _ in range(s[PLANT_PAIRS]):
        cell = draw_place(s, m, s[COLUMNS])
        add_plant(s, m, cell, 0, log)
        add_plant(s, m, turn_place(s, cell), 0, log)
    begin_stream(m, PLANTS_KEY, PLANTS_BLOCK, PLANTS_DRAWN, keys[2], keys[3])
    begin_stream(m, SPLIT_KEY, SPLIT_BLOCK, SPLIT_DRAWN, keys[4], keys[5])
    begin_activation(s, m, log)


@part
def turn_place(s: Row, cell: int) -> int:
    """Return the place turned by 180 degrees about the middle of the map (rules 3.1)."""
    return int(s[STRIDE] * (s[ROWS] + 2) - 1 - cell)


@part
def draw_place(s: Row, m: Row, columns: int) -> int:
    """Return a random free place whose mirror image is free (rules 3.2, 3.3)."""
    while True:
        x = below(m, SPLIT_KEY, SPLIT_DRAWS_AT, SPLIT_BLOCK, SPLIT_DRAWN, columns)
        y = below(m, SPLIT_KEY, SPLIT_DRAWS_AT, SPLIT_BLOCK, SPLIT_DRAWN, s[ROWS])
        cell = int((y + 1) * s[STRIDE] + x + 1)
        if m[GRID + cell] == EMPTY and turn_place(s, cell) != cell:
            return cell


@part
def add_slime(s: Row, m: Row, team: int, cell: int) -> None:
    """Place a new slime (rules 3.5)."""
    slot = m[SLIMES]
    at = s[SLIMES_AT] + slot * SLIME_SIZE
    first = LEVELS_AT + LEVEL_SIZE
    m[at + ID] = m[NEXT_ID]
    m[at + TEAM] = team
    m[at + PLACE] = cell
    m[at + XP] = 1
    m[at + LEVEL] = 1
    m[at + HP] = s[first + MAX_HP_OF]
    m[at + MAX_HP] = s[first + MAX_HP_OF]
    m[at + ATTACK] = s[first + ATTACK_OF]
    m[at + READY] = 0
    m[at + ALIVE] = 1
    m[GRID + cell] = -1 - slot
    m[SLIMES] += 1
    m[NEXT_ID] += 1
    m[TEAM_1 + team - 1] += 1


@part
def add_rock(m: Row, cell: int, log: Log) -> None:
    note(log, ROCK_PLACED, cell, 0, 0)
    m[GRID + cell] = ROCK
    m[NEXT_ID] += 1


@part
def add_plant(s: Row, m: Row, cell: int, parent: int, log: Log) -> None:
    """Place a new plant (rules 3.5, 4.2b)."""
    slot = m[PLANTS]
    at = s[PLANTS_AT] + slot * PLANT_SIZE
    m[at + PLANT_ID] = m[NEXT_ID]
    m[at + PLANT_PLACE] = cell
    m[at + PLANT_LEVEL] = 1
    m[at + PLANT_HP_LEFT] = s[PLANT_START_HP]
    m[GRID + cell] = FIRST_PLANT + slot
    m[PLANTS] += 1
    note(log, PLANT_PLACED, cell, parent, 0)
    m[NEXT_ID] += 1


@part
def play(s: Row, m: Row, order: int, log: Log) -> None:
    """Play the order of the acting slime, up to the next decision (rules 5, 6).

    An order is the number of a command; `NO_ORDER` or any other: the activation is forfeited.
    """
    slot = m[s[QUEUE_AT] + m[QUEUE_NEXT]]
    at = s[SLIMES_AT] + slot * SLIME_SIZE
    m[QUEUE_NEXT] += 1
    if order < 0 or order >= COMMANDS:
        note(log, ROUND_LOST, m[at + ID], m[at + TEAM], m[TURN])
    elif order < 4:
        move(m, at, slot, m[at + PLACE] + side_offset(s, order), log)
    elif order < 8:
        bite(s, m, at, m[at + PLACE] + side_offset(s, order - 4), log)
    elif order == 8:
        split(s, m, at, log)
    else:
        merge(s, m, at, log)
    if m[TEAM_1] == 0 or m[TEAM_1 + 1] == 0:  # rules 4.5
        end_match(s, m, ELIMINATION, log)
    else:
        begin_activation(s, m, log)


@part
def side_offset(s: Row, side: int) -> int:
    """Return the difference of places to a side: left, right, up, down (rules 2.2)."""
    if side == 0:
        return -1
    if side == 1:
        return 1
    return int(s[UP]) if side == 2 else -int(s[UP])


@part
def move(m: Row, at: int, slot: int, cell: int, log: Log) -> None:
    """Move to a square, if it is on the map and empty (rules 6.1)."""
    there = m[GRID + cell]
    if there == EMPTY:
        m[GRID + m[at + PLACE]] = EMPTY
        m[GRID + cell] = -1 - slot
        m[at + PLACE] = cell
        note(log, MOVED, m[at + ID], cell, 0)
    else:
        note(log, NOTHING, m[at + ID], OFF_MAP if there == EDGE else OCCUPIED, 0)


@part
def bite(s: Row, m: Row, at: int, cell: int, log: Log) -> None:
    """Bite the plant or slime on a square (rules 6.2)."""
    there = m[GRID + cell]
    if EMPTY <= there <= ROCK:
        note(log, NOTHING, m[at + ID], NO_TARGET, 0)
        return
    if there >= FIRST_PLANT:
        target = s[PLANTS_AT] + (there - FIRST_PLANT) * PLANT_SIZE
        hp_at, target_id = target + PLANT_HP_LEFT, m[target + PLANT_ID]
    else:
        target = s[SLIMES_AT] + (-1 - there) * SLIME_SIZE
        hp_at, target_id = target + HP, m[target + ID]
    m[hp_at] = max(0, m[hp_at] - m[at + ATTACK])
    m[at + HP] = min(m[at + MAX_HP], m[at + HP] + s[BITE_HP])
    m[at + XP] += s[BITE_XP]
    note(log, BITTEN, m[at + ID], target_id, m[hp_at])
    note(log, BITTEN, m[at + HP], m[at + XP], 0)
    if m[hp_at] == 0:  # rules 5.6
        m[GRID + cell] = EMPTY
        if there >= FIRST_PLANT:
            m[EATEN] += 1
        else:
            remove_slime(m, target)
        note(log, DIED, target_id, m[at + ID], 0)


@part
def remove_slime(m: Row, at: int) -> None:
    m[at + ALIVE] = 0
    m[GRID + m[at + PLACE]] = EMPTY
    m[TEAM_1 + m[at + TEAM] - 1] -= 1


@part
def empty_around(s: Row, m: Row, cell: int) -> int:
    """Return how many of the eight squares around are empty."""
    count = 0
    for row in range(cell - s[STRIDE], cell + s[STRIDE] + 1, s[STRIDE]):
        for other in range(row - 1, row + 2):
            if m[GRID + other] == EMPTY:
                count += 1
    return count


@part
def empty_one(s: Row, m: Row, cell: int, number: int) -> int:
    """Return the empty square of a number among the eight around, row by row."""
    for row in range(cell - s[STRIDE], cell + s[STRIDE] + 1, s[STRIDE]):
        for other in range(row - 1, row + 2):
            if m[GRID + other] == EMPTY:
                if number == 0:
                    return other
                number -= 1
    return -1


@part
def split(s: Row, m: Row, at: int, log: Log) -> None:
    """Divide the slime's xp and place a new slime beside it (rules 6.3)."""
    if m[at + LEVEL] < s[MIN_SPLIT_LEVEL]:
        note(log, NOTHING, m[at + ID], TOO_LOW, 0)
        return
    room = empty_around(s, m, m[at + PLACE])
    if room == 0:
        note(log, NOTHING, m[at + ID], NO_ROOM, 0)
        return
    number = below(m, SPLIT_KEY, SPLIT_DRAWS_AT, SPLIT_BLOCK, SPLIT_DRAWN, room)
    divisor = s[SPLIT_DIVISOR]
    m[at + XP] = (2 * m[at + XP] + divisor) // (2 * divisor)
    cell = empty_one(s, m, m[at + PLACE], number)
    add_slime(s, m, m[at + TEAM], cell)
    note(log, SPLIT, m[at + ID], m[at + XP], cell)
    note(log, SPLIT, m[at + TEAM], 0, 0)


@part
def merge(s: Row, m: Row, at: int, log: Log) -> None:
    """Get ready, then absorb the ready friend beside with the most xp, if any (rules 6.4)."""
    m[at + READY] = 1
    note(log, READIED, m[at + ID], 0, 0)
    best = -1
    cell = m[at + PLACE]
    for row in range(cell - s[STRIDE], cell + s[STRIDE] + 1, s[STRIDE]):
        for other in range(row - 1, row + 2):
            there = m[GRID + other]
            if there >= EMPTY or other == cell:
                continue
            friend = s[SLIMES_AT] + (-1 - there) * SLIME_SIZE
            if m[friend + TEAM] != m[at + TEAM] or m[friend + READY] == 0:
                continue
            if best < 0 or (m[friend + XP], -m[friend + ID]) > (m[best + XP], -m[best + ID]):
                best = friend
    if best >= 0:
        remove_slime(m, best)
        m[at + XP] += m[best + XP]
        if s[MERGE_HEALS]:
            m[at + HP] = m[at + MAX_HP]
        note(log, MERGED, m[at + ID], m[best + ID], m[at + XP])
        note(log, MERGED, m[at + HP], 0, 0)


@part
def begin_activation(s: Row, m: Row, log: Log) -> None:
    """Go on to the next slime that must decide, in a new turn if need be (rules 4)."""
    while not has_acting_slime(s, m):
        if m[TURN] == s[MAX_TURNS]:
            end_match(s, m, LAST_TURN, log)
            return
        m[TURN] += 1
        note(log, STAGE_PLANTS, m[TURN], 0, 0)
        grow_plants(s, m, log)
        note(log, STAGE_SLIMES, m[TURN], 0, 0)
        queue_slimes(s, m, log)
    at = s[SLIMES_AT] + m[s[QUEUE_AT] + m[QUEUE_NEXT]] * SLIME_SIZE
    if m[at + READY]:  # rules 5.1
        m[at + READY] = 0
        note(log, READY_ENDED, m[at + ID], 0, 0)
    update_level(s, m, at, log)


@part
def has_acting_slime(s: Row, m: Row) -> bool:
    """Drop the dead at the head of the queue (rules 4.4); return whether anybody is left."""
    while m[QUEUE_NEXT] < m[QUEUE_END]:
        if m[s[SLIMES_AT] + m[s[QUEUE_AT] + m[QUEUE_NEXT]] * SLIME_SIZE + ALIVE]:
            return True
        m[QUEUE_NEXT] += 1
    return False


@part
def grow_plants(s: Row, m: Row, log: Log) -> None:
    """Play each plant's round, in ascending order of ids (rules 4.2)."""
    if m[EATEN]:
        close_gaps_of_plants(s, m)
    top, growth, seeding = s[PLANT_MAX_LEVEL], s[GROWTH], s[SEEDING]
    drawn = m[PLANTS_DRAWN]  # `draw` written out: most of the time of a turn is spent here
    for at in range(s[PLANTS_AT], s[PLANTS_AT] + m[PLANTS] * PLANT_SIZE, PLANT_SIZE):
        if drawn == DRAWS_AT_A_TIME:
            draw_more(m, PLANTS_KEY, PLANTS_DRAWS_AT, m[PLANTS_BLOCK])
            m[PLANTS_BLOCK] += LANES
            drawn = 0
        chance = m[PLANTS_DRAWS_AT + drawn]
        drawn += 1
        is_full_grown = m[at + PLANT_LEVEL] == top
        if chance < (seeding if is_full_grown else growth):
            m[PLANTS_DRAWN] = drawn
            if is_full_grown:
                seed(s, m, at, log)
            else:
                grow(s, m, at, log)
            drawn = m[PLANTS_DRAWN]
    m[PLANTS_DRAWN] = drawn


@part
def close_gaps_of_plants(s: Row, m: Row) -> None:
    """Give the slots of plants that were eaten to those after them."""
    to = s[PLANTS_AT]
    for at in range(to, to + m[PLANTS] * PLANT_SIZE, PLANT_SIZE):
        if m[at + PLANT_HP_LEFT] == 0:
            continue
        if to != at:
            for field in range(PLANT_SIZE):
                m[to + field] = m[at + field]
            m[GRID + m[to + PLANT_PLACE]] = FIRST_PLANT + (to - s[PLANTS_AT]) // PLANT_SIZE
        to += PLANT_SIZE
    m[PLANTS] -= m[EATEN]
    m[EATEN] = 0


@part
def grow(s: Row, m: Row, at: int, log: Log) -> None:
    """Raise a plant's level (rules 4.2a)."""
    m[at + PLANT_LEVEL] += 1
    most = m[at + PLANT_LEVEL] * s[PLANT_HP]
    m[at + PLANT_HP_LEFT] = min(most, m[at + PLANT_HP_LEFT] + most // 2)
    note(log, GROWN, m[at + PLANT_ID], m[at + PLANT_LEVEL], m[at + PLANT_HP_LEFT])


@part
def seed(s: Row, m: Row, at: int, log: Log) -> None:
    """Spread a seed on one of the empty squares around (rules 4.2b)."""
    room = empty_around(s, m, m[at + PLANT_PLACE])
    if room:
        number = below(m, PLANTS_KEY, PLANTS_DRAWS_AT, PLANTS_BLOCK, PLANTS_DRAWN, room)
        cell = empty_one(s, m, m[at + PLANT_PLACE], number)
        add_plant(s, m, cell, m[at + PLANT_ID], log)


@part
def queue_slimes(s: Row, m: Row, log: Log) -> None:
    """Fix the order of slimes: alternating, team 1 first on odd turns (rules 4.3)."""
    close_gaps_of_slimes(s, m)
    m[QUEUE_NEXT], m[QUEUE_END] = 0, 0
    first = 1 if m[TURN] % 2 else 2
    one, other = 0, 0
    while one < m[SLIMES] or other < m[SLIMES]:
        one = queue_next(s, m, first, one, log)
        other = queue_next(s, m, 3 - first, other, log)


@part
def queue_next(s: Row, m: Row, team: int, slot: int, log: Log) -> int:
    """Queue the first slime of a team from a slot on; return the slot after it."""
    while slot < m[SLIMES]:
        at = s[SLIMES_AT] + slot * SLIME_SIZE
        if m[at + TEAM] == team:
            m[s[QUEUE_AT] + m[QUEUE_END]] = slot
            m[QUEUE_END] += 1
            note(log, QUEUED, m[at + ID], 0, 0)
            return slot + 1
        slot += 1
    return slot


@part
def close_gaps_of_slimes(s: Row, m: Row) -> None:
    """Give the slots of slimes that are gone to those after them."""
    if m[SLIMES] == m[TEAM_1] + m[TEAM_1 + 1]:
        return
    to = s[SLIMES_AT]
    for at in range(to, to + m[SLIMES] * SLIME_SIZE, SLIME_SIZE):
        if m[at + ALIVE] == 0:
            continue
        if to != at:
            for field in range(SLIME_SIZE):
                m[to + field] = m[at + field]
            m[GRID + m[to + PLACE]] = -1 - (to - s[SLIMES_AT]) // SLIME_SIZE
        to += SLIME_SIZE
    m[SLIMES] = (to - s[SLIMES_AT]) // SLIME_SIZE


@part
def update_level(s: Row, m: Row, at: int, log: Log) -> None:
    """Set the level from xp; hp keeps its share when the level rises (rules 5.2)."""
    xp, level = m[at + XP], s[SLIME_MAX_LEVEL]
    while level > 1 and s[LEVELS_AT + level * LEVEL_SIZE + MIN_XP] > xp:
        level -= 1
    before = m[at + LEVEL]
    if level == before:
        return
    most = s[LEVELS_AT + level * LEVEL_SIZE + MAX_HP_OF]
    if level > before:
        m[at + HP] = -(-m[at + HP] * most // m[at + MAX_HP])  # rounded up
    else:
        m[at + HP] = min(m[at + HP], most)
    m[at + LEVEL] = level
    m[at + MAX_HP] = most
    m[at + ATTACK] = s[LEVELS_AT + level * LEVEL_SIZE + ATTACK_OF]
    note(log, LEVELLED, m[at + ID], level, m[at + HP])


@part
def end_match(s: Row, m: Row, reason: int, log: Log) -> None:
    """Update all levels once more, then score them (rules 7.2, 7.3)."""
    note(log, STAGE_SCORING, m[TURN], 0, 0)
    for at in range(s[SLIMES_AT], s[SLIMES_AT] + m[SLIMES] * SLIME_SIZE, SLIME_SIZE):
        if m[at + ALIVE]:
            update_level(s, m, at, log)
            tenths = s[LEVELS_AT + m[at + LEVEL] * LEVEL_SIZE + TENTHS]
            m[TENTHS_1 + m[at + TEAM] - 1] += tenths
    m[ENDED] = reason
    m[QUEUE_NEXT] = m[QUEUE_END]
    note(log, END, m[TENTHS_1], m[TENTHS_1 + 1], reason)
