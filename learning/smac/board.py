"""What stacks do by themselves: growth, death, reduction and production (rules 5.5, 5.11 to 5.16).

Places that a function finds are in the list FOUND, ascending, and it returns how many they are.
"""

from engine.games.smac.terrain import ACID, BARE, BASE, DIP, HILL, SUGAR
from learning.simulation.compiled import inlined, plain_part
from learning.smac.layout import (
    FOUND,
    HEIGHTS,
    HEIGHTS_LIMIT,
    LEVELS,
    MIN_SUPPORT,
    NEED,
    NEED_DIP,
    NEED_HILL,
    NEIGHBORS,
    OWNER,
    PLACES,
    PRODUCTIVITY,
    SIDE,
    STACKING,
    STRIDE,
    TEAM_SIZE,
    TEAMS,
    TEAMS_AT,
    TERRAIN,
    VALUES,
    YIELDS,
    Cells,
    Row,
    Work,
    cells_of,
)

layers_of = inlined(cells_of)


@plain_part
def team_at(team: int) -> int:
    """Return where the numbers of a team begin."""
    return TEAMS_AT + (team - 1) * TEAM_SIZE


@plain_part
def place_of(s: Row, cell: int) -> int:
    """Return the place of a cell as the engine numbers it."""
    return int((cell // s[SIDE] + 1) * s[STRIDE] + cell % s[SIDE] + 1)


@plain_part
def row_of(s: Row, place: int) -> int:
    return int(place // s[STRIDE])


@plain_part
def column_of(s: Row, place: int) -> int:
    return int(place % s[STRIDE])


@plain_part
def distance_between(s: Row, one: int, other: int) -> int:
    """Return the steps of a chess king between two places (rules 2.1)."""
    across = abs(column_of(s, one) - column_of(s, other))
    return max(across, abs(row_of(s, one) - row_of(s, other)))


@plain_part
def is_inner(s: Row, place: int) -> bool:
    """Return whether a place has eight neighbors on the board."""
    x, y, side = column_of(s, place), row_of(s, place), s[SIDE]
    return bool(1 < x < side and 1 < y < side)


@plain_part
def find_block(s: Row, w: Work, place: int, radius: int) -> int:
    """Find the places of the board within a distance, the place itself among them."""
    x, y, count = column_of(s, place), row_of(s, place), 0
    for row in range(max(1, y - radius), min(s[SIDE], y + radius) + 1):
        for column in range(max(1, x - radius), min(s[SIDE], x + radius) + 1):
            w[FOUND, count] = row * s[STRIDE] + column
            count += 1
    return count


@plain_part
def has_any(s: Row, g: Cells, place: int) -> bool:
    """Return whether anybody has a stack there."""
    team = 1
    while team <= s[TEAMS] and g[HEIGHTS + team, place] == 0:
        team += 1
    return bool(team <= s[TEAMS])


@plain_part
def count_neighbors(s: Row, g: Cells, w: Work, team: int) -> None:
    """Count for each place how many of the eight around hold a stack of the team."""
    heights, stride = g[HEIGHTS + team], s[STRIDE]
    # Slices that begin at 0 in the loops, so that several places are computed at once.
    size = s[PLACES] - 2 * stride
    above, beside, below = heights[:size], heights[stride:], heights[2 * stride :]
    columns = w[VALUES, stride:]
    for i in range(size):
        columns[i] = int(above[i] > 0) + int(beside[i] > 0) + int(below[i] > 0)
    # The first and the last place are of the edge.
    size -= 2
    left, middle, right = columns[:size], columns[1:], columns[2:]
    counts, inner = w[NEIGHBORS, stride + 1 :], beside[1:]
    for i in range(size):
        counts[i] = left[i] + middle[i] + right[i] - int(inner[i] > 0)


@plain_part
def find_growth(
    s: Row, m: Row, g: Cells, w: Work, team: int, center: int, radius: int, lowered: int
) -> int:
    """Find the places around one in which a team gains a level (rules 5.5, 8.3, 8.6).

    `lowered` is taken from the thresholds.
    """
    count_neighbors(s, g, w, team)
    side, stride, count = s[SIDE], s[STRIDE], 0
    x, y, stacking = center % stride, center // stride, m[team_at(team) + LEVELS + STACKING]
    need, need_dip, need_hill = s[NEED] - lowered, s[NEED_DIP] - lowered, s[NEED_HILL] - lowered
    least = min(need, need_dip, need_hill)
    for row in range(max(1, y - radius), min(side, y + radius) + 1):
        first = row * stride
        for place in range(first + max(1, x - radius), first + min(side, x + radius) + 1):
            neighbors = w[NEIGHBORS, place]
            if neighbors < least:
                continue
            height, owner = g[HEIGHTS + team, place], g[OWNER, place]
            if owner == team or height >= stacking or (owner == 0 and height > 0):
                continue
            terrain = g[TERRAIN, place]
            if neighbors >= (need_dip if terrain & DIP else need_hill if terrain & HILL else need):
                w[FOUND, count] = place
                count += 1
    return count


@plain_part
def find_deaths(s: Row, g: Cells, w: Work, team: int) -> int:
    """Find the stacks with too little support (rules 5.11)."""
    count_neighbors(s, g, w, team)
    heights, counts, count = g[HEIGHTS + team], w[NEIGHBORS], 0
    for place in range(s[STRIDE] + 1, s[PLACES] - s[STRIDE] - 1):
        if heights[place] and counts[place] < s[MIN_SUPPORT]:
            w[FOUND, count] = place
            count += 1
    return count


@plain_part
def least_before(values: Row, place: int, stride: int, step: int) -> int:
    """Return the least value of the four neighbors that come before a place, or with -1 after."""
    row = place - step * stride
    return int(min(values[place - step], values[row - 1], values[row], values[row + 1]))


@plain_part
def lower_values(s: Row, values: Row) -> None:
    """Lower heights above 1 to at most 1 more than each of their neighbors (rules 5.12).

    A height is at most that of any cell of the board plus its distance, which two passes find: one
    from each end. What lies beyond the edge does not count.
    """
    stride = s[STRIDE]
    for i in range(stride):
        values[i] = values[s[PLACES] - 1 - i] = HEIGHTS_LIMIT
        values[i * stride] = values[i * stride + stride - 1] = HEIGHTS_LIMIT
    for y in range(1, s[SIDE] + 1):
        for place in range(y * stride + 1, y * stride + 1 + s[SIDE]):
            if values[place] > 1:
                values[place] = min(values[place], 1 + least_before(values, place, stride, 1))
    for y in range(s[SIDE], 0, -1):
        for place in range(y * stride + s[SIDE], y * stride, -1):
            if values[place] > 1:
                values[place] = min(values[place], 1 + least_before(values, place, stride, -1))


@plain_part
def find_reductions(s: Row, g: Cells, w: Work, team: int) -> int:
    """Find the stacks too high for their neighbors, with their new heights in VALUES (5.12)."""
    heights, values, highest, count = g[HEIGHTS + team], w[VALUES], 0, 0
    for place in range(s[PLACES]):
        values[place] = heights[place]
        highest = max(highest, heights[place])
    if highest < 2:
        return 0
    lower_values(s, values)
    for place in range(s[PLACES]):
        if values[place] < heights[place]:
            w[FOUND, count] = place
            count += 1
    return count


@plain_part
def effective_height(height: int, terrain: int) -> int:
    """Return a height with 1 more on BASE and 1 less on ACID (rules 5.8); 0 stays 0."""
    if height == 0:
        return 0
    if terrain & BASE:
        return height + 1
    return height - 1 if terrain & ACID else height


@plain_part
def production_of(s: Row, m: Row, g: Cells, team: int) -> int:
    """Return the thousandths of a point that a team produces (rules 5.13 to 5.15)."""
    heights, terrains, hundredths = g[HEIGHTS + team], g[TERRAIN], 0
    for place in range(s[STRIDE], s[PLACES] - s[STRIDE]):
        height, terrain = int(heights[place]), int(terrains[place])
        if height:
            effective = effective_height(height, terrain)
            points = int(s[YIELDS + effective])
            if terrain & SUGAR and effective:
                points += 100
            if terrain & BARE:
                points = max(0, points - 100)
            hundredths += points
    return int(hundredths * (10 + m[team_at(team) + LEVELS + PRODUCTIVITY]))
