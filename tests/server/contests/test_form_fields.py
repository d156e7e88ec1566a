"""Settings as fields of a form: what is allowed, what was typed, what is wrong where."""

import re
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from engine.catalog import GAMES, find_game
from server.contests.form_fields import Field, Kind, setting_fields


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


USUAL = Settings()


def fields() -> dict[str, Field]:
    return {one.label: one for one in setting_fields(USUAL, "set-", "settings")}


def test_a_field_says_what_a_setting_means_and_may_be() -> None:
    size = fields()["size"]
    assert (size.key, size.attribute, size.hint) == ("set-size", "settings.size", "width, squares")
    assert (size.kind, size.low, size.high, size.usual) == (Kind.NUMBER, 2, 1_000, "30")
    assert [one.allowed for one in fields().values()] == [
        "a whole number from 2 to 1,000",
        "yes or no",
        "red or blue",
        "cells or shapes",
        "a value such as []",
    ]


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("size", "40", 40),
        ("size", "", 30),
        ("is_round", "true", True),
        ("is_round", "", False),
        ("color", "blue", Color.BLUE),
        ("counts", "shapes", "shapes"),
        ("groups", "[[1,2]]", ((1, 2),)),
    ],
)
def test_a_field_is_filled_with_what_is_not_as_usual_and_read_again(
    name: str, typed: str, value: object
) -> None:
    assert fields()[name].read(f" {typed} ") == value
    assert fields()[name].format(value) == typed


@pytest.mark.parametrize(
    ("name", "typed", "why"),
    [
        ("size", "1", "expected a whole number from 2 to 1,000; this is '1'"),
        ("size", "4.5", "expected a whole number from 2 to 1,000; this is '4.5'"),
        ("size", "9" * 199, f"expected a whole number from 2 to 1,000; this is '{'9' * 59}"),
        ("is_round", "x", "expected yes or no; this is 'x'"),
        ("color", "green", "expected red or blue; this is 'green'"),
        ("counts", "x", "expected cells or shapes; this is 'x'"),
        ("groups", "[1", "expected a value such as []; this is '[1'"),
    ],
)
def test_what_is_typed_wrongly_is_named_with_what_was_expected(
    name: str, typed: str, why: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{name}: {why}')}$"):
        fields()[name].read(typed)


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_of_every_game_has_a_meaning_and_what_is_usual_can_be_typed(
    game: str,
) -> None:
    for usual in (find_game(game).settings(), find_game(game).limits):
        for one in setting_fields(usual, "set-", "settings"):
            assert one.hint
            assert one.read(one.usual or "") == getattr(usual, one.label)
