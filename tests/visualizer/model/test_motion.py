"""How things move: tracks of recorded matches of all games."""

from itertools import pairwise
from math import hypot

import pytest

from tests.cases import for_each
from tests.views.matches import MATCHES, load_timeline
from visualizer.model import timeline as pace
from visualizer.model.cursor import Cursor
from visualizer.model.motion import STILL, Motions, Moving
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Effect, Sprite, middle_of_thing

FRACTIONS = [number / 20 for number in range(21)]
of_every_game = for_each("name", MATCHES)


def find_turn(timeline: ReplayTimeline, motions: Motions, effect: Effect) -> int:
    """Return the first turn in which something moves so."""
    for turn in range(1, timeline.last_turn + 1):
        motions.place(turn, 0.5)
        if any(track.effect is effect for track in motions.tracks):
            return turn
    raise AssertionError(effect)


@for_each("steps", [1, 2, 5, 14, 400])
@for_each("turns_per_s", [0.5, 4.0])
def test_steps_land_in_their_order_the_last_one_when_the_moves_are_over(
    steps: int, turns_per_s: float
) -> None:
    landings = [pace.landing_fraction(number, steps, turns_per_s) for number in range(1, steps + 1)]
    assert landings == sorted(landings)
    assert landings[-1] == pytest.approx(pace.MOVES)
    counts = [pace.count_landed(fraction, steps, turns_per_s) for fraction in landings]
    assert counts == list(range(1, steps + 1))
    assert pace.count_landed(0.0, steps, turns_per_s) == 0


@of_every_game
def test_nothing_is_under_way_where_a_turn_begins_or_ends(name: str) -> None:
    motions = Motions(load_timeline(name))
    for turn in range(20):
        assert motions.place(turn, 0.0) == motions.place(turn, 1.0) == STILL


@of_every_game
def test_nothing_jumps_while_it_moves(name: str) -> None:
    """Between two of 200 moments of a turn nothing goes farther than an eighth of its way."""
    timeline = load_timeline(name)
    motions = Motions(timeline)
    for turn in range(5, 15):
        shown: list[Moving] = [motions.place(turn, number / 200) for number in range(1, 200)]
        longest = {
            track.thing_id: hypot(track.stop[0] - track.start[0], track.stop[1] - track.start[1])
            for track in motions.tracks
        }
        for one, other in pairwise(shown):
            for thing_id in one.places.keys() & other.places.keys():
                x, y, _ = one.places[thing_id]
                to_x, to_y, _ = other.places[thing_id]
                assert hypot(to_x - x, to_y - y) <= max(0.1, 0.12 * longest[thing_id])


@of_every_game
def test_what_glides_begins_where_it_stood_and_arrives_where_it_stands(name: str) -> None:
    timeline = load_timeline(name)
    motions, before, after = Motions(timeline), Cursor(timeline), Cursor(timeline)
    arrived = 0
    for turn in range(1, min(30, timeline.last_turn)):
        motions.place(turn, 0.5)
        before.seek(timeline.turn_start(turn))
        after.seek(timeline.turn_end(turn))
        ids = [track.thing_id for track in motions.tracks]
        for track in motions.tracks:
            is_alone = ids.count(track.thing_id) == 1 and track.effect is Effect.GLIDE
            if is_alone and track.thing_id in before.things:
                assert track.start == middle_of_thing(before.things[track.thing_id])
                stays = [middle_of_thing(thing) for thing in after.things.values()]
                assert track.stop in stays or track.thing_id not in after.things
                arrived += 1
    assert arrived


def test_a_captured_piece_goes_to_the_nurses_office() -> None:
    timeline = load_timeline("smack")
    motions, cursor = Motions(timeline), Cursor(timeline)
    turn = find_turn(timeline, motions, Effect.COME)
    cursor.seek(timeline.turn_end(turn))
    [track, *_] = [track for track in motions.tracks if track.effect is Effect.COME]
    patient = cursor.things[track.thing_id]
    assert patient.kind == "patient"
    assert track.stop == middle_of_thing(patient)
    assert track.is_far
    assert track.begin == pytest.approx(pace.MOVES)
    assert track.end == 1.0


def test_a_bite_darts_at_its_target_and_comes_back_and_the_damage_rises() -> None:
    timeline = load_timeline("slime_mind")
    motions = Motions(timeline)
    find_turn(timeline, motions, Effect.LUNGE)
    dart = next(track for track in motions.tracks if track.effect is Effect.LUNGE)
    [back] = [
        track
        for track in motions.tracks
        if track.thing_id == dart.thing_id and track.begin == dart.end
    ]
    assert (back.start, back.stop) == (dart.stop, dart.start)
    rising = next(track for track in motions.tracks if track.effect is Effect.RISE)
    assert rising.words.startswith("-")
    assert rising.stop[1] < rising.start[1]


@for_each("effect", [Effect.COME, Effect.JOIN])
def test_splits_pull_apart_and_merges_flow_together(effect: Effect) -> None:
    timeline = load_timeline("slime_mind")
    motions, cursor = Motions(timeline), Cursor(timeline)
    turn = find_turn(timeline, motions, effect)
    cursor.seek(timeline.turn_end(turn) if effect is Effect.COME else timeline.turn_start(turn))
    track = next(track for track in motions.tracks if track.effect is effect)
    here = track.stop if effect is Effect.COME else track.start
    assert isinstance(cursor.things[track.thing_id], Sprite)
    assert here == middle_of_thing(cursor.things[track.thing_id])
    assert track.start != track.stop


def test_what_goes_far_leaves_a_line_that_fades() -> None:
    timeline = load_timeline("smack")
    motions = Motions(timeline)
    opacities = []
    for turn in range(1, timeline.last_turn):
        moving = motions.place(turn, pace.MOVES)
        if any(track.is_far and track.effect is Effect.GLIDE for track in motions.tracks):
            opacities = [
                motions.place(turn, fraction).ways[0].opacity for fraction in (0.5, 0.8, 0.99)
            ]
            assert moving.ways[0].team
            break
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[-1] < 0.05
