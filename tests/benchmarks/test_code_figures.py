"""The figures on the code count what they say."""

import pytest

import bootstrap
from benchmarks.code_figures import Figures, figures_of, table

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
    assert figures_of(SOURCE) == Figures(
        modules=1, lines=17, comments=2, anys=1, docstrings=4, fragments=2
    )


@pytest.mark.slow
def test_the_table_has_a_row_for_each_package_that_ships() -> None:
    names = [line.split()[0] for line in table(bootstrap.HOME)]
    assert {"cli", "report", "runners", "visualizer", "engine", "shipped"} <= set(names)
