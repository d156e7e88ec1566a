"""Whose strengths can be compared."""

import pytest

from runners.comparability import Groups, groups_of

CYCLE = [(0, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize(
    ("scored", "main", "above", "below"),
    [
        ([], (), (), ()),
        ([(0, 1), (1, 0)], (0, 1), (), ()),
        (CYCLE, (0, 1, 2), (), ()),
        ([*CYCLE, (9, 0)], (0, 1, 2), ((9,),), ()),
        ([*CYCLE, (2, 7)], (0, 1, 2), (), ((7,),)),
        ([*CYCLE, (9, 0), (8, 9)], (0, 1, 2), ((9,), (8,)), ()),
        ([*CYCLE, (0, 7), (7, 8)], (0, 1, 2), (), ((7,), (8,))),
        ([*CYCLE, (8, 7), (0, 7)], (0, 1, 2), (), ((7,),)),
        ([*CYCLE, (7, 8), (8, 7)], (0, 1, 2), (), ()),
        ([*CYCLE, (7, 8), (8, 7), (7, 0)], (0, 1, 2), ((7, 8),), ()),
        ([(1, 0)], (0,), ((1,),), ()),
        ([(4, 3), (4, 2), (3, 2)], (3,), ((4,),), ((2,),)),
    ],
    ids=[
        "nobody met",
        "two took points from each other",
        "a cycle",
        "unbeaten",
        "winless",
        "a chain upwards, from below",
        "a chain downwards, from above",
        "one who only met the winless cannot be compared",
        "another island cannot be compared",
        "unbeaten but by each other",
        "of two the loser is the measure",
        "of a chain the middle one is the measure",
    ],
)
def test_a_field_is_split_by_what_its_results_can_say(
    scored: list[tuple[int, int]],
    main: tuple[int, ...],
    above: tuple[tuple[int, ...], ...],
    below: tuple[tuple[int, ...], ...],
) -> None:
    assert groups_of(scored) == Groups(main=main, above=above, below=below)
    assert groups_of(reversed(scored)) == Groups(main=main, above=above, below=below)
