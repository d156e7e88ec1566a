"""The rules of Slime Mind on rows of numbers, order by order (docs/rules/slime_mind.md).

They say the same as engine/games/slime_mind/rules.py and state.py together, and a test compares
the two, event by event. Where a log is given, what happens is written into it.
"""

from learning.slime_mind import layout as lay
from learning.slime_mind import log as lines
from learning.slime_mind.chance import begin_stream, below, draw_more
from learning.slime_mind.compiled import kernel, part
from learning.slime_mind.layout import Row
from learning.slime_mind.log import Log, note


@kernel
def new_match(s: Row, m: Row, keys: Row, log: Log) -> None:
    """Lay out the map and play up to the first decision (rules 3).

    `keys` are those of the streams map, plants and split, two words each.
    """
    for cell in range(len(m)):
        m[cell] = 0
    m[lay.NEXT_ID] = 1
    stride = s[lay.STRIDE]
    for cell in range(lay.GRID, s[lay.SLIMES_AT]):
        m[cell] = lay.EDGE
    for y in range(1, s[lay.ROWS] + 1):
        for x in range(1, s[lay.COLUMNS] + 1):
            m[lay.GRID + y * stride + x] = lay.EMPTY
    # The draws of the map are made where those of splits will be.
    begin_stream(m, lay.SPLIT_KEY, lay.SPLIT_BLOCK, lay.SPLIT_DRAWN, keys[0], keys[1])
    for _ in range(s[lay.SLIME_PAIRS]):
        cell = draw_place(s, m, s[lay.COLUMNS] // 2)
        add_slime(s, m, 1, cell)
        note(log, lines.SLIME_PLACED, 1, cell, 0)
        add_slime(s, m, 2, turn_place(s, cell))
        note(log, lines.SLIME_PLACED, 2, turn_place(s, cell), 0)
    for _ in range(s[lay.ROCK_PAIRS]):
        cell = draw_place(s, m, s[lay.COLUMNS])
        add_rock(m, cell, log)
        add_rock(m, turn_place(s, cell), log)
    for _ in range(s[lay.PLANT_PAIRS]):
        cell = draw_place(s, m, s[lay.COLUMNS])
        add_plant(s, m, cell, 0, log)
        add_plant(s, m, turn_place(s, cell), 0, log)
    begin_stream(m, lay.PLANTS_KEY, lay.PLANTS_BLOCK, lay.PLANTS_DRAWN, keys[2], keys[3])
    begin_stream(m, lay.SPLIT_KEY, lay.SPLIT_BLOCK, lay.SPLIT_DRAWN, keys[4], keys[5])
    begin_activation(s, m, log)


@part
def turn_place(s: Row, cell: int) -> int:
    """Return the place turned by 180 degrees about the middle of the map (rules 3.1)."""
    return int(s[lay.STRIDE] * (s[lay.ROWS] + 2) - 1 - cell)


@part
def draw_place(s: Row, m: Row, columns: int) -> int:
    """Return a random free place whose mirror image is free (rules 3.2, 3.3)."""
    while True:
        x = below(m, lay.SPLIT_KEY, lay.SPLIT_DRAWS_AT, lay.SPLIT_BLOCK, lay.SPLIT_DRAWN, columns)
        y = below(
            m, lay.SPLIT_KEY, lay.SPLIT_DRAWS_AT, lay.SPLIT_BLOCK, lay.SPLIT_DRAWN, s[lay.ROWS]
        )
        cell = int((y + 1) * s[lay.STRIDE] + x + 1)
        if m[lay.GRID + cell] == lay.EMPTY and turn_place(s, cell) != cell:
            return cell


@part
def add_slime(s: Row, m: Row, team: int, cell: int) -> None:
    """Place a new slime (rules 3.5)."""
    slot = m[lay.SLIMES]
    at = s[lay.SLIMES_AT] + slot * lay.SLIME_SIZE
    first = lay.LEVELS_AT + lay.LEVEL_SIZE
    m[at + lay.ID] = m[lay.NEXT_ID]
    m[at + lay.TEAM] = team
    m[at + lay.PLACE] = cell
    m[at + lay.XP] = 1
    m[at + lay.LEVEL] = 1
    m[at + lay.HP] = s[first + lay.MAX_HP_OF]
    m[at + lay.MAX_HP] = s[first + lay.MAX_HP_OF]
    m[at + lay.ATTACK] = s[first + lay.ATTACK_OF]
    m[at + lay.READY] = 0
    m[at + lay.ALIVE] = 1
    m[lay.GRID + cell] = -1 - slot
    m[lay.SLIMES] += 1
    m[lay.NEXT_ID] += 1
    m[lay.TEAM_1 + team - 1] += 1


@part
def add_rock(m: Row, cell: int, log: Log) -> None:
    note(log, lines.ROCK_PLACED, cell, 0, 0)
    m[lay.GRID + cell] = lay.ROCK
    m[lay.NEXT_ID] += 1


@part
def add_plant(s: Row, m: Row, cell: int, parent: int, log: Log) -> None:
    """Place a new plant (rules 3.5, 4.2b)."""
    slot = m[lay.PLANTS]
    at = s[lay.PLANTS_AT] + slot * lay.PLANT_SIZE
    m[at + lay.PLANT_ID] = m[lay.NEXT_ID]
    m[at + lay.PLANT_PLACE] = cell
    m[at + lay.PLANT_LEVEL] = 1
    m[at + lay.PLANT_HP_LEFT] = s[lay.PLANT_START_HP]
    m[lay.GRID + cell] = lay.FIRST_PLANT + slot
    m[lay.PLANTS] += 1
    note(log, lines.PLANT_PLACED, cell, parent, 0)
    m[lay.NEXT_ID] += 1


@part
def play(s: Row, m: Row, order: int, log: Log) -> None:
    """Play the order of the acting slime, up to the next decision (rules 5, 6).

    An order is the number of a command; `NO_ORDER` or any other: the activation is forfeited.
    """
    slot = m[s[lay.QUEUE_AT] + m[lay.QUEUE_NEXT]]
    at = s[lay.SLIMES_AT] + slot * lay.SLIME_SIZE
    m[lay.QUEUE_NEXT] += 1
    if order < 0 or order >= lay.COMMANDS:
        note(log, lines.ROUND_LOST, m[at + lay.ID], m[at + lay.TEAM], m[lay.TURN])
    elif order < 4:
        move(m, at, slot, m[at + lay.PLACE] + side_offset(s, order), log)
    elif order < 8:
        bite(s, m, at, m[at + lay.PLACE] + side_offset(s, order - 4), log)
    elif order == 8:
        split(s, m, at, log)
    else:
        merge(s, m, at, log)
    if m[lay.TEAM_1] == 0 or m[lay.TEAM_1 + 1] == 0:  # rules 4.5
        end_match(s, m, lay.ELIMINATION, log)
    else:
        begin_activation(s, m, log)


@part
def side_offset(s: Row, side: int) -> int:
    """Return the difference of places to a side: left, right, up, down (rules 2.2)."""
    if side == 0:
        return -1
    if side == 1:
        return 1
    return int(s[lay.UP]) if side == 2 else -int(s[lay.UP])


@part
def find_side(s: Row, cell: int, beside: int) -> int:
    """Return the side on which a square beside lies: left, right, up, down."""
    for side in range(4):
        if cell + side_offset(s, side) == beside:
            return side
    return -1


@part
def steps_between(s: Row, one: int, other: int) -> int:
    """Return the steps between two places, obstacles ignored."""
    xs = s[lay.TABLES_AT]
    ys = xs + s[lay.SLIMES_AT] - lay.GRID
    across, down = s[xs + one] - s[xs + other], s[ys + one] - s[ys + other]
    return int(abs(across) + abs(down))


@part
def move(m: Row, at: int, slot: int, cell: int, log: Log) -> None:
    """Move to a square, if it is on the map and empty (rules 6.1)."""
    there = m[lay.GRID + cell]
    if there == lay.EMPTY:
        m[lay.GRID + m[at + lay.PLACE]] = lay.EMPTY
        m[lay.GRID + cell] = -1 - slot
        m[at + lay.PLACE] = cell
        note(log, lines.MOVED, m[at + lay.ID], cell, 0)
    else:
        note(
            log,
            lines.NOTHING,
            m[at + lay.ID],
            lines.OFF_MAP if there == lay.EDGE else lines.OCCUPIED,
            0,
        )


@part
def bite(s: Row, m: Row, at: int, cell: int, log: Log) -> None:
    """Bite the plant or slime on a square (rules 6.2)."""
    there = m[lay.GRID + cell]
    if lay.EMPTY <= there <= lay.ROCK:
        note(log, lines.NOTHING, m[at + lay.ID], lines.NO_TARGET, 0)
        return
    if there >= lay.FIRST_PLANT:
        target = s[lay.PLANTS_AT] + (there - lay.FIRST_PLANT) * lay.PLANT_SIZE
        hp_at, target_id = target + lay.PLANT_HP_LEFT, m[target + lay.PLANT_ID]
    else:
        target = s[lay.SLIMES_AT] + (-1 - there) * lay.SLIME_SIZE
        hp_at, target_id = target + lay.HP, m[target + lay.ID]
    m[hp_at] = max(0, m[hp_at] - m[at + lay.ATTACK])
    m[at + lay.HP] = min(m[at + lay.MAX_HP], m[at + lay.HP] + s[lay.BITE_HP])
    m[at + lay.XP] += s[lay.BITE_XP]
    note(log, lines.BITTEN, m[at + lay.ID], target_id, m[hp_at])
    note(log, lines.BITTEN, m[at + lay.HP], m[at + lay.XP], 0)
    if m[hp_at] == 0:  # rules 5.6
        m[lay.GRID + cell] = lay.EMPTY
        if there >= lay.FIRST_PLANT:
            m[lay.EATEN] += 1
        else:
            remove_slime(m, target)
        note(log, lines.DIED, target_id, m[at + lay.ID], 0)


@part
def remove_slime(m: Row, at: int) -> None:
    m[at + lay.ALIVE] = 0
    m[lay.GRID + m[at + lay.PLACE]] = lay.EMPTY
    m[lay.TEAM_1 + m[at + lay.TEAM] - 1] -= 1


@part
def empty_around(s: Row, m: Row, cell: int) -> int:
    """Return how many of the eight squares around are empty."""
    count = 0
    for row in range(cell - s[lay.STRIDE], cell + s[lay.STRIDE] + 1, s[lay.STRIDE]):
        for other in range(row - 1, row + 2):
            if m[lay.GRID + other] == lay.EMPTY:
                count += 1
    return count


@part
def empty_one(s: Row, m: Row, cell: int, number: int) -> int:
    """Return the empty square of a number among the eight around, row by row."""
    for row in range(cell - s[lay.STRIDE], cell + s[lay.STRIDE] + 1, s[lay.STRIDE]):
        for other in range(row - 1, row + 2):
            if m[lay.GRID + other] == lay.EMPTY:
                if number == 0:
                    return other
                number -= 1
    return -1


@part
def split(s: Row, m: Row, at: int, log: Log) -> None:
    """Divide the slime's xp and place a new slime beside it (rules 6.3)."""
    if m[at + lay.LEVEL] < s[lay.MIN_SPLIT_LEVEL]:
        note(log, lines.NOTHING, m[at + lay.ID], lines.TOO_LOW, 0)
        return
    room = empty_around(s, m, m[at + lay.PLACE])
    if room == 0:
        note(log, lines.NOTHING, m[at + lay.ID], lines.NO_ROOM, 0)
        return
    number = below(m, lay.SPLIT_KEY, lay.SPLIT_DRAWS_AT, lay.SPLIT_BLOCK, lay.SPLIT_DRAWN, room)
    divisor = s[lay.SPLIT_DIVISOR]
    m[at + lay.XP] = (2 * m[at + lay.XP] + divisor) // (2 * divisor)
    cell = empty_one(s, m, m[at + lay.PLACE], number)
    add_slime(s, m, m[at + lay.TEAM], cell)
    note(log, lines.SPLIT, m[at + lay.ID], m[at + lay.XP], cell)
    note(log, lines.SPLIT, m[at + lay.TEAM], 0, 0)


@part
def merge(s: Row, m: Row, at: int, log: Log) -> None:
    """Get ready, then absorb the ready friend beside with the most xp, if any (rules 6.4)."""
    m[at + lay.READY] = 1
    note(log, lines.READIED, m[at + lay.ID], 0, 0)
    best = -1
    cell = m[at + lay.PLACE]
    for row in range(cell - s[lay.STRIDE], cell + s[lay.STRIDE] + 1, s[lay.STRIDE]):
        for other in range(row - 1, row + 2):
            there = m[lay.GRID + other]
            if there >= lay.EMPTY or other == cell:
                continue
            friend = s[lay.SLIMES_AT] + (-1 - there) * lay.SLIME_SIZE
            if m[friend + lay.TEAM] != m[at + lay.TEAM] or m[friend + lay.READY] == 0:
                continue
            if best < 0 or (m[friend + lay.XP], -m[friend + lay.ID]) > (
                m[best + lay.XP],
                -m[best + lay.ID],
            ):
                best = friend
    if best >= 0:
        remove_slime(m, best)
        m[at + lay.XP] += m[best + lay.XP]
        if s[lay.MERGE_HEALS]:
            m[at + lay.HP] = m[at + lay.MAX_HP]
        note(log, lines.MERGED, m[at + lay.ID], m[best + lay.ID], m[at + lay.XP])
        note(log, lines.MERGED, m[at + lay.HP], 0, 0)


@part
def begin_activation(s: Row, m: Row, log: Log) -> None:
    """Go on to the next slime that must decide, in a new turn if need be (rules 4)."""
    while not has_acting_slime(s, m):
        if m[lay.TURN] == s[lay.MAX_TURNS]:
            end_match(s, m, lay.LAST_TURN, log)
            return
        m[lay.TURN] += 1
        note(log, lines.STAGE_PLANTS, m[lay.TURN], 0, 0)
        grow_plants(s, m, log)
        note(log, lines.STAGE_SLIMES, m[lay.TURN], 0, 0)
        queue_slimes(s, m, log)
    at = s[lay.SLIMES_AT] + m[s[lay.QUEUE_AT] + m[lay.QUEUE_NEXT]] * lay.SLIME_SIZE
    if m[at + lay.READY]:  # rules 5.1
        m[at + lay.READY] = 0
        note(log, lines.READY_ENDED, m[at + lay.ID], 0, 0)
    update_level(s, m, at, log)


@part
def has_acting_slime(s: Row, m: Row) -> bool:
    """Drop the dead at the head of the queue (rules 4.4); return whether anybody is left."""
    while m[lay.QUEUE_NEXT] < m[lay.QUEUE_END]:
        if m[
            s[lay.SLIMES_AT] + m[s[lay.QUEUE_AT] + m[lay.QUEUE_NEXT]] * lay.SLIME_SIZE + lay.ALIVE
        ]:
            return True
        m[lay.QUEUE_NEXT] += 1
    return False


@part
def grow_plants(s: Row, m: Row, log: Log) -> None:
    """Play each plant's round, in ascending order of ids (rules 4.2)."""
    if m[lay.EATEN]:
        close_gaps_of_plants(s, m)
    top, growth, seeding = s[lay.PLANT_MAX_LEVEL], s[lay.GROWTH], s[lay.SEEDING]
    drawn = m[lay.PLANTS_DRAWN]  # `draw` written out: most of the time of a turn is spent here
    for at in range(
        s[lay.PLANTS_AT], s[lay.PLANTS_AT] + m[lay.PLANTS] * lay.PLANT_SIZE, lay.PLANT_SIZE
    ):
        if drawn == lay.DRAWS_AT_A_TIME:
            draw_more(m, lay.PLANTS_KEY, lay.PLANTS_DRAWS_AT, m[lay.PLANTS_BLOCK])
            m[lay.PLANTS_BLOCK] += lay.LANES
            drawn = 0
        chance = m[lay.PLANTS_DRAWS_AT + drawn]
        drawn += 1
        is_full_grown = m[at + lay.PLANT_LEVEL] == top
        if chance < (seeding if is_full_grown else growth):
            m[lay.PLANTS_DRAWN] = drawn
            if is_full_grown:
                seed(s, m, at, log)
            else:
                grow(s, m, at, log)
            drawn = m[lay.PLANTS_DRAWN]
    m[lay.PLANTS_DRAWN] = drawn


@part
def close_gaps_of_plants(s: Row, m: Row) -> None:
    """Give the slots of plants that were eaten to those after them."""
    to = s[lay.PLANTS_AT]
    for at in range(to, to + m[lay.PLANTS] * lay.PLANT_SIZE, lay.PLANT_SIZE):
        if m[at + lay.PLANT_HP_LEFT] == 0:
            continue
        if to != at:
            for field in range(lay.PLANT_SIZE):
                m[to + field] = m[at + field]
            m[lay.GRID + m[to + lay.PLANT_PLACE]] = (
                lay.FIRST_PLANT + (to - s[lay.PLANTS_AT]) // lay.PLANT_SIZE
            )
        to += lay.PLANT_SIZE
    m[lay.PLANTS] -= m[lay.EATEN]
    m[lay.EATEN] = 0


@part
def grow(s: Row, m: Row, at: int, log: Log) -> None:
    """Raise a plant's level (rules 4.2a)."""
    m[at + lay.PLANT_LEVEL] += 1
    most = m[at + lay.PLANT_LEVEL] * s[lay.PLANT_HP]
    m[at + lay.PLANT_HP_LEFT] = min(most, m[at + lay.PLANT_HP_LEFT] + most // 2)
    note(log, lines.GROWN, m[at + lay.PLANT_ID], m[at + lay.PLANT_LEVEL], m[at + lay.PLANT_HP_LEFT])


@part
def seed(s: Row, m: Row, at: int, log: Log) -> None:
    """Spread a seed on one of the empty squares around (rules 4.2b)."""
    room = empty_around(s, m, m[at + lay.PLANT_PLACE])
    if room:
        number = below(
            m, lay.PLANTS_KEY, lay.PLANTS_DRAWS_AT, lay.PLANTS_BLOCK, lay.PLANTS_DRAWN, room
        )
        cell = empty_one(s, m, m[at + lay.PLANT_PLACE], number)
        add_plant(s, m, cell, m[at + lay.PLANT_ID], log)


@part
def queue_slimes(s: Row, m: Row, log: Log) -> None:
    """Fix the order of slimes: alternating, team 1 first on odd turns (rules 4.3)."""
    close_gaps_of_slimes(s, m)
    m[lay.QUEUE_NEXT], m[lay.QUEUE_END] = 0, 0
    first = 1 if m[lay.TURN] % 2 else 2
    one, other = 0, 0
    while one < m[lay.SLIMES] or other < m[lay.SLIMES]:
        one = queue_next(s, m, first, one, log)
        other = queue_next(s, m, 3 - first, other, log)


@part
def queue_next(s: Row, m: Row, team: int, slot: int, log: Log) -> int:
    """Queue the first slime of a team from a slot on; return the slot after it."""
    while slot < m[lay.SLIMES]:
        at = s[lay.SLIMES_AT] + slot * lay.SLIME_SIZE
        if m[at + lay.TEAM] == team:
            m[s[lay.QUEUE_AT] + m[lay.QUEUE_END]] = slot
            m[lay.QUEUE_END] += 1
            note(log, lines.QUEUED, m[at + lay.ID], 0, 0)
            return slot + 1
        slot += 1
    return slot


@part
def close_gaps_of_slimes(s: Row, m: Row) -> None:
    """Give the slots of slimes that are gone to those after them."""
    if m[lay.SLIMES] == m[lay.TEAM_1] + m[lay.TEAM_1 + 1]:
        return
    to = s[lay.SLIMES_AT]
    for at in range(to, to + m[lay.SLIMES] * lay.SLIME_SIZE, lay.SLIME_SIZE):
        if m[at + lay.ALIVE] == 0:
            continue
        if to != at:
            for field in range(lay.SLIME_SIZE):
                m[to + field] = m[at + field]
            m[lay.GRID + m[to + lay.PLACE]] = -1 - (to - s[lay.SLIMES_AT]) // lay.SLIME_SIZE
        to += lay.SLIME_SIZE
    m[lay.SLIMES] = (to - s[lay.SLIMES_AT]) // lay.SLIME_SIZE


@part
def update_level(s: Row, m: Row, at: int, log: Log) -> None:
    """Set the level from xp; hp keeps its share when the level rises (rules 5.2)."""
    xp, level = m[at + lay.XP], s[lay.SLIME_MAX_LEVEL]
    while level > 1 and s[lay.LEVELS_AT + level * lay.LEVEL_SIZE + lay.MIN_XP] > xp:
        level -= 1
    before = m[at + lay.LEVEL]
    if level == before:
        return
    most = s[lay.LEVELS_AT + level * lay.LEVEL_SIZE + lay.MAX_HP_OF]
    if level > before:
        m[at + lay.HP] = -(-m[at + lay.HP] * most // m[at + lay.MAX_HP])  # rounded up
    else:
        m[at + lay.HP] = min(m[at + lay.HP], most)
    m[at + lay.LEVEL] = level
    m[at + lay.MAX_HP] = most
    m[at + lay.ATTACK] = s[lay.LEVELS_AT + level * lay.LEVEL_SIZE + lay.ATTACK_OF]
    note(log, lines.LEVELLED, m[at + lay.ID], level, m[at + lay.HP])


@part
def end_match(s: Row, m: Row, reason: int, log: Log) -> None:
    """Update all levels once more, then score them (rules 7.2, 7.3)."""
    note(log, lines.STAGE_SCORING, m[lay.TURN], 0, 0)
    for at in range(
        s[lay.SLIMES_AT], s[lay.SLIMES_AT] + m[lay.SLIMES] * lay.SLIME_SIZE, lay.SLIME_SIZE
    ):
        if m[at + lay.ALIVE]:
            update_level(s, m, at, log)
            tenths = s[lay.LEVELS_AT + m[at + lay.LEVEL] * lay.LEVEL_SIZE + lay.TENTHS]
            m[lay.TENTHS_1 + m[at + lay.TEAM] - 1] += tenths
    m[lay.ENDED] = reason
    m[lay.QUEUE_NEXT] = m[lay.QUEUE_END]
    note(log, lines.END, m[lay.TENTHS_1], m[lay.TENTHS_1 + 1], reason)
