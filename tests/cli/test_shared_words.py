"""An option that a command has, and all commands share, is the command's."""

from collections.abc import Iterator
from typing import Any

import click
import pytest
from click.testing import CliRunner

from cli.main import cli
from tests.cli.authors import Author, read_error

Path = tuple[str, ...]
"""The words that name a command: `admin`, `ladder`."""


def commands() -> Iterator[tuple[Path, click.Command]]:
    """Yield every command, and every one below a group."""
    for name, command in cli.commands.items():
        yield (name,), command
        if isinstance(command, click.Group):
            yield from (((name, below), one) for below, one in command.commands.items())


def options_by_word(command: click.Command) -> dict[str, click.Parameter]:
    return {
        word: param
        for param in command.params
        if isinstance(param, click.Option)
        for word in (*param.opts, *param.secondary_opts)
    }


SHARED = [
    (path, command, word)
    for path, command in commands()
    for word in sorted(options_by_word(command).keys() & options_by_word(cli).keys())
]


def a_value(param: click.Parameter) -> tuple[list[str], Any]:
    """Return the words of a value that is not the default, and what a command gets of it."""
    if isinstance(param, click.Option) and param.is_flag:
        return [], True
    return (["7"], 7) if isinstance(param.type, click.types.IntParamType) else (["7"], "7")


def required_words(command: click.Command, but: str) -> list[str]:
    """Return words for what a command cannot do without, but for one option."""
    arguments: list[str] = []
    for param in command.params:
        if param.required and but not in param.opts:
            arguments += ["1"] if isinstance(param, click.Argument) else [param.opts[-1], "7"]
    return arguments


def test_there_are_such_options() -> None:
    found = {(" ".join(path), word) for path, _, word in SHARED}
    assert ("admin ladder", "--matches") in found
    assert ("ask", "--turn") in found


@pytest.mark.parametrize(
    ("path", "command", "word"), SHARED, ids=[f"{' '.join(p)} {w}" for p, _, w in SHARED]
)
@pytest.mark.usefixtures("author")
def test_an_option_that_a_command_shares_with_all_reaches_the_command(
    path: Path, command: click.Command, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[click.Context] = []
    monkeypatch.setattr(
        command, "callback", lambda *_, **__: seen.append(click.get_current_context())
    )
    typed, value = a_value(options_by_word(command)[word])
    arguments = [*path, *required_words(command, but=word), word, *typed]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    (context,) = seen
    own, common = options_by_word(command)[word], options_by_word(cli)[word]
    assert str(context.params[str(own.name)]) == str(value)
    root = context.find_root()
    assert root.get_parameter_source(str(common.name)) is click.core.ParameterSource.DEFAULT


@pytest.mark.parametrize(
    "option", [("-m", "77"), ("-1", "player_one"), ("--seed", "7"), ("-r", "tournament")]
)
def test_what_is_said_of_matches_is_refused_where_a_server_is_organized(
    author: Author, option: tuple[str, str]
) -> None:
    done = author.run("admin", "people", *option)
    assert "would have no effect: admin plays nothing" in read_error(done)
