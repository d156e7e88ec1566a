"""The documented rules and the tests that carry their numbers."""

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[3] / "docs" / "rules" / "slime_mind.md"
DOCUMENTED = set(re.findall(r"^\*\*(\d+\.\d+)", RULES.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_numbered_rule_has_a_test_that_carries_its_number() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    tested = set(re.findall(r"^def test_(\d+_\d+)[ab]?_", tests, re.MULTILINE))
    assert {number.replace("_", ".") for number in tested} == DOCUMENTED


def test_the_documented_rules_are_numbered_without_a_gap() -> None:
    counts = dict.fromkeys(range(1, 11), 0)
    for number in DOCUMENTED:
        counts[int(number.partition(".")[0])] += 1
    assert counts == {1: 2, 2: 3, 3: 7, 4: 5, 5: 6, 6: 5, 7: 3, 8: 0, 9: 0, 10: 10}
    assert all(
        f"{section}.{rule}" in DOCUMENTED
        for section, count in counts.items()
        for rule in range(1, count + 1)
    )
