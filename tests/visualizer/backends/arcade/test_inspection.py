"""Looking into a thing."""

from pathlib import Path

import pytest

from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from visualizer.backends.arcade.inspection import PAUSE_S, PieceDetails
from visualizer.backends.arcade.window_model import Target, WindowModel


@pytest.fixture
def model(tmp_path: Path) -> WindowModel:
    return a_model(a_timeline(tmp_path))


def look(model: WindowModel, thing_id: int, position: int) -> PieceDetails:
    model.playback.seek(position)
    model.tick(0)
    model.select(Target(0, thing_id))
    inspection = model.inspection
    assert inspection is not None
    return inspection


def dead(model: WindowModel) -> tuple[int, int]:
    """A thing that is gone at last, and when."""
    return max(model.views[0].timeline.removed_at.items(), key=lambda item: item[1])


def test_all_facts_of_a_thing_are_told(model: WindowModel) -> None:
    slime = _first_slime(model)
    inspection = look(model, slime, model.playback.position())
    names = [name for name, _ in inspection.facts]
    assert inspection.name == f"slime {slime}"
    assert names == ["at", "hp", "team", "level", "xp", "attack", "ready to merge"]
    assert inspection.absence == ""


def test_a_thing_that_died_is_told_to_be_gone_and_how_it_looked(model: WindowModel) -> None:
    thing_id, position = dead(model)
    timeline = model.views[0].timeline
    inspection = look(model, thing_id, timeline.steps)
    assert inspection.absence == f"gone since turn {timeline.turn_at(position)}"
    assert inspection.thing is not None
    assert inspection.history[0].moment.turn == timeline.turn_at(position)


def test_a_thing_that_is_to_come_is_told_not_to_be_there_yet(model: WindowModel) -> None:
    thing_id, _ = dead(model)
    assert look(model, thing_id, 0).absence == "not there yet"


def test_the_piece_is_followed_into_its_death(model: WindowModel) -> None:
    thing_id, position = dead(model)
    alive = look(model, thing_id, position - 1)
    assert alive.absence == ""
    gone = look(model, thing_id, position)
    assert gone.thing == alive.thing


def test_a_lost_round_says_why(model: WindowModel) -> None:
    timeline = model.views[0].timeline
    (turn, _, slime), words = next(iter(timeline.fault_words.items()))
    inspection = look(model, slime, timeline.turn_end(turn))
    assert words in [logged.moment.fault for logged in inspection.history]


def test_what_the_bot_printed_stands_with_the_round(model: WindowModel, tmp_path: Path) -> None:
    timeline = model.views[0].timeline
    slime = _first_slime(model)
    team = model.views[0].cursor.state.slimes[slime].team
    log = f"--- turn 1, slime {slime}\nthinking\nhard\n"
    (tmp_path / f"{team}-player.log").write_text(log)
    inspection = look(model, slime, timeline.turn_end(1))
    assert ("thinking", "hard") in [logged.log for logged in inspection.history]


def test_while_playing_the_history_is_looked_up_now_and_then(model: WindowModel) -> None:
    slime = _first_slime(model)
    timeline = model.views[0].timeline
    before = look(model, slime, timeline.turn_end(2))
    model.playback.is_playing = True
    model.tick(PAUSE_S / 100)
    model.playback.seek(timeline.turn_end(4))
    model.tick(PAUSE_S / 100)
    soon = model.inspection
    assert soon is not None
    assert soon.history == before.history
    model.tick(PAUSE_S)
    later = model.inspection
    assert later is not None
    assert later.history != before.history


def test_nothing_is_told_of_nothing(model: WindowModel) -> None:
    assert model.inspection is None


def _first_slime(model: WindowModel) -> int:
    timeline = model.views[0].timeline
    model.playback.seek(timeline.turn_end(1))
    model.tick(0)
    return min(i for i, thing in model.views[0].cursor.things.items() if thing.kind == "slime")
