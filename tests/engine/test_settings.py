"""Typed settings from TOML files and NAME=VALUE words."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from engine.errors import BadSettings
from engine.settings import apply_changes, parse_words, read_toml, settings_table


class Garden(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    beds: Annotated[int, Meta(ge=1, le=9, description="how many beds")] = 3
    fenced: Annotated[bool, Meta(description="whether there is a fence")] = False
    flower: Annotated[str, Meta(description="what grows there")] = "rose"
    price: float = 1.5

    def __post_init__(self) -> None:
        if self.fenced and self.beds > 5:
            raise ValueError(f"beds = {self.beds} are too many for a fence")


LISTING = """\
  beds = 3  how many beds
  fenced = false  whether there is a fence
  flower = "rose"  what grows there
  price = 1.5"""


def words(*given_words: str) -> dict[str, Any]:
    return parse_words(given_words, option="--set")


def test_changes_make_a_copy() -> None:
    before = Garden()
    assert apply_changes(before, {"beds": 5, "fenced": True}, source="x") == Garden(
        beds=5, fenced=True
    )
    assert before == Garden()


def test_no_changes_leave_the_settings_as_they_are() -> None:
    assert apply_changes(Garden(beds=4), {}, source="x") == Garden(beds=4)


def test_the_listing_shows_value_and_meaning_of_every_setting() -> None:
    assert [line.rstrip() for line in settings_table(Garden()).splitlines()] == LISTING.splitlines()


def test_an_unknown_setting_is_refused_with_a_list_of_the_possible_ones() -> None:
    with pytest.raises(BadSettings) as refusal:
        apply_changes(Garden(), {"bed": 5}, source="garden.toml")
    shown = [line.rstrip() for line in str(refusal.value).splitlines()]
    first = "garden.toml: unknown setting 'bed'; possible are:"
    assert shown == [first, *LISTING.splitlines(), "did you mean 'beds'?"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"beds": 10}, "beds = 10: expected a whole number <= 9"),
        ({"beds": 0}, "beds = 0: expected a whole number >= 1"),
        ({"beds": "many"}, 'beds = "many": expected a whole number, got text'),
        ({"beds": True}, "beds = true: expected a whole number, got true or false"),
        ({"beds": 2.5}, "beds = 2.5: expected a whole number, got a number"),
        ({"beds": 10**30}, f"beds = {10**30}: expected a whole number <= 9"),
        ({"fenced": 1}, "fenced = 1: expected true or false, got a whole number"),
        ({"flower": ["rose"]}, 'flower = ["rose"]: expected text, got a list'),
        ({"fenced": True, "beds": 6}, "beds = 6 are too many for a fence"),
    ],
    ids=str,
)
def test_an_impossible_value_is_refused_with_what_was_expected(
    changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadSettings) as refusal:
        apply_changes(Garden(), changes, source="--set")
    assert str(refusal.value) == f"--set: {reason}"


def test_words_are_read_as_toml_values_or_bare_words() -> None:
    assert words("beds=4", "fenced = true", "flower=blue tulip", "price=2.5") == {
        "beds": 4,
        "fenced": True,
        "flower": "blue tulip",
        "price": 2.5,
    }


def test_of_two_words_for_one_setting_the_last_counts() -> None:
    assert words("beds=4", "beds=5") == {"beds": 5}


def test_a_value_may_hold_an_equals_sign() -> None:
    assert words("flower=a=b") == {"flower": "a=b"}


def test_a_value_is_one_line() -> None:
    assert words("flower=1\nbeds = 2") == {"flower": "1\nbeds = 2"}


def test_a_word_without_equals_sign_is_refused() -> None:
    with pytest.raises(BadSettings, match="--set beds: expected NAME=VALUE"):
        words("beds")


@given(st.text())
def test_any_word_is_read_or_refused(word: str) -> None:
    with suppress(BadSettings):
        assert isinstance(apply_changes(Garden(), words(word), source="--set"), Garden)


def test_an_endless_number_is_refused() -> None:
    with pytest.raises(BadSettings):
        apply_changes(Garden(), words("beds=" + "9" * 5000), source="--set")


def test_toml_is_read_as_tables(tmp_path: Path) -> None:
    path = tmp_path / "garden.toml"
    path.write_text("# mine\n[settings]\nbeds = 4\n", encoding="utf-8")
    assert read_toml(path) == {"settings": {"beds": 4}}


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(BadSettings) as refusal:
        read_toml(path)
    assert str(refusal.value) == f"{path}: cannot be read: No such file or directory"


@pytest.mark.parametrize("content", [b"beds = ", b"\xff\xfe", b"beds = " + b"9" * 5000])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(BadSettings) as refusal:
        read_toml(path)
    assert str(refusal.value).startswith(f"{path}: is not valid TOML: ")


def test_a_key_of_thousands_of_parts_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "dots.toml"
    path.write_text("[settings]\n" + "a." * 400_000 + "a = 1\n", encoding="utf-8")
    with pytest.raises(BadSettings, match=r"is not valid TOML: line 2 has more than 100 dots"):
        read_toml(path)
