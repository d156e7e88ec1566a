"""Generating the mirrored map (docs/rules/slime_mind.md 3)."""

from collections.abc import Callable, Iterator

from engine.game import Event
from engine.games.slime_mind.events import PlantPlaced, RockPlaced, SlimePlaced
from engine.games.slime_mind.pieces import Rock, new_slime
from engine.games.slime_mind.rules import new_plant
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from engine.streams import Stream, Streams

Square = tuple[int, int]


def generate_map(board: Board, streams: Streams) -> Iterator[Event]:
    """Place pairs of slimes, then rocks, then plants (rules 3.3).

    Each event is applied before the next square is drawn, so `board.next_id` gives partners
    consecutive ids (rules 3.6) and no square is drawn twice.
    """
    settings, stream = board.settings, streams["map"]
    whole, left_half = settings.columns, settings.columns // 2
    for _ in range(settings.slime_pairs):
        # rules 3.3, 3.4: drawn on the left, so that team 1 starts on the left.
        square = draw_square(board, stream, columns=left_half)
        for team, (x, y) in enumerate((square, mirror(*square, settings)), 1):
            yield SlimePlaced(new_slime(board.next_id, team, x, y, settings.slime_max_level))
    for _ in range(settings.rock_pairs):
        yield from _mirrored_pair(board, stream, whole, lambda i, x, y: RockPlaced(Rock(i, x, y)))
    for _ in range(settings.plant_pairs):
        yield from _mirrored_pair(
            board, stream, whole, lambda i, x, y: PlantPlaced(new_plant(i, x, y, settings))
        )


def mirror(x: int, y: int, settings: Settings) -> Square:
    """Return the square turned by 180 degrees about the middle of the map (rules 3.1)."""
    return settings.columns - 1 - x, settings.rows - 1 - y


def draw_square(board: Board, stream: Stream, *, columns: int) -> Square:
    """Return a uniformly random square in the first `columns`, with a free mirror image.

    The map is symmetric after every pair, so a free square has a free mirror image; only the
    center of an odd map is its own, and stays empty (rules 3.2).
    """
    settings = board.settings
    # Rejection sampling draws uniformly without a list of free squares.
    while True:
        square = stream.below(columns), stream.below(settings.rows)
        if square not in board.at and square != mirror(*square, settings):
            return square


def _mirrored_pair(
    board: Board, stream: Stream, columns: int, placed: Callable[[int, int, int], Event]
) -> Iterator[Event]:
    square = draw_square(board, stream, columns=columns)
    for x, y in (square, mirror(*square, board.settings)):
        yield placed(board.next_id, x, y)
