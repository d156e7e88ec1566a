"""Draws the line above a board: turn, stage, and at the end who won and why."""

from typing import NamedTuple

from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.rect import Rect
from visualizer.model import formatting
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT

LARGE, USUAL, SMALL = 20, 13, 11.5
RESULT = 14
BIG, BOX, BOX_PAD = 28, 78, 28
"""The letters of a result over a board, the height of its box, and the room beside it."""


class Tag(NamedTuple):
    """A word on a pill."""

    text: str
    is_lit: bool = False


class Result(NamedTuple):
    """Who won, and why the match ended."""

    who: str
    why: str
    color: str


class Heading(NamedTuple):
    """What the line says."""

    turn: int
    end: int
    stage: str = ""
    step: str = ""
    """Which step of the turn is shown."""
    about: str = ""
    """What match it is."""
    tag: Tag | None = None
    results: tuple[Result | None, ...] = ()
    """The result of each replay that has one at the playhead."""


def stage_at(timeline: ReplayTimeline, position: int) -> str:
    return timeline.stage_at(position).replace("_", " ")


def result_at(timeline: ReplayTimeline, position: int) -> Result | None:
    """Return the result of a replay; None before its end."""
    replay = timeline.replay
    if replay.outcome is None or not timeline.is_over or position < timeline.steps:
        return None
    winners = replay.outcome.winners
    color = timeline.scene.team_color(winners[0]) if winners else QUIET
    who, why = (say(replay, replay.outcome) for say in (formatting.result, formatting.ending))
    return Result(who, why, color)


def draw_header(draws: AnyDrawList, place: Rect, heading: Heading) -> None:
    x, middle = place.x + draws.px(14), place.middle_y
    x += draws.text(x, middle, "Turn ", LARGE, QUIET)
    x += draws.text(x, middle, f"{heading.turn}", LARGE, TEXT, is_bold=True)
    x += draws.text(x, middle + draws.px(2), f"  of {heading.end}", USUAL, QUIET) + draws.px(14)
    right = place.right - draws.px(12)
    if heading.tag is not None:
        right -= _draw_tag(draws, right, middle, heading.tag, align=1.0) + draws.px(8)
    if any(heading.results):
        _draw_results(draws, heading, x, right, middle)
        return
    if heading.stage:
        x += _draw_tag(draws, x, middle, Tag(heading.stage)) + draws.px(10)
    x += draws.text(x, middle + draws.px(1), heading.step, USUAL, QUIET, room=right - x)
    if x + draws.text_width(heading.about, USUAL) < right:
        draws.text(right, middle + draws.px(1), heading.about, USUAL, QUIET, align=1.0)


def _draw_tag(
    draws: AnyDrawList, x: float, middle: float, tag: Tag, *, align: float = 0.0
) -> float:
    """Draw a word on a pill, from `x` on or up to it. Return its width."""
    height, pad = draws.px(24), draws.px(11)
    width = draws.text_width(tag.text, SMALL, is_bold=True) + 2 * pad
    place = Rect(round(x - align * width), round(middle - height / 2), width, height)
    if tag.is_lit:
        draws.rounded_rect(place, height / 2, ACCENT)
    else:
        draws.panel(place, PANEL, RIM, radius=12)
    color = BACKGROUND if tag.is_lit else TEXT
    draws.text(place.middle_x, middle, tag.text, SMALL, color, is_bold=True, align=0.5)
    return width


def _draw_results(
    draws: AnyDrawList, heading: Heading, x: float, right: float, middle: float
) -> None:
    """Draw the result of each replay, two side by side."""
    width, height = (right - x) / len(heading.results), draws.px(32)
    for number, result in enumerate(heading.results):
        if result is None:
            continue
        left = x + number * width
        place = Rect(round(left), round(middle - height / 2), width - draws.px(6), height)
        draws.panel(place, PANEL, result.color, radius=8)
        pen = place.x + draws.px(12)
        room = place.right - pen - draws.px(10)
        used = draws.text(pen, middle, result.who, RESULT, TEXT, is_bold=True, room=room)
        pen += used + draws.px(12)
        draws.text(pen, middle, result.why, USUAL, QUIET, room=place.right - pen - draws.px(10))


def result_size(draws: AnyDrawList, board: Rect, result: Result) -> tuple[int, int]:
    """Return width and height of a result that is shown over a board."""
    wide = max(
        draws.text_width(result.who, BIG, is_bold=True), draws.text_width(result.why, USUAL)
    ) + draws.px(2 * BOX_PAD)
    return min(wide, round(board.width - 2)), draws.px(BOX)


def draw_result(draws: AnyDrawList, place: Rect, result: Result) -> None:
    """Draw a result as a box over a board."""
    rim = draws.px(3)
    draws.rounded_rect(place.inset(-rim), draws.px(13) + rim, result.color)
    draws.rounded_rect(place, draws.px(13), BACKGROUND)
    room, middle = place.width - draws.px(BOX_PAD), place.middle_x
    y = place.y + place.height * 0.37
    draws.text(middle, y, result.who, BIG, ACCENT, is_bold=True, align=0.5, room=room)
    draws.text(middle, y + draws.px(28), result.why, USUAL, QUIET, align=0.5, room=room)
