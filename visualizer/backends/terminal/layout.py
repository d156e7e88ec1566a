"""The layout of a terminal of some size. Arithmetic alone."""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.backends.terminal.scale import Scale, TextRect, best_scale
from visualizer.drawing.arrangement import Arrangement

SMALLEST = (40, 16)
HEADER = 1
TIMELINE, LEGEND_FROM = 2, 24
"""The rows of the timeline; in terminals of so many rows there is one more for its legend."""
KEYS = 1
SIDE, WIDEST_SIDE = 17, 44
"""The least and most columns of the panels beside a board."""
PANEL, MIN_PANEL_ROWS = 10, 6
"""The usual and least rows of a panel beside a board."""
NARRATION, MAX_NARRATION_ROWS = 3, 16
"""The least and most rows for the latest events."""
NARRATION_SHARE = 0.25
"""The most of the height for the latest events while panels beside the board have few rows."""
# One column keeps panels and boards apart where there are no colors.
GAP = 1
MUCH_LARGER = 1.3
"""How much larger the board must become for panels to shrink to a line each."""


class Column(NamedTuple):
    """The places of one replay."""

    board: TextRect
    scale: Scale
    arrangement: Arrangement
    """The arrangement of the board's parts."""
    panels: tuple[TextRect, ...]
    """The panels of the teams: beside the board, or a line each above it."""
    narration: TextRect


class TerminalLayout(NamedTuple):
    """The places of everything in a terminal."""

    width: int
    height: int
    header: TextRect
    columns: tuple[Column, ...]
    timeline: TextRect
    keys: TextRect


def layout(
    width: int, height: int, boards: Sequence[tuple[Sequence[Arrangement], int]]
) -> TerminalLayout:
    """Return the layout of replays side by side, each given by its arrangements and teams."""
    timeline = TIMELINE + (height >= LEGEND_FROM)
    room = TextRect(0, HEADER, width, height - HEADER - timeline - KEYS)
    return TerminalLayout(
        width,
        height,
        TextRect(0, 0, width, HEADER),
        tuple(
            _best_column(_split_room(room, number, len(boards)), arrangements, teams)
            for number, (arrangements, teams) in enumerate(boards)
        ),
        TextRect(0, height - KEYS - timeline, width, timeline),
        TextRect(0, height - KEYS, width, KEYS),
    )


def _best_column(room: TextRect, arrangements: Sequence[Arrangement], teams: int) -> Column:
    """Return the column of a replay with the largest board."""
    columns = (_make_column(room, arrangement, teams) for arrangement in arrangements)
    return max(columns, key=lambda column: column.scale.area)


def _make_column(room: TextRect, board: Arrangement, teams: int) -> Column:
    """Return a column with the panels beside or above the board, whichever makes it larger."""
    beside = best_scale(board.extent, room.width - SIDE - GAP, room.height - NARRATION)
    above = best_scale(board.extent, room.width, room.height - NARRATION - teams)
    if above.area > MUCH_LARGER * beside.area or room.width < 2 * SIDE:
        return _above_panels(room, board, teams, above)
    return _beside_panels(room, board, teams, beside)


def _beside_panels(room: TextRect, arrangement: Arrangement, teams: int, scale: Scale) -> Column:
    width, height = scale.size(arrangement.extent)
    narration = min(MAX_NARRATION_ROWS, room.height - max(height, teams))
    few = max(NARRATION, int(NARRATION_SHARE * room.height))
    if room.height - narration < PANEL * teams:
        narration = min(narration, max(few, room.height - PANEL * teams))
    rows = room.height - narration
    side = min(WIDEST_SIDE, room.width - width - GAP)
    free = room.width - width - GAP - side
    x = room.x + free // 2
    board = TextRect(x, room.y + (rows - height) // 2, width, height)
    panel_x, share = x + width + GAP, rows // teams
    panels = tuple(TextRect(panel_x, room.y + n * share, side, share) for n in range(teams))
    below = TextRect(room.x, room.y + rows, room.width, narration)
    return Column(board, scale, arrangement, panels, below)


def _above_panels(room: TextRect, arrangement: Arrangement, teams: int, scale: Scale) -> Column:
    width, height = scale.size(arrangement.extent)
    spare = room.height - height - NARRATION
    tall = min(PANEL, spare) if room.width // teams >= SIDE + GAP and spare >= MIN_PANEL_ROWS else 0
    rows = tall or teams  # of the panels
    narration = min(MAX_NARRATION_ROWS, room.height - height - rows)
    free = room.height - rows - narration - height
    x, y = room.x + (room.width - width) // 2, room.y + rows + free // 2
    if tall:
        panels = tuple(
            _split_room(TextRect(room.x, room.y, room.width, tall), n, teams) for n in range(teams)
        )
    else:
        panels = tuple(TextRect(room.x, room.y + n, room.width, 1) for n in range(teams))
    narration_y = room.y + room.height - narration
    narration_place = TextRect(room.x, narration_y, room.width, narration)
    return Column(TextRect(x, y, width, height), scale, arrangement, panels, narration_place)


def _split_room(room: TextRect, number: int, of: int) -> TextRect:
    """Return one of several places side by side."""
    width = (room.width - GAP * (of - 1)) // of
    return TextRect(room.x + number * (width + GAP), room.y, width, room.height)
