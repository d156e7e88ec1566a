"""What is said of things and of what happened to them."""

import pytest

from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from visualizer.model.cursor import Cursor, Ordered
from visualizer.model.narration import Moment, Narrator
from visualizer.model.timeline import ReplayTimeline


@pytest.fixture
def timeline(race_timeline: MakeTimeline) -> ReplayTimeline:
    return race_timeline()


def sentences(timeline: ReplayTimeline, position: int) -> list[str]:
    cursor, narrator = Cursor(timeline), Narrator(timeline)
    cursor.seek(position)
    return [
        narrator.sentence(annotation, cursor.things, cursor.step)
        for annotation in cursor.step.annotations
    ]


def test_a_thing_is_called_by_its_kind_and_number(timeline: ReplayTimeline) -> None:
    cursor, narrator = Cursor(timeline), Narrator(timeline)
    cursor.seek(1)
    assert narrator.name(2, cursor.things[2]) == "runner 2"
    assert narrator.name(99, None) == "99"


def test_all_facts_are_told(timeline: ReplayTimeline) -> None:
    cursor, narrator = Cursor(timeline), Narrator(timeline)
    cursor.seek(4)
    assert narrator.facts(cursor.things[2]) == [
        ("at", "0, 1"),
        ("strength", "1 of 3"),
        ("team", "2"),
        ("level", "2"),
    ]
    assert narrator.facts(cursor.things[toy.SCORE_LABELS + 1])[1:] == [("team", "1")]


def test_rows_may_be_counted_from_below(timeline: ReplayTimeline) -> None:
    cursor, narrator = Cursor(timeline), Narrator(timeline)
    cursor.seek(1)
    timeline.scene.rows_up = 3
    assert narrator.place(cursor.things[3]) == "1, 0"
    assert narrator.place(cursor.things[1]) == "0, 2"


def test_notes_are_sentences_about_how_things_are_after_the_step(timeline: ReplayTimeline) -> None:
    assert sentences(timeline, 1) == ["planted flag 4", "planted flag 5", "ran to 1, 2"]
    assert sentences(timeline, 2) == [
        "took flag 4: 2 is its level",
        "is of level 2",
        "cheered: hooray",
        "lost its round: timeout",
        "lost its round: exception",
    ]
    assert sentences(timeline, 3)[0] == "pushed runner 2 (2 left)"


def test_what_is_gone_is_told_as_it_was(timeline: ReplayTimeline) -> None:
    assert "dropped, pushed by runner 1" in sentences(timeline, 5)
    assert "pushed runner 2 (0 left)" not in sentences(timeline, 5)


def test_the_history_of_a_thing_has_what_it_did_and_what_was_done_to_it(
    timeline: ReplayTimeline,
) -> None:
    assert Narrator(timeline).piece_history(2, 4) == [
        Moment(
            4,
            "race",
            Ordered(2, 2, "take"),
            ("runner 1 pushed runner 2 (1 left)", "was hurt", "did nothing: nothing there"),
        ),
        Moment(
            3,
            "race",
            Ordered(2, 2, "take"),
            (
                "runner 1 pushed runner 2 (2 left)",
                "was hurt",
                "took flag 5: 2 is its level",
                "is of level 2",
                "cheered: hooray",
            ),
        ),
        Moment(2, "race", Ordered(2, 2, ""), ("lost its round: timeout",), "words of timeout"),
        Moment(1, "race", Ordered(2, 2, "plant"), ("planted flag 5",)),
    ]


def test_a_history_goes_back_so_many_turns(timeline: ReplayTimeline) -> None:
    narrator = Narrator(timeline)
    assert [moment.turn for moment in narrator.piece_history(1, 9, turns=2)] == [9, 8]
    assert narrator.piece_history(1, 0) == []


def test_a_thing_that_is_gone_still_has_its_history(timeline: ReplayTimeline) -> None:
    moments = Narrator(timeline).piece_history(2, 12)
    assert moments[0].turn == 5
    assert moments[0].sentences[-1] == "dropped, pushed by runner 1"


def test_a_pointer_tells_the_terrain_of_a_cell_and_nothing_of_plain_ones(
    smac_timeline: ReplayTimeline,
) -> None:
    cursor, narrator = Cursor(smac_timeline), Narrator(smac_timeline)
    cursor.jump(smac_timeline.steps)
    found = {
        thing_id: narrator.hover_texts(thing)
        for thing_id, thing in cursor.things.items()
        if thing.kind == "cell"
    }
    words = {word for lines in found.values() for line in lines for word in line.split()}
    assert words
    assert "-" not in words
    assert [] in found.values()


def test_events_name_players_and_not_teams(timeline: ReplayTimeline) -> None:
    scene = timeline.scene
    words = scene.name_teams("team 1 beat team 2, not team 9")
    assert words == f"{scene.names[0]} beat {scene.names[1]}, not team 9"
