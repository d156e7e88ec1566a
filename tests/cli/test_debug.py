"""`ask --debug`: pdb in one's own file, in a recorded turn."""

import sys

import pytest

from tests.cli.authors import Author, read_error
from tests.shell import BOT, WALKER

STOPS = BOT.format("breakpoint(); order = 'LEFT'; return order")


def debug(author: Author, typed: str, *arguments: str) -> str:
    """Debug, and type this; return what is printed."""
    before = sys.gettrace()
    try:
        return author.ok("ask", "--debug", *arguments, stdin=typed)
    finally:
        sys.settrace(before)  # a debugger around the tests, or coverage, goes on


def test_it_stops_in_the_bots_own_file_in_that_turn(author: Author, key: str) -> None:
    typed = "p ('here', self.board.turn, slime.id)\nc\nc\n"
    out = debug(author, typed, "player_left", "--match", key, "--turn", "5")
    assert "player_left.py(6)decide()" in out
    assert "('here', 5, 1)" in out
    assert "turn 5, piece 1  the same: LEFT" in out
    assert out.endswith("2 decisions, 0 of them changed\n")


@pytest.mark.usefixtures("key")
def test_breakpoints_before_that_turn_are_passed_over(author: Author) -> None:
    author.bot("player_left.py", STOPS)
    out = debug(author, "p self.board.turn\nq\n", "player_left", "--turn", "3")
    assert "turn 3, piece 1" in out
    assert out.count("player_left.py(6)decide()") == 1


def test_without_a_turn_it_stops_in_that_of_the_first_fault(author: Author) -> None:
    author.bot("player_left.py", BOT.format("return 'UP' if self.board.turn < 4 else 1 // 0"))
    author.bot("player_walker.py", WALKER)
    author.play_match("player_left", "player_walker")
    assert "turn 4, piece 1" in debug(author, "q\n", "player_left")


@pytest.mark.usefixtures("key")
def test_q_leaves_it(author: Author) -> None:
    out = debug(author, "q\n", "player_left", "--turn", "2")
    assert "decisions" not in out


def test_another_bot_can_be_put_there(author: Author, key: str) -> None:
    author.bot("player_up.py", BOT.format("return 'UP'"))
    arguments = ("player_up", "--match", key, "--turn", "2", "--team", "2", "--piece", "2")
    out = debug(author, "c\n", *arguments)
    assert "player_up.py(6)decide()" in out
    assert "player_up as team 2 of " in out


@pytest.mark.usefixtures("key")
def test_a_bot_sits_where_one_of_its_name_played_the_newest_match(author: Author) -> None:
    author.bot("player_walker.py", f"{WALKER}# changed\n")
    out = debug(author, "q\n", "player_walker", "--turn", "2")
    assert "player_walker.py as team 2 in turn 2" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--match", "nothing", "--turn", "3"], "no such file, and no recorded match"),
        (["--turn", "99"], "team 1 decides nothing in turn 99"),
        (["--turn", "3", "--team", "5"], "has teams 1 to 2, not 5"),
        (["--turn", "x"], "'x' is not a valid integer range"),
        ([], "had no fault and lost no lead; name the turn"),
        (["--turns", "3-4"], "--debug stops in one --turn"),
    ],
    ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "",
)
@pytest.mark.usefixtures("key")
def test_what_cannot_be_debugged_is_told(
    author: Author, arguments: list[str], message: str
) -> None:
    assert message in read_error(author.run("ask", "--debug", "player_left", *arguments))
