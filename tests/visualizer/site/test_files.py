"""Tables as files."""

import json
from pathlib import Path

import pytest

from visualizer.site.files import harmless, write_table


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_a_formula_is_no_formula_any_more(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("value", [-1, 2.5, None, True])
def test_a_number_stays_a_number(value: object) -> None:
    assert harmless(value) is value


@pytest.mark.parametrize("cell", ["\t=1", "\r=1", "\n=1"])
def test_what_would_hide_a_formula_is_shown(cell: str) -> None:
    assert harmless(cell) == "·=1"


def test_a_table_is_written_in_both_ways(tmp_path: Path) -> None:
    write_table(tmp_path, "bots", [{"name": "a, b", "points": 1.5}, {"name": "=c", "points": None}])
    assert (tmp_path / "bots.csv").read_text() == 'name,points\n"a, b",1.5\n\'=c,\n'
    assert json.loads((tmp_path / "bots.json").read_text()) == [
        {"name": "a, b", "points": 1.5},
        {"name": "=c", "points": None},
    ]


def test_an_empty_table_is_a_table(tmp_path: Path) -> None:
    write_table(tmp_path, "none", [])
    assert json.loads((tmp_path / "none.json").read_text()) == []
