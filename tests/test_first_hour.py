"""An author's first hour: the README's bot and commands, typed in order, and what comes of each."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap
from tests.shell import Done, Shell
from tests.template import link_all

README = (bootstrap.HOME / "README.md").read_text(encoding="utf-8")
SECTION = README[README.index("## A bot in ten lines") : README.index("## What next")]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
BOT = "".join(block for language, block in BLOCKS if language == "python")
TYPED = [
    re.split(r"\s{2,}#", line)[0].split()[1:]
    for language, block in BLOCKS
    for line in block.splitlines()
    if language == "bash"
]
"""The words of each command, without `python3`."""
SEEN_ELSEWHERE = {"watch", "replay.py"}
"""What does not end by itself, or needs a screen: other tests are about them."""
SHORTER = ("--preset", "small", "--set", "max_turns=60")
"""For the tournament of all bots: how its commands work together is shown by short matches, too."""
CLEAR = 38
"""What is said of a bot that wins nine side-swapped pairs of nine: at least so much Elo."""
GAIN = re.compile(r"(\w+) is better than (\w+): (?:at least )?\+(\d+) Elo")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Type all of it, and return what each command says, by its words."""
    home = tmp_path_factory.mktemp("first_hour") / "clone"
    shell = Shell(home)
    link_all(bootstrap.HOME / "playerCode", home / "playerCode")
    shell.bot("player_mine.py", BOT)
    return {" ".join(words): done for words, done in _type_all(shell)}


def _type_all(shell: Shell) -> Iterator[tuple[list[str], Done]]:
    for tool, *words in TYPED:
        if SEEN_ELSEWHERE & {tool, *words}:
            continue
        # Of a hundred maps it loses on four.
        more = ["--render", "none", "--seed", "1"] if words[0] == "-1" else []
        more += SHORTER if "tournament" in words else []
        yield words, shell.run(*words, *more, tool=tool)
        if words[0] == "tune":
            shell.bot("player_mine.py", _read_tuned(shell.home))


def _read_tuned(home: Path) -> str:
    (tuned,) = home.glob("results/tune/*/player_mine_tuned.py")
    return tuned.read_text(encoding="utf-8")


def elo(done: Done, winner: str, loser: str) -> int:
    """Return by how much a bot is said to be better. Fails if it is not."""
    found = GAIN.search(done.out)
    assert found is not None, done
    assert found.groups()[:2] == (winner, loser), done
    return int(found[3])


def test_every_command_does_what_it_is_there_for(told: dict[str, Done]) -> None:
    failed = {words: done for words, done in told.items() if done.code != 0}
    # The bot was tuned since that match was played, and may order otherwise now.
    assert failed.keys() <= {"ask player_mine --turn 20"}, failed
    assert len(told) >= 11


def test_the_bot_plays_without_a_fault_and_wins_its_first_match(told: dict[str, Done]) -> None:
    assert told["check player_mine"].out.endswith("it plays without a fault\n")
    (winner,) = re.findall(r"team 1 +(\w+) .*winner", told["-1 player_mine -2 player_one"].out)
    assert winner == "player_mine"


def test_it_is_better_than_the_weakest_and_the_next_one_is_named(told: dict[str, Done]) -> None:
    done = told["versus player_mine player_one"]
    assert elo(done, "player_mine", "player_one") >= CLEAR
    assert "player_two" in done.out


def test_tuning_finds_a_number_that_is_better_by_much(told: dict[str, Done]) -> None:
    (done,) = [done for words, done in told.items() if words.startswith("tune ")]
    assert re.search(r"hunt_level +5 -> 4\b", done.out), done
    assert elo(done, "player_mine_tuned", "player_mine") >= CLEAR


def test_the_bot_that_new_makes_is_tested_and_better_still(told: dict[str, Done]) -> None:
    assert "1 passed" in told["test player_better"].out
    assert elo(told["versus player_better player_mine"], "player_better", "player_mine") >= CLEAR


def test_a_turn_is_asked_again_in_the_newest_match(told: dict[str, Done]) -> None:
    assert "turn 20, piece " in told["ask player_mine --turn 20"].out


def test_the_tournament_has_all_bots_and_a_report(told: dict[str, Done]) -> None:
    table = told["-r tournament --format swiss --pairs 2"].out
    for name in ("player_one", "player_seven", "player_mine", "player_better"):
        assert name in table
    assert "index.html" in told["report"].out
