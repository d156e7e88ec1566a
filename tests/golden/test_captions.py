"""What matches tell of themselves, so that whoever knows no rule sees who won, and why."""

from difflib import unified_diff

import pytest

from tests.golden.captions import EACH, FILE, SETTINGS, tell_all


@pytest.mark.slow
def test_matches_tell_what_they_told() -> None:
    before, now = FILE.read_text(encoding="utf-8").splitlines(), tell_all().splitlines()
    assert sum(not line.startswith(" ") and ":" in line for line in now) == EACH * len(SETTINGS)
    diff = "\n".join(unified_diff(before, now, "before", "now", lineterm="", n=0))
    assert before == now, f"{diff}\nIf it is meant so: python3 -m tests.golden.captions --renew"
