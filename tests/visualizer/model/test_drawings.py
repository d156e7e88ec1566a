"""What bots drew, turn by turn, in the plane."""

import pytest

from engine.bot_output import Circle, Cross, Line, LogLine, Note, Rectangle, Words
from engine.catalog import find_game
from engine.games.slime_mind.settings import Settings
from engine.replays.writing import NotesAside
from visualizer.model.drawings import NOTES_CUT_OFF, BotNotes, Drawn
from visualizer.scene import AnyScene, scene_class


def make_scene(game: str, settings: object = None) -> AnyScene:
    return scene_class(game)(settings or find_game(game).settings(), 2)


def make_notes(scene: AnyScene, *notes: Note, turn: int = 3, piece_id: int = 1) -> BotNotes:
    taken = BotNotes(scene)
    taken.take(NotesAside(turn, 1, piece_id, notes))
    return taken


ALL = (Line(0, 0, 2, 1), Rectangle(1, 1, 3, 2), Circle(2, 2, 1), Words(0, 0, "a"), Cross(4, 1))


def test_drawings_of_a_turn_lie_in_the_middle_of_their_squares() -> None:
    notes = make_notes(make_scene("slime_mind"), *ALL)
    assert [(drawn.form, drawn.numbers, drawn.text) for drawn in notes.at(3)] == [
        ("path", (0.5, 0.5, 2.5, 1.5), ""),
        ("path", (1, 1, 4, 1, 4, 3, 1, 3, 1, 1), ""),
        ("circle", (2.5, 2.5, 1), ""),
        ("text", (0.5, 0.5), "a"),
        ("path", (4.22, 1.22, 4.78, 1.78, 4.5, 1.5, 4.78, 1.22, 4.22, 1.78), ""),
    ]
    assert notes.at(2) == notes.at(4) == []


def test_where_rows_are_counted_from_below_drawings_are_too() -> None:
    settings = Settings(columns=8, rows=6, y_up=True, slime_pairs=1, plant_pairs=1, rock_pairs=0)
    notes = make_notes(make_scene("slime_mind", settings), Cross(0, 0), Rectangle(1, 1, 3, 2))
    assert [drawn.numbers for drawn in notes.at(3)] == [
        (0.22, 5.22, 0.78, 5.78, 0.5, 5.5, 0.78, 5.22, 0.22, 5.78),
        (1, 3, 4, 3, 4, 5, 1, 5, 1, 3),
    ]


def test_in_smack_a_drawing_lies_on_the_board_that_was_asked_about() -> None:
    scene = make_scene("smack")
    first, second = (make_notes(scene, Cross(7, 7), piece_id=half).at(3)[0] for half in (1, 2))
    assert first.numbers[4:6] == (7.5, 7.5)
    assert second.numbers[4:6] == (25.5, 7.5)


@pytest.mark.parametrize("game", ["slime_mind", "smack", "smac", "game_of_death"])
def test_a_drawing_without_a_color_has_that_of_its_team(game: str) -> None:
    scene = make_scene(game)
    (drawn,) = make_notes(scene, Cross(1, 1)).at(3)
    assert drawn.color == scene.team_color(1)


def test_groups_are_switched_off_one_by_one() -> None:
    notes = make_notes(make_scene("smac"), Cross(1, 1, key="a"), Cross(2, 2, key="b"), Cross(3, 3))
    assert list(notes.groups) == [(1, "a"), (1, "b"), (1, "")]
    shown: list[Drawn] = notes.at(3, hidden={(1, "a"), (1, "")})
    assert [drawn.key for drawn in shown] == ["b"]


def test_logged_lines_follow_what_the_bot_printed() -> None:
    notes = make_notes(make_scene("smac"), LogLine("info", "one"), LogLine("error", "two", "key"))
    printed = {(3, 1, 1): ["zero"], (1, 2, 0): ["other"]}
    assert notes.with_log_lines(printed) == {
        (3, 1, 1): ["zero", "one", "[key] error: two"],
        (1, 2, 0): ["other"],
    }
    assert printed[3, 1, 1] == ["zero"]


def test_that_no_more_notes_are_kept_is_said_once() -> None:
    notes = BotNotes(make_scene("smac"))
    notes.take(NotesAside(5, 2, 0, is_last=True))
    assert notes.logged == {(5, 2, 0): [NOTES_CUT_OFF]}
