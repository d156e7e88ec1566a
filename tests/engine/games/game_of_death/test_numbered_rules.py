"""The documented rules, the tests that carry their numbers, and the numbers of the presets."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from engine.games.game_of_death.settings import Settings

HERE = Path(__file__).parent
HOME = HERE.parents[3]
RULES = (HOME / "docs" / "rules" / "game_of_death.md").read_text(encoding="utf-8")
DOCUMENTED = set(re.findall(r"^\*\*(\d+\.\d+a?)\*\*", RULES, re.MULTILINE))
COUNTS = {2: 4, 3: 5, 4: 5, 5: 10, 6: 18, 7: 5, 8: 9, 9: 15}
MORE = {"8.2a", "9.0"}


def test_every_numbered_rule_and_example_has_a_test_that_carries_its_number() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    tested = set(re.findall(r'id="(\d+\.\d+a?)', tests))
    for name in re.findall(r"^def test_([\d_to]+)_", tests, re.MULTILINE):
        tested |= {number.replace("_", ".") for number in re.findall(r"\d+_\d+", name)}
    assert tested == DOCUMENTED


def test_the_documented_rules_are_numbered_without_a_gap() -> None:
    assert {
        f"{section}.{rule}" for section, count in COUNTS.items() for rule in range(1, count + 1)
    } | MORE == DOCUMENTED


@pytest.mark.parametrize(
    ("preset", "column"), [("standard", 1), ("small", 2), ("four", 3), ("four_small", 4)]
)
def test_the_documented_numbers_are_those_of_the_presets(preset: str, column: int) -> None:
    path = HOME / "resources" / "presets" / "game_of_death" / f"{preset}.toml"
    settings = msgspec.structs.replace(Settings(), **tomllib.loads(path.read_text()))
    documented: dict[str, int | bool | str | tuple[()]] = {}
    for line in RULES.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 6:
            names, values = re.findall(r"`(\w+)`", cells[0]), cells[column].split(", ")
            documented.update(zip(names, map(_read, values), strict=True))
    assert documented == msgspec.structs.asdict(settings)


def _read(value: str) -> int | bool | str | tuple[()]:
    words: dict[str, bool | str | tuple[()]] = {"true": True, "false": False, "none": ()}
    return words.get(value, value) if value.isalpha() else int(value)


def test_standard_is_the_default() -> None:
    path = HOME / "resources" / "presets" / "game_of_death" / "standard.toml"
    assert Settings(**tomllib.loads(path.read_text())) == Settings()


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"width": 190}, "zone_width = 100: two zones do not fit into width = 190"),
        ({"home_u": 148}, "home_u + home_width = 152: two homes do not fit into width = 300"),
        ({"home_height": 121}, "does not fit into the middle three fifths of height = 200"),
        ({"home_v": 197}, "home_v + home_height = 201 is more than height = 200"),
        ({"min_shape_size": 501}, "min_shape_size = 501 is more than max_shape_size = 500"),
    ],
)
def test_a_grid_that_cannot_be_laid_out_is_refused(numbers: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Settings(**numbers)  # type: ignore[arg-type]
