"""Settings as fields of a form: what is allowed, what was typed, what is wrong where."""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from engine.catalog import GAMES, find_game
from server.contests.form_fields import (
    BadForm,
    Field,
    Kind,
    read_settings,
    setting_field_values,
    setting_fields,
)


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of each kind."""

    size: Annotated[int, Meta(ge=2, le=1_000, description="width, squares")] = 30
    is_round: Annotated[bool, Meta(description="it has no edge")] = False
    color: Annotated[Color, Meta(description="of the board")] = Color.RED
    counts: Annotated[Literal["cells", "shapes"], Meta(description="what counts")] = "cells"
    groups: Annotated[tuple[tuple[int, ...], ...], Meta(description="who plays together")] = ()

    def __post_init__(self) -> None:
        if self.is_round and self.size > 100:
            raise ValueError(f"size = {self.size} is too large")


USUAL = Settings()
SIZE = "size: expected a whole number from 2 to 1,000; this is "
COLOR = "color: expected red or blue; this is "


def test_a_field_says_what_a_setting_means_and_may_be() -> None:
    size, is_round, color, counts, groups = setting_fields(USUAL, "set-")
    number = Field("set-size", "size", "", Kind.NUMBER, "width, squares", 2, 1_000)
    assert size == msgspec.structs.replace(number, empty=None, usual="30")
    assert [one.allowed for one in (size, is_round, color, counts, groups)] == [
        "a whole number from 2 to 1,000",
        "yes or no",
        "red or blue",
        "cells or shapes",
        "a value such as []",
    ]


def test_what_is_left_empty_stays_as_usual() -> None:
    form = {"set-size": " 40 ", "set-is_round": "", "set-color": "blue", "set-groups": "[[1, 2]]"}
    expected = Settings(size=40, color=Color.BLUE, groups=((1, 2),))
    assert read_settings(form, USUAL, "set-") == expected
    assert read_settings({}, expected, "set-") == expected


def test_a_form_is_filled_with_what_is_not_as_usual() -> None:
    settings = Settings(size=40, is_round=True, groups=((1, 2),))
    typed = setting_field_values(settings, USUAL, "set-")
    assert typed == {
        "set-size": "40",
        "set-is_round": "true",
        "set-color": "",
        "set-counts": "",
        "set-groups": "[[1,2]]",
    }
    assert read_settings(typed, USUAL, "set-") == settings


@pytest.mark.parametrize(
    ("form", "errors"),
    [
        ({"size": "1"}, {"size": f"{SIZE}'1'"}),
        ({"size": "9" * 199}, {"size": f"{SIZE}'{'9' * 59}"}),
        ({"is_round": "x"}, {"is_round": "is_round: expected yes or no; this is 'x'"}),
        ({"counts": "x"}, {"counts": "counts: expected cells or shapes; this is 'x'"}),
        ({"groups": "[1"}, {"groups": "groups: expected a value such as []; this is '[1'"}),
        ({"size": "4.5", "color": "y"}, {"size": f"{SIZE}'4.5'", "color": f"{COLOR}'y'"}),
        ({"is_round": "true", "size": "200"}, {"size": "size = 200 is too large"}),
    ],
)
def test_each_wrong_field_is_named_with_what_was_expected(
    form: dict[str, str], errors: dict[str, str]
) -> None:
    with pytest.raises(BadForm) as refused:
        read_settings({f"set-{name}": text for name, text in form.items()}, USUAL, "set-")
    assert refused.value.errors == {f"set-{name}": why for name, why in errors.items()}


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_of_every_game_has_a_meaning_and_what_is_usual_can_be_typed(
    game: str,
) -> None:
    for usual in (find_game(game).settings(), find_game(game).limits):
        fields = setting_fields(usual, "set-")
        assert all(one.hint for one in fields)
        typed = {one.key: one.usual or "" for one in fields}
        assert read_settings(typed, usual, "set-") == usual
