"""Tests of $name: type `$command test $word`, or press the button of your editor."""

from pathlib import Path

import pytest

from slime_mind_arena.testing import Position, Workbench, positions_in, workbench

__all__ = ["workbench"]  # the fixture of the tests below

HERE = Path(__file__).parent
BOT = HERE / "$bot"
GAME = "$game"


def test_it_plays_without_a_fault(workbench: Workbench) -> None:
    """Short matches in the sandbox, under the limits of real ones."""
    report = workbench.check(BOT, GAME, turns=20)
    assert report.problems == ()


# What is expected where stands in $positions, which says how it gets there.
@pytest.mark.parametrize("position", positions_in(HERE / "$positions"))
def test_it_orders_what_is_expected(workbench: Workbench, position: Position) -> None:
    answer = workbench.ask(BOT, position)
    assert answer.is_right, answer.why
