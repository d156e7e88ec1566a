"""Cells that spreadsheets open."""

import pytest

from engine.support.sanitizing import escape_formula


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_a_formula_is_no_formula_any_more(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("value", [-1, 2.5, None, True])
def test_a_number_stays_a_number(value: object) -> None:
    assert escape_formula(value) is value


@pytest.mark.parametrize("cell", ["\t=1", "\r=1", "\n=1"])
def test_what_would_hide_a_formula_is_shown(cell: str) -> None:
    assert escape_formula(cell) == "·=1"
