"""Draws the line above a board, with who won and why at its end, and the caption below it."""

from typing import NamedTuple

from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.rect import Rect
from visualizer.model.story import Story, fit_sentences
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT

FIGURES = " · "
LARGE, USUAL, SMALL = 20, 13, 11.5
RESULT = 14
CAPTION_HEIGHT = 26
"""The height of the caption."""


class Tag(NamedTuple):
    """A word on a pill."""

    text: str
    is_lit: bool = False


class Result(NamedTuple):
    """Who won, why, and with which figures."""

    who: str
    why: str
    figures: tuple[str, ...]
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


def result_at(timeline: ReplayTimeline, story: Story, position: int) -> Result | None:
    """Return the result of a replay; None before its end."""
    outcome, ending = timeline.replay.outcome, story.ending
    if outcome is None or ending is None or position < timeline.steps:
        return None
    color = timeline.scene.team_color(outcome.winners[0]) if outcome.winners else QUIET
    return Result(ending.who, ending.why, tuple(ending.figures), color)


def draw_header(draws: AnyDrawList, rect: Rect, heading: Heading) -> None:
    x, middle = rect.x + draws.px(14), rect.middle_y
    x += draws.text(x, middle, "Turn ", LARGE, QUIET)
    x += draws.text(x, middle, f"{heading.turn}", LARGE, TEXT, is_bold=True)
    x += draws.text(x, middle + draws.px(2), f"  of {heading.end}", USUAL, QUIET) + draws.px(14)
    right = rect.right - draws.px(12)
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
    rect = Rect(round(x - align * width), round(middle - height / 2), width, height)
    if tag.is_lit:
        draws.rounded_rect(rect, height / 2, ACCENT)
    else:
        draws.panel(rect, PANEL, RIM, radius=12)
    color = BACKGROUND if tag.is_lit else TEXT
    draws.text(rect.middle_x, middle, tag.text, SMALL, color, is_bold=True, align=0.5)
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
        rect = Rect(round(left), round(middle - height / 2), width - draws.px(6), height)
        draws.panel(rect, PANEL, result.color, radius=8)
        pen = rect.x + draws.px(12)
        end = rect.right - draws.px(10)
        pen += draws.text(pen, middle, result.who, RESULT, TEXT, is_bold=True, room=end - pen)
        pen += draws.px(12)
        if pen + draws.text_width(result.why, USUAL) > end:
            continue  # the caption says it
        pen += draws.text(pen, middle, result.why, USUAL, TEXT) + draws.px(12)
        for figure in result.figures:  # whole ones alone
            text = figure if figure is result.figures[0] else f"{FIGURES}{figure}"
            if pen + draws.text_width(text, SMALL) > end:
                break
            pen += draws.text(pen, middle, text, SMALL, QUIET)


def draw_caption(draws: AnyDrawList, rect: Rect, caption: str) -> None:
    """Draw the line below a board, from its left edge; a long one in smaller letters."""
    caption = fit_sentences(caption, lambda text: draws.text_width(text, SMALL) <= rect.width)
    share = min(1.0, rect.width / max(1, draws.text_width(caption, RESULT)))
    size = max(SMALL, int(RESULT * share))
    draws.text(rect.x, rect.middle_y, caption, size, TEXT, room=rect.width)
