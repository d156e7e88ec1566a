"""`--json` prints JSON and nothing else, with every command, or is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS, SHARED_OPTIONS
from tests.cli.authors import QUICK, Author, read_error
from tests.cli.test_design import ARMY
from tests.shell import BOT, WALKER

pytestmark = pytest.mark.usefixtures("played_here")

NAMES = [name for group in COMMANDS.values() for name in group]
PRINTING = {name for name, shared in SHARED_OPTIONS.items() if "prints_json" in shared}
TUNED = "PARAMS = {'hunger': 0.5}\n" + BOT.format(
    "return 'LEFT' if PARAMS['hunger'] < 0.5 else ('UP', 'RIGHT', 'DOWN')[slime.id % 3]"
)
SHORT = ("--preset", "small", "--set", "max_turns=4", "-j", "1")
RUNS: dict[str, tuple[str, ...]] = {
    "tournament": (*SHORT, "tournament", "player_one", "player_two", "--pairs", "1"),
    "versus": (*SHORT, "versus", "player_one", "player_two", "--max-pairs", "1"),
    "tune": (
        *(*SHORT, "tune", "player_tuned", "--param", "hunger=0.1..0.9"),
        *("--iterations", "1", "--pairs", "1", "--max-pairs", "0"),
    ),
    "fairness": (*SHORT, "fairness", "player_one", "player_two", "--pairs", "1"),
    "new": ("new", "fresh"),
    "new-game": ("new-game", "take_stones"),
    "check": (*SHORT[:4], "check", "player_one", "--turns", "2"),
    "ask": ("ask", "player_one", "--turn", "2"),
    "profile": (*SHORT[:4], "profile", "player_one", "--turns", "2"),
    "report": ("report", "--pages", "0"),
    "design": (*SHORT[:2], "-g", "game_of_death", "design", "army/player_army.py", "--seeds", "1"),
    "series": (*SHORT, "series", "player_one", "player_two", "-m", "2"),
    "info": ("info", "settings"),
}
ELSEWHERE = ("submit",)
"""It needs a server: tests/cli/test_submit.py."""
WORDS = {"watch": ("x",), "admin": ("people",)}
"""What commands need that are refused with --json."""


@pytest.fixture
def home(author: Author) -> Author:
    """An author with two bots, one to be tuned, and a match between the two."""
    author.bot("player_one.py", WALKER)
    author.bot("player_two.py", BOT.format("return 'DOWN'"))
    author.bot("player_tuned.py", TUNED)
    author.bot("army/player_army.py", ARMY.format(design="self.place(Wall, 20, 5)", drawing="##"))
    return author


def read_json_lines(author: Author, *arguments: str) -> list[Any]:
    done = author.run(*arguments, "--json")
    assert done.exit_code != 2, (done.output, done.exception)  # wrong usage
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_command_prints_json_or_refuses_it() -> None:
    assert {*RUNS, *ELSEWHERE} == PRINTING


@pytest.mark.parametrize("command", RUNS)
def test_a_command_prints_json_and_nothing_else(home: Author, command: str) -> None:
    if command == "ask":
        home.play_match("player_one", "player_two", *QUICK)
    if command == "report":
        home.ok(*RUNS["tournament"], "-q")
    assert read_json_lines(home, *RUNS[command])


@pytest.mark.parametrize("command", [name for name in NAMES if name not in PRINTING])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_command_that_prints_none_refuses_it(
    author: Author, command: str, is_first: bool
) -> None:
    arguments = (command, *WORDS.get(command, ()))
    done = author.run("--json", *arguments) if is_first else author.run(*arguments, "--json")
    assert "--json would have no effect: " in read_error(done)
    assert done.stdout == ""


def test_bots_are_listed_with_their_flaws(home: Author) -> None:
    home.bot("player_torn.py", "class Player(")
    (listed,) = read_json_lines(home, "info", "bots")
    assert Path(listed["folder"]).name == "playerCode"
    torn = next(bot for bot in listed["bots"] if bot["name"] == "player_torn")
    assert torn["flaw"] == "syntax error in line 1: '(' was never closed"
    assert Path(torn["path"]) == home.home / "playerCode" / "player_torn.py"


def test_settings_are_as_a_match_would_be_played_with(author: Author) -> None:
    (found,) = read_json_lines(
        author, "--set", "max_turns=7", "--limit", "cpu_ms=9", "info", "settings"
    )
    assert (found["game"], found["settings"]["max_turns"], found["limits"]["cpu_ms"]) == (
        "slime_mind",
        7,
        9,
    )


def test_the_layers_of_the_sandbox_say_whether_they_hold(author: Author) -> None:
    (found,) = read_json_lines(author, "info", "sandbox")
    assert set(found["layers"]) == {"process", "limits", "files", "calls"}
    assert all(set(layer) == {"holds", "why_not"} for layer in found["layers"].values())


def test_a_new_bot_is_named_with_the_commands_to_type_next(author: Author) -> None:
    (found,) = read_json_lines(author, "new", "fresh")
    assert all(Path(file).is_file() for file in found["made"])
    assert found["kept"] == []
    assert set(found["commands"]) == {"check", "watch", "test"}
