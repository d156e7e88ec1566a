"""Whose strengths can be compared."""

import pytest

from runners.comparability import comparable


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        ([], ()),
        ([(0, 1)], (0, 1)),
        ([(0, 1), (1, 2), (5, 2)], (0, 1, 2, 5)),
        ([(8, 9), (0, 1), (1, 2)], (0, 1, 2)),
        ([(2, 3), (0, 1)], (0, 1)),
        ([(2, 3), (3, 4), (0, 1)], (2, 3, 4)),
    ],
    ids=[
        "nobody met",
        "two who met",
        "a chain",
        "another island cannot be compared",
        "of equal islands that of the lowest number counts",
        "of others the largest",
    ],
)
def test_matches_hold_a_field_together(
    met: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    assert comparable(met) == comparable(reversed(met)) == expected
