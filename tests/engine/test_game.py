"""What every game's results look like."""

from typing import get_args

import pytest

from engine.catalog import GAMES
from engine.game import Event, Outcome, Stage, find_winners


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


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((2.0, 0.0, 2.0, 0.0), (1, 3)),
        ((0.0, 2.0, 0.0, 2.0), (2, 4)),
        ((0.0, 0.0, 0.0, 0.0), ()),
        ((2.0, 2.0, 0.0, 0.0), ()),
        ((2.0, 0.0, 1.0, 0.0), (1,)),
    ],
)
def test_the_teams_of_a_group_win_together(
    scores: tuple[float, ...], winners: tuple[int, ...]
) -> None:
    outcome = Outcome(scores, "last turn", ((1, 3), (2, 4)))
    assert outcome.winners == winners
    assert outcome.winner == (winners[0] if len(winners) == 1 else None)
    assert find_winners(scores) == (() if scores.count(max(scores)) > 1 else winners)


def test_events_inherit_how_they_are_written_and_kept() -> None:
    base, derived = Event.__struct_config__, Stage.__struct_config__
    assert (derived.frozen, derived.array_like, derived.gc) == (True, True, False)
    assert (base.frozen, base.array_like, base.gc) == (True, True, False)


def test_every_event_of_every_game_is_frozen_and_written_as_a_list() -> None:
    for game in GAMES.values():
        assert get_args(game.event)
        for event in get_args(game.event):
            config = event.__struct_config__
            assert (config.frozen, config.array_like, config.gc) == (True, True, False), event
