"""How things move from one position to another: tracks, made once from what happened.

Window, video and page place all things by the same tracks. Which things move in a step, and how,
is decided here and sent; web/viewer/motion.js follows it.
At the fractions 0 and 1 everything is where it stands.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import NamedTuple

from visualizer.model.cursor import Cursor, Step
from visualizer.model.timeline import MOVES, Point, ReplayTimeline, landing_fraction, move_length
from visualizer.scene import Block, Effect, Motion, Sprite, Thing, Tile, middle_of_thing

MAX_SPEED = 8.0
"""Up to this speed things move; above it their ways are drawn."""
FAR = 2.5
"""Squares from which on a way is drawn as a line."""
LINE_OPACITY = 0.6
LUNGE = 0.35
"""How far a thing darts, of the way to the other."""
BACK = 1 - MOVES
"""The time in which it comes back, and in which a thing grows."""
RISE = 0.7
"""How far words rise, squares."""
SIGN_S = 0.45
"""Seconds that a sign stays while the match plays."""
STEP_S = 0.25
"""Seconds that a step is under way that is seen by itself."""


class Track(NamedTuple):
    """How a thing moves for a while. Places are those of its middle, times fractions."""

    effect: Effect
    thing_id: int
    start: Point
    stop: Point
    begin: float
    end: float
    scale: float = 1.0
    """How large it is in the beginning, of its size."""
    words: str = ""
    team: int = 0
    """Whose it is; 0 for nobody."""

    @property
    def is_far(self) -> bool:
        (x, y), (to_x, to_y) = self.start, self.stop
        return self.effect is not Effect.RISE and hypot(to_x - x, to_y - y) > FAR

    def share(self, fraction: float) -> float:
        """Return how much of it is done: fast at first, but of a dart fast in the end."""
        done = min(max((fraction - self.begin) / (self.end - self.begin), 0.0), 1.0)
        return done * done if self.effect is Effect.LUNGE else 1 - (1 - done) ** 2

    def point(self, fraction: float) -> Point:
        share, (x, y), (to_x, to_y) = self.share(fraction), self.start, self.stop
        return x + (to_x - x) * share, y + (to_y - y) * share


class Placed(NamedTuple):
    """The middle of a moving thing; `scale` is how large it is, as a share of its size."""

    x: float
    y: float
    scale: float = 1.0


class Way(NamedTuple):
    """A line from where a thing was."""

    start: Point
    stop: Point
    opacity: float
    team: int


class RisingWords(NamedTuple):
    """Words over the board."""

    at: Point
    text: str
    opacity: float


class Moving(NamedTuple):
    """What moves at a fraction."""

    places: Mapping[int, Placed] = {}
    ways: Sequence[Way] = ()
    words: Sequence[RisingWords] = ()


STILL = Moving()


class Motions:
    """The tracks of a stretch of a replay, of one turn as a rule. Has a cursor of its own."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._cursor = Cursor(timeline)
        self._stretch = 0, 0
        self.tracks: list[Track] = []

    def place(self, turn: int, fraction: float) -> Moving:
        """Return what moves in a turn."""
        timeline = self._cursor.timeline
        return self.place_between(timeline.turn_start(turn), timeline.turn_end(turn), fraction)

    def place_between(self, begin: int, end: int, fraction: float) -> Moving:
        """Return what moves between two positions, as if they were those of a turn."""
        if begin >= end or not 0 < fraction < 1:
            return STILL
        if self._stretch != (begin, end):
            self._stretch, self.tracks = (begin, end), self._make_tracks(begin, end)
        return find_moving(self.tracks, fraction)

    def things_at(self, position: int) -> Mapping[int, Thing]:
        """Return the things at a position of the stretch."""
        self._cursor.seek(position)
        return self._cursor.things

    def _make_tracks(self, begin: int, end: int) -> list[Track]:
        cursor, steps = self._cursor, end - begin
        per_s, tracks = cursor.timeline.scene.turns_per_s, list[Track]()
        cursor.seek(begin)
        landed = 0.0
        for number, step in enumerate(cursor.steps_to(end), 1):
            at = landing_fraction(number, steps, per_s)
            # A step in which nothing moves, such as one of orders, leaves its time to the next.
            first = max(0.0, min(landed, at - move_length(steps, per_s)))
            found = [
                track
                for motion in list_motions(step, cursor.things)
                for track in self._tracks_of_motion(motion, step, first, at)
            ]
            landed = at if found else landed
            tracks += found
        return tracks

    def _tracks_of_motion(
        self, motion: Motion, step: Step, begin: float, at: float
    ) -> Iterator[Track]:
        effect, thing_id, other_id, text = motion
        other_id = other_id or thing_id
        was, other_was = (step.before.get(i) for i in (thing_id, other_id))
        now, other = (self._cursor.things.get(i) for i in (thing_id, other_id))
        if effect is Effect.RISE and (one := now or was):
            x, y = middle_of_thing(one)
            team = self._cursor.timeline.scene.team_of(thing_id, one) or 0
            yield Track(effect, thing_id, (x, y), (x, y - RISE), at, 1.0, 1.0, text, team)
        elif effect in (Effect.GLIDE, Effect.JOIN) and was and (goal := other or other_was):
            yield self._track(effect, thing_id, was, goal, (begin, at))
        elif effect is Effect.GROW and isinstance(now, Sprite):
            ratio = was.size / now.size if isinstance(was, Sprite) else 0.0
            yield self._track(effect, thing_id, now, now, (at, at + BACK), ratio)
        elif effect is Effect.COME and now and (source := other_was or other):
            yield self._track(effect, thing_id, source, now, (at, 1.0))
        elif effect is Effect.LUNGE and (one := was or now) and (goal := other_was or other):
            out = self._track(effect, thing_id, one, goal, (begin, at))
            (x, y), (to_x, to_y) = out.start, out.stop
            stop = x + (to_x - x) * LUNGE, y + (to_y - y) * LUNGE
            yield out._replace(stop=stop)
            if now:
                back = stop, middle_of_thing(now), at, at + BACK
                yield Track(Effect.GLIDE, thing_id, *back, 1.0, "", out.team)

    def _track(
        self,
        effect: Effect,
        thing_id: int,
        start: Thing,
        stop: Thing,
        times: tuple[float, float],
        scale: float = 1.0,
    ) -> Track:
        thing = stop if effect in (Effect.COME, Effect.GROW) else start
        team = self._cursor.timeline.scene.team_of(thing_id, thing) or 0
        return Track(
            effect, thing_id, middle_of_thing(start), middle_of_thing(stop), *times, scale, "", team
        )


def list_motions(step: Step, things: Mapping[int, Thing]) -> list[Motion]:
    """Return how things move in a step: as its events say, and as their places tell.

    `things` are those after it.
    """
    motions = list(step.motions)
    told = {motion.thing_id for motion in motions if motion.effect is not Effect.RISE}
    told |= {motion.other for motion in motions if motion.effect is Effect.GLIDE}
    for thing_id in sorted(step.before.keys() - told):
        was, now = step.before[thing_id], things.get(thing_id)
        if was is not None and now is not None and _is_moved(was, now):
            motions.append(Motion(Effect.GLIDE, thing_id))
        elif isinstance(now, Sprite) and (was is None or _has_grown(was, now)):
            motions.append(Motion(Effect.GROW, thing_id))
    return motions


def find_moving(tracks: Sequence[Track], fraction: float) -> Moving:
    """Return what moves at a fraction. Of several tracks of a thing the last one counts."""
    places, ways, texts = dict[int, Placed](), list[Way](), list[RisingWords]()
    for track in tracks:
        if fraction < track.begin:
            continue
        share, at = track.share(fraction), track.point(fraction)
        if track.effect is Effect.RISE:
            texts.append(RisingWords(at, track.words, 1 - share * share))
            continue
        if fraction < track.end:
            under_way, scale = places.get(track.thing_id), track.scale + (1 - track.scale) * share
            if under_way is not None and track.effect is Effect.GROW:
                at = under_way.x, under_way.y
            places[track.thing_id] = Placed(*at, scale)
        if track.is_far:
            faded = max(0.0, (fraction - track.end) / (1 - track.end)) if track.end < 1 else share
            ways.append(Way(track.start, at, LINE_OPACITY * (1 - faded), track.team))
    return Moving(places, ways, texts)


def _has_grown(was: Thing, now: Sprite) -> bool:
    """Return whether a sprite has another size; in another picture the same size may be another."""
    if not isinstance(was, Sprite) or was.size == now.size:
        return False
    return was.image.partition(":")[0] == now.image.partition(":")[0]


def _is_moved(was: Thing, now: Thing) -> bool:
    """Return whether a thing is the same at another place; a block may have turned."""
    if isinstance(now, Tile):
        return False
    if isinstance(was, Block) and isinstance(now, Block):
        is_same = {was.width, was.height} == {now.width, now.height}
        return is_same and (was.x, was.y) != (now.x, now.y)
    return type(was) is type(now) and (was.x, was.y) != (now.x, now.y)
