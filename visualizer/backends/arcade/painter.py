"""Puts the whole picture together, back to front, as rows for the graphics card."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from visualizer.backends.arcade import controls, sidebar, timeline
from visualizer.backends.arcade.atlas import Atlas
from visualizer.backends.arcade.draw_list import CardDrawList
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import Target, WindowModel
from visualizer.drawing.board import BoardPainter, SmallMap
from visualizer.drawing.bot_drawings import draw_groups
from visualizer.drawing.header import Heading, Tag, draw_caption, draw_header, result_at, stage_at
from visualizer.drawing.legend import Legend
from visualizer.drawing.rect import Rect
from visualizer.drawing.team_panel import TeamPanel, draw_team_panel
from visualizer.scene import pluralize
from visualizer.theme import ACCENT, BACKGROUND, COORDINATES, DIM_DISH, DISH, LIGHT, QUIET, TEXT

STEP_SPEED = 0.5
"""Above this speed steps are not described: nobody could read them."""
GROWTH_S = 0.5
"""Seconds between redraws of the timeline of a match that is being played."""


class Layer(NamedTuple):
    """Rows to draw."""

    rows: bytes
    clip: Rect | None = None
    """Rows are cut off outside this rectangle."""


class Picture(NamedTuple):
    """Layers to draw, back to front."""

    lasting: Sequence[Layer]
    """Drawn onto the layers of earlier frames, and kept."""
    fleeting: Sequence[Layer]
    """Drawn on top, for one frame."""
    is_new: bool
    """Whether everything kept so far is cleared first."""
    ground: str = BACKGROUND
    """The color it is cleared with."""


class Painter:
    """Draws the parts of the window that changed.

    Most of a window stays the same from frame to frame: drawn once and copied, a frame takes
    half the time in software OpenGL (7 in place of 13 ms at 1280x800).
    """

    def __init__(self, frame: WindowFrame, atlas: Atlas) -> None:
        self._frame = frame
        self._model = frame.model
        self._atlas = atlas
        self._forget()

    def paint(self) -> Picture:
        """Return the picture; it is made again if the atlas was emptied meanwhile."""
        picture = self._paint_picture()
        if self._generation != self._atlas.generation:
            picture = self._paint_picture()
        return picture

    def _forget(self) -> None:
        self._layout = self._frame.layout
        self._generation = self._atlas.generation
        self._keys: dict[str, object] = {}
        self._lasting: list[Layer] = []
        self._is_light = self._model.is_light
        self._colors = LIGHT if self._is_light else {}
        self._draws = CardDrawList(self._atlas, self._layout.unit, self._colors)
        # A board is the same in any theme, but for bright ground and for what is written beside it.
        beside = {COORDINATES: self._colors.get(QUIET, QUIET)}
        if self._is_light:
            beside[DIM_DISH] = DISH
        self._board_draws = CardDrawList(self._atlas, self._layout.unit, beside)
        scenes = (view.timeline.scene for view in self._model.views)
        self._maps = [SmallMap(self._board_draws, scene) for scene in scenes]
        self._boards = [
            self._make_board_painter(number) for number in range(len(self._model.views))
        ]
        view, has_place = self._model.views[0], self._layout.key is not None
        self._legend = Legend(
            self._draws, view.timeline, view.sprites, self._board_draws, has_place=has_place
        )

    def _make_board_painter(self, number: int) -> BoardPainter[bytes]:
        view, fit = self._model.views[number], self._frame.fit(number)
        rect = self._layout.boards[number]
        return BoardPainter(self._board_draws, view.timeline.scene, view.sprites, fit, rect)

    def _paint_picture(self) -> Picture:
        # Rows refer to places, atlas regions and colors: a new one of these voids them all.
        is_same = self._layout is self._frame.layout and self._is_light == self._model.is_light
        if not is_same or self._generation != self._atlas.generation:
            self._forget()
        is_new = not self._keys
        self._lasting.clear()
        self._draw_header()
        for number in range(len(self._model.views)):
            self._draw_backdrop(number)
            self._draw_caption(number)
            self._draw_team_panels(number)
            self._draw_timeline(number)
        self._draw_sidebar()
        self._draw_controls()
        boards = [self._board_layer(number) for number in range(len(self._boards))]
        above = Layer(self._capture_rows(self._draw_above))
        ground = self._colors.get(BACKGROUND, BACKGROUND)
        return Picture(tuple(self._lasting), (*boards, above), is_new, ground)

    def _draw_part(
        self,
        name: str,
        key: object,
        rect: Rect,
        draw: Callable[[], None],
        clip: Rect | None = None,
    ) -> None:
        """Draw a part in its place if what it depends on has changed."""
        if name not in self._keys or self._keys[name] != key:
            self._keys[name] = key
            self._draws.rows.clear()
            self._draws.rect(rect, BACKGROUND)
            draw()
            self._lasting.append(Layer(b"".join(self._draws.rows), clip))

    def _capture_rows(self, draw: Callable[[], None]) -> bytes:
        self._draws.rows.clear()
        draw()
        return b"".join(self._draws.rows)

    def _board_layer(self, number: int) -> Layer:
        """Return what moves on a board; one that is zoomed in is larger than its place.

        So may be what bots drew.
        """
        rows = self._capture_rows(partial(self._draw_board, number))
        has_drawings = bool(self._model.views[number].timeline.notes.groups)
        return Layer(rows, self._layout.boards[number] if has_drawings else self._clip(number))

    def _clip(self, number: int) -> Rect | None:
        is_closer = self._model.zooms[number].factor > 1
        return self._layout.boards[number] if is_closer else None

    def _draw_above(self) -> None:
        """Draw what lies over everything."""
        timeline.draw_playhead(self._draws, self._frame)
        if self._model.is_help_open:
            controls.draw_help(self._draws, self._frame)
        self._draw_tooltip()

    def _run_on_board(self, draw: Callable[[], None]) -> None:
        """Draw on a board, among what else is drawn."""
        self._board_draws.rows.clear()
        draw()
        self._draws.rows += self._board_draws.rows

    def _draw_board(self, number: int) -> None:
        self._run_on_board(partial(self._draw_on_board, number))
        if not number:
            model, rect = self._model, self._layout.boards[0]
            draw_groups(self._draws, rect, model.groups(), model.hidden_groups)

    def _draw_on_board(self, number: int) -> None:
        model, board, now = self._model, self._boards[number], self._model.clock
        view, is_playing = model.views[number], model.playback.is_playing
        things = view.cursor.things
        board.draw_things(view.things, view.moving)
        for timed in view.signs:
            board.draw_sign(timed.sign, timed.opacity(now) if is_playing else 1.0)
        timeline = view.timeline
        position = view.cursor.position
        trails = timeline.trails.at(timeline.last_ended_turn(position))
        for drawn in (*trails, *timeline.notes.at(timeline.turn_at(position), model.hidden_groups)):
            board.draw_bot_drawing(drawn)
        if timeline.camera.has_map:
            turn, rect = timeline.turn_at(position), self._layout.boards[number]
            self._maps[number].draw(turn, view.things, board.fit, rect)
        pointers = (model.hovered, TEXT, 1.5), (model.selected, ACCENT, 2.5)
        for target, color, width in pointers:
            if (
                target is not None
                and target.number == number
                and target.thing_id in view.cursor.things
            ):
                at = view.place(target.thing_id)
                board.draw_pointer(things[target.thing_id], at, color, width)

    def _draw_header(self) -> None:
        heading, rect = make_heading(self._model), self._layout.header
        self._draw_part("header", heading, rect, partial(draw_header, self._draws, rect, heading))

    def _draw_backdrop(self, number: int) -> None:
        rect, fit = self._layout.boards[number], self._frame.fit(number)
        if fit != self._boards[number].fit:
            self._boards[number] = self._boards[number].look(fit, rect)
        draw = partial(self._run_on_board, self._boards[number].draw_backdrop)
        self._draw_part(f"backdrop {number}", fit, rect, draw, self._clip(number))

    def _draw_caption(self, number: int) -> None:
        view, rect = self._model.views[number], self._layout.captions[number]
        quiet = self._model.playback.quiet_words
        caption = quiet or view.story.caption(view.cursor.position)
        draw = partial(draw_caption, self._draws, rect, caption)
        self._draw_part(f"caption {number}", caption, rect, draw)

    def _draw_controls(self) -> None:
        model, frame = self._model, self._frame
        lit = [action.is_on(model) for action, _ in frame.buttons()]
        key = (model.playback.is_playing, model.playback.speed, model.hovered_action, lit)
        rect = self._layout.controls
        self._draw_part("controls", key, rect, lambda: controls.draw_controls(self._draws, frame))

    def _draw_team_panels(self, number: int) -> None:
        view, places = self._model.views[number], self._layout.team_panels[number]
        cursor = view.cursor
        for team in range(1, len(view.timeline.replay.bots) + 1):
            panel = TeamPanel(view.timeline, cursor.state, cursor.position, team)
            draw = partial(draw_team_panel, self._draws, places[team - 1], panel)
            self._draw_part(f"panel {number} {team}", panel.key, places[team - 1], draw)

    def _draw_timeline(self, number: int) -> None:
        model = self._model
        shown = model.views[number].timeline
        known = (len(shown.scores), len(shown.marks))
        growth = known if shown.is_over else int(model.clock / GROWTH_S)
        key = model.end, growth, frozenset(model.playback.unfolded)
        rect = timeline.timeline_rect(self._frame, number)
        draw = partial(timeline.draw_timeline, self._draws, self._frame, number)
        self._draw_part(f"timeline {number}", key, rect, draw)

    def _draw_sidebar(self) -> None:
        model, rect = self._model, self._layout.sidebar
        if rect is None:
            return
        inspection, view = model.inspection, model.views[0]
        key: object
        if inspection is not None:
            position = None if model.playback.is_playing else view.cursor.position
            key = (inspection, model.scrolled, position)
            draw = partial(
                sidebar.draw_inspector, self._draws, self._frame, inspection, self._legend
            )
        elif model.playback.is_playing and model.playback.speed > STEP_SPEED:
            position = view.cursor.position if view.timeline.scene.moves else None
            key = "hint", position
            draw = partial(sidebar.draw_hint, self._draws, rect, view, self._legend)
        else:
            key = view.cursor.position
            draw = partial(sidebar.draw_step, self._draws, rect, view, self._legend)
        self._draw_part("sidebar", key, rect, draw)
        if self._layout.key is not None:
            rect = self._layout.key
            self._draw_part(
                "key", "", rect, partial(sidebar.draw_key, self._draws, rect, self._legend)
            )

    def _draw_tooltip(self) -> None:
        model = self._model
        lines: list[tuple[str, str]] = []
        if model.hovered_action:
            lines = controls.tooltip_lines(model.hovered_action)
        elif model.hovered_time is not None:
            scores, marks = timeline.tooltip_lines(self._frame, model.hovered_time)
            lines = [(f"turn {round(model.hovered_time)}", TEXT)]
            lines += [(text, TEXT) for text in scores] + [(text, QUIET) for text in marks]
            stretch = self._frame.fold_at(*model.pointer)
            lines += [(stretch.words, QUIET), ("click: fold or unfold", QUIET)] if stretch else []
        elif model.hovered is not None:
            lines = self._name(model.hovered)
        if lines:
            controls.draw_tooltip(self._draws, self._frame, *model.pointer, lines)

    def _name(self, target: Target) -> list[tuple[str, str]]:
        """Return the name of a thing, and its bar as numbers."""
        view = self._model.views[target.number]
        thing = view.cursor.things.get(target.thing_id)
        if thing is None:
            return []
        lines = [(view.narrator.name(target.thing_id, thing), TEXT)]
        kind = view.timeline.scene.kinds[thing.kind]
        bar = getattr(thing, "bar", None)
        if bar is not None:
            lines.append((f"{bar[0]} of {bar[1]} {kind.bar}", QUIET))
        return [*lines, *((text, QUIET) for text in view.narrator.hover_texts(thing))]


def make_heading(model: WindowModel) -> Heading:
    views, first = model.views, model.views[0]
    is_alone = len(views) == 1
    return Heading(
        max(view.timeline.turn_at(view.cursor.position) for view in views),
        round(model.end),
        stage=stage_at(first.timeline, first.cursor.position) if is_alone else "",
        step=_step_text(first) if is_alone and not model.playback.is_playing else "",
        tag=_playhead_tag(model),
        results=tuple(result_at(view.timeline, view.story, view.cursor.position) for view in views),
    )


def _playhead_tag(model: WindowModel) -> Tag | None:
    """Return how far the playhead is in a match that is being played."""
    if not model.is_live:
        return None
    if model.playback.is_at_end:
        return Tag("LIVE", is_lit=True)
    behind = max(1, int(model.playback.end - model.playback.time))
    return Tag(f"{pluralize(behind, 'turn')} behind: End goes live")


def _step_text(view: ReplayView) -> str:
    """Return which step of the turn is shown."""
    timeline, position = view.timeline, view.cursor.position
    if not position:
        return "before the first turn"
    turn = timeline.turn_at(position)
    first, last = timeline.turn_start(turn), timeline.turn_end(turn)
    return f"step {position - first} of {last - first}"
