"""The documented rules and the tests that carry their numbers."""

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[3] / "docs" / "rules" / "smac.md"
DOCUMENTED = set(re.findall(r"^\*\*(\d+\.\d+)", RULES.read_text(encoding="utf-8"), re.MULTILINE))
NUMBER = re.compile(r"(?:^def test_|_and_)(\d+_\d+)(?=_)", re.MULTILINE)


def test_every_numbered_rule_has_a_test_that_carries_its_number() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    tested = {number.replace("_", ".") for number in NUMBER.findall(tests)}
    assert DOCUMENTED - tested == set()
    assert tested - DOCUMENTED == set()


def test_the_documented_rules_are_numbered_without_a_gap() -> None:
    counts = dict.fromkeys(range(1, 11), 0)
    for number in DOCUMENTED:
        counts[int(number.partition(".")[0])] += 1
    assert counts == {1: 0, 2: 4, 3: 6, 4: 4, 5: 16, 6: 5, 7: 3, 8: 6, 9: 4, 10: 11}
    assert all(
        f"{section}.{rule}" in DOCUMENTED
        for section, count in counts.items()
        for rule in range(1, count + 1)
    )
