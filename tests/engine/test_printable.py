"""Words of strangers, as they are shown."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from engine.support.sanitizing import MAX_COMBINING_MARKS, make_printable, one_line, printable_lines
from tests.cases import for_each


@for_each(
    "letter",
    [
        *("\x1b", "\x07", "\x9b", "\x7f", "\n", "\r", "\u2028"),
        *("\u202a", "\u202e", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c"),
        *("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u3164", "\u2800", "\ud800"),
    ],
)
def test_what_commands_turns_or_hides_is_not_shown(letter: str) -> None:
    assert make_printable(f"a{letter}b") == "a·b"
    assert one_line(f"a{letter}b") == "a b"


def test_letters_of_all_languages_stay_as_they_are() -> None:
    text = "Zoë Łukasz Ωμέγα Иван 李明 हिन्दी עִבְרִית ไม่เป็นไร e\u0302\u0301"
    assert make_printable(text) == text == one_line(text)


def test_a_letter_carries_few_marks() -> None:
    assert make_printable("e" + "\u0301" * 500 + "f") == "e" + "\u0301" * MAX_COMBINING_MARKS + "f"


def test_lines_stay_lines() -> None:
    assert printable_lines("a\nb\x1b[2J\n") == "a\nb·[2J\n"


@given(st.text())
def test_whatever_the_words_they_are_printable_in_one_short_line(text: str) -> None:
    line = one_line(text * 20)
    assert line.isprintable()
    assert len(line) <= 300
    assert not any(unicodedata.category(letter) in ("Cc", "Cf") for letter in make_printable(text))
