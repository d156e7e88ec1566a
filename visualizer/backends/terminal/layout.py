"""The layout of a terminal of some size. Arithmetic alone."""

from collections.abc import Callable, Sequence
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
MIN_CURVE, MAX_CURVE, CURVE_SHARE, MIN_BOX = 3, 12, 4, 5
"""The least and most rows of curves, their share, and the least rows of a panel above them."""
NARRATION, MAX_NARRATION_ROWS = 3, 16
"""The least and most rows for the latest events."""
MAX_NARRATION_HEIGHT_SHARE = 0.25
"""The most of the height for the latest events while panels beside the board have few rows."""
# One column keeps panels and boards apart where there are no colors.
GAP = 1
MIN_EVENTS = 40
"""The least columns for the latest events beside a board."""
MUCH_LARGER = 1.3
"""How much larger the board must become for panels to shrink to a line each."""


class Column(NamedTuple):
    """The places of one replay."""

    board: TextRect
    scale: Scale
    arrangement: Arrangement
    """The arrangement of the board's parts."""
    panels: tuple[TextRect, ...]
    """The panels of the teams: beside the board, or a line each above it, or none."""
    narration: TextRect
    curves: TextRect | None = None
    """The place of the scores of all teams over the match, below their panels."""
    events: TextRect | None = None
    """The place of the latest events, where there is room for them beside the panels."""


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
    usual = _make_layout(width, height, boards, TIMELINE + (height >= LEGEND_FROM), _best_column)
    if any(column.scale.are_dots for column in usual.columns):  # letters may fit without panels
        tight = _make_layout(width, height, boards, 1, _tight_column)
        if not any(column.scale.are_dots for column in tight.columns):
            return tight
    return usual


def _make_layout(
    width: int,
    height: int,
    boards: Sequence[tuple[Sequence[Arrangement], int]],
    timeline: int,
    make_column: Callable[[TextRect, Sequence[Arrangement], int], Column],
) -> TerminalLayout:
    room = TextRect(0, HEADER, width, height - HEADER - timeline - KEYS)
    return TerminalLayout(
        width,
        height,
        TextRect(0, 0, width, HEADER),
        tuple(
            make_column(_split_room(room, number, len(boards)), arrangements, teams)
            for number, (arrangements, teams) in enumerate(boards)
        ),
        TextRect(0, height - KEYS - timeline, width, timeline),
        TextRect(0, height - KEYS, width, KEYS),
    )


def _tight_column(room: TextRect, arrangements: Sequence[Arrangement], teams: int) -> Column:
    """Return a column of the board and its caption alone."""
    rect = room._replace(height=room.height - 1)
    scales = [(best_scale(each.extent, *rect[2:]), each) for each in arrangements]
    scale, arrangement = max(scales, key=lambda pair: pair[0].area)
    width, height = scale.size(arrangement.extent)
    x, y = room.x + (room.width - width) // 2, room.y + (rect.height - height) // 2
    below = TextRect(room.x, room.y + rect.height, room.width, 1)
    return Column(TextRect(x, y, width, height), scale, arrangement, (), below)


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
    side = min(WIDEST_SIDE, room.width - width - GAP)
    free = room.width - width - GAP - side
    has_events = free > MIN_EVENTS
    narration = min(MAX_NARRATION_ROWS, room.height - max(height, teams))
    few = max(NARRATION, int(MAX_NARRATION_HEIGHT_SHARE * room.height))
    if has_events:
        narration = NARRATION - 1
    elif room.height - narration < PANEL * teams:
        narration = min(narration, max(few, room.height - PANEL * teams))
    rows = room.height - narration
    x = room.x + (0 if has_events else free // 2)
    board = TextRect(x, room.y + (rows - height) // 2, width, height)
    curve = min(MAX_CURVE, rows // CURVE_SHARE) if rows // teams >= MIN_BOX else 0
    panel_x, share = x + width + GAP, (rows - curve) // teams
    panels = tuple(TextRect(panel_x, room.y + n * share, side, share) for n in range(teams))
    below = TextRect(room.x, room.y + rows, room.width, narration)
    curves = TextRect(panel_x, room.y + rows - curve, side, curve) if curve else None
    beside = TextRect(panel_x + side + GAP, room.y, free - GAP, rows) if has_events else None
    return Column(board, scale, arrangement, panels, below, curves, beside)


def _above_panels(room: TextRect, arrangement: Arrangement, teams: int, scale: Scale) -> Column:
    width, height = scale.size(arrangement.extent)
    spare, parts = room.height - height - NARRATION, teams + 1  # the last one for the curves
    is_tall = room.width // parts >= SIDE + GAP and spare >= MIN_PANEL_ROWS
    curve = min(MAX_CURVE, spare - teams) if spare - teams >= MIN_CURVE else 0
    rows = min(PANEL, spare) if is_tall else teams + curve
    narration = min(MAX_NARRATION_ROWS, room.height - height - rows)
    free = room.height - rows - narration - height
    x, y = room.x + (room.width - width) // 2, room.y + rows + free // 2
    above, below = room._replace(height=rows), room._replace(height=narration)
    if is_tall:
        panels = [_split_room(above, number, parts) for number in range(parts)]
    else:
        panels = [TextRect(room.x, room.y + number, room.width, 1) for number in range(teams)]
        panels.append(TextRect(room.x, room.y + teams, room.width, curve))
    curves = panels.pop() if is_tall or curve else None
    below = below._replace(y=room.y + room.height - narration)
    board = TextRect(x, y, width, height)
    return Column(board, scale, arrangement, tuple(panels[:teams]), below, curves)


def _split_room(room: TextRect, number: int, of: int) -> TextRect:
    """Return one of several places side by side."""
    width = (room.width - GAP * (of - 1)) // of
    return TextRect(room.x + number * (width + GAP), room.y, width, room.height)
