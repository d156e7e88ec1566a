"""What bots drew on a board and the trails of things, and the list of what can be switched off."""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin

from visualizer.drawing import measures
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.fit import Fit
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.model.drawings import PATH, Drawn, Group
from visualizer.theme import PANEL, QUIET, RIM, TEXT, rim_on

SIDES = 36
"""A circle is drawn with so many sides."""
PIECE = 80
"""Longer lines are drawn in pieces, pixels: some backends keep a picture of each."""

ROW, KEY, SWATCH, NAME = 20, 12, 10, 12
"""Of a list of groups: the height of a row, its letters, its disc, and its name, points."""
MAX_ROWS = 9
"""As many groups are listed as there are keys for them."""
LIST_WIDTH = 230
UNNAMED = "drawings"


def draw_bot_drawing(draws: AnyDrawList, fit: Fit, drawn: Drawn) -> None:
    """Draw what a bot drew, where it is on a board."""
    if drawn.form == "text":
        _draw_text(draws, fit, drawn)
        return
    width = max(measures.MIN_DRAWN_LINE, measures.DRAWN_LINE * fit.scale)
    board = _board_rect(fit)
    rim = width * measures.DRAWN_RIM
    for color, wide in ((rim_on(drawn.color), rim), (drawn.color, width)):
        for piece in _clip_to_board(_stroke_points(fit, drawn), wide, board):
            draws.line(piece, wide, color)


def _board_rect(fit: Fit) -> Rect:
    """Return the place of a whole board, in pixels."""
    extent, scale = fit.arrangement.extent, fit.scale
    left, top = fit.left + extent.left * scale, fit.top + extent.top * scale
    return Rect(left, top, extent.width * scale, extent.height * scale)


def _clip_to_board(points: Sequence[Point], width: float, board: Rect) -> Iterator[Sequence[Point]]:
    """Yield what of a line is on the board, in pieces that are no large pictures each.

    They overlap, so that no seam is seen.
    """
    across, down = zip(*points, strict=True)
    is_small = max(across) - min(across) < PIECE and max(down) - min(down) < PIECE
    if is_small and all(board.contains(*point) for point in points):
        yield points
        return
    for start, stop in pairwise(points):
        inside = clip_line(start, stop, board)
        if inside is not None:
            yield from _split(*inside, width / 2)


def _split(start: Point, stop: Point, spare: float) -> Iterator[Sequence[Point]]:
    """Yield a line as pieces, each a little longer at both ends."""
    (x, y), (to_x, to_y) = start, stop
    length = hypot(to_x - x, to_y - y)
    if not length:
        return
    dx, dy = (to_x - x) / length, (to_y - y) / length
    count = ceil(length / PIECE)
    for number in range(count):
        first = length * number / count - spare
        last = length * (number + 1) / count + spare
        yield (x + dx * first, y + dy * first), (x + dx * last, y + dy * last)


def clip_line(start: Point, stop: Point, rect: Rect) -> tuple[Point, Point] | None:
    """Return the part of a line that is in a rectangle, if any is (Liang and Barsky)."""
    (x, y), (dx, dy) = start, (stop[0] - start[0], stop[1] - start[1])
    first, last = 0.0, 1.0
    edges = ((-dx, x - rect.x), (dx, rect.right - x), (-dy, y - rect.y), (dy, rect.bottom - y))
    for towards, room in edges:
        if not towards and room < 0:
            return None
        if towards < 0:
            first = max(first, room / towards)
        elif towards > 0:
            last = min(last, room / towards)
    if first > last:
        return None
    return (x + first * dx, y + first * dy), (x + last * dx, y + last * dy)


def _stroke_points(fit: Fit, drawn: Drawn) -> Sequence[Point]:
    """Return the points of a path or of a circle, in pixels."""
    if drawn.form == PATH:
        points = zip(drawn.numbers[::2], drawn.numbers[1::2], strict=True)
        return [fit.to_pixels(*point) for point in points]
    (x, y), radius = fit.to_pixels(*drawn.numbers[:2]), drawn.numbers[2] * fit.scale
    turns = [2 * pi * side / SIDES for side in range(SIDES + 1)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _draw_text(draws: AnyDrawList, fit: Fit, drawn: Drawn) -> None:
    """Draw a text with a rim, by drawing it around itself first."""
    x, y = fit.to_pixels(*drawn.numbers)
    if not _board_rect(fit).contains(x, y):
        return
    size = max(measures.MIN_DRAWN_TEXT, measures.DRAWN_TEXT * fit.scale)
    points, off = size / draws.unit, max(1, round(size / 12))
    for dx in (-off, 0, off):
        for dy in (-off, 0, off):
            if dx or dy:
                rim = rim_on(drawn.color)
                draws.text(x + dx, y + dy, drawn.text, points, rim, is_bold=True, align=0.5)
    draws.text(x, y, drawn.text, points, drawn.color, is_bold=True, align=0.5)


def draw_groups(
    draws: AnyDrawList,
    board: Rect,
    groups: Sequence[tuple[Group, str, str]],
    hidden: Collection[Group],
) -> None:
    """List groups, each with its name and color, in the corner of a board: 1 switches the first.

    Where all of them are off the list would hide squares for nothing.
    """
    rows = groups[:MAX_ROWS]
    if all(group in hidden for group, *_ in rows):
        return
    row, edge = draws.px(ROW), draws.px(8)
    height = row * len(rows) + 2 * edge
    rect = Rect(board.x + edge, board.bottom - height - edge, draws.px(LIST_WIDTH), height)
    draws.panel(rect, PANEL, RIM, opacity=0.9)
    for number, (group, name, color) in enumerate(rows, 1):
        is_shown = group not in hidden
        middle = rect.y + edge + row * (number - 0.5)
        x = rect.x + edge
        draws.text(x, middle, f"{number}", KEY, QUIET)
        x += draws.px(KEY + SWATCH)
        draws.disc(x, middle, draws.px(SWATCH), color if is_shown else RIM)
        x += draws.px(SWATCH)
        room = rect.right - edge - x
        draws.text(x, middle, name, NAME, TEXT if is_shown else QUIET, room=room)
