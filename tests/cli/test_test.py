"""`main.py test`: the tests of a bot, without anything to install or to know."""

from pathlib import Path

import pytest

from cli.test import OUR_PYTEST, pytest_command
from runners.configuration import HOME
from tests.cli.authors import Author, read_error
from tests.shell import BOT


def test_the_tests_of_a_bot_are_run(author: Author, capfd: pytest.CaptureFixture[str]) -> None:
    author.ok("new", "mine")
    author.ok("test", "mine")
    assert "1 passed" in capfd.readouterr().out


def test_what_follows_two_dashes_is_for_pytest_and_its_exit_code_is_ours(
    author: Author, capfd: pytest.CaptureFixture[str]
) -> None:
    author.bot("player_mine.py", BOT.format("return 'UP'"))
    (author.home / "playerCode" / "test_player_mine.py").write_text(
        "def test_good():\n    pass\n\ndef test_bad():\n    assert 1 == 2\n"
    )
    author.ok("test", "player_mine", "--", "-k", "good")
    assert "1 passed, 1 deselected" in capfd.readouterr().out
    author.ok("test", "player_mine", code=1)
    assert "1 failed, 1 passed" in capfd.readouterr().out


def test_a_bot_without_tests_is_told_how_to_have_some(author: Author) -> None:
    author.bot("player_mine.py", BOT.format("return 'UP'"))
    output = read_error(author.run("test", "mine"))
    assert "test_player_mine.py: there are no tests of player_mine; `" in output
    assert "new NAME` writes a bot with tests" in output


def test_in_a_clone_the_projects_own_configuration_of_pytest_is_left_out(tmp_path: Path) -> None:
    inside, outside = HOME / "playerCode" / "test_player_x.py", tmp_path / "test_x.py"
    assert pytest_command(inside, ["-q"])[-4:] == [
        *("-c", str(OUR_PYTEST)),
        *("--rootdir", str(HOME / "playerCode")),
    ]
    assert pytest_command(outside, ["-q"])[-2:] == [str(outside), "-q"]
    assert OUR_PYTEST.is_file()
