"""Nothing acknowledged is lost, whichever process of a league is killed."""

from pathlib import Path

import pytest

from tests.examples import at_length
from tests.soak.league import KINDS
from tests.soak.running import soak
from tests.soak.spectators import PAGES

KILL_EVERY_S = 6.0
MINUTES = at_length(30, else_=1)
MAX_AWAY_S = 10.0


@pytest.mark.exhaustive
@pytest.mark.timeout(600 + 60 * MINUTES)
def test_a_league_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    figures = soak(tmp_path, minutes=MINUTES, spectators=30, kill_every_s=KILL_EVERY_S, seed=18)
    assert set(figures.kills) == set(KINDS)
    assert figures.lost == []
    assert figures.behind == 0
    assert min(figures.orders, figures.matches, figures.handed_in, figures.reconnections) > 0
    assert set(figures.away_s) == set(PAGES)
    assert max(figures.away_s.values()) <= MAX_AWAY_S, figures.table()
