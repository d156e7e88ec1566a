"""The parts of a window of some size: where they are, and what is at a place."""

from visualizer.backends.arcade.actions import GROUPS, MARKS, PLAYING, SPEED, VIEW, WINDOW, Action
from visualizer.backends.arcade.layout import LayoutContent, WindowLayout, layout
from visualizer.backends.arcade.window_model import (
    ALL_BUT,
    Target,
    WindowModel,
    Zoom,
    max_zoom,
    zoom_in,
)
from visualizer.drawing.fit import Fit, fit_board, whole_scale
from visualizer.drawing.measures import AXIS, CPU_LANES
from visualizer.drawing.rect import Rect
from visualizer.model.playback import QuietStretch

BUTTON, MIN_BUTTON_WIDTH, BUTTON_GAP, GROUP_GAP = 34, 26, 2, 14
SPEED_LABEL = 58
"""The room between the slower and faster buttons, points."""
MAX_MISS = 5
"""Pixels by which the pointer may miss a block."""


class WindowFrame:
    """The places of a window's parts, computed anew when its size or content changes."""

    def __init__(self, model: WindowModel, width: float, height: float, pixel_ratio: float) -> None:
        self.model = model
        self._size = width, height, pixel_ratio
        self._key: object = None
        self._layout: WindowLayout | None = None

    def resize(self, width: float, height: float, pixel_ratio: float) -> None:
        self._size = width, height, pixel_ratio

    @property
    def layout(self) -> WindowLayout:
        width, height, ratio = self._size
        timelines = [view.timeline for view in self.model.views]
        scene = timelines[0].scene
        content = LayoutContent(
            len(timelines),
            max(len(timeline.replay.bots) for timeline in timelines),
            max(len(timeline.mark_kinds) for timeline in timelines) + CPU_LANES,
            self.model.selected is not None,
            scene.extent.width / scene.extent.height,
            len(scene.parts),
            all(timeline.scene.has_short_panels for timeline in timelines),
        )
        key = (self._size, content)
        if self._layout is None or key != self._key:
            self._key, self._layout = key, layout(width, height, content, ratio)
        return self._layout

    def fit(self, number: int) -> Fit:
        """Return how a replay's board is shown: all of it, or zoomed in."""
        return zoom_in(self._full_fit(number), self.model.zooms[number], self.layout.boards[number])

    def zoom(self, number: int, factor: float, x: float, y: float) -> None:
        """Zoom a board; what is at a place of the window stays there."""
        model, rect = self.model, self.layout.boards[number]
        model.is_looking = False
        most = max_zoom(model.views[number].timeline.scene.extent)
        zoom = model.zooms[number].scale_by(factor, most)
        scale = whole_scale(self._full_fit(number).scale * zoom.factor)
        self._set_zoom(number, zoom.factor, self.fit(number).with_scale(scale, x, y).clamp_to(rect))

    def pan(self, number: int, dx: float, dy: float) -> None:
        """Move a board with the mouse, when it is zoomed in."""
        zoom, rect = self.model.zooms[number], self.layout.boards[number]
        self._set_zoom(number, zoom.factor, self.fit(number).move_by(dx, dy).clamp_to(rect))

    def follow(self) -> None:
        """Show the part of a large map where most happens, or the piece that is followed."""
        model, target = self.model, self.model.selected
        for number, view in enumerate(model.views if model.is_looking else ()):
            if (part := view.timeline.camera.part_at(model.playback.time)) is not None:
                full, rect = self._full_fit(number), self.layout.boards[number]
                fit = full.look_at(part, rect)
                self._set_zoom(number, fit.scale / full.scale, fit, is_smooth=True)
        if not model.is_following or target is None:
            return
        view, rect = model.views[target.number], self.layout.boards[target.number]
        if target.thing_id in view.cursor.things:
            at = view.place(target.thing_id)
            x, y = self.fit(target.number).to_pixels(*at)
            self.pan(target.number, rect.middle_x - x, rect.middle_y - y)

    def _full_fit(self, number: int) -> Fit:
        return fit_board(self.model.views[number].timeline.scene, self.layout.boards[number])

    def _set_zoom(self, number: int, factor: float, fit: Fit, *, is_smooth: bool = False) -> None:
        middle = fit.relative_middle(self.layout.boards[number])
        self.model.zooms[number] = Zoom() if factor < ALL_BUT else Zoom(factor, *middle, is_smooth)

    def board_at(self, x: float, y: float) -> int | None:
        """Return the number of the replay whose board is at a place."""
        boards = enumerate(self.layout.boards)
        return next((number for number, board in boards if board.contains(x, y)), None)

    def buttons(self) -> list[tuple[Action, Rect]]:
        """Return every button of the bar with its place."""
        rect, unit = self.layout.controls, self.layout.unit
        side = self._button_side()
        y = rect.middle_y - side / 2
        x, placed = rect.x, list[tuple[Action, Rect]]()
        for group in (PLAYING, MARKS, SPEED, VIEW):
            for action in group:
                placed.append((action, Rect(round(x), round(y), side, side)))
                x += side + BUTTON_GAP * unit
                if action.name == "slower":
                    x += SPEED_LABEL * unit
            x += GROUP_GAP * unit * side / (BUTTON * unit)
        x = rect.right - len(WINDOW) * (side + BUTTON_GAP * unit)
        for action in WINDOW:
            placed.append((action, Rect(round(x), round(y), side, side)))
            x += side + BUTTON_GAP * unit
        return placed

    def speed_label(self) -> Rect:
        """Return the place of the speed, between the buttons for slower and faster."""
        places = {action.name: rect for action, rect in self.buttons()}
        left, right = places["slower"], places["faster"]
        return Rect(left.right, left.y, right.x - left.right, left.height)

    def close_inspector(self) -> Rect | None:
        sidebar, unit = self.layout.sidebar, self.layout.unit
        if sidebar is None or self.model.selected is None:
            return None
        side = 26 * unit
        return Rect(sidebar.right - side - 8 * unit, sidebar.y + 8 * unit, side, side)

    def time_at(self, x: float) -> float:
        """Return the time at a place of the timeline, in turns."""
        timeline, folded = self.layout.timeline, self.model.playback.folded
        share = (x - timeline.x) / timeline.width
        return folded.unfold(min(max(share, 0.0), 1.0) * folded.fold(self.model.end))

    def x_at(self, time: float) -> float:
        timeline, fold = self.layout.timeline, self.model.playback.folded.fold
        return timeline.x + fold(time) / fold(self.model.end) * timeline.width

    def fold_rect(self, stretch: QuietStretch) -> Rect:
        """Return the place of the mark of a quiet stretch, at the top of the timeline."""
        rect, left = self.layout.timeline, self.x_at(stretch.begin)
        return Rect(left, rect.y, self.x_at(stretch.last) - left, AXIS * self.layout.unit)

    def fold_at(self, x: float, y: float) -> QuietStretch | None:
        """Return the quiet stretch whose mark is at a place."""
        quiet = self.model.playback.quiet
        return next((each for each in quiet if self.fold_rect(each).contains(x, y)), None)

    def thing_at(self, x: float, y: float) -> Target | None:
        number = self.board_at(x, y)
        if number is None:
            return None
        fit = self.fit(number)
        return self.model.thing_at(number, *fit.to_board(x, y), MAX_MISS / fit.scale)

    def action_at(self, x: float, y: float) -> Action | None:
        return next((a for a, rect in self.buttons() if rect.contains(x, y)), None)

    def _button_side(self) -> int:
        """Return the side of a button, as large as there is room for."""
        rect, unit = self.layout.controls, self.layout.unit
        count = sum(map(len, GROUPS))
        gaps = count * BUTTON_GAP + SPEED_LABEL + len(GROUPS) * GROUP_GAP
        room = (rect.width - gaps * unit) / count
        return round(min(max(room, MIN_BUTTON_WIDTH * unit * 0.8), BUTTON * unit))
