"""One frame of a replay as a picture: header, panels, graph and board."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PIL import Image, ImageChops

from engine.streams import seed_text
from visualizer.backends.pillow.draw_list import ImageDrawList, Paste, pixel_box
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.board import BoardPainter, SmallMap
from visualizer.drawing.event_list import draw_events, least_height
from visualizer.drawing.fit import fit_board
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.header import Heading, draw_caption, draw_header, result_at, stage_at
from visualizer.drawing.legend import Legend
from visualizer.drawing.picture_layout import layout_for
from visualizer.drawing.rect import Rect
from visualizer.drawing.score_graph import Curves, ScoreGraph, make_curves, nice_top
from visualizer.drawing.sprites import Sprites
from visualizer.drawing.team_panel import TeamPanel, draw_team_panel
from visualizer.model.latest_events import Narration
from visualizer.model.story import Story
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import BACKGROUND, PANEL, QUIET, RIM

NOTES_PAD = 11
"""The margin of events and legend in their panel, points."""
GRAPH_FOOT, GRAPH_TEXT = 20, 10
"""The room below a graph for its title, and its letters, points."""
PIXELS_PER_POINT = 0.6


class Painter:
    """Paints frames of one replay, all of one size."""

    def __init__(
        self,
        timeline: ReplayTimeline,
        sprites: Sprites,
        size: tuple[int, int],
        *,
        has_drawings: bool = False,
    ) -> None:
        """Prepare for a replay that has been read. Raises: UsageError if the board has no room.

        `has_drawings`: whether what the bots drew is shown.
        """
        self._has_drawings = has_drawings
        self._sprites = sprites
        self.size = size
        self._timeline = timeline
        teams = len(timeline.replay.bots)
        self._layout = layout = layout_for(size, arrangements(timeline.scene), teams)
        self._draws = ImageDrawList(layout.pixels_per_point)
        self._board = BoardPainter(self._draws, timeline.scene, sprites, layout.fit)
        self._image = Image.new("RGB", size, BACKGROUND)
        self._ground = self._empty_board()
        self._narration, self._story = Narration(timeline), Story(timeline)
        self._legend = Legend(self._draws, timeline, sprites)
        self._graph = GraphPainter(self._draws, make_curves(timeline), _size(layout.graph))
        self._drawn_keys: dict[str, object] = {}
        self._standing: tuple[object, Image.Image] | None = None
        """The board with what does not move, and of which picture that is."""
        self._map = SmallMap(self._draws, timeline.scene)
        self._near: tuple[BoardPainter[Paste], Image.Image] | None = None
        """The board as the camera saw it last, and its ground."""

    def paint(self, frame: FrameCursor) -> Image.Image:
        """Return the picture of a frame. The next call paints over it."""
        timeline, layout, draws = self._timeline, self._layout, self._draws
        heading = self._make_heading(frame)
        draw = partial(draw_header, draws, layout.header, heading)
        self._draw_part("header", heading, layout.header, draw)
        caption = frame.caption
        caption = self._story.caption(frame.position) if caption is None else caption
        draw = partial(draw_caption, draws, layout.caption, caption)
        if layout.caption.height:
            self._draw_part("caption", caption, layout.caption, draw)
        is_later = self._is_new("panels", frame.position)
        for team, rect in enumerate(layout.panels if is_later else (), 1):
            panel = TeamPanel(timeline, frame.state, frame.position, team)
            draw = partial(draw_team_panel, draws, rect, panel)
            self._draw_part(f"team {team}", panel.key, rect, draw)
        if self._is_new("graph", frame.turn):
            graph = layout.graph
            self._image.paste(self._graph.paint(frame.turn), pixel_box(graph)[:2])
        if layout.notes is not None:
            draw = partial(self._draw_notes, layout.notes, frame)
            self._draw_part("notes", frame.turn, layout.notes, draw)
        self._paint_board(frame)
        return self._image

    def _draw_notes(self, rect: Rect, frame: FrameCursor) -> None:
        """Draw the latest events, and below them the legend."""
        draws, pad = self._draws, self._draws.px(NOTES_PAD)
        draws.panel(rect, PANEL, RIM)
        inner = rect.inset(pad)
        legend, least = self._legend, least_height(draws)
        entries = legend.entries_for(inner._replace(height=inner.height - least))
        if not entries:
            entries = legend.entries_for(inner)
        height = legend.entries_height(entries, inner.width)
        if inner.height - height < least:
            inner, _ = inner.cut_top((inner.height + height) / 2)
        rest = legend.draw(inner, entries, has_line=inner.height > height + least)
        draw_events(draws, rest, self._timeline, self._narration, frame.position)

    def _paint_board(self, frame: FrameCursor) -> None:
        board, image = self._board, self._image
        if frame.part is None:
            image.paste(self._ground, pixel_box(self._layout.board)[:2])
        else:
            rect = self._layout.board
            fit = self._layout.fit.look_at(frame.part, rect)
            # While the camera rests, the ground is there and things have their rows.
            if self._near is None or self._near[0].fit != fit:
                board = board.look(fit, rect)
                self._draws.rect(rect, BACKGROUND)
                board.draw_backdrop()
                self._draws.draw_on(image, pixel_box(rect))
                self._near = board, image.crop(pixel_box(rect))
            board, ground = self._near
            image.paste(ground, pixel_box(rect)[:2])
        self._paint_standing(board, frame)
        board.draw_moving(frame.things, frame.moving)
        for sign in frame.signs:
            board.draw_sign(sign)
        timeline = self._timeline
        drawn = timeline.notes.at(frame.turn) if self._has_drawings else []
        for line in (*timeline.trails.at(timeline.last_ended_turn(frame.position)), *drawn):
            board.draw_bot_drawing(line)
        if frame.part is not None:
            self._map.draw(frame.turn, frame.things, board.fit, self._layout.board)
        self._draws.draw_on(image, pixel_box(self._layout.board))

    def _paint_standing(self, board: BoardPainter[Paste], frame: FrameCursor) -> None:
        """Draw what does not move, once for all pictures in which it is the same."""
        box = pixel_box(self._layout.board)
        key = board.fit, frame.position, frozenset(frame.moving.places)
        if self._standing is None or self._standing[0] != key:
            board.draw_standing(frame.things, frame.moving)
            self._draws.draw_on(self._image, box)
            self._standing = key, self._image.crop(box)
        else:
            self._image.paste(self._standing[1], box[:2])

    def _draw_part(self, name: str, key: object, rect: Rect, draw: Callable[[], None]) -> None:
        """Draw a part in its place if what it depends on has changed."""
        if self._is_new(name, key):
            self._draws.rect(rect, BACKGROUND)
            draw()
            self._draws.draw_on(self._image)

    def _is_new(self, name: str, key: object) -> bool:
        is_new = name not in self._drawn_keys or self._drawn_keys[name] != key
        self._drawn_keys[name] = key
        return is_new

    def _empty_board(self) -> Image.Image:
        """Return the board with nothing on it."""
        image = Image.new("RGB", self.size, BACKGROUND)
        self._board.draw_backdrop()
        self._draws.draw_on(image)
        return image.crop(pixel_box(self._layout.board))

    def _make_heading(self, frame: FrameCursor) -> Heading:
        timeline, replay = self._timeline, self._timeline.replay
        is_over = replay.outcome is not None
        end = timeline.last_turn if is_over else replay.game.standing(frame.state).last_turn
        stage = stage_at(timeline, frame.position)
        about = f"{replay.game.title} · seed {seed_text(replay.spec.seed)}"
        result = result_at(timeline, self._story, frame.position)
        return Heading(frame.turn, end, stage, about=about, results=(result,))


class Scaled(NamedTuple):
    """A graph with room for scores up to some height, before anything happened and after all."""

    graph: ScoreGraph
    empty: Image.Image
    whole: Image.Image


class GraphPainter:
    """Draws whole graphs once each, and shows as much of them as has happened.

    There is one for each height that the scores reach: what comes is not told by the axis.
    """

    def __init__(self, draws: ImageDrawList, curves: Curves, size: tuple[int, int]) -> None:
        self._draws, self._curves = draws, curves
        self._last = max(1, len(curves.scores) - 1)
        self._whole = Rect(0, 0, *size)
        inner = self._whole.inset(draws.px(14), draws.px(4)).cut_bottom(draws.px(GRAPH_FOOT))[1]
        labels = ScoreGraph(draws, curves, inner, self._last).labels_width + draws.px(8)
        self._plot = Rect(inner.x + labels, inner.y, inner.width - labels, inner.height)
        self._scaled: dict[float, Scaled] = {}

    def paint(self, turn: int) -> Image.Image:
        """Return the graph up to a turn."""
        most = nice_top(self._curves.most_until(turn))
        if most not in self._scaled:
            self._scaled[most] = self._draw_at_scale(most)
        graph, empty, whole = self._scaled[most]
        image, now = empty.copy(), round(graph.x_at(min(turn, self._last)))
        image.paste(whole.crop((0, 0, now, image.height)), (0, 0))
        graph.draw_moment(turn)
        self._draws.draw_on(image)
        return image

    def _draw_at_scale(self, most: float) -> Scaled:
        draws, whole = self._draws, self._whole
        graph = ScoreGraph(draws, self._curves, self._plot, self._last, most)
        empty = Image.new("RGB", _size(whole), BACKGROUND)
        draws.panel(whole, PANEL, RIM)
        graph.draw_axes()
        self._draw_title(graph)
        draws.draw_on(empty)
        drawn = empty.copy()
        graph.draw_lines()
        draws.draw_on(drawn)
        return Scaled(graph, empty, drawn)

    def _draw_title(self, graph: ScoreGraph) -> None:
        draws, y = self._draws, self._whole.bottom - self._draws.px(GRAPH_FOOT / 2 + 3)
        x = graph.plot.x
        x += draws.text(x, y, f"{graph.name} by turn", GRAPH_TEXT, QUIET) + draws.px(16)
        graph.draw_goal_sample(x, y)


def _size(rect: Rect) -> tuple[int, int]:
    return round(rect.width), round(rect.height)


def draw_board(
    timeline: ReplayTimeline, sprites: Sprites, most: tuple[int, int], position: int | None = None
) -> Image.Image:
    """Return the board of a match at a position, by default the last one that has been read.

    `most`: its width and height, pixels; what is empty around it is cut off.
    """
    frame = FrameCursor(timeline)
    frame.go_to(timeline.steps if position is None else position)
    fit = fit_board(timeline.scene, Rect(0, 0, *most))
    extent = fit.arrangement.extent
    left, top = fit.left + extent.left * fit.scale, fit.top + extent.top * fit.scale
    size = max(1, round(extent.width * fit.scale)), max(1, round(extent.height * fit.scale))
    draws = ImageDrawList(PIXELS_PER_POINT)
    board = BoardPainter(draws, timeline.scene, sprites, fit.move_by(-left, -top))
    image = Image.new("RGB", size, BACKGROUND)
    board.draw_backdrop()
    draws.draw_on(image)
    board.draw_things(frame.things)
    for sign in frame.signs:
        board.draw_sign(sign)
    draws.draw_on(image)
    return image.crop(ImageChops.difference(image, Image.new("RGB", size, BACKGROUND)).getbbox())
