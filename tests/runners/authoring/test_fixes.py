"""What an author is told to do who has the bot's file at hand."""

from pathlib import Path

import pytest

from engine.bots.fault_advice import INSTEAD_ADVICE
from engine.fault import Cause, Fault
from engine.limits import Limits
from runners.authoring.check_report import fix_for, loop_around
from tests.cases import for_each

SOURCE = """\
def decide(self, slime):
    for plant in self.board.plants:
        if plant.level > 3:

            x = 1
    y = 2
    while True:
        y += 1
    return 'LEFT'

def other(self):
    return 1
"""
LINES = SOURCE.splitlines()
PLANTS = "the loop of line 2, `for plant in self.board.plants:`"


@for_each(
    "line, loop",
    [
        (1, None),
        (2, PLANTS),
        (3, PLANTS),
        (5, PLANTS),
        (6, None),
        (7, "the loop of line 7, `while True:`"),
        (8, "the loop of line 7, `while True:`"),
        (9, None),
        (12, None),
        (0, None),
        (99, None),
    ],
)
def test_the_innermost_loop_around_a_line_is_found(line: int, loop: str | None) -> None:
    assert loop_around(LINES, line) == loop


def test_what_says_itself_what_works_is_not_called_a_wrong_line(tmp_path: Path) -> None:
    message = (
        "EOFError in `input()`: nobody types while a bot plays: all that it is told is on the board"
    )
    fault = Fault(Cause.EXCEPTION, f"{message} (player_x, line 7)")
    assert fix_for(fault, Limits(), tmp_path / "player_x.py") == INSTEAD_ADVICE


def test_a_timeout_in_a_loop_names_the_loop(tmp_path: Path) -> None:
    bot = tmp_path / "player_x.py"
    bot.write_text(SOURCE)
    fault = Fault(Cause.TIMEOUT, "no answer after 50 ms of CPU time (player_x, line 8)")
    assert fix_for(fault, Limits(), bot) == (
        "it was in the loop of line 7, `while True:`: see that it ends in time; decide faster, or "
        "allow more: --limit cpu_ms=50 is what holds now"
    )


def test_a_loop_in_another_file_of_the_bot_is_found_there(tmp_path: Path) -> None:
    bot = tmp_path / "player_x"
    bot.mkdir()
    (bot / "__init__.py").write_text("")
    (bot / "search.py").write_text(SOURCE)
    fault = Fault(Cause.SLEPT, "no answer after 1000 ms (player_x/search.py, line 3)")
    assert fix_for(fault, Limits(), bot).startswith("it was in the loop of line 2")


@pytest.mark.parametrize(
    "fault",
    [
        Fault(Cause.TIMEOUT, "no answer after 50 ms of CPU time"),
        Fault(Cause.TIMEOUT, "no answer (gone.py, line 8)"),
        Fault(Cause.TIMEOUT, "no answer (player_x, line 12)"),
    ],
)
def test_without_a_loop_the_usual_advice_is_given(tmp_path: Path, fault: Fault) -> None:
    bot = tmp_path / "player_x.py"
    bot.write_text(SOURCE if "gone" not in fault.detail else "")
    assert fix_for(fault, Limits(), bot).startswith("decide faster")


def test_what_follows_from_other_faults_refers_to_them(tmp_path: Path) -> None:
    fix = fix_for(Fault(Cause.OUT, "timeout: no answer"), Limits(), tmp_path / "player_x.py")
    assert fix.startswith("correct what is said above")
