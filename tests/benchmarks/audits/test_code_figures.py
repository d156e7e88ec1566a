"""The figures on the code count what they say."""

from pathlib import Path

import bootstrap
from benchmarks.audits.code_figures import PACKAGES, Figures, count_figures, table

SOURCE = '''"""A module."""

from typing import Any

WIDTH = 3
"""Of a board."""  # a comment


def width(board: Any) -> "int":
    """Of a board."""
    return 3


def what(board: object) -> object:
    """Return what it is."""
    # why
    return board
'''


def test_imports_do_not_count_as_any_and_fragments_are_found() -> None:
    assert count_figures(SOURCE) == Figures(
        modules=1,
        lines=17,
        comments=2,
        anys=1,
        docstrings=4,
        fragments=2,
        functions=2,
        short=2,
        longest=4,
    )


def test_functions_past_20_lines_are_counted_and_the_longest_is_said() -> None:
    long = "def long():\n" + "    pass\n" * 20
    both = count_figures(f"def short():\n    pass\n\n\n{long}")
    assert (both.functions, both.short, both.longest) == (2, 1, 21)
    assert both.plus(count_figures(SOURCE)).longest == 21


def test_the_table_has_a_row_for_each_package_and_sums_up_those_that_ship(tmp_path: Path) -> None:
    for package in ("cli", "engine", "tests"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "module.py").write_text(SOURCE)
    _, *rows = table(tmp_path)
    counted = {name: numbers for name, *numbers in map(str.split, rows)}
    assert counted.keys() == {"cli", "engine", "tests", "shipped"}
    assert counted["engine"][:2] == ["1", "17"]
    assert counted["shipped"][:2] == ["2", "34"]


def test_every_package_is_counted() -> None:
    assert all(any((bootstrap.HOME / package).glob("*.py")) for package in PACKAGES)
