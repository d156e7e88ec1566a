"""What every game's results look like."""

import pytest

from engine.game import Outcome


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((2.0, 1.0), 1),
        ((1.0, 2.0), 2),
        ((1.0, 1.0), None),
        ((0.0, 3.0, 3.0), None),
        ((3.0, 3.0, 4.0), 3),
        ((-1.0, -2.0), 1),
    ],
)
def test_the_winner_is_the_only_team_with_the_highest_score(
    scores: tuple[float, ...], winner: int | None
) -> None:
    assert Outcome(scores, "last turn").winner == winner
