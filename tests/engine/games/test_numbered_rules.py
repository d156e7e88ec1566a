"""The documented rules of Slime Mind and SMAC, and the tests that carry their numbers."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COUNTS = {
    "slime_mind": {1: 2, 2: 3, 3: 7, 4: 5, 5: 6, 6: 5, 7: 3, 10: 10},
    "smac": {2: 4, 3: 6, 4: 4, 5: 16, 6: 5, 7: 3, 8: 6, 9: 4, 10: 11},
}
"""How many rules each section has."""
NUMBER = re.compile(r"(?:^def test_|_and_)(\d+_\d+)[ab]?(?=_)", re.MULTILINE)


def documented_rules(game: str) -> set[str]:
    rules = HERE.parents[2] / "docs" / "rules" / f"{game}.md"
    return set(re.findall(r"^\*\*(\d+\.\d+)", rules.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("game", COUNTS)
def test_every_numbered_rule_has_a_test_that_carries_its_number(game: str) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (HERE / game).glob("test_*.py"))
    assert {n.replace("_", ".") for n in NUMBER.findall(tests)} == documented_rules(game)


@pytest.mark.parametrize(("game", "counts"), COUNTS.items())
def test_the_documented_rules_are_numbered_without_a_gap(game: str, counts: dict[int, int]) -> None:
    assert documented_rules(game) == {
        f"{section}.{rule}" for section, count in counts.items() for rule in range(1, count + 1)
    }
