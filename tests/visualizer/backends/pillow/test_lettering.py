"""Names in pictures."""

import pytest

from visualizer.backends.pillow.lettering import SMALLEST, Weight, fitted, font, plain, width_of

LETTERS = font(20)


@pytest.mark.parametrize("weight", Weight)
def test_the_fonts_are_there_and_their_figures_are_all_of_one_width(weight: Weight) -> None:
    assert len({width_of(figure, font(31, weight)) for figure in "0123456789"}) == 1


@pytest.mark.parametrize("letters", ["Zażółć gęślą jaźń", "Ærøskøbing", "Ελλάδα", "Слизь", "…·→"])
def test_the_fonts_have_the_letters_of_many_languages(letters: str) -> None:
    unknown = bytes(LETTERS.getmask("\U000e0001"))
    assert all(bytes(LETTERS.getmask(letter)) != unknown for letter in letters if letter != " ")


def test_nothing_is_too_small_to_be_read() -> None:
    assert font(1).size == SMALLEST


def test_what_fits_stays_whole() -> None:
    assert fitted("player_one", LETTERS, 500) == "player_one"


def test_a_long_name_ends_with_an_ellipsis_and_fits() -> None:
    shown = fitted("player_with_a_name_that_does_not_end", LETTERS, 120)
    assert shown.startswith("player_")
    assert shown.endswith("…")
    assert width_of(shown, LETTERS) <= 120


def test_where_there_is_no_room_nothing_is_written() -> None:
    assert fitted("player", LETTERS, 3) == ""


def test_what_could_spoil_the_line_is_replaced() -> None:
    assert plain("a\nb\x1b[31m\u202ec\x00") == "a·b·[31m·c·"


def test_a_name_without_end_is_cut_before_it_is_looked_at() -> None:
    assert len(plain("x" * 1_000_000)) < 1_000
