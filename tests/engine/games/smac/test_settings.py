"""Settings that cannot be played are refused."""

from typing import Any

import msgspec
import pytest

from engine.games.smac.settings import Settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"side": 11}, "side = 11 has no room: 0, or 12 and more"),
        ({"side": 101}, "<= 100"),
        ({"start_level_points": [0] * 7}, "without stacking, the fifth, nothing can stand"),
        ({"start_level_points": [0, 1]}, "Expected `array` of length 7"),
        ({"last_turn": 201}, "<= 200"),
        ({"chance_model": "dice"}, "Invalid enum value 'dice'"),
        ({"min_support": 9}, "<= 8"),
        ({"growth_need": 1}, ">= 2"),
    ],
)
def test_bad_settings_are_refused_with_what_is_possible(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(changes, Settings)
    assert message in str(refused.value)


def test_the_constants_of_the_rules_are_the_defaults() -> None:
    assert msgspec.to_builtins(Settings()) == {
        "side": 0,
        "terrain_pct": 12,
        "symmetric_terrain": True,
        "start_points": 20,
        "start_level_points": (0, 0, 0, 0, 1, 0, 0),
        "min_support": 3,
        "growth_need_dip": 3,
        "growth_need": 4,
        "growth_need_hill": 5,
        "second_center_min_distance": 8,
        "victory_from_turn": 15,
        "victory_pct": 60,
        "victory_step_pct": 2,
        "last_turn": 45,
        "specials_from_turn": 6,
        "one_special_per_game": False,
        "combat_round_limit": 200,
        "production_model": "table",
        "chance_model": "halving",
        "defense_counts": "raw",
        "early_elimination": True,
    }
