"""What of a text fits."""

import pytest

from visualizer.drawing.lettering import (
    ELLIPSIS,
    MIN_LETTER_PX,
    cut,
    font,
    size_in_pixels,
    strip_controls,
    text_mask,
    text_width,
    wrap_text,
)

SIZE = 13


def test_text_that_fits_stays_as_it_is() -> None:
    assert cut("player_one", 1_000, SIZE) == "player_one"


def test_text_that_is_too_long_ends_in_an_ellipsis_and_fits() -> None:
    short = cut("a very long name of a bot", 80, SIZE)
    assert short.endswith(ELLIPSIS)
    assert text_width(short, SIZE) <= 80


def test_where_not_even_an_ellipsis_fits_there_is_no_text() -> None:
    assert cut("name", 3, SIZE) == ""


def test_lines_are_broken_between_words() -> None:
    lines = wrap_text("slime 7 bit slime 8 and then it went away", 90, SIZE)
    assert " ".join(lines) == "slime 7 bit slime 8 and then it went away"
    assert all(text_width(line, SIZE) <= 90 for line in lines)


def test_a_word_longer_than_a_line_is_broken_anywhere() -> None:
    lines = wrap_text("w" * 60, 90, SIZE)
    assert "".join(lines) == "w" * 60
    assert all(text_width(line, SIZE) <= 90 for line in lines)


def test_nothing_has_no_lines() -> None:
    assert wrap_text("", 90, SIZE) == []


def test_a_letter_has_ink() -> None:
    assert max(text_mask("m", SIZE, is_bold=True).tobytes()) > 200


@pytest.mark.parametrize("is_bold", [False, True])
def test_the_fonts_are_there_and_their_digits_are_all_of_one_width(is_bold: bool) -> None:
    assert len({text_width(digit, 31, is_bold) for digit in "0123456789"}) == 1


@pytest.mark.parametrize("letters", ["Zażółć gęślą jaźń", "Ærøskøbing", "Ελλάδα", "Слизь", "…·→"])
def test_the_fonts_have_the_letters_of_many_languages(letters: str) -> None:
    unknown = text_mask("\U000e0001", SIZE, False).tobytes()
    assert all(text_mask(letter, SIZE, False).tobytes() != unknown for letter in letters)


@pytest.mark.parametrize("size", [9, 12, 15, 33])
def test_a_line_is_as_wide_as_its_letters(size: int) -> None:
    text = "AVATo player_three: LEFT 12.5"
    assert font(size).getlength(text) == text_width(text, size)


def test_nothing_is_too_small_to_be_read() -> None:
    assert size_in_pixels(1) == MIN_LETTER_PX


def test_what_could_spoil_the_line_is_replaced() -> None:
    assert strip_controls("a\nb\x1b[31m\u202ec\x00") == "a·b·[31m·c·"


def test_a_name_without_end_is_cut_before_it_is_looked_at() -> None:
    assert len(strip_controls("x" * 1_000_000)) < 1_000
