"""Numbers and texts of numpy are Python's own where bots hand them over."""

from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.support.plain_values import as_whole_number, from_numpy, require_whole
from tests.cases import for_each


class Two(IntEnum):
    TWO = 2


@pytest.mark.parametrize(
    "value", [2, 2.0, Two.TWO, np.int8(2), np.uint64(2), np.float32(2), np.array(2), np.array(2.0)]
)
def test_a_whole_number_of_every_library_is_pythons_own(value: Any) -> None:
    assert (as_whole_number(value), type(as_whole_number(value))) == (2, int)


@for_each(
    "value",
    [
        *(True, np.bool_(True), "2", np.str_("2"), None, 2.5, np.float64(2.5), float("nan")),
        *(np.inf, [2], np.array([2]), np.array([2, 3]), Fraction(2), 2j, b"2", object()),
    ],
)
def test_what_is_no_whole_number_is_none(value: Any) -> None:
    assert as_whole_number(value) is None
    with pytest.raises(TypeError, match=r"^a seed is a whole number, not "):
        require_whole(value, "a seed")


@pytest.mark.parametrize(
    ("value", "own"),
    [
        (np.str_("up"), "up"),
        (np.bool_(True), True),
        (np.float32(0.5), 0.5),
        (np.array(["up", "down"]), ["up", "down"]),
        (np.ma.array([1, 2], mask=[False, True]), [1, None]),
    ],
)
def test_a_value_of_numpy_becomes_one_of_python(value: Any, own: Any) -> None:
    found = from_numpy(value)
    assert (found, type(found)) == (own, type(own))


@pytest.mark.parametrize("value", ["up", 1, None, [np.int64(1)], np, np.longdouble(1), int])
def test_all_else_stays_what_it_is(value: Any) -> None:
    assert from_numpy(value) is value
