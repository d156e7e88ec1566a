"""The turn of Slime Mind, as a list of named stages (docs/rules/slime_mind.md).

Rules read the board and say what happens; the match loop applies each event before
the rule resumes, so a later plant or slime sees what an earlier one did.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

from engine.fault import Fault
from engine.game import Event, MatchEnded, Stage
from engine.games.slime_mind.events import (
    Bitten,
    Died,
    Grown,
    Levelled,
    Merged,
    Moved,
    Nothing,
    PlantPlaced,
    Queued,
    Readied,
    ReadyEnded,
    Reason,
    RoundLost,
    Split,
)
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pieces import Plant, Rock, Slime, new_slime
from engine.games.slime_mind.settings import LEVELS, Settings, level_of
from engine.games.slime_mind.state import AROUND, TEAMS, Board
from engine.streams import Streams

Events = Iterator[Event]
Results = tuple[Event, ...]
"""The events of one command, computed at once (rules 5.5) and applied in this order."""
Action = Callable[[Board, Slime, Streams], Results]

# Looking a member up in an enum takes five times as long as a module's global.
EDGE, OCCUPIED, NO_TARGET = Reason.EDGE, Reason.OCCUPIED, Reason.NO_TARGET
LOW_LEVEL, NO_ROOM = Reason.LOW_LEVEL, Reason.NO_ROOM

ELIMINATION = "elimination"
LAST_TURN = "last turn"


def begin_turn(board: Board, streams: Streams) -> Events:
    """Begin a turn and run its stages in order (rules 4)."""
    turn = board.turn + 1
    for name, stage in TURN:
        yield Stage(turn, name)
        yield from stage(board, streams)


def grow_plants(board: Board, streams: Streams) -> Events:
    """Play each plant's round, in ascending order of ids (rules 4.2)."""
    settings, random = board.settings, streams["plants"].random
    # A copy: a plant that appears now waits for the next turn. Ids ascend because every new
    # piece gets the next id and is added at the end of its dict.
    for plant in tuple(board.plants.values()):
        # rules 4.2b: only one that was full-grown when its round began can spread a seed.
        if plant.level < plant.max_level:
            if random() * 100 < settings.plant_level_chance_pct:
                yield _grow_plant(plant, settings)
        elif random() * 100 < settings.plant_seed_chance_pct:
            squares = board.empty_around(plant.x, plant.y)
            if squares:
                x, y = streams["plants"].choice(squares)
                yield PlantPlaced(new_plant(board.next_id, x, y, settings), plant.id)


def queue_slimes(board: Board, streams: Streams) -> Events:
    """Fix the order of slimes: alternating, team 1 first on odd turns (rules 4.3)."""
    first, second = TEAMS if board.turn % 2 else reversed(TEAMS)
    pairs = zip_longest(_slime_ids(board, first), _slime_ids(board, second))
    yield Queued(tuple(slime for pair in pairs for slime in pair if slime is not None))


# Rocks do nothing (rules 4.1), so they have no stage. The queue is fixed when the slimes' phase
# begins (rules 4.3); their rounds then follow one decision at a time (`play_round`).
TURN: tuple[tuple[str, Callable[[Board, Streams], Events]], ...] = (
    ("plants", grow_plants),
    ("slimes", queue_slimes),
)


def play_round(board: Board, order: Command | Fault, streams: Streams) -> Events:
    """Play the acting slime's command, and go on until the next slime must decide."""
    slime = board.slimes[board.queue[0]]
    if type(order) is Fault:
        yield RoundLost(slime.id, slime.team, board.turn, str(order.cause))
    else:
        yield from ACTIONS[order](board, slime, streams)
    # rules 4.5: checked after every round, not at the end of the turn.
    if not (board.slimes_of[1] and board.slimes_of[2]):
        yield from end_match(board, ELIMINATION)
    else:
        yield from begin_round(board, streams)


def begin_round(board: Board, streams: Streams) -> Iterable[Event]:
    """Begin the next slime's round, in a new turn when this one's queue is empty."""
    if board.queue:
        return update_slime(board.slimes[board.queue[0]])
    if board.turn == board.settings.max_turns:
        return end_match(board, LAST_TURN)
    return start_turn(board, streams)


def start_turn(board: Board, streams: Streams) -> Events:
    """Play a new turn up to the decision of its first slime."""
    yield from begin_turn(board, streams)
    yield from update_slime(board.slimes[board.queue[0]])


def update_slime(slime: Slime) -> Results:
    """Return what happens to a slime before its bot is asked (rules 5.1, 5.2)."""
    if slime.ready_to_merge:
        return ReadyEnded(slime.id), *update_level(slime)
    return update_level(slime)


def update_level(slime: Slime) -> Results:
    """Set the level from xp; hp keeps its share when the level rises (rules 5.2)."""
    level = level_of(slime.xp, slime.max_level)
    if level == slime.level:
        return ()
    row = LEVELS[level]
    if level > slime.level:
        # Floor division of the negated number: rounded up, as the rule says.
        hp = -(-slime.current_hp * row.max_hp // slime.max_hp)
    else:
        hp = min(slime.current_hp, row.max_hp)
    return (Levelled(slime.id, level, row.attack, row.max_hp, hp),)


def end_match(board: Board, reason: str) -> Events:
    """Update all levels once more, then score them (rules 7.2, 7.3)."""
    # rules 7.2: a SPLIT or MERGE in the last turn must not leave an old level standing.
    yield Stage(board.turn, "scoring")
    for slime in tuple(board.slimes.values()):
        yield from update_level(slime)
    yield MatchEnded(scores(board), reason)


def scores(board: Board) -> tuple[float, ...]:
    """Return the points of each team (rules 7.3)."""
    # Integers are summed and divided once: sums of floats would depend on their order.
    tenths = dict.fromkeys(TEAMS, 0)
    for slime in board.slimes.values():
        tenths[slime.team] += LEVELS[slime.level].score_tenths
    return tuple(tenths[team] / 10 for team in TEAMS)


def move(dx: int, dy: int) -> Action:
    """Return the action that moves to the square beside, if it is on the map and empty (6.1)."""

    def act(board: Board, slime: Slime, streams: Streams) -> Results:
        x, y = slime.x + dx, slime.y + (-dy if board.settings.y_up else dy)  # rules 2.2
        if (x, y) in board.at:
            return (Nothing(slime.id, OCCUPIED),)
        if board.is_on_map(x, y):
            return (Moved(slime.id, x, y),)
        return (Nothing(slime.id, EDGE),)

    return act


def bite(dx: int, dy: int) -> Action:
    """Return the action that bites the plant or slime on one side (rules 6.2)."""

    def act(board: Board, slime: Slime, streams: Streams) -> Results:
        settings = board.settings
        target = board.at.get((slime.x + dx, slime.y + (-dy if settings.y_up else dy)))
        if target is None or type(target) is Rock:
            return (Nothing(slime.id, NO_TARGET),)
        target_hp = max(0, target.current_hp - slime.attack)
        hp = min(slime.max_hp, slime.current_hp + settings.bite_hp)
        bitten = Bitten(slime.id, target.id, target_hp, hp, slime.xp + settings.bite_xp)
        return (bitten,) if target_hp else (bitten, Died(target.id, slime.id))  # rules 5.6

    return act


def split(board: Board, slime: Slime, streams: Streams) -> Results:
    """Divide the slime's xp and place a new slime beside it (rules 6.3)."""
    settings = board.settings
    if slime.level < settings.min_split_level:
        return (Nothing(slime.id, LOW_LEVEL),)
    squares = board.empty_around(slime.x, slime.y)
    if not squares:
        return (Nothing(slime.id, NO_ROOM),)
    x, y = streams["split"].choice(squares)
    child = new_slime(board.next_id, slime.team, x, y, settings.slime_max_level)
    return (Split(slime.id, split_xp(slime.xp, settings.split_divisor), child),)


def split_xp(xp: int, divisor: int) -> int:
    """Return xp / divisor, to the nearest, halves up (rules 6.3)."""
    # Not round(): it rounds halves to even, so 18 / 4 would be 4.
    return (2 * xp + divisor) // (2 * divisor)


def merge(board: Board, slime: Slime, streams: Streams) -> Results:
    """Get ready, then absorb the ready friend beside with the most xp, if any (rules 6.4)."""
    readied = Readied(slime.id)
    friends = _ready_friends(board, slime)
    if not friends:
        return (readied,)
    friend = max(friends, key=lambda other: (other.xp, -other.id))  # a tie: the lowest id
    hp = slime.max_hp if board.settings.merge_heals else slime.current_hp
    return readied, Merged(slime.id, friend.id, slime.xp + friend.xp, hp)


ACTIONS: dict[Command, Action] = {
    Command.LEFT: move(-1, 0),
    Command.RIGHT: move(1, 0),
    Command.UP: move(0, -1),
    Command.DOWN: move(0, 1),
    Command.BITELEFT: bite(-1, 0),
    Command.BITERIGHT: bite(1, 0),
    Command.BITEUP: bite(0, -1),
    Command.BITEDOWN: bite(0, 1),
    Command.SPLIT: split,
    Command.MERGE: merge,
}


def new_plant(piece_id: int, x: int, y: int, settings: Settings) -> Plant:
    """Return a new plant: level 1 with the start hp (rules 3.5, 4.2b)."""
    return Plant(
        piece_id,
        x,
        y,
        1,
        settings.plant_max_level,
        settings.plant_start_hp,
        settings.plant_hp_per_level,
    )


def _grow_plant(plant: Plant, settings: Settings) -> Grown:
    level = plant.level + 1
    max_hp = settings.plant_hp_per_level * level
    return Grown(plant.id, level, max_hp, min(max_hp, plant.current_hp + max_hp // 2))


def _slime_ids(board: Board, team: int) -> list[int]:
    return [slime.id for slime in board.slimes.values() if slime.team == team]


def _ready_friends(board: Board, slime: Slime) -> list[Slime]:
    around = (board.at.get((slime.x + dx, slime.y + dy)) for dx, dy in AROUND)
    return [
        piece
        for piece in around
        if isinstance(piece, Slime) and piece.team == slime.team and piece.ready_to_merge
    ]
