"""The rules of Smack! on rows of numbers, ply by ply (docs/rules/smack.md).

They say the same as engine/games/smack/rules.py and state.py together, and a test compares the
two, event by event. Where a log is given, what happens is written into it.
"""

import numpy as np

from engine.games.smack.position import START
from engine.games.smack.settings import BULLY_POINTS, MAX_POINTS, NERD_POINTS
from learning.encodings.smack import PAIRS
from learning.simulation.chance import Row, begin_stream, below
from learning.simulation.compiled import kernel, part
from learning.simulation.log import Log, note
from learning.smack import log as lines
from learning.smack.bitboards import (
    WORDS,
    Bits,
    changed,
    common,
    count,
    is_empty,
    nothing,
    nth_of,
    read,
    single,
    spread,
    union,
    without,
    words_of,
    write,
)
from learning.smack.layout import (
    AGREEMENT,
    BULLIES,
    CAPTURED,
    ENDING,
    ENOUGH_PLIES,
    FIRST_HALF,
    FORFEIT,
    HALF_SIZE,
    HISTORY,
    IS_FREE,
    IS_OVER,
    LAST,
    NERDS,
    NERDS_SIDE,
    NO_CAPTURE_LIMIT,
    NO_CAPTURES,
    NO_MOVES,
    NO_PIECES,
    OPENING_PLIES,
    ORDERS,
    PLY,
    PLY_LIMIT,
    POINTS_1,
    POINTS_2,
    QUIET,
    REPETITION,
    REPETITION_LIMIT,
    RUNNING,
    SOURCE,
    STREAM_BLOCK,
    STREAM_DRAWN,
    STREAM_DRAWS,
    STREAM_KEY,
    STREAM_SIZE,
    TURN,
    WAIT,
    WANTS_END,
)
from learning.smack.moves import (
    GROUP_SIZE,
    MOST_GROUPS,
    QUIET_ONES,
    count_moves,
    find_moves,
    has_moves,
    is_legal,
    nth_move,
    source_of,
    target_of,
)

START_NERDS = words_of(START.nerds)
START_BULLIES = words_of(START.bullies)


@kernel
def new_match(s: Row, m: Row, key: Row, log: Log) -> None:
    """Set up both boards and draw the opening (rules 2, 7.6).

    `key` is that of the stream of the opening, two words.
    """
    for place in range(len(m)):
        m[place] = 0
    for half in range(1, 3):
        at = half_at(s, half)
        for i in range(WORDS):
            m[at + NERDS + i] = START_NERDS[i]
            m[at + BULLIES + i] = START_BULLIES[i]
        note(log, lines.HALF_BEGAN, half, 0, 0)
    if s[OPENING_PLIES]:
        draw_opening(s, m, key, log)
    begin_turn(m, log)


@part
def draw_opening(s: Row, m: Row, key: Row, log: Log) -> None:
    """Play the same random plies on both boards, none of them a capture (rules 7.6)."""
    stream = np.empty(STREAM_SIZE, np.int64)
    begin_stream(stream, STREAM_KEY, STREAM_BLOCK, STREAM_DRAWN, key[0], key[1])
    groups = np.empty((MOST_GROUPS, GROUP_SIZE), np.int64)
    for _ in range(s[OPENING_PLIES]):
        found = find_moves(m, half_at(s, 1), QUIET_ONES, groups)
        moves = count_moves(groups, found)
        if moves == 0:
            return
        n = below(stream, STREAM_KEY, STREAM_DRAWS, STREAM_BLOCK, STREAM_DRAWN, moves)
        order = nth_move(groups, found, n)
        for half in range(1, 3):
            move(m, half_at(s, half), half, source_of(order), target_of(order), 0, log)


@part
def half_at(s: Row, half: int) -> int:
    """Return where a half begins, 1 or 2."""
    return int(FIRST_HALF + (half - 1) * s[HALF_SIZE])


@part
def team_to_move(m: Row, at: int, half: int) -> int:
    """Return the team to move in a half: its number is that of the team of the nerds (7.2)."""
    return half if m[at + PLY] % 2 == NERDS_SIDE else 3 - half


@part
def play_round(s: Row, m: Row, first: int, second: int, log: Log) -> int:
    """Play an order on each board that is not over (rules 7.4, 7.7); return how many."""
    # A half that ends in this round does not end the turn of the other.
    is_open_1 = m[half_at(s, 1) + ENDING] == RUNNING
    is_open_2 = m[half_at(s, 2) + ENDING] == RUNNING
    if s[IS_FREE]:
        is_open_1, is_open_2 = is_open_1 and first != WAIT, is_open_2 and second != WAIT
    if is_open_1:
        play_ply(s, m, 1, first, log)
        if s[IS_FREE]:
            go_on(s, m, log)
    if is_open_2:
        play_ply(s, m, 2, second, log)
        if s[IS_FREE]:
            go_on(s, m, log)
    if not s[IS_FREE]:
        go_on(s, m, log)
    return int(is_open_1) + int(is_open_2)


@part
def go_on(s: Row, m: Row, log: Log) -> None:
    """Begin the next turn, or end the match."""
    one, other = half_at(s, 1), half_at(s, 2)
    if m[one + ENDING] == RUNNING or m[other + ENDING] == RUNNING:
        begin_turn(m, log)
        return
    m[IS_OVER] = 1
    first = m[one + POINTS_1] + m[other + POINTS_1]
    second = m[one + POINTS_2] + m[other + POINTS_2]
    note(log, lines.MATCH_ENDED, first, second, 0)


@part
def begin_turn(m: Row, log: Log) -> None:
    m[TURN] += 1
    note(log, lines.STAGE, m[TURN], 0, 0)


@part
def play_ply(s: Row, m: Row, half: int, order: int, log: Log) -> None:
    """Play a move and end the half if it is over, or forfeit it (rules 7.5)."""
    at = half_at(s, half)
    is_order = 0 <= order < ORDERS
    source, target = source_of(order), target_of(order)
    if not is_order or not is_legal(m, at, source, target):
        offender = team_to_move(m, at, half)
        m[at + POINTS_1] = 0 if offender == 1 else MAX_POINTS
        m[at + POINTS_2] = 0 if offender == 2 else MAX_POINTS
        end_half(m, at, half, FORFEIT, log)
        return
    ends = 1 if order >= PAIRS else 0
    is_agreed = ends == 1 and m[at + WANTS_END] == 1
    move(m, at, half, source, target, ends, log)
    reason = AGREEMENT if is_agreed else reason_to_end(s, m, at)
    if reason != RUNNING:
        end_half(m, at, half, reason, log)


@part
def end_half(m: Row, at: int, half: int, reason: int, log: Log) -> None:
    m[at + ENDING] = reason
    note(log, lines.HALF_ENDED, half, reason, 0)
    note(log, lines.POINTS, m[at + POINTS_1], m[at + POINTS_2], 0)


@part
def move(m: Row, at: int, half: int, source: int, target: int, ends: int, log: Log) -> None:
    """Play a legal move; with `ends` it offers to end the half (rules 4, 5, 6.1)."""
    nerds, bullies = read(m, at + NERDS), read(m, at + BULLIES)
    team = team_to_move(m, at, half)
    if m[at + PLY] % 2 == NERDS_SIDE:
        captured = common(single(target), bullies)
        points = count(captured) * BULLY_POINTS
        nerds, bullies = moved(nerds, source, target), without(bullies, captured)
    else:
        captured = common(spread(single(target)), nerds)
        points = count(captured) * NERD_POINTS
        nerds, bullies = without(nerds, captured), moved(bullies, source, target)
    write(m, at + NERDS, nerds)
    write(m, at + BULLIES, bullies)
    write(m, at + CAPTURED, captured)
    m[at + PLY] += 1
    m[at + LAST] = source * SOURCE + target
    m[at + WANTS_END] = ends
    m[at + POINTS_1 + team - 1] += points
    if points:
        m[at + QUIET] = 0  # rules 6.4, 6.5: no position from before can come back
    else:
        m[at + HISTORY + m[at + QUIET]] = m[at + LAST]
        m[at + QUIET] += 1
    note(log, lines.MOVED, half, team, ends)
    note_captures(m[at + LAST], captured, points, log)


@part
def note_captures(ply: int, captured: Bits, points: int, log: Log) -> None:
    pieces = count(captured)
    note(log, lines.PLIED, ply, points, pieces)
    for n in range(pieces):
        note(log, lines.CAPTURED, nth_of(captured, n), 0, 0)


@part
def moved(pieces: Bits, source: int, target: int) -> Bits:
    """Return pieces of which one moved; or one that moved to where it came from."""
    return changed(pieces, union(single(source), single(target)))


@part
def reason_to_end(s: Row, m: Row, at: int) -> int:
    """Return why a half is over, RUNNING while it goes on (rules 6.2 to 6.6), in this order."""
    if is_empty(read(m, at + NERDS)) or is_empty(read(m, at + BULLIES)):
        return NO_PIECES
    if not has_moves(m, at):
        return NO_MOVES
    if m[at + QUIET] >= s[NO_CAPTURE_LIMIT]:
        return NO_CAPTURES
    if times_seen(m, at) >= s[REPETITION_LIMIT]:
        return REPETITION
    if m[at + PLY] >= s[PLY_LIMIT]:
        return ENOUGH_PLIES
    return RUNNING


@part
def times_seen(m: Row, at: int) -> int:
    """Return how often the present position came up since the last capture (rules 6.5).

    The plies are taken back one by one: where none of the pieces of either side stands elsewhere
    than now, with the same side to move, it is the same position.
    """
    other, mine, times = nothing(), nothing(), 1
    end = at + HISTORY + m[at + QUIET]
    for back in range(1, m[at + QUIET] + 1):
        ply = m[end - back]
        other, mine = mine, moved(other, ply // SOURCE, ply % SOURCE)
        if back % 2 == 0 and is_empty(union(other, mine)):
            times += 1
    return times
