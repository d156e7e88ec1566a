"""An author at work in a folder of their own, whose commands run in this process."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import cli
from engine.result_folder import REPLAY

QUICK = ("--preset", "small", "--set", "max_turns=12", "--seed", "5", "--render", "none")


class Author:
    """Somebody who types commands in a folder."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(home)
        (home / "playerCode").mkdir()
        self.home = home

    def bot(self, name: str, source: str) -> Path:
        """Write a bot; a name without folder goes to playerCode."""
        path = self.home / (name if "/" in name else f"playerCode/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return path

    def run(self, *arguments: str, stdin: str = "") -> Result:
        """Run a command; what it raises is the exception of the result."""
        return CliRunner().invoke(cli, [str(word) for word in arguments], input=stdin)

    def ok(self, *arguments: str, code: int = 0, stdin: str = "") -> str:
        """Return what a command prints that ends as it should."""
        done = self.run(*arguments, stdin=stdin)
        assert done.exit_code == code, (done.output, done.exception)
        return done.output

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.ok(*arguments, "--json", code=code))

    def play_match(self, one: str, other: str, *arguments: str) -> str:
        """Play a short match, and return its key."""
        result = self.json("-1", one, "-2", other, *QUICK, *arguments)
        assert (self.home / "results" / "matches" / result["key"] / REPLAY).exists()
        return str(result["key"])


def read_error(done: Result) -> str:
    """Return what is wrong, as the command line would print it."""
    assert done.exit_code != 0
    return str(done.exception) if not isinstance(done.exception, SystemExit) else done.output
