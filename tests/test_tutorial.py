"""The tutorial: its programs are saved and its commands are typed, in order."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runners.configuration import HOME
from tests import needs
from tests.cli.test_submit import Served
from tests.document_blocks import Block, find_blocks, split_command
from tests.shell import Done, Shell
from tests.template import link_all

BLOCKS = find_blocks(HOME / "docs" / "tutorial.md")
SEEDED = {"versus": ("--seed", "1"), "-1": ("--render", "none")}
"""What is typed besides, so that the same is played each time, and nothing is shown."""

pytestmark = [needs.SHELL, pytest.mark.slow, pytest.mark.timeout(300)]


class Typed:
    """All that was typed, with what came of it."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.done: list[tuple[str, Done]] = []
        self.texts: list[tuple[Block, str]] = []
        """What the page says a command prints, and what it printed."""

    def type(self, block: Block) -> None:
        if block.language == "python":
            self.shell.bot("player_mine.py", block.text)
        elif block.language == "text":
            self.texts.append((block, self.done[-1][1].out))
        for command in block.commands if block.language == "bash" else []:
            self._type(command)

    def answers(self, beginning: str) -> list[Done]:
        """Return what all commands printed that begin so."""
        return [done for command, done in self.done if command.startswith(beginning)]

    def _type(self, command: str) -> None:
        program, *words = split_command(command)
        if program == "cp":
            source, target = words
            self.shell.bot(Path(target).name, (self.shell.home / source).read_text())
        elif words[:2] != ["main.py", "serve"] and program == "python3":
            tool, first, *others = words
            if first != "submit":
                done = self.shell.run(first, *others, *SEEDED.get(first, ()), tool=tool)
                self.done.append((" ".join([first, *others]), done))


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    shell = Shell(tmp_path_factory.mktemp("tutorial") / "clone")
    link_all(HOME / "playerCode", shell.home / "playerCode")
    typed = Typed(shell)
    for block in BLOCKS:
        typed.type(block)
    yield typed
    shell.kill_all()


def test_check_finds_the_mistake_of_the_first_bot_and_none_of_the_others(typed: Typed) -> None:
    first, second, last = typed.answers("check player_mine")
    assert first.code == 1
    for done in (second, last):
        assert done.code == 0, done
        assert done.out.endswith("it plays without a fault\n")


def test_commands_print_what_the_page_says(typed: Typed) -> None:
    assert typed.texts
    for block, printed in typed.texts:
        assert block.text in printed


def test_the_turn_of_the_mistake_is_asked_again(typed: Typed) -> None:
    (done,) = typed.answers("ask ")
    assert "an answer must be a string such as 'LEFT', not None" in done.out


def test_the_second_bot_wins_its_match(typed: Typed) -> None:
    (done,) = typed.answers("-1 ")
    assert re.findall(r"team \d +(\w+) .*winner", done.out) == ["player_mine"]


def test_versus_says_what_the_page_says(typed: Typed) -> None:
    answers = typed.answers("versus ")
    assert [re.findall(r"player_mine is better than (\w+)", done.out) for done in answers] == [
        ["player_one"],
        ["player_before"],
        ["player_two"],
    ]


def test_the_last_bot_wins_most_matches_with_the_hunter(typed: Typed) -> None:
    (done,) = typed.answers("-r multi_match")
    (wins,) = re.findall(r"^ +player_mine +10 +(\d+) ", done.out, re.MULTILINE)
    assert int(wins) >= 7


def test_the_last_bot_is_handed_in_as_the_page_says(
    typed: Typed, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shown = [one for one in BLOCKS if one.language == "bash"]
    commands = [split_command(command) for one in shown for command in one.commands]
    (words,) = [words[3:] for words in commands if words[1:3] == ["main.py", "submit"]]
    served = Served(Shell(tmp_path_factory.mktemp("served")))
    try:
        place = words.index("--server")
        path = str(typed.shell.home / "playerCode" / "player_mine.py")
        done = served.submit(path, *words[1:place], *words[place + 2 :])
    finally:
        served.end()
    assert done.code == 0, done
    assert done.out.startswith("Muncher, version 1: ")
