"""Where everything stands in a terminal of some size. Arithmetic alone."""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.arrangement import Arrangement
from visualizer.terminal.scale import Place, Scale, best_scale

SMALLEST = (40, 16)
HEADER = 1
TIMELINE = 2
KEYS = 1
SIDE, WIDEST_SIDE = 17, 44
"""Columns of the panels beside a board."""
PANEL, LEAST_PANEL = 10, 6
"""Rows of panels side by side above a board."""
TELLING, LONGEST_TELLING = 3, 16
"""Rows for what happened last."""
GAP = 1
MUCH_LARGER = 1.3
"""How much larger a board must be for panels of one line."""


class Column(NamedTuple):
    """The places of one film."""

    board: Place
    scale: Scale
    arrangement: Arrangement
    """Of the board's parts."""
    panels: tuple[Place, ...]
    """Of each team: beside the board, or a line each above it."""
    telling: Place


class Layout(NamedTuple):
    """The places of everything."""

    width: int
    height: int
    header: Place
    columns: tuple[Column, ...]
    timeline: Place
    keys: Place


def layout(width: int, height: int, boards: Sequence[tuple[Sequence[Arrangement], int]]) -> Layout:
    """Of films side by side: of each, what its board may look like, and how many teams it has."""
    room = Place(0, HEADER, width, height - HEADER - TIMELINE - KEYS)
    return Layout(
        width,
        height,
        Place(0, 0, width, HEADER),
        tuple(
            _column(_share(room, number, len(boards)), arrangements, teams)
            for number, (arrangements, teams) in enumerate(boards)
        ),
        Place(0, height - KEYS - TIMELINE, width, TIMELINE),
        Place(0, height - KEYS, width, KEYS),
    )


def _column(room: Place, arrangements: Sequence[Arrangement], teams: int) -> Column:
    """The one with the largest board."""
    columns = (_arranged(room, arrangement, teams) for arrangement in arrangements)
    return max(columns, key=lambda column: column.scale.area)


def _arranged(room: Place, board: Arrangement, teams: int) -> Column:
    """With the panels beside the board or above it: where the board is larger."""
    beside = best_scale(board.extent, room.width - SIDE - GAP, room.height - TELLING)
    above = best_scale(board.extent, room.width, room.height - TELLING - teams)
    if above.area > MUCH_LARGER * beside.area or room.width < 2 * SIDE:
        return _above(room, board, teams, above)
    return _beside(room, board, teams, beside)


def _beside(room: Place, arrangement: Arrangement, teams: int, scale: Scale) -> Column:
    width, height = scale.size(arrangement.extent)
    telling = min(LONGEST_TELLING, room.height - max(height, teams))
    rows = room.height - telling
    side = min(WIDEST_SIDE, room.width - width - GAP)
    free = room.width - width - GAP - side
    x = room.x + free // 2
    board = Place(x, room.y + (rows - height) // 2, width, height)
    panel_x, share = x + width + GAP, rows // teams
    panels = tuple(Place(panel_x, room.y + n * share, side, share) for n in range(teams))
    below = Place(room.x, room.y + rows, room.width, telling)
    return Column(board, scale, arrangement, panels, below)


def _above(room: Place, arrangement: Arrangement, teams: int, scale: Scale) -> Column:
    width, height = scale.size(arrangement.extent)
    spare = room.height - height - TELLING
    tall = min(PANEL, spare) if room.width // teams >= SIDE + GAP and spare >= LEAST_PANEL else 0
    rows = tall or teams  # of the panels
    telling = min(LONGEST_TELLING, room.height - height - rows)
    free = room.height - rows - telling - height
    x, y = room.x + (room.width - width) // 2, room.y + rows + free // 2
    if tall:
        panels = tuple(
            _share(Place(room.x, room.y, room.width, tall), n, teams) for n in range(teams)
        )
    else:
        panels = tuple(Place(room.x, room.y + n, room.width, 1) for n in range(teams))
    telling_y = room.y + room.height - telling
    telling_place = Place(room.x, telling_y, room.width, telling)
    return Column(Place(x, y, width, height), scale, arrangement, panels, telling_place)


def _share(room: Place, number: int, of: int) -> Place:
    """One of several places side by side."""
    width = (room.width - GAP * (of - 1)) // of
    return Place(room.x + number * (width + GAP), room.y, width, room.height)
