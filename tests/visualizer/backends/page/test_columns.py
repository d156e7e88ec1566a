"""Numbers packed into bytes."""

from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.page.match_encoder import Columns
from visualizer.backends.page.packing import compute_differences, encode_varints


def unpack(content: bytes) -> list[int]:
    """Return them as a page reads them."""
    numbers, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(-(value + 1) // 2 if value % 2 else value // 2)
            value = shift = 0
    return numbers


@given(st.lists(st.integers(-(2**52), 2**52)))
def test_numbers_come_back_as_they_were(numbers: list[int]) -> None:
    assert unpack(encode_varints(numbers)) == numbers


def test_small_numbers_take_a_byte() -> None:
    assert len(encode_varints(range(-64, 64))) == 128


def test_columns_follow_each_other() -> None:
    assert Columns({"a": [1, 2], "b": [], "c": [-1]}).pack() == (
        {"a": 2, "b": 0, "c": 1},
        b"\2\4\1",
    )


@given(st.lists(st.integers(-100, 100)))
def test_differences_add_up_to_the_numbers(numbers: list[int]) -> None:
    steps = compute_differences(iter(numbers))
    assert [sum(steps[: place + 1]) for place in range(len(steps))] == numbers
