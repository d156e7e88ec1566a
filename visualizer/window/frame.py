"""What is shown, in a window of some size: where its parts are, and what is at a place of it."""

from collections.abc import Sequence

from visualizer.film import LEAD, Film
from visualizer.window.actions import GROUPS, MARKS, PLAYING, SPEED, VIEW, WINDOW, Action
from visualizer.window.fit import Fit, Zoom, closer, crisp, most_of, whole
from visualizer.window.layout import Layout, Wish, layout
from visualizer.window.rect import Rect
from visualizer.window.showing import Showing, Target

BUTTON, LEAST_BUTTON, BUTTON_GAP, GROUP_GAP = 34, 26, 2, 14
SPEED_LABEL = 58
"""Between slower and faster; points."""
NEAR = 5
"""Pixels beside a block that still mean it."""


class Frame:
    """Computed anew when the window or what is to be placed changes."""

    def __init__(self, showing: Showing, width: float, height: float, pixel_ratio: float) -> None:
        self.showing = showing
        self._size = width, height, pixel_ratio
        self._key: object = None
        self._layout: Layout | None = None

    def resize(self, width: float, height: float, pixel_ratio: float) -> None:
        self._size = width, height, pixel_ratio

    @property
    def layout(self) -> Layout:
        width, height, ratio = self._size
        films = [reel.film for reel in self.showing.reels]
        wish = Wish(
            len(films),
            max(len(film.replay.bots) for film in films),
            max(len(lane_names(film)) for film in films),
            self.showing.selected is not None,
        )
        key = (self._size, wish)
        if self._layout is None or key != self._key:
            self._key, self._layout = key, layout(width, height, wish, ratio)
        return self._layout

    def fit(self, film: int) -> Fit:
        """Of a film's board: all of it, or as close as it is looked at."""
        return closer(self._whole(film), self.showing.zooms[film], self.layout.boards[film])

    def zoom(self, film: int, factor: float, x: float, y: float) -> None:
        """Closer or farther, what is at a place of the window staying there."""
        showing, place = self.showing, self.layout.boards[film]
        most = most_of(showing.reels[film].film.scene.extent)
        zoom = showing.zooms[film].times(factor, most)
        scale = crisp(self._whole(film).scale * zoom.factor)
        self._look(film, zoom.factor, self.fit(film).scaled(scale, x, y).kept_in(place))

    def pan(self, film: int, dx: float, dy: float) -> None:
        """The board goes along with the mouse, where not all of it is to be seen."""
        zoom, place = self.showing.zooms[film], self.layout.boards[film]
        self._look(film, zoom.factor, self.fit(film).moved(dx, dy).kept_in(place))

    def _whole(self, film: int) -> Fit:
        return whole(self.showing.reels[film].film.scene, self.layout.boards[film])

    def _look(self, film: int, factor: float, fit: Fit) -> None:
        middle = fit.middle_of(self.layout.boards[film])
        self.showing.zooms[film] = Zoom() if factor == 1 else Zoom(factor, *middle)

    def board_at(self, x: float, y: float) -> int | None:
        """The film whose board is there."""
        boards = enumerate(self.layout.boards)
        return next((number for number, board in boards if board.contains(x, y)), None)

    def buttons(self) -> list[tuple[Action, Rect]]:
        """Every button of the bar."""
        place, unit = self.layout.controls, self.layout.unit
        side = self._button_side()
        y = place.middle_y - side / 2
        x, placed = place.x, list[tuple[Action, Rect]]()
        for group in (PLAYING, MARKS, SPEED, VIEW):
            for action in group:
                placed.append((action, Rect(round(x), round(y), side, side)))
                x += side + BUTTON_GAP * unit
                if action.name == "slower":
                    x += SPEED_LABEL * unit
            x += GROUP_GAP * unit * side / (BUTTON * unit)
        x = place.right - len(WINDOW) * (side + BUTTON_GAP * unit)
        for action in WINDOW:
            placed.append((action, Rect(round(x), round(y), side, side)))
            x += side + BUTTON_GAP * unit
        return placed

    def speed_label(self) -> Rect:
        """Between the buttons for slower and faster."""
        places = {action.name: place for action, place in self.buttons()}
        left, right = places["slower"], places["faster"]
        return Rect(left.right, left.y, right.x - left.right, left.height)

    def close_inspector(self) -> Rect | None:
        aside, unit = self.layout.aside, self.layout.unit
        if aside is None or self.showing.selected is None:
            return None
        side = 26 * unit
        return Rect(aside.right - side - 8 * unit, aside.y + 8 * unit, side, side)

    def time_at(self, x: float) -> float:
        """What the timeline shows at a place."""
        timeline = self.layout.timeline
        share = (x - timeline.x) / timeline.width
        return min(max(share, 0.0), 1.0) * self.showing.end

    def x_of(self, time: float) -> float:
        timeline = self.layout.timeline
        return timeline.x + time / self.showing.end * timeline.width

    def thing_at(self, x: float, y: float) -> Target | None:
        film = self.board_at(x, y)
        if film is None:
            return None
        fit = self.fit(film)
        return self.showing.thing_at(film, *fit.to_board(x, y), NEAR / fit.scale)

    def action_at(self, x: float, y: float) -> Action | None:
        return next((a for a, place in self.buttons() if place.contains(x, y)), None)

    def _button_side(self) -> int:
        """As large as there is room for."""
        place, unit = self.layout.controls, self.layout.unit
        count = sum(map(len, GROUPS))
        gaps = count * BUTTON_GAP + SPEED_LABEL + len(GROUPS) * GROUP_GAP
        room = (place.width - gaps * unit) / count
        return round(min(max(room, LEAST_BUTTON * unit * 0.8), BUTTON * unit))


def lane_names(film: Film) -> Sequence[str]:
    """The kinds of marks on a film's timeline, each in a lane of its own."""
    named = dict.fromkeys(h.timeline for h in film.scene.happenings.values() if h.timeline)
    return [*named, LEAD]
