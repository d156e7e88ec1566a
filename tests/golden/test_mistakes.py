"""Each of 90 mistakes is answered with what was wrong, where, what was expected and what to do."""

from difflib import unified_diff

import pytest

from tests.golden.mistakes import BOTS, COMMANDS, FILE, FILES, record

pytestmark = pytest.mark.slow


def test_mistakes_are_answered_as_before() -> None:
    assert (len(BOTS) + len(FILES), len(COMMANDS)) == (45, 45)
    before, now = FILE.read_text(encoding="utf-8").splitlines(), record().splitlines()
    diff = "\n".join(unified_diff(before, now, "before", "now", lineterm="", n=0))
    assert before == now, f"{diff}\nIf it is meant so: python3 -m tests.golden.mistakes --renew"
