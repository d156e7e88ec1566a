"""Tests of the order in which tests begin."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.conftest import longest_first


def a_test(file: str, number: int, *limits_s: float) -> Any:
    marks = [SimpleNamespace(args=(limit_s,)) for limit_s in limits_s]
    return SimpleNamespace(
        path=Path(file),
        nodeid=f"{file}::{number}",
        iter_markers=lambda name: marks if name == "timeout" else [],
    )


def names(tests: list[Any]) -> list[str]:
    return [test.nodeid for test in tests]


def test_each_workers_share_begins_with_whole_files_of_long_tests() -> None:
    quick = [a_test("quick.py", number) for number in range(6)]
    one, two = ([a_test(f"{name}.py", number, 600) for number in range(2)] for name in "ab")
    ordered = longest_first([*quick, *one, *two], 2, 180)
    assert names(ordered) == names([*one, *quick[:3], *two, *quick[3:]])


def test_what_may_take_no_longer_than_usual_stays_where_it_is() -> None:
    tests = [a_test("quick.py", 1), a_test("named.py", 2, 180), a_test("quick.py", 3)]
    assert names(longest_first(tests, 3, 180)) == names(tests)


def test_nothing_is_lost_where_one_file_is_more_than_a_share() -> None:
    tests = [
        *(a_test("quick.py", n) for n in range(4)),
        *(a_test("a.py", n, 300) for n in range(9)),
    ]
    ordered = longest_first(tests, 3, 180)
    assert sorted(names(ordered)) == sorted(names(tests))
    assert names(ordered)[:9] == names(tests[4:])
