"""What is said of things and of what happened to them."""

import pytest

from tests.visualizer import toy
from tests.visualizer.conftest import MakeFilm
from visualizer.cursor import Cursor, Ordered
from visualizer.film import Film
from visualizer.telling import Moment, Teller


@pytest.fixture
def film(race_film: MakeFilm) -> Film:
    return race_film()


def sentences(film: Film, position: int) -> list[str]:
    cursor, teller = Cursor(film), Teller(film)
    cursor.seek(position)
    return [teller.sentence(note, cursor.things, cursor.step) for note in cursor.step.notes]


def test_a_thing_is_called_by_its_kind_and_number(film: Film) -> None:
    cursor, teller = Cursor(film), Teller(film)
    cursor.seek(1)
    assert teller.name(2, cursor.things[2]) == "runner 2"
    assert teller.name(99, None) == "99"


def test_all_facts_are_told(film: Film) -> None:
    cursor, teller = Cursor(film), Teller(film)
    cursor.seek(4)
    assert teller.facts(cursor.things[2]) == [
        ("at", "0, 1"),
        ("strength", "1 of 3"),
        ("team", "2"),
        ("level", "2"),
    ]
    assert teller.facts(cursor.things[toy.SCORE_LABELS + 1])[1:] == [("team", "1")]


def test_rows_may_be_counted_from_below(film: Film) -> None:
    cursor, teller = Cursor(film), Teller(film)
    cursor.seek(1)
    film.scene.rows_up = 3
    assert teller.place(cursor.things[3]) == "1, 0"
    assert teller.place(cursor.things[1]) == "0, 2"


def test_notes_are_sentences_about_how_things_are_after_the_step(film: Film) -> None:
    assert sentences(film, 1) == ["planted flag 4", "planted flag 5", "ran to 1, 2"]
    assert sentences(film, 2) == [
        "took flag 4: 2 is its level",
        "is of level 2",
        "cheered: hooray",
        "lost its round: timeout",
        "lost its round: exception",
    ]
    assert sentences(film, 3)[0] == "pushed runner 2 (2 left)"


def test_what_is_gone_is_told_as_it_was(film: Film) -> None:
    assert "dropped, pushed by runner 1" in sentences(film, 5)
    assert "pushed runner 2 (0 left)" not in sentences(film, 5)


def test_the_history_of_a_thing_has_what_it_did_and_what_was_done_to_it(film: Film) -> None:
    assert Teller(film).history(2, 4) == [
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


def test_a_history_goes_back_so_many_turns(film: Film) -> None:
    teller = Teller(film)
    assert [moment.turn for moment in teller.history(1, 9, turns=2)] == [9, 8]
    assert teller.history(1, 0) == []


def test_a_thing_that_is_gone_still_has_its_history(film: Film) -> None:
    moments = Teller(film).history(2, 12)
    assert moments[0].turn == 5
    assert moments[0].sentences[-1] == "dropped, pushed by runner 1"
