"""The numbers of the rules (docs/rules/slime_mind.md 1)."""

import re
from math import floor, isqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.errors import BadSettings
from engine.games.slime_mind.settings import LEVELS, TOP_LEVEL, Settings, level_of
from engine.settings import apply_changes
from tests.cases import for_each

RULES = Path(__file__).parents[4] / "docs" / "rules" / "slime_mind.md"


def test_1_the_defaults_are_those_of_the_standard_map() -> None:
    assert msgspec.structs.asdict(Settings()) == {
        "columns": 30,
        "rows": 15,
        "y_up": False,
        "max_turns": 1000,
        "slime_pairs": 5,
        "plant_pairs": 22,
        "rock_pairs": 5,
        "plant_max_level": 12,
        "plant_level_chance_pct": 20,
        "plant_seed_chance_pct": 5,
        "plant_hp_per_level": 6,
        "plant_start_hp": 3,
        "slime_max_level": 12,
        "min_split_level": 4,
        "split_divisor": 4,
        "bite_hp": 1,
        "bite_xp": 1,
        "merge_heals": True,
        "king_level": 10,
    }


def test_1_the_documented_settings_are_the_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: msgspec.json.decode(value) for name, value in rows} == msgspec.structs.asdict(
        Settings()
    )


def test_1_the_documented_level_table_is_the_one_played_by() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+)\.(\d) \|",
        RULES.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    documented = [
        (int(level), int(xp), int(attack), int(hp), int(points + tenths))
        for level, xp, attack, hp, points, tenths in rows
    ]
    assert documented == [(level, *LEVELS[level]) for level in range(1, TOP_LEVEL + 1)]


@pytest.mark.parametrize(
    ("xp", "level"),
    [(1, 1), (5, 2), (6, 3), (694, 11), (695, 12), (919, 12)],
    ids=lambda number: f"10.10-{number}",
)
def test_10_10_levels_by_xp(xp: int, level: int) -> None:
    assert level_of(xp) == level


@for_each("level", range(2, TOP_LEVEL + 1))
def test_1_1_the_equation_gives_the_least_xp_of_each_level(level: int) -> None:
    by_equation = [floor(1.847 * xp**0.286) for xp in range(LEVELS[level].min_xp + 1)]
    assert by_equation[-1] == level > by_equation[-2]


@for_each("level", range(2, TOP_LEVEL + 1))
def test_1_1_a_level_begins_at_its_least_xp(level: int) -> None:
    least = LEVELS[level].min_xp
    assert (level_of(least - 1), level_of(least)) == (level - 1, level)


def test_1_1_the_table_is_the_rounded_formula_up_to_its_cap() -> None:
    for xp in range(1, 1500):
        assert level_of(xp) == min(12, int(1.847 * xp**0.286))


def test_1_1_without_xp_a_slime_is_of_level_1() -> None:
    assert level_of(0) == 1


def test_1_1_no_level_is_above_the_highest_of_the_settings() -> None:
    assert [level_of(10_000, max_level) for max_level in (1, 5, 12)] == [1, 5, 12]


@for_each(
    "changes, reason",
    [
        ({"columns": 1}, "columns = 1: expected a whole number >= 2"),
        ({"rows": 1001}, "rows = 1001: expected a whole number <= 1000"),
        ({"max_turns": 0}, "max_turns = 0: expected a whole number >= 1"),
        ({"slime_pairs": 0}, "slime_pairs = 0: expected a whole number >= 1"),
        (
            {"plant_seed_chance_pct": 101},
            "plant_seed_chance_pct = 101: expected a whole number <= 100",
        ),
        ({"slime_max_level": 13}, "slime_max_level = 13: expected a whole number <= 12"),
        ({"split_divisor": 0}, "split_divisor = 0: expected a whole number >= 1"),
        ({"slime_pairs": 226}, "slime_pairs = 226 do not fit: the left half has 225 squares"),
        (
            {"columns": 3, "rows": 3, "plant_pairs": 0, "rock_pairs": 0, "slime_pairs": 4},
            "slime_pairs = 4 do not fit: the left half has 3 squares",
        ),
        (
            {"plant_pairs": 216},
            (
                "slime_pairs + rock_pairs + plant_pairs = 226 do not fit: "
                "the map has room for 225 mirrored pairs"
            ),
        ),
        (
            {"plant_start_hp": 7},
            "plant_start_hp = 7 is more than a new plant's most, plant_hp_per_level = 6",
        ),
    ],
)
def test_an_impossible_number_is_refused_with_what_is_possible(
    changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadSettings) as refusal:
        apply_changes(Settings(), changes, source="--set")
    assert str(refusal.value) == f"--set: {reason}"


@pytest.mark.parametrize(
    "changes",
    [
        {"slime_pairs": 225, "plant_pairs": 0, "rock_pairs": 0},
        {"plant_pairs": 215},
        {"columns": 3, "rows": 3, "slime_pairs": 3, "plant_pairs": 1, "rock_pairs": 0},
        {"plant_start_hp": 6},
    ],
)
def test_a_map_may_be_full(changes: dict[str, Any]) -> None:
    settings = apply_changes(Settings(), changes, source="--set")
    assert {name: getattr(settings, name) for name in changes} == changes


@pytest.mark.parametrize("level", range(1, TOP_LEVEL + 1))
def test_1_attack_and_max_hp_are_those_of_the_documented_equations(level: int) -> None:
    documented = RULES.read_text(encoding="utf-8")
    assert "- `attack` = ⌊level^1.5⌋ + 2\n- `max_hp` = ⌊level^1.8⌋ + 10\n" in documented
    assert LEVELS[level].attack == isqrt(level**3) + 2
    assert LEVELS[level].max_hp == floor(level**1.8) + 10
