"""Draws what is being looked into; while nothing is, what just happened."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from visualizer.cursor import Step
from visualizer.places import middle
from visualizer.scene import Block, Label, Mark, Scene, Sprite, Thing, Tile
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    BAR_BACK,
    BAR_LOW,
    PANEL,
    QUIET,
    RIM,
    TEXT,
    bar_colour,
)
from visualizer.window import icons, words
from visualizer.window.blocks import draw_portrait
from visualizer.window.board import draw_sign
from visualizer.window.chips import chip
from visualizer.window.frame import Frame
from visualizer.window.ink import Ink
from visualizer.window.inspection import Inspection, Told
from visualizer.window.rect import Rect
from visualizer.window.reel import Reel

NAME, USUAL, SMALL = 16, 12, 11
PAD = 14
PORTRAIT = 52
FACT, LINE = 19, 17
LEAST_HEIGHT = 70
LEGEND_LINE = 22
CHIP = 13
SIGN_WORDS = {
    Mark.STRIKE: "strikes",
    Mark.DEATH: "dies",
    Mark.BIRTH: "is new",
    Mark.JOIN: "takes in",
    Mark.RISE: "gains",
    Mark.BLOCKED: "in vain",
    Mark.FAULT: "lost its turn",
    Mark.HIT: "is hit",
    Mark.REACH: "reached",
    Mark.CALL: "says something",
}
TURN = 38
"""Left of the history, for the turns."""
LOG_LINES = 6
"""Of a round; the rest is counted."""


LAYERS = (Tile, Block, Sprite, Label)
"""From below."""


class Line(NamedTuple):
    """Of the history."""

    text: str
    colour: str
    size: float
    turn: int | None = None
    """Written before it, where a turn begins."""
    is_bold: bool = False


def draw_inspector(ink: Ink, frame: Frame, inspection: Inspection) -> None:
    place = frame.layout.aside
    selected = frame.showing.selected
    assert place is not None
    assert selected is not None
    ink.card(place, PANEL, RIM)
    inner = place.inset(ink.px(PAD))
    top, rest = inner.cut_top(ink.px(PORTRAIT), ink.px(10))
    _portrait(ink, top, inspection, frame.showing.reels[selected.film])
    rest = _facts(ink, rest, inspection)
    ink.rect(Rect(rest.x, rest.y, rest.width, 1), RIM)
    _, rest = rest.cut_top(ink.px(8))
    _history(ink, rest, inspection, frame)
    _close(ink, frame)


def _portrait(ink: Ink, place: Rect, inspection: Inspection, reel: Reel) -> None:
    x, side = place.x, place.height
    if inspection.thing is not None:
        ink.rounded(Rect(x, place.y, side, side), ink.px(8), BACKGROUND)
        opacity = 0.35 if inspection.absence else 1.0
        _look(ink, Rect(x, place.y, side, side).inset(ink.px(4)), inspection.thing, reel, opacity)
        x += side + ink.px(12)
    room = place.right - x - ink.px(26)
    ink.text(x, place.y + ink.px(14), inspection.name, NAME, TEXT, is_bold=True, room=room)
    if inspection.absence:
        ink.text(x, place.y + ink.px(37), inspection.absence, USUAL, ACCENT, room=room)
    elif inspection.bar is not None:
        left, most = inspection.bar
        width = place.right - x
        bar = Rect(x, place.y + ink.px(32), width, ink.px(9))
        ink.rounded(bar, ink.px(4), BAR_BACK)
        share = left / most if most else 0.0
        if left > 0:
            filled = bar._replace(width=max(bar.height, width * share))
            ink.rounded(filled, ink.px(4), bar_colour(share))


def _look(ink: Ink, place: Rect, thing: Thing, reel: Reel, opacity: float) -> None:
    if isinstance(thing, Sprite):
        name = reel.sprites.file_of(thing.image)
        ink.picture(
            ("portrait", id(reel), name),
            lambda size: reel.sprites.image(name, size),
            (place.middle_x, place.middle_y, place.width),
            opacity=opacity,
        )
    elif isinstance(thing, Tile) and thing.width == thing.height:
        _square(ink, place, thing, reel)
    elif isinstance(thing, Tile) and thing.fill:
        ink.rounded(place.inset(ink.px(6)), ink.px(4), thing.fill, opacity)
    elif isinstance(thing, Block):
        draw_portrait(ink, thing, place, opacity)


def _square(ink: Ink, place: Rect, tile: Tile, reel: Reel) -> None:
    """With all that lies on it."""
    scale = place.width / tile.width
    things = reel.cursor.things
    inside = [things[thing_id] for thing_id in sorted(things) if _is_on(things[thing_id], tile)]
    for thing in sorted(inside, key=lambda thing: LAYERS.index(type(thing))):
        x, y = place.x + (thing.x - tile.x) * scale, place.y + (thing.y - tile.y) * scale
        if isinstance(thing, Tile):
            ink.rect(Rect(x, y, thing.width * scale, thing.height * scale), thing.fill)
        elif isinstance(thing, Block):
            side = scale * max(thing.width, thing.height)
            draw_portrait(ink, thing, Rect(x, y, side, side), 1.0)
        elif isinstance(thing, Sprite):
            name = reel.sprites.file_of(thing.image)
            look = partial(reel.sprites.image, name)
            ink.picture(("portrait", id(reel), name), look, (x, y, thing.size * scale))
        else:
            size = thing.size * scale / ink.unit
            ink.text(x, y, thing.text, size, thing.colour, align=0.5)


def _is_on(thing: Thing, tile: Tile) -> bool:
    """Whether its middle is."""
    x, y = middle(thing)
    return tile.x <= x <= tile.x + tile.width and tile.y <= y <= tile.y + tile.height


def _facts(ink: Ink, place: Rect, inspection: Inspection) -> Rect:
    """In two columns; what is left of the place."""
    facts = inspection.facts
    gap = ink.px(18)
    for first in range(0, len(facts), 2):
        line, place = place.cut_top(ink.px(FACT))
        for column, (name, value) in zip(
            line.columns(2, gap), facts[first : first + 2], strict=False
        ):
            _fact(ink, column, name, value)
    return place.cut_top(ink.px(8))[1]


def _fact(ink: Ink, place: Rect, name: str, value: str) -> None:
    """The name has what room the value leaves it."""
    used = ink.text(
        place.right, place.middle_y, value, USUAL, TEXT,
        is_bold=True, align=1.0, room=place.width * 0.7,
    )  # fmt: skip
    room = place.width - used - ink.px(6)
    ink.text(place.x, place.middle_y, name, USUAL, QUIET, room=room)


def _history(ink: Ink, place: Rect, inspection: Inspection, frame: Frame) -> None:
    """As many lines as there is room for, from where it is scrolled to."""
    lines = list(_lines(ink, place.width - ink.px(10), inspection))
    height = ink.px(LINE)
    room = int(place.height / height)
    hidden = max(0, len(lines) - room)
    showing = frame.showing
    showing.scrolled = min(showing.scrolled, float(hidden))
    first = round(showing.scrolled)
    y = place.y + height / 2
    for line in lines[first : first + room]:
        if line.turn is not None:
            ink.text(place.x, y, f"{line.turn}", SMALL, QUIET)
        x = place.x + ink.px(TURN)
        ink.text(
            x, y, line.text, line.size, line.colour, is_bold=line.is_bold, room=place.right - x
        )
        y += height
    if hidden:
        length = place.height * room / len(lines)
        top = place.y + (place.height - length) * first / hidden
        ink.rounded(Rect(place.right + ink.px(4), top, ink.px(4), length), ink.px(2), RIM)


def _lines(ink: Ink, width: float, inspection: Inspection) -> Iterator[Line]:
    turn = None
    if not inspection.history:
        yield Line("nothing in the last turns", QUIET, USUAL)
    for told in inspection.history:
        for number, line in enumerate(_moment(ink, width, told)):
            is_new = not number and told.moment.turn != turn
            yield line._replace(turn=told.moment.turn) if is_new else line
        turn = told.moment.turn


def _moment(ink: Ink, width: float, told: Told) -> Iterator[Line]:
    moment, room = told.moment, width - ink.px(TURN)
    if moment.ordered is not None:
        order = moment.ordered.order
        yield Line(order or "no order", TEXT if order else BAR_LOW, USUAL, is_bold=True)
    for sentence in moment.sentences:
        for text in ink.wrapped(sentence, SMALL, room):
            yield Line(text, QUIET, SMALL)
    for text in ink.wrapped(moment.fault, SMALL, room):
        yield Line(text, BAR_LOW, SMALL)
    for log in told.log[:LOG_LINES]:
        for text in ink.wrapped(f"> {log}", SMALL, room):
            yield Line(text, ACCENT, SMALL)
    if len(told.log) > LOG_LINES:
        yield Line(f"> and {len(told.log) - LOG_LINES} lines more", ACCENT, SMALL)


def _close(ink: Ink, frame: Frame) -> None:
    place = frame.close_inspector()
    assert place is not None
    ink.picture(
        ("button", "close"),
        lambda size: icons.icon(icons.BUTTONS["close"], size),
        (place.middle_x, place.middle_y, ink.px(18)),
        QUIET,
    )


def draw_step(ink: Ink, place: Rect, reel: Reel) -> None:
    """What the last step was, in sentences; below, what the signs mean."""
    if place.height < ink.px(LEAST_HEIGHT):
        return
    ink.card(place, PANEL, RIM)
    inner = place.inset(ink.px(PAD))
    step, cursor = reel.cursor.step, reel.cursor
    heading, inner = inner.cut_top(ink.px(16), ink.px(8))
    ink.text(heading.x, heading.middle_y, "This step", USUAL, TEXT, is_bold=True)
    ink.text(heading.right, heading.middle_y, f"turn {step.turn}", SMALL, QUIET, align=1.0)
    inner = _legend(ink, inner, reel.film.scene)
    y = inner.y + ink.px(8)
    if not step.ordered and not step.notes:
        ink.text(inner.x, y, _in_silence(step), SMALL, QUIET)
    colour_of = reel.film.scene.team_colour
    for ordered in step.ordered:
        if y > inner.bottom - ink.px(6):
            return
        thing = cursor.things.get(ordered.about) or step.before.get(ordered.about)
        name = reel.teller.name(ordered.about, thing)
        if y > inner.bottom - ink.px(6):
            return
        chip(ink, inner.x + ink.px(6), y, CHIP, ordered.team, colour_of(ordered.team))
        who = name if ordered.about else words.name(reel.film.replay, ordered.team)
        said = f"{who}: {ordered.order or 'no order'}"
        ink.text(inner.x + ink.px(19), y, said, USUAL, TEXT, room=inner.width - ink.px(19))
        y += ink.px(LINE + 2)
    for note in step.notes:
        one = cursor.things.get(note.one) or step.before.get(note.one)
        told = reel.teller.sentence(note, cursor.things, step)
        for text in ink.wrapped(f"{reel.teller.name(note.one, one)} {told}", SMALL, inner.width):
            if y > inner.bottom - ink.px(6):
                return
            ink.text(inner.x, y, text, SMALL, QUIET)
            y += ink.px(LINE)


def _in_silence(step: Step) -> str:
    """Of a step in which nothing was ordered or noted."""
    if not step.before:
        return "nothing was ordered, nothing happened"
    return f"{step.stage or 'nothing was ordered'}: {len(step.before)} changed"


def draw_hint(ink: Ink, place: Rect, scene: Scene[Any]) -> None:
    """While it plays too fast to read what each step was."""
    if place.height < ink.px(LEAST_HEIGHT):
        return
    ink.card(place, PANEL, RIM)
    inner = _legend(ink, place.inset(ink.px(PAD)), scene)
    hints = "Click a piece to look into it", "Space stops, H shows all keys"
    if inner.height < ink.px(40):
        return
    for number, text in enumerate(hints):
        y = inner.middle_y + ink.px(18) * (number - 0.5)
        ink.text(inner.middle_x, y, text, USUAL, QUIET, align=0.5, room=inner.width)


def _legend(ink: Ink, place: Rect, scene: Scene[Any]) -> Rect:
    """What the signs on the board mean, where there is room for it; what is left of it."""
    marks = {happening.mark for happening in scene.happenings.values()}
    words = [(mark, word) for mark, word in SIGN_WORDS.items() if mark in marks]
    rows = (len(words) + 1) // 2
    height = ink.px(LEGEND_LINE) * rows
    if place.height < height + ink.px(90):
        return place
    below, rest = place.cut_bottom(height, ink.px(10))
    ink.rect(Rect(below.x, rest.bottom + ink.px(4), below.width, 1), RIM)
    lines = [column for row in below.rows(rows) for column in row.columns(2)]
    for line, (mark, word) in zip(lines, words, strict=False):
        side = ink.px(18)
        draw_sign(ink, mark, line.x + side / 2, line.middle_y, side)
        ink.text(line.x + side + ink.px(7), line.middle_y, word, SMALL, QUIET)
    return rest
