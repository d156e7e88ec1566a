"""Run the tests that lie beside a bot: the command `test`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cli.choices import complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.errors import UsageError
from engine.support.lazy_import import lazy_imports
from runners.commands import commands_for
from runners.configuration import HOME

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding
    from runners import planning


WITHOUT_EFFECT = (*FOR_ONE_MATCH, *FOR_SERIES, "seed")
OUR_PYTEST = HOME / "resources" / "templates" / "pytest.ini"
"""What pytest is told of bots in a clone, whose own tests have a configuration of theirs."""


@click.command(
    epilog="Exit codes: 0 all tests pass, 1 some fail, 2 wrong usage or interrupted, otherwise "
    "those of pytest.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- WORDS FOR PYTEST]")
@click.pass_context
def test(context: click.Context, /, file: str, arguments: Sequence[str]) -> None:
    """Run the tests of a bot.

    They stand in test_NAME.py beside it; `new` writes one, with a suite of positions. What follows
    -- goes to pytest: `test mine -- -k orders`.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "the tests of a bot say what they play")
    options: MatchOptions = context.obj
    bot = finding.resolve(file, planning.bots_folder(options.game))
    tests = bot.path.parent / f"test_{bot.name}.py"
    if not tests.is_file():
        main = commands_for(sys.argv[0], options.out).main
        raise UsageError(
            f"{tests}: there are no tests of {bot.name}; `{main} new NAME` writes a bot with "
            "tests, which show how (docs/writing_a_bot.md)"
        )
    context.exit(subprocess.call(pytest_command(tests, arguments)))


def pytest_command(tests: Path, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs a file of tests."""
    command = [sys.executable, "-m", "pytest", str(tests), *arguments]
    if tests.resolve().is_relative_to(HOME):
        command += ["-c", str(OUR_PYTEST), "--rootdir", str(tests.parent)]
    return command
