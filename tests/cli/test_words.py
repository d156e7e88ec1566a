"""Which words of a command line are values, whatever they begin with."""

from typing import Any

import click
import pytest
from click.testing import CliRunner

from cli.command_group import attach_values, find_commands, option_words, options_by_word
from cli.main import cli
from tests.cases import for_each
from tests.cli.authors import Author, read_error
from tests.shell import WALKER


def attach_words(text: str) -> str:
    split = text.split()
    return " ".join(attach_values(split, cli, find_commands(split, cli, "tournament")))


@for_each(
    "text, handed_on",
    [
        ("versus A B --elo0 -3 --elo1 0", "versus A B --elo0=-3 --elo1=0"),
        ("--elo0 -3 versus A B", "--elo0=-3 versus A B"),
        ("-g smack versus A -m 3 B", "-g smack versus A -m 3 B"),
        ("-qm 3 versus A B", "-qm 3 versus A B"),
        ("-1 --elo0 versus A B --max-pairs -1", "-1 --elo0 versus A B --max-pairs=-1"),
        ("-1 watch versus A B --new -x", "-1 watch versus A B --new=-x"),
        ("versus A B --new --old --old -1", "versus A B --new=--old --old=-1"),
        ("design A --battle -1 B", "design A --battle -1 B"),
        ("design A --battle B --turns -1", "design A --battle=B --turns=-1"),
        ("ask A --turn -1 --fresh -q", "ask A --turn=-1 --fresh -q"),
        ("admin ladder L --matches -5", "admin ladder L --matches=-5"),
        ("A --rounds -3", "A --rounds=-3"),
        ("check -- -a -1", "check -- -- -a -1"),
        ("check --turns", "check --turns"),
    ],
)
def test_a_value_of_a_command_stands_with_its_option(text: str, handed_on: str) -> None:
    assert attach_words(text) == handed_on


def commands() -> dict[str, list[click.Command]]:
    """Return all commands by the words that name them, those of groups after their group."""
    found: dict[str, list[click.Command]] = {}
    for name, command in cli.commands.items():
        found[name] = [command]
        inner = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name} {below}": [command, inner[below]] for below in inner}
    return found


VALUES = [
    (words, option)
    for words, named in commands().items()
    for option in named[-1].params
    if isinstance(option, click.Option) and not option.is_flag
]


@for_each("text, option", VALUES)
def test_no_option_of_a_command_takes_a_value_for_a_seat(text: str, option: click.Option) -> None:
    named = find_commands(text.split(), cli)
    typed = [*text.split(), option.opts[0], "-3"]
    assert named == commands()[text]
    if option._flag_needs_value:
        assert attach_values(typed, cli, named) == typed
    else:
        assert attach_values(typed, cli, named)[-1] == f"{max(option.opts, key=len)}=-3"


@for_each("words", ["serve -j 2", "serve -j2", "admin play Spring -j 2"])
def test_a_number_behind_a_letter_reaches_the_command(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    command = find_commands(words.split(), cli)[-1]
    monkeypatch.setattr(command, "callback", lambda **values: given.append(values["workers"]))
    CliRunner().invoke(cli, words.split(), catch_exceptions=False)
    assert given == [2]


def test_an_argument_is_not_suggested_as_an_option() -> None:
    assert [word for word in option_words([cli, *cli.commands.values()]) if word[0] != "-"] == []


def test_a_single_letter_is_the_same_option_for_all_commands() -> None:
    usual = options_by_word([cli])
    for named in commands().values():
        for word, option in options_by_word(named[-1:]).items():
            assert word.startswith("--") or set(option.opts) <= set(usual[word].opts)


def test_an_option_that_a_command_shares_with_all_is_the_commands() -> None:
    ladder: Any = commands()["admin ladder"][-1]
    shared = options_by_word([ladder]).keys() & options_by_word([cli]).keys()
    assert shared <= options_by_word(find_commands(["admin", "ladder"], cli)).keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("versus player_a player_b --elo0 0 --elo1 -3", "elo0 must be below elo1, not 0 and -3"),
        ("versus player_a player_b --max-pairs -3", "Invalid value for '--max-pairs'"),
        ("ask player_a --turn -1", "Invalid value for '--turn'"),
        ("ask player_a --turns -5-3", "Invalid value for '--turns'"),
        ("check player_a --turns -1", "Invalid value for '--turns'"),
        ("tune player_a --param -5..5", "--param -5..5: expected NAME=LOW..HIGH"),
        ("--seed -3 -1 player_a -2 player_a", "'-3' is not a seed"),
        ("-1 -x", "no bot '-x'"),
        ("versus -- -x player_a", "no bot '-x'"),
        ("fairness --pairs -1", "Invalid value for '--pairs'"),
        ("tournament --rounds -3", "Invalid value for '--rounds'"),
        ("-r tournament --rounds -3", "Invalid value for '--rounds'"),
        ("-rtournament -- -x", "no bot '-x'"),
    ],
)
def test_a_word_that_begins_with_a_dash_is_the_value_it_stands_for(
    author: Author, text: str, message: str
) -> None:
    author.bot("player_a.py", "PARAMS = {'reach': 1}\n")
    assert message in read_error(author.run(*text.split()))


def test_the_help_is_that_of_the_command_and_not_of_a_bot_called_like_one() -> None:
    page = CliRunner().invoke(cli, ["-1", "watch", "versus", "--help"]).output
    assert "Is A better than B?" in page


def test_non_regression_is_asked_as_it_is_typed(author: Author) -> None:
    author.bot("player_a.py", WALKER)
    author.bot("player_b.py", WALKER)
    arguments = (
        *("versus", "player_a", "player_b", "--elo0", "-400", "--elo1", "0", "--max-pairs", "1"),
    )
    asked = author.run(*arguments, "--preset", "small", "--set", "max_turns=2")
    assert asked.exit_code in (0, 3, 4), asked.exception
    assert "player_a against player_b: 1 side-swapped pair" in asked.output
