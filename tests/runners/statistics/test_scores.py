"""Matches and side-swapped sets."""

import pytest

from runners.statistics.scores import Score, SideSwappedSet
from tests.runners.side_swapped import EVEN, WON, a_pair


def test_partners_are_no_opponents() -> None:
    pairs = ((1, 3), (2, 4))
    won = Score((5, 6, 7, 8), (2.0, 0.0, 2.0, 0.0), pairs)
    assert won.shares() == (1.0, 0.0, 1.0, 0.0)
    assert Score((5, 6, 7, 8), (0.0,) * 4, pairs).shares() == (0.5,) * 4
    duels = sorted(SideSwappedSet(0, (won,)).duels())
    assert duels == [(5, 6, 1.0), (5, 8, 1.0), (6, 7, 0.0), (7, 8, 1.0)]
    # Two bots that sit twice each, as fixed pairs.
    fixed = SideSwappedSet(0, (Score((1, 2, 1, 2), (2.0, 0.0, 2.0, 0.0), pairs),))
    assert (fixed.entrant_share(1), fixed.entrant_share(2)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("points", "shares"),
    [
        ((1.0, 0.0), (1.0, 0.0)),
        ((7.0, 7.0), (0.5, 0.5)),
        ((40.0, 31.0, 12.0), (1.0, 0.5, 0.0)),
        ((9.0, 5.0, 5.0), (1.0, 0.25, 0.25)),
        ((0.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_a_share_is_how_many_of_the_others_one_beat(
    points: tuple[float, ...], shares: tuple[float, ...]
) -> None:
    assert Score(tuple(range(len(points))), points).shares() == shares


def test_a_match_of_three_is_three_duels() -> None:
    swapped = SideSwappedSet(0, (Score((5, 2, 9), (1.0, 3.0, 3.0)),))
    assert list(swapped.duels()) == [(2, 5, 1.0), (2, 9, 0.5), (5, 9, 0.0)]


def test_a_bot_has_no_duel_with_itself() -> None:
    swapped = SideSwappedSet(0, (Score((3, 3), (1.0, 0.0)),))
    assert list(swapped.duels()) == []
    assert swapped.is_alone


@pytest.mark.parametrize(
    ("points", "share"), [(WON, 1.0), (EVEN, 0.5), ((1.0, 0.5), 0.75), ((0.0, 0.5), 0.25)]
)
def test_a_pair_is_shared_by_its_two_entrants(points: tuple[float, float], share: float) -> None:
    pair = a_pair(4, 8, points)
    assert (pair.entrant_share(4), pair.entrant_share(8)) == (share, 1 - share)


def test_seats_share_a_pair_whoever_sits_there() -> None:
    assert a_pair(0, 1, WON).share_of_seats() == (0.5, 0.5)
    assert a_pair(0, 1, (1.0, 0.0)).share_of_seats() == (1.0, 0.0)


def test_balanced_is_where_everybody_sat_everywhere() -> None:
    assert a_pair(0, 1).is_balanced
    assert SideSwappedSet(0, (Score((7, 7), (1.0, 0.0)),)).is_balanced
    assert not SideSwappedSet(0, a_pair(0, 1).scores[:1]).is_balanced
    turns = tuple(Score(seats, (1.0, 2.0, 3.0)) for seats in [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    assert SideSwappedSet(0, turns).is_balanced
    assert not SideSwappedSet(0, turns[:2]).is_balanced
