"""Draws the inspector, or the last step while no piece is selected."""

from collections.abc import Iterator
from typing import NamedTuple

from visualizer.backends.arcade.controls import draw_icon
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.inspection import LoggedMoment, PieceDetails
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.board import BoardPainter, draw_portrait
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.event_list import draw_events
from visualizer.drawing.fit import Fit
from visualizer.drawing.legend import Legend
from visualizer.drawing.rect import Rect
from visualizer.model.cursor import Step
from visualizer.scene import Block, Sprite, Thing, Tile, middle_of_thing, pluralize
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    BAR_BACK,
    BAR_LOW,
    ON_ACCENT,
    PANEL,
    QUIET,
    RIM,
    TEXT,
    bar_color,
)

NAME, USUAL, SMALL = 16, 12, 11
PAD = 14
PORTRAIT_SIZE = 52
FACT, LINE = 19, 17
MIN_SIDEBAR_HEIGHT = 70
STEP_WITH_MOVES, MIN_MOVES_HEIGHT = 236, 96
"""The height of the last step above the moves of a board game, and their least, points."""
MIN_SENTENCES_HEIGHT = 64
"""The least height that a legend leaves to sentences, points."""
BADGE = 13
TURN_WIDTH = 38
"""The room left of the history for the turns, points."""
LOG_LINES = 6
"""The most log lines of a decision; the rest is counted."""


class Line(NamedTuple):
    """A line of the history."""

    text: str
    color: str
    size: float
    turn: int | None = None
    """The turn, if the line is the first of it."""
    is_bold: bool = False


def draw_inspector(
    draws: AnyDrawList, frame: WindowFrame, inspection: PieceDetails, legend: Legend
) -> None:
    rect = frame.layout.sidebar
    selected = frame.model.selected
    assert rect is not None
    assert selected is not None
    if not inspection.history:
        rect, below = rect.cut_top(_height_without_history(draws, inspection), draws.px(8))
        view = frame.model.views[selected.number]
        is_playing = frame.model.playback.is_playing
        # Below a piece of which there is little to say; a hint while it plays.
        (draw_hint if is_playing else draw_step)(draws, below, view, legend)
    draws.panel(rect, PANEL, RIM)
    inner = rect.inset(draws.px(PAD))
    top, rest = inner.cut_top(draws.px(PORTRAIT_SIZE), draws.px(10))
    _draw_portrait(draws, top, inspection, frame.model.views[selected.number])
    rest = _draw_facts(draws, rest, inspection)
    draws.rect(Rect(rest.x, rest.y, rest.width, 1), RIM)
    _, rest = rest.cut_top(draws.px(8))
    _draw_history(draws, rest, inspection, frame)
    place = frame.close_inspector()
    assert place is not None
    draw_icon(draws, "close", place.middle_x, place.middle_y, draws.px(18), QUIET)


def _height_without_history(draws: AnyDrawList, inspection: PieceDetails) -> float:
    rows = (len(inspection.facts) + 1) // 2
    return draws.px(2 * PAD + PORTRAIT_SIZE + 10 + rows * FACT + 8 + 8 + LINE)


def _draw_portrait(
    draws: AnyDrawList, rect: Rect, inspection: PieceDetails, view: ReplayView
) -> None:
    x, side = rect.x, rect.height
    if inspection.thing is not None:
        draws.rounded_rect(Rect(x, rect.y, side, side), draws.px(8), BACKGROUND)
        opacity = 0.35 if inspection.absence else 1.0
        _draw_thing(
            draws, Rect(x, rect.y, side, side).inset(draws.px(4)), inspection.thing, view, opacity
        )
        x += side + draws.px(12)
    room = rect.right - x - draws.px(26)
    draws.text(x, rect.y + draws.px(14), inspection.name, NAME, TEXT, is_bold=True, room=room)
    if inspection.absence:
        draws.text(x, rect.y + draws.px(37), inspection.absence, USUAL, ACCENT, room=room)
    elif inspection.bar is not None:
        left, most = inspection.bar
        width = rect.right - x
        bar = Rect(x, rect.y + draws.px(32), width, draws.px(9))
        draws.rounded_rect(bar, draws.px(4), BAR_BACK)
        share = left / most if most else 0.0
        if left > 0:
            filled = bar._replace(width=max(bar.height, width * share))
            draws.rounded_rect(filled, draws.px(4), bar_color(share))


def _draw_thing(
    draws: AnyDrawList, rect: Rect, thing: Thing, view: ReplayView, opacity: float
) -> None:
    if isinstance(thing, Sprite):
        name = view.sprites.canonical_name(thing.image)
        draws.picture(
            ("portrait", id(view), name),
            lambda size: view.sprites.image(name, size),
            (rect.middle_x, rect.middle_y, rect.width),
            opacity=opacity,
        )
    elif isinstance(thing, Tile) and thing.width == thing.height:
        _draw_square(draws, rect, thing, view)
    elif isinstance(thing, Tile) and thing.fill:
        draws.rounded_rect(rect.inset(draws.px(6)), draws.px(4), thing.fill, opacity)
    elif isinstance(thing, Block):
        draw_portrait(draws, thing, rect, opacity)


def _draw_square(draws: AnyDrawList, rect: Rect, tile: Tile, view: ReplayView) -> None:
    """Draw a square with all that lies on it."""
    scale, scene = rect.width / tile.width, view.timeline.scene
    left, top = rect.x - tile.x * scale, rect.y - tile.y * scale
    fit = Fit(scale, left, top, Arrangement(scene.extent))
    on_it = {i: thing for i, thing in view.cursor.things.items() if _is_on(thing, tile)}
    BoardPainter(draws, scene, view.sprites, fit).draw_standing(on_it)


def _is_on(thing: Thing, tile: Tile) -> bool:
    """Return whether the middle of a thing is on a tile."""
    x, y = middle_of_thing(thing)
    return tile.x <= x <= tile.x + tile.width and tile.y <= y <= tile.y + tile.height


def _draw_facts(draws: AnyDrawList, rect: Rect, inspection: PieceDetails) -> Rect:
    """Draw the facts in two columns. Return the rest of the place."""
    facts = inspection.facts
    gap = draws.px(18)
    for first in range(0, len(facts), 2):
        line, rect = rect.cut_top(draws.px(FACT))
        for column, (name, value) in zip(
            line.columns(2, gap), facts[first : first + 2], strict=False
        ):
            _draw_fact(draws, column, name, value)
    return rect.cut_top(draws.px(8))[1]


def _draw_fact(draws: AnyDrawList, rect: Rect, name: str, value: str) -> None:
    """Draw a fact; its name is cut to the room that the value leaves."""
    used = draws.text(
        rect.right, rect.middle_y, value, USUAL, TEXT,
        is_bold=True, align=1.0, room=rect.width * 0.7,
    )  # fmt: skip
    room = rect.width - used - draws.px(6)
    draws.text(rect.x, rect.middle_y, name, USUAL, QUIET, room=room)


def _draw_history(
    draws: AnyDrawList, rect: Rect, inspection: PieceDetails, frame: WindowFrame
) -> None:
    """Draw as many lines of the history as fit, from the scroll position on."""
    lines = list(_history_lines(draws, rect.width - draws.px(10), inspection))
    height = draws.px(LINE)
    room = int(rect.height / height)
    hidden = max(0, len(lines) - room)
    model = frame.model
    model.scrolled = min(model.scrolled, float(hidden))
    first = round(model.scrolled)
    y = rect.y + height / 2
    for line in lines[first : first + room]:
        if line.turn is not None:
            draws.text(rect.x, y, f"{line.turn}", SMALL, QUIET)
        x = rect.x + draws.px(TURN_WIDTH)
        draws.text(
            x, y, line.text, line.size, line.color, is_bold=line.is_bold, room=rect.right - x
        )
        y += height
    if hidden:
        length = rect.height * room / len(lines)
        top = rect.y + (rect.height - length) * first / hidden
        draws.rounded_rect(
            Rect(rect.right + draws.px(4), top, draws.px(4), length), draws.px(2), RIM
        )


def _history_lines(draws: AnyDrawList, width: float, inspection: PieceDetails) -> Iterator[Line]:
    turn = None
    if not inspection.history:
        yield Line("nothing in the last turns", QUIET, USUAL)
    for logged in inspection.history:
        for number, line in enumerate(_moment_lines(draws, width, logged)):
            is_new = not number and logged.moment.turn != turn
            yield line._replace(turn=logged.moment.turn) if is_new else line
        turn = logged.moment.turn


def _moment_lines(draws: AnyDrawList, width: float, logged: LoggedMoment) -> Iterator[Line]:
    moment, room = logged.moment, width - draws.px(TURN_WIDTH)
    if moment.ordered is not None:
        order = moment.ordered.order
        yield Line(order or "no order", TEXT if order else BAR_LOW, USUAL, is_bold=True)
    for sentence in moment.sentences:
        for text in draws.wrap_text(sentence, SMALL, room):
            yield Line(text, QUIET, SMALL)
    for text in draws.wrap_text(moment.fault, SMALL, room):
        yield Line(text, BAR_LOW, SMALL)
    for log in logged.log[:LOG_LINES]:
        for text in draws.wrap_text(f"> {log}", SMALL, room):
            yield Line(text, ACCENT, SMALL)
    if len(logged.log) > LOG_LINES:
        yield Line(f"> and {pluralize(len(logged.log) - LOG_LINES, 'more line')}", ACCENT, SMALL)


def draw_step(draws: AnyDrawList, rect: Rect, view: ReplayView, legend: Legend) -> None:
    """Draw the last step in sentences, the latest events, and the legend below."""
    if rect.height < draws.px(MIN_SIDEBAR_HEIGHT):
        return
    rect = _above_moves(draws, rect, view)
    draws.panel(rect, PANEL, RIM)
    inner = rect.inset(draws.px(PAD))
    step = view.cursor.step
    heading, inner = inner.cut_top(draws.px(16), draws.px(8))
    draws.text(heading.x, heading.middle_y, "This step", USUAL, TEXT, is_bold=True)
    draws.text(heading.right, heading.middle_y, f"turn {step.turn}", SMALL, QUIET, align=1.0)
    inner = _above_legend(draws, inner, legend)
    used = _draw_sentences(draws, inner, view)
    _, rest = inner.cut_top(used, draws.px(8))
    draw_events(draws, rest, view.timeline, view.narration, view.cursor.position)


def _draw_sentences(draws: AnyDrawList, inner: Rect, view: ReplayView) -> float:
    """Draw what was ordered and what happened in the last step. Return the height it takes."""
    step, cursor = view.cursor.step, view.cursor
    y, last = inner.y + draws.px(8), inner.bottom - draws.px(6)
    if not step.ordered and not step.annotations:
        draws.text(inner.x, y, _silent_step_text(step), SMALL, QUIET)
        return draws.px(LINE)
    scene = view.timeline.scene
    for ordered in step.ordered:
        if y > last:
            return inner.height
        name = view.narrator.name(ordered.piece_id, step.find(ordered.piece_id, cursor.things))
        draws.badge(inner.x + draws.px(6), y, BADGE, ordered.team, scene.team_color(ordered.team))
        who = name if ordered.piece_id else scene.names[ordered.team - 1]
        said = f"{who}: {ordered.order or 'no order'}"
        draws.text(inner.x + draws.px(19), y, said, USUAL, TEXT, room=inner.width - draws.px(19))
        y += draws.px(LINE + 2)
    styles = scene.event_styles  # what matters most first, routine last
    for annotation in sorted(step.annotations, key=lambda each: -styles[each.event_style].weight):
        sentence = view.narrator.tell(annotation, cursor.things, step)
        for text in draws.wrap_text(sentence, SMALL, inner.width):
            if y > last:
                return inner.height
            draws.text(inner.x, y, text, SMALL, QUIET)
            y += draws.px(LINE)
    return y - inner.y


def _above_moves(draws: AnyDrawList, rect: Rect, view: ReplayView) -> Rect:
    """Draw the moves of a board game, if there is room. Return the place above them."""
    moves, room = view.move_list, rect.height - draws.px(STEP_WITH_MOVES + PAD)
    moves.add_new_moves()
    if not moves.boards or room < draws.px(MIN_MOVES_HEIGHT):
        return rect
    below, above = rect.cut_bottom(room, draws.px(8))
    draws.panel(below, PANEL, RIM)
    inner = below.inset(draws.px(PAD))
    for board, column in enumerate(inner.columns(len(moves.boards), draws.px(10))):
        _draw_moves(draws, column, view, board)
    return above


def _draw_moves(draws: AnyDrawList, rect: Rect, view: ReplayView, board: int) -> None:
    """Draw the moves of a board around its last one, a line each."""
    heading, rest = rect.cut_top(draws.px(16), draws.px(6))
    draws.text(heading.x, heading.middle_y, f"board {board + 1}", USUAL, QUIET)
    moves = view.move_list.boards[board]
    last = view.move_list.last_move_number(board, view.cursor.position)
    rows = rest.rows(max(1, int(rest.height / draws.px(LINE))))
    first = max(0, min((last or 0) - len(rows) // 2, len(moves) - len(rows)))
    for number, row in enumerate(rows, first):
        if number >= len(moves):
            return
        is_last = number == last
        if is_last:
            draws.rounded_rect(row.inset(draws.px(-1)), draws.px(4), ACCENT)
        # As chess numbers moves: one of each side.
        turn = f"{number // 2 + 1}." if number % 2 == 0 else ""
        color = ON_ACCENT if is_last else QUIET
        draws.text(row.x + draws.px(22), row.middle_y, turn, SMALL, color, align=1.0)
        x = row.x + draws.px(28)
        color = ON_ACCENT if is_last else TEXT
        draws.text(x, row.middle_y, moves[number].words, SMALL, color, room=row.right - x)


def _silent_step_text(step: Step) -> str:
    """Return a sentence about a step without orders and annotations."""
    if not step.before:
        return "no orders, no events"
    return f"{step.stage or 'no orders'}: {len(step.before)} changed"


def draw_hint(draws: AnyDrawList, rect: Rect, view: ReplayView, legend: Legend) -> None:
    """Draw hints, while the match plays too fast to read its steps."""
    if rect.height < draws.px(MIN_SIDEBAR_HEIGHT):
        return
    rect = _above_moves(draws, rect, view)
    draws.panel(rect, PANEL, RIM)
    inner = _above_legend(draws, rect.inset(draws.px(PAD)), legend)
    hints = "Click a piece to inspect it", "Space pauses, H shows all keys"
    if inner.height < draws.px(40):
        return
    for number, text in enumerate(hints):
        y = inner.middle_y + draws.px(18) * (number - 0.5)
        draws.text(inner.middle_x, y, text, USUAL, QUIET, align=0.5, room=inner.width)


def draw_key(draws: AnyDrawList, rect: Rect, legend: Legend) -> None:
    """Draw the legend in a panel of its own."""
    draws.panel(rect, PANEL, RIM)
    inner = rect.inset(draws.px(PAD), draws.px(4))
    entries = legend.entries_for(inner)
    inner, _ = inner.cut_top((inner.height + legend.entries_height(entries, inner.width)) / 2)
    legend.draw(inner, entries, has_line=False)


def _above_legend(draws: AnyDrawList, rect: Rect, legend: Legend) -> Rect:
    """Draw the legend if there is room for it here. Return the place above it."""
    if legend.has_place:
        return rect
    room = rect._replace(height=rect.height - draws.px(MIN_SENTENCES_HEIGHT))
    return legend.draw(rect, legend.entries_for(room))
