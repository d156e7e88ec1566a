"""How many teams a game can have."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.catalog import find_game
from engine.errors import UsageError
from runners.team_counts import (
    counts_text,
    fewest_teams,
    playable_counts,
    require_playable_by,
    require_teams,
)


def a_game(counts: range) -> Any:
    return cast("Any", SimpleNamespace(title="Some game", team_counts=counts))


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (range(2, 3), "2 teams"),
        (range(1, 2), "1 team"),
        (range(2, 7), "2 to 6 teams"),
        (range(2, 7, 2), "2, 4 or 6 teams"),
    ],
    ids=str,
)
def test_the_counts_of_a_game_in_words(counts: range, text: str) -> None:
    assert counts_text(a_game(counts)) == text


def test_a_count_that_a_game_cannot_have_is_refused_with_those_it_can() -> None:
    require_teams(a_game(range(2, 7, 2)), 4)
    with pytest.raises(UsageError, match="Some game is played by 2, 4 or 6 teams, not by 3"):
        require_teams(a_game(range(2, 7, 2)), 3)


def test_the_fewest_are_counted_from_where_one_wants() -> None:
    assert fewest_teams(a_game(range(1, 7))) == 1
    assert fewest_teams(a_game(range(1, 7)), least=2) == 2


def test_settings_may_not_do_for_every_count_and_say_what_to_do() -> None:
    game = find_game("game_of_death")
    standard = game.settings()
    assert playable_counts(game, standard) == [2]
    assert playable_counts(game, game.settings(height=300, home_v=148)) == [2, 4]
    require_playable_by(game, standard, 2)
    with pytest.raises(UsageError, match="is played by 2 or 4 teams, not by 3"):
        require_playable_by(game, standard, 3)
    with pytest.raises(UsageError, match=r"4 teams need a square grid.* four and four_small"):
        require_playable_by(game, standard, 4)
