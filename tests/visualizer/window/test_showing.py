"""Watching, without a window."""

from pathlib import Path

import pytest

from tests.visualizer.window.films import Growing, a_film, a_showing
from visualizer.scene import Mark, Sprite
from visualizer.window.reel import GLIDE_S, SIGN_S
from visualizer.window.showing import Showing, Target

FRAME_S = 1 / 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


@pytest.fixture
def showing(folder: Path) -> Showing:
    return a_showing(a_film(folder))


def at(showing: Showing, turn: float) -> Showing:
    showing.playback.seek_turn(turn)
    showing.tick(FRAME_S)
    return showing


def position_with(showing: Showing, mark: Mark) -> int:
    """The first position after a step with such a sign."""
    film = showing.reels[0].film
    for position in range(1, film.steps):
        showing.playback.seek(position)
        showing.tick(FRAME_S)
        if any(sign.mark is mark for sign in showing.reels[0].signs):
            return position
    raise AssertionError(mark)


def test_time_moves_the_playhead_and_the_board_follows(showing: Showing) -> None:
    showing.playback.is_playing = True
    for _ in range(60):
        showing.tick(FRAME_S)
    assert showing.playback.time == pytest.approx(4)
    assert showing.reels[0].cursor.state.turn == 4


def test_the_uppermost_thing_is_found_where_it_is_drawn(showing: Showing) -> None:
    at(showing, 10)
    for thing_id, thing in showing.reels[0].cursor.things.items():
        assert showing.thing_at(0, thing.x, thing.y) == Target(0, thing_id)


def test_between_things_there_is_nothing(showing: Showing) -> None:
    assert showing.thing_at(0, -0.5, -0.5) is None


@pytest.mark.parametrize("mark", [Mark.STRIKE, Mark.BIRTH, Mark.JOIN, Mark.DEATH, Mark.FAULT])
def test_a_step_leaves_its_signs_where_it_happened(showing: Showing, mark: Mark) -> None:
    position_with(showing, mark)
    extent = showing.reels[0].film.scene.extent
    for sign in showing.reels[0].signs:
        assert extent.left <= sign.at[0] <= extent.right
        assert extent.top <= sign.at[1] <= extent.bottom


def test_signs_of_the_last_step_stay_while_nothing_is_played(showing: Showing) -> None:
    position_with(showing, Mark.STRIKE)
    showing.tick(10 * SIGN_S)
    assert showing.reels[0].signs


def test_signs_fade_while_the_match_goes_on(showing: Showing) -> None:
    position_with(showing, Mark.STRIKE)
    old = showing.reels[0].signs[0]
    showing.playback.is_playing = True
    showing.tick(FRAME_S)
    showing.tick(2 * SIGN_S)
    assert old not in showing.reels[0].signs


def test_a_piece_glides_from_where_it_was_and_arrives(showing: Showing) -> None:
    reel = showing.reels[0]
    showing.playback.is_playing = True
    while not reel.moves:
        showing.tick(FRAME_S / 4)
    [thing_id, move] = next(iter(reel.moves.items()))
    thing = reel.cursor.things[thing_id]
    assert isinstance(thing, Sprite)
    assert move.came_from != (thing.x, thing.y)
    showing.playback.pause()
    showing.tick(2 * GLIDE_S)
    assert thing_id not in reel.moves


def test_after_a_jump_nothing_glides(showing: Showing) -> None:
    at(showing, 30)
    assert showing.reels[0].moves == {}


def test_two_films_move_by_the_same_turns(folder: Path) -> None:
    showing = at(a_showing(a_film(folder), a_film(folder, seed=2)), 17)
    assert [reel.cursor.state.turn for reel in showing.reels] == [17, 17]


def test_a_recorded_match_has_its_last_turn_at_the_end_of_the_axis(showing: Showing) -> None:
    assert showing.end == showing.reels[0].film.replay.last_turn


def test_the_playhead_waits_at_the_end_of_what_is_played_by_now(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    showing = a_showing(growing.film)
    showing.playback.is_playing = True
    showing.tick(100)
    known = showing.playback.end
    showing.tick(100)
    assert showing.playback.time == known
    assert showing.playback.is_playing
    assert showing.is_live

    growing.write(20)
    showing.tick(0)
    assert showing.playback.end > known
    showing.tick(100)
    assert showing.playback.time == showing.playback.end


def test_the_axis_of_a_live_match_ends_where_the_match_may(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    showing = a_showing(growing.film)
    showing.tick(0)
    assert showing.end == 45


def test_at_the_end_of_a_live_match_it_is_no_longer_live(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    showing = a_showing(growing.film)
    growing.end()
    for _ in range(100):
        showing.tick(0)
    assert not showing.is_live


def test_a_match_that_begins_anew_is_watched_from_its_beginning(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    growing.write(60)
    showing = at(a_showing(growing.film), 1)
    showing.select(Target(0, 1))
    growing.begin_anew(tmp_path)
    for _ in range(20):
        showing.tick(FRAME_S)
    film = growing.film
    assert showing.reels[0].cursor.film is film
    assert showing.reels[0].cursor.position <= film.steps
    assert showing.playback.time <= showing.playback.end
