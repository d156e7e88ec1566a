"""Puts the whole picture together, back to front, as rows for the graphics card."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from visualizer.theme import ACCENT, BACKGROUND, QUIET, TEXT
from visualizer.window import aside, controls, header, timeline
from visualizer.window.atlas import Atlas
from visualizer.window.board import BoardPainter
from visualizer.window.cards import TeamCard, draw_card
from visualizer.window.frame import Frame
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect
from visualizer.window.showing import Target

STEP_SPEED = 0.5
"""Faster than this nobody reads what each step was."""
GROWTH_S = 0.5
"""A film that grows has its timeline drawn anew so often, seconds."""


class Layer(NamedTuple):
    """Rows to be drawn."""

    rows: bytes
    clip: Rect | None = None
    """Nothing is drawn outside of it."""


class Picture(NamedTuple):
    """Layers to be drawn, back to front."""

    lasting: Sequence[Layer]
    """On what was drawn so before; it stays there."""
    fleeting: Sequence[Layer]
    """On top of it, for one frame."""
    is_new: bool
    """Whether everything that lasted before is to be wiped away."""


class Painter:
    """Draws anew what changed.

    Most of a window stays the same from frame to frame: drawn once and copied, a frame takes
    half the time in software OpenGL (7 in place of 13 ms at 1280x800).
    """

    def __init__(self, frame: Frame, atlas: Atlas) -> None:
        self._frame = frame
        self._showing = frame.showing
        self._atlas = atlas
        self._forget()

    def paint(self) -> Picture:
        """All that is to be drawn; once more where the atlas had to be emptied meanwhile."""
        picture = self._picture()
        if self._generation != self._atlas.generation:
            picture = self._picture()
        return picture

    def _forget(self) -> None:
        self._layout = self._frame.layout
        self._generation = self._atlas.generation
        self._keys: dict[str, object] = {}
        self._lasting: list[Layer] = []
        self._ink = Ink(self._atlas, self._layout.unit)
        self._boards = [self._painter_of(number) for number in range(len(self._showing.reels))]

    def _painter_of(self, number: int) -> BoardPainter:
        fit, place = self._frame.fit(number), self._layout.boards[number]
        return BoardPainter(self._ink, self._showing.reels[number], number, fit, place)

    def _picture(self) -> Picture:
        if self._layout is not self._frame.layout or self._generation != self._atlas.generation:
            self._forget()
        is_new = not self._keys
        self._lasting.clear()
        self._header()
        for number in range(len(self._showing.reels)):
            self._backdrop(number)
            self._cards(number)
            self._timeline(number)
        self._aside()
        self._controls()
        boards = [self._board(number) for number in range(len(self._boards))]
        above = Layer(self._drawn(self._draw_above))
        return Picture(tuple(self._lasting), (*boards, above), is_new)

    def _part(
        self,
        name: str,
        key: object,
        place: Rect,
        draw: Callable[[], None],
        clip: Rect | None = None,
    ) -> None:
        """Drawn in its place if what it depends on is not what it was."""
        if name not in self._keys or self._keys[name] != key:
            self._keys[name] = key
            self._ink.rows.clear()
            self._ink.rect(place, BACKGROUND)
            draw()
            self._lasting.append(Layer(b"".join(self._ink.rows), clip))

    def _drawn(self, draw: Callable[[], None]) -> bytes:
        self._ink.rows.clear()
        draw()
        return b"".join(self._ink.rows)

    def _board(self, number: int) -> Layer:
        """What moves. A board that is looked at closely is larger than its place."""
        rows = self._drawn(partial(self._draw_board, number))
        return Layer(rows, self._clip(number))

    def _clip(self, number: int) -> Rect | None:
        is_closer = self._showing.zooms[number].factor > 1
        return self._layout.boards[number] if is_closer else None

    def _draw_above(self) -> None:
        """What lies over everything."""
        timeline.draw_playhead(self._ink, self._frame)
        if self._showing.is_help_open:
            controls.draw_help(self._ink, self._frame)
        self._draw_tooltip()

    def _draw_board(self, number: int) -> None:
        showing, board, now = self._showing, self._boards[number], self._showing.clock
        board.draw_things(now)
        board.draw_signs(now, showing.playback.is_playing)
        pointers = (showing.hovered, TEXT, 1.5), (showing.selected, ACCENT, 2.5)
        for target, colour, width in pointers:
            if target is not None and target.film == number:
                board.draw_pointer(target.thing_id, now, colour, width)

    def _header(self) -> None:
        key, place = header.header_key(self._showing), self._layout.header
        self._part("header", key, place, lambda: header.draw_header(self._ink, self._frame))

    def _backdrop(self, number: int) -> None:
        place, fit = self._layout.boards[number], self._frame.fit(number)
        if fit != self._boards[number].fit:
            self._boards[number] = self._painter_of(number)
        draw = self._boards[number].draw_backdrop
        self._part(f"backdrop {number}", fit, place, draw, self._clip(number))

    def _controls(self) -> None:
        showing, frame = self._showing, self._frame
        lit = [action.is_on(showing) for action, _ in frame.buttons()]
        key = (showing.playback.is_playing, showing.playback.speed, showing.hovered_action, lit)
        place = self._layout.controls
        self._part("controls", key, place, lambda: controls.draw_controls(self._ink, frame))

    def _cards(self, number: int) -> None:
        reel, layout = self._showing.reels[number], self._layout
        for team, place in enumerate(layout.cards[number][: len(reel.film.replay.bots)], 1):
            card = TeamCard(reel, team)
            draw = partial(draw_card, self._ink, place, card, is_compact=layout.is_compact)
            self._part(f"card {number} {team}", card.key, place, draw)

    def _timeline(self, number: int) -> None:
        showing = self._showing
        film = showing.reels[number].film
        known = (len(film.scores), len(film.marks))
        key = (showing.end, known if film.is_over else int(showing.clock / GROWTH_S))
        place = timeline.place_of(self._frame, number)
        draw = partial(timeline.draw_timeline, self._ink, self._frame, number)
        self._part(f"timeline {number}", key, place, draw)

    def _aside(self) -> None:
        showing, place = self._showing, self._layout.aside
        if place is None:
            return
        inspection, reel = showing.inspection, showing.reels[0]
        key: object
        if inspection is not None:
            key = (inspection, showing.scrolled)
            draw = partial(aside.draw_inspector, self._ink, self._frame, inspection)
        elif showing.playback.is_playing and showing.playback.speed > STEP_SPEED:
            scene = reel.film.scene
            key, draw = "hint", partial(aside.draw_hint, self._ink, place, scene)
        else:
            key, draw = reel.cursor.position, partial(aside.draw_step, self._ink, place, reel)
        self._part("aside", key, place, draw)

    def _draw_tooltip(self) -> None:
        showing = self._showing
        lines: list[tuple[str, str]] = []
        if showing.hovered_action:
            lines = controls.tooltip_of(showing.hovered_action)
        elif showing.hovered_time is not None:
            scores, marks = timeline.near(self._frame, showing.hovered_time)
            lines = [(f"turn {round(showing.hovered_time)}", TEXT)]
            lines += [(text, TEXT) for text in scores] + [(text, QUIET) for text in marks]
        elif showing.hovered is not None:
            lines = self._name(showing.hovered)
        if lines:
            controls.draw_tooltip(self._ink, self._frame, *showing.pointer, lines)

    def _name(self, target: Target) -> list[tuple[str, str]]:
        """Of a thing, and what is left of its bar."""
        reel = self._showing.reels[target.film]
        thing = reel.cursor.things.get(target.thing_id)
        if thing is None:
            return []
        lines = [(reel.teller.name(target.thing_id, thing), TEXT)]
        kind = reel.film.scene.kinds[thing.kind]
        bar = getattr(thing, "bar", None)
        if bar is not None:
            lines.append((f"{bar[0]} of {bar[1]} {kind.bar}", QUIET))
        return lines
