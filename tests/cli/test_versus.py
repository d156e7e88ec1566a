"""What `versus` says besides its verdict: what was lost, and what to do next."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bootstrap import HOME
from cli.next_steps import find_losing_turns
from engine.result_folder import REPLAY
from tests.cli.authors import Author
from tests.shell import ALONE, WALKER

pytestmark = pytest.mark.usefixtures("played_here")

NAMED = ("ask", "check", "submit", "tournament", "tune", "versus")
RULES = ("--preset", "small", "--set", "max_turns=12")
QUICK = (*RULES, "-q", *ALONE)
EASY = ("--elo0", "0", "--elo1", "400", "--alpha", "0.3", "--beta", "0.3", "--secret", "0x5")
"""Decided after a few pairs, which are the same each time."""
RAISES = WALKER.replace(
    "    def decide(self, slime):\n", "    def decide(self, slime):\n        1 / 0\n"
)


@pytest.fixture
def climber(author: Author) -> Author:
    """An author whose folder has some starter bots."""
    for name in ("player_one", "player_two", "player_four", "player_six", "player_seven"):
        shutil.copy(HOME / f"playerCode/{name}.py", author.home / "playerCode")
    return author


def command(text: str, named: str) -> list[str]:
    """Return the words of the command that stands behind a name, without the program."""
    arguments = next(line for line in text.splitlines() if named in line).split()
    first = next(place for place, word in enumerate(arguments) if word in NAMED)
    return arguments[first:]


def test_a_bot_that_raises_in_every_decision_ends_the_test_with_why_and_where(
    author: Author,
) -> None:
    author.bot("player_bad.py", RAISES)
    author.bot("player_walker.py", WALKER)
    text = author.ok("versus", "player_walker", "player_bad", *QUICK, code=1)
    assert "player_walker against player_bad: 1 side-swapped pair, 2 matches" in text
    assert "(48 exception), nearly all its decisions, in 2 matches, first in " in text
    assert "    exception: ZeroDivisionError: division by zero (player_bad, line " in text
    assert "stopped after 2 matches: player_bad loses nearly all its decisions (48 of 48)" in text
    assert "more pairs may decide it" not in text
    looked = author.ok(*command(text, "look at it:"), code=0)
    assert "the same: exception: ZeroDivisionError" in looked


def test_scripts_are_told_what_was_lost_too(author: Author) -> None:
    author.bot("player_bad.py", RAISES)
    author.bot("player_walker.py", WALKER)
    answer = author.json("versus", "player_walker", "player_bad", *QUICK, code=1)
    (lost,) = answer["lost_decisions"]
    assert (lost["bot"]["name"], lost["lost"], lost["decisions"]) == ("player_bad", 48, 48)
    assert lost["causes"] == {"exception": 48}
    assert lost["key"] == answer["keys"][0]


def test_without_a_replay_the_bot_is_to_be_checked(author: Author) -> None:
    author.bot("player_walker.py", WALKER)
    bad = author.bot("elsewhere/player_bad.py", RAISES)
    text = author.ok("versus", "player_walker", str(bad), *QUICK, "--no-replay", code=1)
    assert command(text, "look at it:") == ["check", *RULES, "elsewhere/player_bad.py"]


def test_whoever_beats_a_starter_bot_is_named_the_next_one(climber: Author) -> None:
    climber.bot("player_mine.py", (HOME / "playerCode/player_two.py").read_text() + "# mine\n")
    text = climber.ok("versus", "player_mine", "player_one", *QUICK, *EASY)
    assert "now try player_two, the next stronger starter bot:" in text
    assert command(text, "now try player_two") == ["versus", *RULES, "player_mine", "player_two"]
    again = climber.ok("versus", "player_two", "player_one", *QUICK, *EASY)
    assert "now try player_four, the next stronger starter bot:" in again


def test_a_bot_of_ones_own_that_is_beaten_names_nobody(climber: Author) -> None:
    climber.bot("elsewhere/player_one.py", WALKER)
    arguments = ("versus", "player_two", "elsewhere/player_one.py", *QUICK, *EASY)
    assert "now try" not in climber.ok(*arguments)


def test_whoever_loses_is_told_where_and_how_its_numbers_may_get_better(climber: Author) -> None:
    declared = 'PARAMS = {"reach": 3, "greed": 0.5, "fear": -4, "luck": 0}\n'
    climber.bot("player_mine.py", f"{declared}{WALKER}")
    text = climber.ok("versus", "player_mine", "player_two", *QUICK, *EASY, code=3)
    assert command(text, "look for better numbers:") == [
        *("tune", *RULES, "player_mine", "--param", "reach=1..6", "--param", "greed=0.25..1"),
        *("--param", "fear=-8..-2"),
    ]
    asked = command(text, "look where it lost a match:")
    assert asked[:2] == ["ask", "player_mine"]
    assert "0 of them changed" in climber.ok(*asked)


def test_there_is_something_to_do_after_the_strongest(climber: Author, monkeypatch: Any) -> None:
    monkeypatch.setattr("cli.next_steps.starter_bots", lambda game: ("player_one",))
    text = climber.ok("versus", "player_two", "player_one", *QUICK, *EASY)
    assert "player_one is the strongest starter bot of this game; what is left:" in text
    assert command(text, "all bots at once:") == ["tournament", *RULES]
    assert command(text, "hand it in") == ["submit", "player_two", "--server", "URL"]


def test_the_turns_where_a_match_was_lost_end_with_the_lead(climber: Author) -> None:
    key = climber.play_match("player_one", "player_two", "--set", "max_turns=40")
    turns = find_losing_turns(Path("results/matches") / key / REPLAY, 1)
    assert turns is not None
    replay = json.loads(climber.ok("--match", key, "--json", "-q"))
    assert 1 <= turns.start < turns.stop <= replay["turns"] + 1
