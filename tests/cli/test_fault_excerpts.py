"""Where a bot broke: the line of its source with Python's marks, and what its names stood for."""

from pathlib import Path

import pytest

from engine.bots.log_reading import explain_first_exception
from engine.bots.source_excerpts import find_place, source_excerpt
from tests.cases import for_each
from tests.cli.authors import Author
from tests.shell import BOT

MISTYPED = BOT.format("target = slime\n        return target.positon[0]")
SHORT = ("--preset", "small", "--set", "max_turns=2")


@pytest.fixture(name="mistyped")
def a_mistyped_bot(author: Author) -> Author:
    author.bot("player_mistyped.py", MISTYPED)
    return author


def assert_explained(text: str) -> None:
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("return target.positon[0]")
    assert lines[at + 1] == "^^^^^^^^^^^^^^"
    assert lines[at + 2].startswith("target = Slime(id=")


def test_a_match_shows_the_line_that_raised_marked_with_its_values(mistyped: Author) -> None:
    assert_explained(mistyped.ok(*SHORT, "-1", "player_mistyped", "-2", "player_mistyped"))


def test_a_check_shows_the_line_that_raised_marked_with_its_values(mistyped: Author) -> None:
    command = ("--preset", "small", "check", "player_mistyped", "--turns", "1")
    assert_explained(mistyped.ok(*command, code=1))


def test_a_line_that_python_cannot_read_is_shown(author: Author) -> None:
    author.bot("player_open.py", "x = 1\nclass Player(\n")
    out = author.ok("check", "player_open", code=1)
    assert "  2 | class Player(\n" in out


def test_what_an_exception_says_reaches_no_terminal_as_escapes() -> None:
    log = (
        "--- turn 1, slime 1\nTraceback (most recent call last):\n"
        '  File "player_x", line 2, in decide\n    raise \x1b[2J\n    ^^^^^\nValueError: \x1b[2J\n'
        "Values in that line:\n    word = '\x1b]0;title\x07'\n"
    )
    lines = explain_first_exception(log)
    assert [line[:6] for line in lines] == ["raise ", "^^^^^", "word ="]
    assert not any(letter < " " for line in lines for letter in line)


@for_each(
    "message, place",
    [
        ("player_x, line 3: '(' was never closed", ("player_x", 3)),
        ("division by zero (player_x/deep/search.py, line 7)", ("player_x/deep/search.py", 7)),
        ("it says (player_y, line 9) (player_x, line 7)", ("player_x", 7)),
        ("no place at all", None),
    ],
)
def test_the_place_that_a_fault_names_is_found(message: str, place: tuple[str, int] | None) -> None:
    assert find_place(message) == place


def test_a_place_leads_to_no_file_that_is_not_the_bots(tmp_path: Path) -> None:
    bot, other = tmp_path / "player_x", tmp_path / "secret.py"
    bot.mkdir()
    other.write_text("secret = 1\n")
    (bot / "__init__.py").write_text("x = 1\n\n")
    assert source_excerpt(bot, "x (player_x, line 1)") == "1 | x = 1"
    for place in ("player_x, line 2", "player_x, line 99", "player_x/no.py, line 1"):
        assert source_excerpt(bot, f"x ({place})") == ""
    for shown in ("player_x/../secret.py", f"player_x/{other}"):
        assert source_excerpt(bot, f"x ({shown}, line 1)") == ""
