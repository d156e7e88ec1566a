"""A cursor shows the same, however it came to its place."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.replay import Decision, Replay
from tests.engine.recorded import record
from tests.visualizer import toy
from tests.visualizer.conftest import MakeFilm
from visualizer import cursor as cursor_module
from visualizer import film as film_module
from visualizer.cursor import Cursor, Ordered
from visualizer.film import Film
from visualizer.scene import Sprite, Thing

positions = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@cache
def a_film() -> Film:
    """Of a match in which much happens, with states kept often."""
    path = Path(mkdtemp()) / "replay.jsonl.gz"
    record(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(film_module, "SNAPSHOT_EVENTS", 100)
        film = Film(Replay(path))
        film.read_on()
    return film


@cache
def folded() -> list[tuple[dict[int, Thing | None], Any]]:
    """What is to be seen at each position, looked at anew after every step from the start."""
    film = a_film()
    cursor, seen = Cursor(film), []
    while True:
        scene, state = film.scene, cursor.state
        full_look = {thing_id: scene.thing(state, thing_id) for thing_id in scene.ids(state)}
        seen.append((full_look, cursor.step))
        if cursor.position == film.steps:
            return seen
        cursor.advance()


@settings(max_examples=60)
@given(shares=positions, far=st.sampled_from([5, 40, 400]))
def test_any_way_leads_to_what_folding_from_the_start_shows(shares: list[float], far: int) -> None:
    film, expected = a_film(), folded()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cursor_module, "FAR", far)
        cursor = Cursor(film)
        for share in shares:
            position = round(share * film.steps)
            cursor.seek(position)
            assert cursor.position == position
            assert cursor.things == expected[position][0]
            if position:
                assert cursor.step == expected[position][1]


def test_stepping_keeps_what_is_to_be_seen_up_to_date() -> None:
    film = a_film()
    cursor = Cursor(film)
    for things, _ in folded():
        assert cursor.things == things
        if cursor.position < film.steps:
            cursor.advance()


def test_the_last_state_is_the_one_of_the_match() -> None:
    film = a_film()
    cursor = Cursor(film)
    cursor.seek(film.steps)
    assert cursor.state == film.replay.state_at(film.last_turn)


def test_a_seek_beyond_what_is_known_ends_there(race_film: MakeFilm) -> None:
    film = race_film()
    cursor = Cursor(film)
    cursor.seek(10_000)
    assert cursor.position == film.steps


def test_two_cursors_of_a_film_do_not_meet(race_film: MakeFilm) -> None:
    film = race_film()
    one, other = Cursor(film), Cursor(film)
    one.seek(5)
    assert (other.position, other.state.turn) == (0, 0)
    assert other.things != one.things


def test_a_step_tells_what_was_ordered_and_how_things_looked_before(race_film: MakeFilm) -> None:
    cursor = Cursor(race_film())
    cursor.seek(2)
    step = cursor.step
    assert (step.turn, step.stage) == (2, "race")
    assert step.ordered == [Ordered(1, 1, "take"), Ordered(2, 2, ""), Ordered(3, 3, "")]
    assert {note.happening for note in step.notes} == {"took", "rose", "cheered", "lost"}
    before, after = step.before[1], cursor.things[1]
    assert isinstance(before, Sprite)
    assert isinstance(after, Sprite)
    assert (before.image, after.image) == ("runner_1:1", "runner_1:2")
    assert step.before[4] is not None
    assert 4 not in cursor.things


def test_a_cursor_of_a_film_not_read_yet_shows_the_first_board_as_soon_as_it_is(
    race_film: MakeFilm,
) -> None:
    film = Film(race_film().replay)
    cursor = Cursor(film)
    assert cursor.things == {}
    film.read_on()
    cursor.seek(0)
    assert {1, 2, 3} <= cursor.things.keys()
    cursor.seek(1)
    assert cursor.position == 1


def test_every_step_is_a_decision_or_something_to_be_seen() -> None:
    film = a_film()
    for number in range(film.steps):
        entries = list(film.entries(number))
        decides = any(isinstance(entry, Decision) for entry in entries)
        shows = any(
            film.scene.touched(entry) for entry in entries if not isinstance(entry, Decision)
        )
        assert decides or shows or number == film.steps - 1


def test_a_toy_game_looks_as_it_is(race_film: MakeFilm) -> None:
    cursor = Cursor(race_film())
    cursor.seek(1)
    kinds = {thing_id: thing.kind for thing_id, thing in cursor.things.items()}
    labels = {toy.SCORE_LABELS + team: "taken" for team in (1, 2, 3)}
    assert kinds == {1: "runner", 2: "runner", 3: "runner", 4: "flag", 5: "flag", **labels}
