"""The Elo scale."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.statistics.elo import elo_from_share, expected_share


@pytest.mark.parametrize(
    ("elo", "share"), [(0, 0.5), (100, 0.640065), (200, 0.759747), (400, 10 / 11), (-400, 1 / 11)]
)
def test_a_lead_means_a_share(elo: float, share: float) -> None:
    assert expected_share(elo) == pytest.approx(share, abs=1e-6)


@given(st.floats(-2000, 2000))
def test_a_share_means_a_lead(elo: float) -> None:
    assert elo_from_share(expected_share(elo)) == pytest.approx(elo, abs=1e-6)


def test_all_and_nothing_have_no_limit() -> None:
    assert (elo_from_share(1.0), elo_from_share(0.0)) == (inf, -inf)
