"""The state of a window: replays, playhead, zoom, hovered and selected piece. Without arcade."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, hypot
from typing import NamedTuple

from visualizer.backends.arcade.inspection import Inspector, PieceDetails
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.sounds import Sounds
from visualizer.drawing import measures
from visualizer.drawing.bot_drawings import UNNAMED
from visualizer.drawing.fit import Fit, whole_scale
from visualizer.drawing.geometry import width_and_height
from visualizer.drawing.outline import parse_cells
from visualizer.drawing.rect import Rect
from visualizer.model.drawings import Group
from visualizer.model.playback import Playback
from visualizer.model.timeline import LEAD
from visualizer.scene import Block, Extent, Label, Mark, Sprite, Thing, middle_of_thing

READ_S = 0.004
"""Seconds per frame for reading more of the replays."""
MIN_HIT_SIZE = 0.9
"""The least side of a piece for the pointer, squares."""
MIN_VISIBLE_SQUARES = 8
"""The squares of a board's shorter side that are visible at the closest zoom."""
ALL_BUT = 1.001
"""Factors below it count as 1: they are rounded."""


class Target(NamedTuple):
    """A thing of a replay."""

    number: int
    """The replay's place in the window, 0 on the left."""
    thing_id: int


class WindowModel:
    """Everything about a window but its picture."""

    def __init__(self, views: Sequence[ReplayView]) -> None:
        self.views = views
        self.playback = Playback([view.timeline for view in views])
        self.zooms = [Zoom() for _ in views]
        """The zoom of each board."""
        self.clock = 0.0
        """Seconds since the window opened."""
        self.selected: Target | None = None
        self.hovered: Target | None = None
        self.hovered_time: float | None = None
        """The time on the timeline below the mouse."""
        self.hovered_action = ""
        self.pointer = (0.0, 0.0)
        self.hidden_groups: set[Group] = set()
        """The drawings of bots that are switched off."""
        self.is_help_open = False
        self.is_light = False
        self.is_following = False
        """Whether the selected piece stays in the middle of its board."""
        self.is_looking = self.has_map
        """Whether a large map is shown where most happens."""
        self.sounds = Sounds()
        self.is_full_screen = False
        self.is_closing = False
        self.scrolled = 0.0
        """Lines of the history that are scrolled out of sight."""
        self._inspector = Inspector()
        self._has_played = True
        """Whether the match was playing in the last frame."""

    @property
    def title(self) -> str:
        """Return the title of the window: the names of the bots."""
        return " | ".join(" : ".join(view.timeline.scene.names) for view in self.views)

    def begin_at(self, turn: int) -> None:
        """Begin at the end of a turn, or at the end of a shorter match."""
        for view in self.views:
            while turn > view.timeline.last_turn and not view.timeline.is_read:
                view.read_new_entries(READ_S)
        self.playback.seek_turn(turn)
        for number, view in enumerate(self.views):
            view.begin_at(self.playback.position(number), self.clock)

    def tick(self, seconds: float) -> None:
        """Let time pass: read on, play, and follow the playhead."""
        self.clock += seconds
        for view in self.views:
            beginnings = view.beginnings
            view.read_new_entries(READ_S / len(self.views))
            if view.beginnings != beginnings:
                self.playback.wanted_turn = self.playback.time
        was_playing = self.playback.is_playing
        self.playback.advance(seconds)
        for number, view in enumerate(self.views):
            before = view.cursor.position
            marks = self._move(view, self.playback.position(number), was_playing)
            view.forget(self.clock, self.playback.is_playing)
            view.move_things(self.playback, self.clock)
            if was_playing:
                self._play_sounds(view, before, marks)
        # On a pause the signs of several steps may be fading: show those of the last step alone.
        if self._has_played and not self.playback.is_playing:
            for view in self.views:
                view.rest(self.clock)
        self._has_played = self.playback.is_playing

    def _move(self, view: ReplayView, position: int, was_playing: bool) -> Sequence[Mark]:
        """Move a replay's cursor to the playhead. Return the marks of the steps on the way."""
        steps = position - view.cursor.position
        if not steps:
            return ()
        marks = view.follow(position, self.clock)
        if not was_playing and not self.playback.is_playing:
            view.rest(self.clock)
            if steps == 1:
                view.step(steps, self.clock)
        return marks

    def _play_sounds(self, view: ReplayView, before: int, marks: Sequence[Mark]) -> None:
        """Let be heard what happened on the way from a position, the end of a match above all."""
        timeline = view.timeline
        new = (mark for mark in timeline.marks if before < mark.position <= view.cursor.position)
        leads = [Mark.LEAD for mark in new if mark.what == LEAD][:1] if self.sounds.is_on else []
        self.sounds.play_marks([*marks, *leads], self.clock)
        if timeline.is_over and before < timeline.steps == view.cursor.position:
            self.sounds.win()

    @property
    def end(self) -> float:
        """Return the end of the time axis; of an unfinished match, its last possible turn."""
        ends = []
        for view in self.views:
            replay = view.timeline.replay
            if replay.outcome is not None:
                ends.append(replay.last_turn)
            else:
                ends.append(replay.game.standing(view.cursor.state).last_turn)
        return float(max(1, *ends, self.playback.end))

    @property
    def is_live(self) -> bool:
        """Return whether a match is still being played."""
        return any(view.timeline.replay.is_growing for view in self.views)

    @property
    def inspection(self) -> PieceDetails | None:
        """Return the details of the selected piece."""
        if self.selected is None:
            return None
        view = self.views[self.selected.number]
        is_fresh = not self.playback.is_playing
        return self._inspector.details(view, self.selected.thing_id, self.clock, is_fresh)

    def thing_at(self, number: int, x: float, y: float, reach: float = 0.0) -> Target | None:
        """Return the uppermost thing at a place of the board, or a block within `reach` of it."""
        kinds, shown = self.views[number].timeline.scene.kinds, self.views[number].cursor.things
        things = {i: thing for i, thing in shown.items() if not kinds[thing.kind].is_seen_through}
        hits = [thing_id for thing_id, thing in things.items() if _is_at(thing, x, y)]
        if hits:
            return Target(number, max(hits, key=lambda i: (_layer_of_thing(things[i]), i)))
        near = {i: far for i, far in _distances_to_blocks(things, x, y) if far <= reach}
        return Target(number, min(near, key=lambda i: near[i])) if near else None

    def select(self, target: Target | None) -> None:
        self.selected = target
        self.is_following &= target is not None
        self.scrolled = 0.0

    def scroll(self, lines: float) -> None:
        """Scroll the history of the inspector."""
        self.scrolled = max(0.0, self.scrolled + lines)

    @property
    def has_map(self) -> bool:
        """Return whether a board is so large that a part of it is shown."""
        return any(view.timeline.camera.has_map for view in self.views)

    def zoom(self, factor: float) -> None:
        """Zoom all boards around their middles."""
        self.is_looking = False
        pairs = zip(self.zooms, self.views, strict=True)
        self.zooms = [
            zoom.scale_by(factor, max_zoom(view.timeline.scene.extent)) for zoom, view in pairs
        ]

    def show_all(self) -> None:
        """Show the whole of every board; of a large map, then what happens on it."""
        self.is_following = False
        self.is_looking = self.has_map and not self.is_looking
        self.zooms = [Zoom() for _ in self.views]

    @property
    def is_closer(self) -> bool:
        """Return whether a board is zoomed in."""
        return any(zoom.factor > 1 for zoom in self.zooms)

    def toggle_full_screen(self) -> None:
        self.is_full_screen = not self.is_full_screen

    def toggle_help(self) -> None:
        self.is_help_open = not self.is_help_open

    def toggle_following(self) -> None:
        """Keep the selected piece in the middle of its board, closer than before; or let it go."""
        self.is_following = not self.is_following and self.selected is not None
        if self.is_following and self.selected is not None:
            self.is_looking = False
            number = self.selected.number
            if self.zooms[number].factor == 1:
                extent = self.views[number].timeline.scene.extent
                self.zooms[number] = self.zooms[number].scale_by(
                    measures.FOLLOW_ZOOM, max_zoom(extent)
                )

    def toggle_light(self) -> None:
        self.is_light = not self.is_light

    def toggle_drawings(self) -> None:
        """Switch all drawings of bots off, or all on again."""
        shown = set() if self.hidden_groups else {group for group, *_ in self.groups()}
        self.hidden_groups = shown

    def toggle_group(self, number: int) -> None:
        """Switch the drawings of a group on or off, counted from 1."""
        for group, *_ in self.groups()[number - 1 : number]:
            self.hidden_groups ^= {group}

    def groups(self) -> list[tuple[Group, str, str]]:
        """Return the groups of drawings there are so far: the group, its name and its color."""
        found: dict[Group, tuple[str, str]] = {}
        for view in self.views:
            timeline = view.timeline
            for (team, key), color in timeline.notes.groups.items():
                bot = timeline.scene.names[team - 1]
                found.setdefault((team, key), (f"{bot}: {key or UNNAMED}", color))
        return [(group, *found[group]) for group in sorted(found)]

    def deselect(self) -> None:
        """Close the help; if it is closed, deselect the piece."""
        if self.is_help_open:
            self.is_help_open = False
        else:
            self.select(None)

    def request_close(self) -> None:
        self.is_closing = True


def _layer_of_thing(thing: Thing) -> int:
    """Return the layer of a thing: sprites lie on blocks, blocks on tiles."""
    return 2 if isinstance(thing, Sprite) else int(isinstance(thing, Block))


def _distances_to_blocks(
    things: Mapping[int, Thing], x: float, y: float
) -> Iterator[tuple[int, float]]:
    """Yield the distance from a place to each block's rectangle, squares."""
    for thing_id, thing in things.items():
        if isinstance(thing, Block):
            (middle_x, middle_y), (width, height) = middle_of_thing(thing), width_and_height(thing)
            across = max(0.0, abs(x - middle_x) - width / 2)
            down = max(0.0, abs(y - middle_y) - height / 2)
            yield thing_id, hypot(across, down)


def _is_at(thing: Thing, x: float, y: float) -> bool:
    if isinstance(thing, Label):
        return False
    if isinstance(thing, Block):
        return (floor(x - thing.x), floor(y - thing.y)) in parse_cells(thing.cells)
    least = MIN_HIT_SIZE if isinstance(thing, Sprite) else 0.0
    middle_x, middle_y = middle_of_thing(thing)
    width, height = (max(side, least) for side in width_and_height(thing))
    return abs(x - middle_x) <= width / 2 and abs(y - middle_y) <= height / 2


class Zoom(NamedTuple):
    """The zoom factor, and the point of the board in the middle of its place."""

    factor: float = 1.0
    across: float = 0.5
    """From the board's left edge (0) to its right edge (1), however its parts are arranged."""
    down: float = 0.5
    is_smooth: bool = False
    """Whether squares need not be whole pixels wide."""

    def scale_by(self, factor: float, most: float) -> "Zoom":
        """Return the zoom times a factor, at least the whole board."""
        wanted = min(self.factor * factor, most)
        return self._replace(factor=wanted, is_smooth=False) if wanted > ALL_BUT else Zoom()


def zoom_in(fit: Fit, zoom: Zoom, rect: Rect) -> Fit:
    """Return a fit zoomed in, from that of the whole board."""
    if zoom.factor == 1:
        return fit
    extent, scale = fit.arrangement.extent, fit.scale * zoom.factor
    scale = scale if zoom.is_smooth else whole_scale(scale)
    left = rect.middle_x - (extent.left + zoom.across * extent.width) * scale
    top = rect.middle_y - (extent.top + zoom.down * extent.height) * scale
    return Fit(scale, left, top, fit.arrangement).clamp_to(rect)


def max_zoom(extent: Extent) -> float:
    """Return the largest zoom factor of a board."""
    return max(measures.MIN_MAX_ZOOM, min(extent.width, extent.height) / MIN_VISIBLE_SQUARES)
