"""What of a text fits."""

from visualizer.backends.arcade.lettering import ELLIPSIS, cut, glyph, width_of, wrapped

SIZE = 13


def test_text_that_fits_stays_as_it_is() -> None:
    assert cut("player_one", 1_000, SIZE) == "player_one"


def test_text_that_is_too_long_ends_in_an_ellipsis_and_fits() -> None:
    short = cut("a very long name of a bot", 80, SIZE)
    assert short.endswith(ELLIPSIS)
    assert width_of(short, SIZE) <= 80


def test_where_not_even_an_ellipsis_fits_there_is_no_text() -> None:
    assert cut("name", 3, SIZE) == ""


def test_lines_are_broken_between_words() -> None:
    lines = wrapped("slime 7 bit slime 8 and then it went away", 90, SIZE)
    assert " ".join(lines) == "slime 7 bit slime 8 and then it went away"
    assert all(width_of(line, SIZE) <= 90 for line in lines)


def test_a_word_longer_than_a_line_is_broken_anywhere() -> None:
    lines = wrapped("w" * 60, 90, SIZE)
    assert "".join(lines) == "w" * 60
    assert all(width_of(line, SIZE) <= 90 for line in lines)


def test_nothing_has_no_lines() -> None:
    assert wrapped("", 90, SIZE) == []


def test_a_letter_has_ink() -> None:
    assert max(glyph("m", SIZE, is_bold=True).getchannel("A").tobytes()) > 200
