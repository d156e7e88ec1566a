"""The army of whoever gives no design: legal wherever the home is, and always of as many shapes."""

from typing import Any

import msgspec
import pytest

from engine.games.game_of_death.designs import parse_design
from engine.games.game_of_death.orders import Design
from engine.games.game_of_death.settings import Settings
from learning.encodings.game_of_death import DefaultArmy
from learning.match_env import MatchEnv
from tests.learning.test_match_env import SMALL_GRID

NARROW = {"width": 40, "height": 40, "zone_width": 9, "home_u": 3, "home_v": 16}
CASES: list[tuple[dict[str, Any], int, int]] = [
    ({}, 2, 10),
    (SMALL_GRID, 2, 3),
    ({**NARROW}, 2, 10),
    ({**NARROW}, 4, 5),
    ({"min_shape_size": 7}, 2, 10),
    ({"max_shape_size": 3}, 2, 10),
    ({"max_cells": 9}, 2, 2),
]


@pytest.mark.parametrize(("changed", "teams", "shapes"), CASES)
def test_it_is_legal_wherever_the_home_is(changed: dict[str, Any], teams: int, shapes: int) -> None:
    settings = msgspec.convert(changed, Settings)
    army = DefaultArmy(settings, teams)
    for home_v in settings.home_rows(teams) if settings.home_row_drawn else [settings.home_v]:
        design = parse_design(army.design(home_v), settings, home_v, teams)
        assert isinstance(design, Design), design
        assert len(design.placements) == army.shapes == shapes


def test_without_room_for_it_designs_are_asked_for() -> None:
    tight = {"min_shape_size": 400, "zone_width": 100}
    with pytest.raises(ValueError, match="leave no room for the default army; expected the design"):
        MatchEnv("game_of_death", settings=tight)


def test_the_game_of_death_can_be_played_without_designs() -> None:
    env = MatchEnv("game_of_death")
    assert len(env.possible_agents) == 20
    env.reset(seed=1)
    assert len(env.match.stepper.state.shapes) == 20
