"""What is being watched: films, playhead, what is pointed at and looked into. No library in it."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, hypot
from typing import NamedTuple

from visualizer.outline import cells_of
from visualizer.places import middle, sides
from visualizer.playback import Playback
from visualizer.scene import Block, Label, Sprite, Thing
from visualizer.window.fit import Zoom, most_of
from visualizer.window.inspection import Inspection, Inspector
from visualizer.window.reel import Reel

READ_S = 0.004
"""Of a frame, for what is not read of a film yet."""
LEAST_HIT = 0.9
"""Of a square: small pieces are easy to hit too."""


class Target(NamedTuple):
    """A thing of a film."""

    film: int
    thing_id: int


class Showing:
    """Everything but the picture of it."""

    def __init__(self, reels: Sequence[Reel]) -> None:
        self.reels = reels
        self.playback = Playback([reel.film for reel in reels])
        self.zooms = [Zoom() for _ in reels]
        """Of each board."""
        self.clock = 0.0
        """Seconds since the window opened."""
        self.selected: Target | None = None
        self.hovered: Target | None = None
        self.hovered_time: float | None = None
        """On the timeline."""
        self.hovered_action = ""
        self.pointer = (0.0, 0.0)
        self.is_help_open = False
        self.is_full_screen = False
        self.is_closing = False
        self.scrolled = 0.0
        """Lines of the history that are scrolled out of sight."""
        self._inspector = Inspector()

    @property
    def title(self) -> str:
        """Of the window: who plays."""
        return " | ".join(
            " : ".join(bot.name for bot in reel.film.replay.bots) for reel in self.reels
        )

    def begin_at(self, turn: int) -> None:
        """At the end of a turn, or of what is known by then."""
        for reel in self.reels:
            while turn > reel.film.last_turn and not reel.film.is_read:
                reel.read_on(READ_S)
        self.playback.seek_turn(turn)

    def tick(self, seconds: float) -> None:
        """Time passes: read, play, and move there."""
        self.clock += seconds
        for reel in self.reels:
            reel.read_on(READ_S / len(self.reels))
        was_playing = self.playback.is_playing
        self.playback.advance(seconds)
        for number, reel in enumerate(self.reels):
            self._move(reel, self.playback.position(number), was_playing)
            reel.forget(self.clock, self.playback.is_playing)

    def _move(self, reel: Reel, position: int, was_playing: bool) -> None:
        steps = position - reel.cursor.position
        if not steps:
            return
        reel.follow(position, self.clock, self.playback.speed)
        if not was_playing and not self.playback.is_playing:
            moves = dict(reel.moves)
            reel.rest(self.clock)
            if steps == 1:
                reel.moves.update(moves)

    @property
    def end(self) -> float:
        """Of the time axis: the last turn there can be while that is open."""
        ends = []
        for reel in self.reels:
            replay = reel.film.replay
            if replay.outcome is not None:
                ends.append(replay.last_turn)
            else:
                ends.append(replay.game.standing(reel.cursor.state).last_turn)
        return float(max(1, *ends, self.playback.end))

    @property
    def is_live(self) -> bool:
        """Whether a match is still being played."""
        return any(reel.film.replay.is_growing for reel in self.reels)

    @property
    def inspection(self) -> Inspection | None:
        """Of what is looked into."""
        if self.selected is None:
            return None
        reel = self.reels[self.selected.film]
        is_fresh = not self.playback.is_playing
        return self._inspector.look(reel, self.selected.thing_id, self.clock, is_fresh)

    def thing_at(self, film: int, x: float, y: float, reach: float = 0.0) -> Target | None:
        """The uppermost thing at a place of the board; a block near by, if `reach` allows."""
        kinds, shown = self.reels[film].film.scene.kinds, self.reels[film].cursor.things
        things = {i: thing for i, thing in shown.items() if not kinds[thing.kind].is_seen_through}
        hits = [thing_id for thing_id, thing in things.items() if _is_at(thing, x, y)]
        if hits:
            return Target(film, max(hits, key=lambda i: (_layer(things[i]), i)))
        near = {i: far for i, far in _distances(things, x, y) if far <= reach}
        return Target(film, min(near, key=lambda i: near[i])) if near else None

    def select(self, target: Target | None) -> None:
        self.selected = target
        self.scrolled = 0.0

    def scroll(self, lines: float) -> None:
        """In the history of what is looked into."""
        self.scrolled = max(0.0, self.scrolled + lines)

    def zoom(self, factor: float) -> None:
        """All boards closer or farther, around what is in their middle."""
        pairs = zip(self.zooms, self.reels, strict=True)
        self.zooms = [zoom.times(factor, most_of(reel.film.scene.extent)) for zoom, reel in pairs]

    def show_all(self) -> None:
        """Of every board."""
        self.zooms = [Zoom() for _ in self.reels]

    @property
    def is_closer(self) -> bool:
        """Whether not all of a board is to be seen."""
        return any(zoom.factor > 1 for zoom in self.zooms)

    def to_end(self) -> None:
        self.playback.seek_turn(self.playback.end)

    def toggle_full_screen(self) -> None:
        self.is_full_screen = not self.is_full_screen

    def toggle_help(self) -> None:
        self.is_help_open = not self.is_help_open

    def let_go(self) -> None:
        """The help first, then the piece."""
        if self.is_help_open:
            self.is_help_open = False
        else:
            self.select(None)

    def close(self) -> None:
        self.is_closing = True


def _layer(thing: Thing) -> int:
    """Sprites lie on blocks, blocks on tiles."""
    return 2 if isinstance(thing, Sprite) else int(isinstance(thing, Block))


def _distances(things: Mapping[int, Thing], x: float, y: float) -> Iterator[tuple[int, float]]:
    """From a place to each block's rectangle, squares."""
    for thing_id, thing in things.items():
        if isinstance(thing, Block):
            (middle_x, middle_y), (width, height) = middle(thing), sides(thing)
            across = max(0.0, abs(x - middle_x) - width / 2)
            down = max(0.0, abs(y - middle_y) - height / 2)
            yield thing_id, hypot(across, down)


def _is_at(thing: Thing, x: float, y: float) -> bool:
    if isinstance(thing, Label):
        return False
    if isinstance(thing, Block):
        return (floor(x - thing.x), floor(y - thing.y)) in cells_of(thing.cells)
    least = LEAST_HIT if isinstance(thing, Sprite) else 0.0
    middle_x, middle_y = middle(thing)
    width, height = (max(side, least) for side in sides(thing))
    return abs(x - middle_x) <= width / 2 and abs(y - middle_y) <= height / 2
