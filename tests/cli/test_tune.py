"""What `tune` finds out before it plays for long: numbers that change nothing, a broken bot."""

import json

import pytest

from tests.cli.authors import Author, read_error
from tests.cli.test_versus import RAISES
from tests.shell import WALKER

pytestmark = pytest.mark.usefixtures("played_here")

SHORT = ("--preset", "small", "--set", "max_turns=6", "--seed", "5", "-j", "1")
FEW = ("--iterations", "2", "--pairs", "1")
DECLARES = 'PARAMS = {"reach": 3, "fear": 1}\n'
READS = DECLARES + WALKER.replace("[slime.id % 4]", "[PARAMS['reach'] > 6]")
"""It goes left, or up where its reach is great; its fear is read by nobody."""


def tune(author: Author, *arguments: str) -> str:
    done = author.run(*SHORT, "tune", "player_mine", *FEW, *arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def test_numbers_that_change_nothing_are_told_before_anything_is_tuned(author: Author) -> None:
    author.bot("player_mine.py", DECLARES + WALKER)
    done = author.run(*SHORT, "tune", "player_mine", *FEW, "--param", "reach=1..8")
    assert read_error(done) == (
        "nothing to tune:\n  reach: the bot plays exactly the same with 1 as with 8, on 1 map; it "
        'has to read PARAMS["reach"] when it decides'
    )
    (folder,) = (author.home / "results/tune").iterdir()
    assert [path.name for path in folder.iterdir()] == ["original"]


def test_one_of_several_numbers_that_changes_nothing_is_told_and_the_others_are_tuned(
    author: Author,
) -> None:
    author.bot("player_mine.py", READS)
    text = tune(author, "--param", "reach=1..8", "--param", "fear=0..2", "--max-pairs", "0")
    assert "fear: the bot plays exactly the same with 0 as with 2, on 1 map;" in text
    assert "reach: the bot plays exactly the same" not in text
    assert "tuned in 2 iterations" in text


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ({"reach": 3, "fear": 1}, "the tuned numbers are those that the bot has"),
        ({"reach": 4, "fear": 1}, "the tuned bot plays exactly as the present one on 1 map"),
    ],
)
def test_a_tuned_bot_that_plays_as_before_is_not_compared(
    author: Author, monkeypatch: pytest.MonkeyPatch, numbers: dict[str, int], why: str
) -> None:
    author.bot("player_mine.py", READS)
    monkeypatch.setattr("runners.statistics.spsa.Spsa.values", lambda spsa, shares: numbers)
    arguments = (*SHORT, "tune", "player_mine", *FEW, "--param", "reach=1..8")
    text = author.ok(*arguments, code=3)
    assert f"{why}: there is nothing to compare" in " ".join(text.split())
    assert "side-swapped pair" not in text
    assert json.loads(author.run(*arguments, "--json").output)["is_alike"]


def test_a_bot_that_loses_nearly_all_its_decisions_is_not_tuned(author: Author) -> None:
    author.bot("player_mine.py", DECLARES + RAISES)
    done = author.run(*SHORT, "tune", "player_mine", "--pairs", "2", "--param", "reach=1..8")
    assert done.exit_code == 1
    output = read_error(done)
    assert "stopped after 4 matches: player_mine loses nearly all its decisions (" in output
    assert "  exception: ZeroDivisionError: division by zero (player_mine_" in output
    assert output.splitlines()[-1].endswith(" check --preset small --set max_turns=6 player_mine")


def test_what_the_copies_lost_is_told_at_the_end(author: Author) -> None:
    sometimes = READS.replace("        return", "        1 / (slime.id % 2)\n        return")
    author.bot("player_mine.py", sometimes)
    text = tune(author, "--param", "reach=1..8", "--max-pairs", "0")
    assert "faults of the copies: " in text
    assert " exception)" in text
