"""A film seen frame by frame."""

import pytest

from engine.replay import Replay
from tests.engine.recorded import record
from visualizer.film import Film
from visualizer.picture.frame_cursor import FrameCursor
from visualizer.places import middle
from visualizer.scene import Mark


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """45 turns with kills, splits, merges and faults."""
    path = tmp_path_factory.mktemp("frame") / "replay.jsonl.gz"
    record(path)
    film = Film(Replay(path))
    film.read_on()
    return film


def test_the_signs_of_a_turn_are_those_of_all_its_steps(film: Film) -> None:
    whole, stepping, seen = FrameCursor(film), FrameCursor(film), []
    whole.go_to(film.begin_of(20))
    whole.go_to(film.end_of(20))
    for position in range(film.begin_of(20) + 1, film.end_of(20) + 1):
        stepping.go_to(position)
        seen += [sign.mark for sign in stepping.signs]
    assert [sign.mark for sign in whole.signs] == seen
    assert seen != []


def test_a_frame_is_the_same_however_one_came_there(film: Film) -> None:
    walking, jumping = FrameCursor(film), FrameCursor(film)
    for turn in range(1, 31):
        walking.go_to(film.end_of(turn))
    jumping.go_to(film.steps)
    jumping.go_to(film.end_of(30))
    assert jumping.things == walking.things
    assert jumping.signs == walking.signs
    assert (jumping.turn, jumping.stage) == (walking.turn, walking.stage) == (30, "slimes")


def test_where_the_playhead_stays_nothing_happens_again(film: Film) -> None:
    frame = FrameCursor(film)
    frame.go_to(film.end_of(20))
    assert frame.signs
    frame.go_to(film.end_of(20))
    assert frame.signs == []


def test_before_the_first_turn_there_is_no_stage(film: Film) -> None:
    frame = FrameCursor(film)
    frame.go_to(0)
    assert (frame.turn, frame.stage, frame.signs) == (0, "", [])


def test_a_sign_about_one_thing_goes_along_with_it(film: Film) -> None:
    frame = FrameCursor(film)
    signs = []
    for turn in range(1, film.last_turn + 1):
        frame.go_to(film.end_of(turn))
        signs += [
            (sign[1:3], middle(frame.things[sign.about]))
            for sign in frame.signs
            if sign.mark is Mark.RISE and sign.about in frame.things
        ]
    assert signs
    assert all(place == now for place, now in signs)
