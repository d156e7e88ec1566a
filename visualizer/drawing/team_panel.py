"""Draws the teams: name, author, score, what the scene says of them, CPU time, forfeited turns."""

from collections.abc import Sequence
from typing import Any

from engine.support.wording import write_number, write_time
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.model import formatting
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Panel
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT

NAME, SCORE, USUAL, SMALL, TINY = 15, 21, 12, 11, 9
PAD, STRIPE = 12, 5
HEAD, ABOUT, HEAD_END = 20, 39, 51
"""The lines of name and author, and where they end, from the upper edge."""
WIDEST_SCORE = "8888.8"
"""The score that names leave room for."""
LINE, LOW_LINE, FOOT = 18, 13.5, 16
"""The height of a line, the least one, and the middle of the last one from the lower edge."""
BADGE, SMALL_BADGE = 20, 17
LOW, LOWEST = 82, 66
"""A lower panel has one line of facts in place of many; the lowest has no author either."""
COLUMN, COLUMN_GAP = 112, 16
"""The least width of a fact where there are several beside each other."""
MAX_FLAT_HEIGHT = 128
"""A lower panel has its histogram beside the facts."""
MIN_FULL_COUNT = 6
"""The full height of a histogram stands for at least so many pieces."""

FACT_SEPARATOR = " · "
"""What is between facts in one line."""

Lines = Sequence[tuple[str, str]]
"""Names with their values."""


class TeamPanel:
    """What the panel of a team shows at a position of a replay."""

    def __init__(self, timeline: ReplayTimeline, state: Any, position: int, team: int) -> None:
        replay, turn = timeline.replay, timeline.turn_at(position)
        is_at_end = timeline.is_over and position == timeline.steps
        outcome = replay.outcome if is_at_end else None
        ruled = replay.game.standing(state) if outcome is None else outcome
        scores = timeline.scene.scores(state, ruled.scores)
        panel: Panel = timeline.scene.panel(state, team)
        self.team = team
        self.color = timeline.scene.team_color(team)
        self.bot = replay.bots[team - 1]
        self.name = timeline.scene.names[team - 1]
        self.score = write_number(scores[team - 1], replay.game.score_decimals)
        self.is_winner = outcome is not None and team in outcome.winners
        self.facts = [
            (name, formatting.fact_text(value))
            for name, value in panel
            if not isinstance(value, tuple)
        ]
        self.histograms = [value for _, value in panel if isinstance(value, tuple)]
        self.cpu = (formatting.CPU, write_time(timeline.cpu_us(team, turn)))
        self.forfeited = (
            timeline.scene.forfeited_name,
            formatting.fact_text(timeline.forfeited_turns(team, turn)),
        )

    @property
    def key(self) -> object:
        """Return all that the panel of this team depends on."""
        return (
            self.score, self.is_winner, self.facts, self.histograms, self.cpu, self.forfeited,
        )  # fmt: skip


def draw_team_panel(draws: AnyDrawList, rect: Rect, panel: TeamPanel) -> None:
    left = rect.x + draws.px(PAD + 4)
    inner = Rect(left, rect.y, rect.right - draws.px(PAD) - left, rect.height)
    is_lowest = rect.height < draws.px(LOWEST)
    lasting = _draw_frame if is_lowest else _draw_head
    # What never changes is one stamp: scores and facts change in every turn.
    key = ("team panel", panel.team, panel.is_winner, rect.width, rect.height)
    draws.stamp(key, (rect.x, rect.y), lambda x, y: lasting(draws, rect._replace(x=x, y=y), panel))
    if is_lowest:
        _draw_compact(draws, inner, panel)
        return
    y = inner.y + draws.px(HEAD)
    draws.text(inner.right, y, panel.score, SCORE, TEXT, is_bold=True, align=1.0)
    if rect.height < draws.px(LOW):
        y = inner.bottom - draws.px(FOOT - 2)
        draws.text(inner.x, y, _short_facts(draws, panel, inner.width), SMALL, QUIET)
        return
    _, body = inner.cut_top(draws.px(HEAD_END))
    if panel.histograms and rect.height < draws.px(MAX_FLAT_HEIGHT):
        _draw_flat(draws, body, panel)
    else:
        _draw_tall(draws, body, panel)


def _draw_compact(draws: AnyDrawList, inner: Rect, panel: TeamPanel) -> None:
    score = draws.text(
        inner.right, inner.middle_y, panel.score, NAME, TEXT, is_bold=True, align=1.0
    )
    room = round(inner.width - score - draws.px(8))
    upper, lower = inner.middle_y - draws.px(9), inner.middle_y + draws.px(9)
    left = _draw_number(draws, inner.x, upper, panel, SMALL_BADGE)
    _name(draws, inner.x + left, upper, panel, room - left, NAME - 1)
    draws.text(inner.x, lower, _short_facts(draws, panel, room), SMALL, QUIET, room=room)


def _draw_frame(draws: AnyDrawList, rect: Rect, panel: TeamPanel) -> None:
    draws.rect(rect, BACKGROUND)  # so that the whole picture is opaque, and quick to draw again
    draws.panel(rect, PANEL, RIM)
    stripe = Rect(rect.x, rect.y, draws.px(STRIPE), rect.height)
    draws.rounded_rect(stripe, draws.px(STRIPE / 2), panel.color)


def _draw_head(draws: AnyDrawList, rect: Rect, panel: TeamPanel) -> None:
    """Draw the frame, number and name, and below them title and author."""
    _draw_frame(draws, rect, panel)
    x, y = rect.x + draws.px(PAD + 4), rect.y + draws.px(HEAD)
    width = rect.right - draws.px(PAD) - x
    score = draws.text_width(WIDEST_SCORE, SCORE, is_bold=True) + draws.px(8)
    left = _draw_number(draws, x, y, panel, BADGE)
    _name(draws, x + left, y, panel, width - score - left, NAME)
    # A long title is cut before the author.
    y = rect.y + draws.px(ABOUT)
    bot_title, author = formatting.bot_title(panel.bot), formatting.author_suffix(panel.bot)
    room = width - min(draws.text_width(author, USUAL), width * 0.45)
    used = draws.text(x, y, bot_title, USUAL, QUIET, room=room)
    draws.text(x + used, y, author, USUAL, QUIET, room=width - used)


def _draw_flat(draws: AnyDrawList, body: Rect, panel: TeamPanel) -> None:
    """Draw the histogram left of the facts."""
    lines = [*panel.facts, panel.cpu, panel.forfeited]
    needed = max(draws.text_width(f"{name}  {value}", USUAL, is_bold=True) for name, value in lines)
    wide = min(needed + draws.px(12), body.width * 0.55)
    column, rest = body.cut_right(wide, draws.px(COLUMN_GAP))
    column, _ = column.cut_top(column.height - draws.px(4))
    step = min(draws.px(LINE), column.height / len(lines))
    low, _ = column.cut_bottom(step * len(lines))
    _draw_lines(draws, low, lines, 1)
    _, chart = rest.cut_bottom(draws.px(3))
    _draw_histogram(draws, chart, panel.histograms[0], panel.color)


def _draw_tall(draws: AnyDrawList, body: Rect, panel: TeamPanel) -> None:
    """Draw the facts, the histograms below them, and CPU time and forfeits as the last line."""
    foot = body.bottom - draws.px(FOOT)
    _draw_foot(draws, body, foot, panel)
    above = Rect(body.x, body.y, body.width, foot - draws.px(FOOT / 2) - body.y)
    columns = _count_columns(draws, above, len(panel.facts))
    if columns:
        rows = -(-len(panel.facts) // columns)
        step = draws.px(LINE) if panel.histograms else above.height / rows
        lines, rest = above.cut_top(min(draws.px(LINE), step) * rows)
        _draw_lines(draws, lines, panel.facts, columns)
    else:
        lines, rest = above.cut_top(above.height)
        _draw_in_sentences(draws, lines, panel.facts)
    _, rest = rest.cut_bottom(draws.px(2))
    charts = rest.columns(len(panel.histograms) or 1, draws.px(8))
    for chart, counts in zip(charts, panel.histograms, strict=False):
        _draw_histogram(draws, chart, counts, panel.color)


def _count_columns(draws: AnyDrawList, rect: Rect, count: int) -> int:
    """Return in how many columns so many facts fit, two if that will do; 0: in none."""
    most = max(1, int(rect.width / draws.px(COLUMN)))
    rows = int(rect.height / draws.px(LOW_LINE))
    return next((n for n in range(min(2, most, count), most + 1) if n * rows >= count), 0)


def _draw_in_sentences(draws: AnyDrawList, rect: Rect, lines: Lines) -> None:
    """Draw names and values one after another, as many as there is room for; none is cut."""
    height, rows = draws.px(LOW_LINE), [""]
    for name, value in lines:
        longer = FACT_SEPARATOR.join(filter(None, (rows[-1], f"{name} {value}")))
        if draws.text_width(longer, SMALL) <= rect.width:
            rows[-1] = longer
        else:
            rows.append(f"{name} {value}")
    for number, row in enumerate(rows[: int(rect.height / height)]):
        draws.text(rect.x, rect.y + height * (number + 0.5), row, SMALL, QUIET)


def _draw_lines(draws: AnyDrawList, rect: Rect, lines: Lines, columns: int) -> None:
    """Draw names and values in columns that fill a place."""
    if not lines:
        return
    rows = rect.rows(-(-len(lines) // columns))
    places = [part for row in rows for part in row.columns(columns, draws.px(COLUMN_GAP))]
    for part, (name, value) in zip(places, lines, strict=False):
        used = draws.text(part.right, part.middle_y, value, USUAL, TEXT, is_bold=True, align=1.0)
        room = part.width - used - draws.px(6)
        draws.text(part.x, part.middle_y, name, USUAL, QUIET, room=room)


def _draw_number(draws: AnyDrawList, x: float, y: float, panel: TeamPanel, size: float) -> float:
    """Draw the team's number. Return the room it takes before the name."""
    draws.badge(x + draws.px(size / 2), y, size, panel.team, panel.color)
    return draws.px(size + 6)


def _name(
    draws: AnyDrawList, x: float, y: float, panel: TeamPanel, room: float, size: float
) -> None:
    if panel.is_winner:
        width = draws.text_width(formatting.WINNER, TINY, is_bold=True) + draws.px(12)
        room -= width + draws.px(6)
    used = draws.text(x, y, panel.name, size, TEXT, is_bold=True, room=room)
    if panel.is_winner:
        pill = Rect(x + used + draws.px(8), round(y - draws.px(8)), width, draws.px(16))
        draws.rounded_rect(pill, draws.px(8), ACCENT)
        draws.text(pill.middle_x, y, formatting.WINNER, TINY, BACKGROUND, is_bold=True, align=0.5)


def _draw_foot(draws: AnyDrawList, inner: Rect, y: float, panel: TeamPanel) -> None:
    (cpu, us), (forfeited, count) = panel.cpu, panel.forfeited
    used = draws.text(inner.x, y, cpu, SMALL, QUIET)
    used += draws.text(inner.x + used + draws.px(5), y, us, SMALL, TEXT)
    number = draws.text(inner.right, y, count, SMALL, TEXT, align=1.0)
    room = inner.width - used - number - draws.px(16)
    right = inner.right - number - draws.px(5)
    draws.text(right, y, forfeited, SMALL, QUIET, align=1.0, room=room)


def _draw_histogram(draws: AnyDrawList, rect: Rect, counts: tuple[int, ...], color: str) -> None:
    """Draw a histogram: a column per number, the number below and the count above."""
    columns = rect.columns(len(counts), draws.px(2))
    is_numbered = 1.2 * draws.text_width("88", TINY) <= rect.width / len(counts)
    foot, head = (draws.px(12), draws.px(11)) if is_numbered else (1, 1)
    full, most = rect.height - foot - head, max(*counts, MIN_FULL_COUNT)
    for column, count in zip(columns, counts, strict=True):
        base = rect.bottom - foot
        height = max(1.0, round(full * count / most)) if full > 2 else 1.0
        bar = Rect(round(column.x), round(base - height), round(column.width), height)
        draws.rect(bar, color if count else RIM)
        if count and is_numbered:
            draws.text(column.middle_x, bar.y - head / 2, f"{count}", TINY, TEXT, align=0.5)
    if is_numbered:
        at = rect.x, rect.bottom - foot / 2 + 1
        key = ("numbers", len(counts), rect.width)
        draws.stamp(key, at, lambda x, y: _draw_numbers(draws, columns, (x - rect.x, y)))


def _draw_numbers(draws: AnyDrawList, columns: Sequence[Rect], at: Point) -> None:
    """Draw the numbers of columns that are moved aside."""
    aside, y = at
    for number, column in enumerate(columns, 1):
        draws.text(column.middle_x + aside, y, f"{number}", TINY, QUIET, align=0.5)


def _short_facts(draws: AnyDrawList, panel: TeamPanel, room: float) -> str:
    """Return the facts in one line, as many as there is room for."""
    forfeited = [panel.forfeited] if panel.forfeited[1] != "0" else []
    parts = [f"{name} {value}" for name, value in (*panel.facts, *forfeited, panel.cpu)]
    first, *others = parts
    for part in others:
        longer = f"{first}{FACT_SEPARATOR}{part}"
        if draws.text_width(longer, SMALL) > room:
            break
        first = longer
    return first
