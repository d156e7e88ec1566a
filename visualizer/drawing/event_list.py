"""Draws the latest events of a match: the turn, the sign of the timeline, and a sentence each."""

from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.rect import Rect
from visualizer.drawing.signs import draw_sign
from visualizer.model.latest_events import Narration
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import QUIET, TEXT

HEADING, SMALL = 12, 11
LINE = 17
"""The height of a line, points."""
SHAPE = 12
"""The size of a sign, points."""
TURN, WORDS = 26, 42
"""Where turns end and sentences begin, from the left, points."""
MIN_LINES = 3
"""There is no list with less room."""


def least_height(draws: AnyDrawList) -> float:
    """Return the least height of a list."""
    return (MIN_LINES + 1) * draws.px(LINE)


def draw_events(
    draws: AnyDrawList, rect: Rect, timeline: ReplayTimeline, narration: Narration, position: int
) -> None:
    """Draw as many of the events up to a position as there is room for, the newest first."""
    count = int(rect.height / draws.px(LINE)) - 1
    if count < MIN_LINES:
        return
    y = rect.y + draws.px(LINE) / 2
    draws.text(rect.x, y, "Latest events", HEADING, TEXT, is_bold=True)
    lines = narration.latest_lines(position, count)
    if not lines:
        draws.text(rect.x, y + draws.px(LINE), "none yet", SMALL, QUIET)
    kinds = timeline.mark_kinds
    for line in lines:
        y += draws.px(LINE)
        draws.text(rect.x + draws.px(TURN), y, f"{line.turn}", SMALL, QUIET, align=1.0)
        x = rect.x + draws.px((TURN + WORDS) / 2)
        draw_sign(draws, kinds[line.what], x, y, draws.px(SHAPE))
        x = rect.x + draws.px(WORDS)
        draws.text(x, y, line.text, SMALL, QUIET, room=rect.right - x)
