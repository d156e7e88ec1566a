"""Reads what users are shown of a folder of results, by the command line."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.golden.databases.make_results import (
    BOTS,
    OF_PAIRS,
    OTHER_GAMES,
    SERIES,
    TOURNAMENTS,
    Played,
    Series,
)
from tests.golden.databases.packing import unpack
from tests.shell import Shell

PLAYED: dict[str, Sequence[Played]] = {
    "results_0_1": TOURNAMENTS,
    "results_1_0": (*TOURNAMENTS, *OTHER_GAMES),
    "results_1_1": (*TOURNAMENTS, *OTHER_GAMES),
    "results_latest": (*TOURNAMENTS, *OTHER_GAMES, *OF_PAIRS),
}
"""The folders, and the tournaments in them."""
OF_THE_RUN = {"again", "cpu", "wall_ms", "cpu_ms", "csv", "folder", "sandbox", "played_before"}
"""What depends on where and how fast matches were played."""


def opened(name: str, home: Path) -> Shell:
    """Return a user's project with such a folder as its results."""
    shell = Shell(home, plays_here=True)
    shutil.copytree(BOTS, home, dirs_exist_ok=True)
    unpack(name, home / "results")
    return shell


def standings(shell: Shell, one: Played) -> Any:
    return cleaned(shell.json("standings", one.name, "-g", one.game))


def tables(shell: Shell, one: Played) -> Any:
    """Return the matches of a tournament with their keys, and its cross table."""
    done = shell.run("report", one.name, "-g", one.game, "--pages", "0")
    assert done.code == 0, done
    folder = shell.home / "results" / one.name / "report" / "files"
    return {
        table: cleaned(json.loads((folder / f"{table}.json").read_text()))
        for table in ("matches", "crosstable")
    }


def finish(shell: Shell, one: Played) -> None:
    """Play what remains of a tournament, as the user is told to."""
    words = ("-r", "tournament", "--name", one.name, "-g", one.game)
    done = shell.run(*words, "--no-report", "--no-replay", "-j", "1", "--quiet")
    assert done.code == 0, done


def series(shell: Shell, one: Series) -> Any:
    """Give the command of a series again; return what it prints."""
    done = shell.run("--json", *one.command)
    assert done.code in (0, 3, 4), done
    return cleaned(json.loads(done.out))


def finished(shell: Shell) -> Iterator[Series]:
    """Yield the series that were played to their end."""
    yield from (one for one in SERIES if one.matches is None)


def cleaned(value: Any) -> Any:
    """Return it without what depends on the machine."""
    if isinstance(value, dict):
        return {key: cleaned(one) for key, one in value.items() if key not in OF_THE_RUN}
    return [cleaned(one) for one in value] if isinstance(value, list) else value
