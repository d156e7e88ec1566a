"""The server answers every route as it did, to everybody."""

from difflib import unified_diff

from tests.golden.answers import LIST, record_answers


def test_every_route_answers_everybody_as_before() -> None:
    before = LIST.read_text(encoding="utf-8").splitlines()
    now = "\n".join(record_answers()).splitlines()
    diff = "\n".join(unified_diff(before, now, "before", "now", lineterm="", n=0))
    assert before == now, f"{diff}\nIf it is meant so: python3 -m tests.golden.answers --renew"
