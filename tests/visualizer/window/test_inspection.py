"""Looking into a thing."""

from pathlib import Path

import pytest

from tests.visualizer.window.films import a_film, a_showing
from visualizer.window.inspection import PAUSE_S, Inspection
from visualizer.window.showing import Showing, Target


@pytest.fixture
def showing(tmp_path: Path) -> Showing:
    return a_showing(a_film(tmp_path))


def look(showing: Showing, thing_id: int, position: int) -> Inspection:
    showing.playback.seek(position)
    showing.tick(0)
    showing.select(Target(0, thing_id))
    inspection = showing.inspection
    assert inspection is not None
    return inspection


def dead(showing: Showing) -> tuple[int, int]:
    """A thing that is gone at last, and when."""
    return max(showing.reels[0].film.gone.items(), key=lambda item: item[1])


def test_all_facts_of_a_thing_are_told(showing: Showing) -> None:
    slime = _first_slime(showing)
    inspection = look(showing, slime, showing.playback.position())
    names = [name for name, _ in inspection.facts]
    assert inspection.name == f"slime {slime}"
    assert names == ["at", "hp", "team", "level", "xp", "attack", "ready to merge"]
    assert inspection.absence == ""


def test_a_thing_that_died_is_told_to_be_gone_and_how_it_looked(showing: Showing) -> None:
    thing_id, position = dead(showing)
    film = showing.reels[0].film
    inspection = look(showing, thing_id, film.steps)
    assert inspection.absence == f"gone since turn {film.turn_at(position)}"
    assert inspection.thing is not None
    assert inspection.history[0].moment.turn == film.turn_at(position)


def test_a_thing_that_is_to_come_is_told_not_to_be_there_yet(showing: Showing) -> None:
    thing_id, _ = dead(showing)
    assert look(showing, thing_id, 0).absence == "not there yet"


def test_the_piece_is_followed_into_its_death(showing: Showing) -> None:
    thing_id, position = dead(showing)
    alive = look(showing, thing_id, position - 1)
    assert alive.absence == ""
    gone = look(showing, thing_id, position)
    assert gone.thing == alive.thing


def test_a_lost_round_says_why(showing: Showing) -> None:
    film = showing.reels[0].film
    (turn, _, slime), words = next(iter(film.fault_words.items()))
    inspection = look(showing, slime, film.end_of(turn))
    assert words in [told.moment.fault for told in inspection.history]


def test_what_the_bot_printed_stands_with_the_round(showing: Showing, tmp_path: Path) -> None:
    film = showing.reels[0].film
    slime = _first_slime(showing)
    team = showing.reels[0].cursor.state.slimes[slime].team
    log = f"--- turn 1, slime {slime}\nthinking\nhard\n"
    (tmp_path / f"{team}-player.log").write_text(log)
    inspection = look(showing, slime, film.end_of(1))
    assert ("thinking", "hard") in [told.log for told in inspection.history]


def test_while_playing_the_history_is_looked_up_now_and_then(showing: Showing) -> None:
    slime = _first_slime(showing)
    film = showing.reels[0].film
    before = look(showing, slime, film.end_of(2))
    showing.playback.is_playing = True
    showing.tick(PAUSE_S / 100)
    showing.playback.seek(film.end_of(4))
    showing.tick(PAUSE_S / 100)
    soon = showing.inspection
    assert soon is not None
    assert soon.history == before.history
    showing.tick(PAUSE_S)
    later = showing.inspection
    assert later is not None
    assert later.history != before.history


def test_nothing_is_told_of_nothing(showing: Showing) -> None:
    assert showing.inspection is None


def _first_slime(showing: Showing) -> int:
    film = showing.reels[0].film
    showing.playback.seek(film.end_of(1))
    showing.tick(0)
    return min(i for i, thing in showing.reels[0].cursor.things.items() if thing.kind == "slime")
