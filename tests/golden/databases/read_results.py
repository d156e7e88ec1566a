"""Reads what users are shown of a folder of results, by the command line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.golden.databases.contents import write_bots
from tests.golden.databases.make_results import (
    OF_PAIRS,
    OTHER_GAMES,
    SERIES,
    TOURNAMENTS,
    Played,
    Series,
)
from tests.golden.databases.packing import unpack
from tests.shell import Shell

PLAYED: dict[str, Sequence[Played]] = {"results_23": (*TOURNAMENTS, *OTHER_GAMES, *OF_PAIRS)}
"""The folders, and the tournaments in them."""
OF_THE_RUN = {"again", "cpu", "wall_ms", "cpu_ms", "csv", "folder", "sandbox", "played_before"}
"""What depends on where and how fast matches were played."""
IN_KEYS = {"map", "secret", "seed"}
"""What a key follows from."""


def open_results(name: str, home: Path) -> Shell:
    """Return a user's project with such a folder as its results."""
    home.mkdir(exist_ok=True)
    shell = Shell(home, plays_here=True)
    write_bots(home)
    unpack(name, home / "results")
    return shell


def read_all(name: str, home: Path) -> dict[str, Any]:
    """Return what users see of all that such a folder holds."""
    shell = open_results(name, home)
    tournaments = {one.name: read(shell, one) for one in PLAYED[name]}
    return {**tournaments, **{one.name: read_series(shell, one) for one in SERIES}}


def read(shell: Shell, one: Played) -> dict[str, Any]:
    """Return what users see of a tournament; of an unfinished one also what they see at its end.

    The latter plays what remains of it, as the user was told to.
    """
    shown = _read_tournament(shell, one)
    if not shown["standings"]["is_over"]:
        parts = ("-r", "tournament", "--name", one.name, "-g", one.game)
        done = shell.run(*parts, "--no-report", "--no-replay", "-j", "1", "--quiet")
        assert done.code == 0, done
        shown["finished"] = _read_tournament(shell, one)
    return shown


def _read_tournament(shell: Shell, one: Played) -> dict[str, Any]:
    """Return the standings, the matches with their keys, and the cross table."""
    done = shell.run("report", one.name, "-g", one.game, "--pages", "0")
    assert done.code == 0, done
    folder = shell.home / "results" / one.name / "report" / "files"
    tables = {
        table: clean(json.loads((folder / f"{table}.json").read_text()))
        for table in ("matches", "crosstable")
    }
    standings = clean(shell.json("report", "--standings", one.name, "-g", one.game))
    return {"standings": standings, **tables}


def read_series(shell: Shell, one: Series) -> Any:
    """Give the command of a series again: it plays what remains, and prints what came of it."""
    done = shell.run("--json", *one.command)
    assert done.code in (0, 3, 4), done
    shown = clean(json.loads(done.out))
    if "results" in shown:
        shown["results"] = [result["key"] for result in shown["results"]]
    return shown


def clean(value: Any) -> Any:
    """Return it without what depends on the machine."""
    left_out = OF_THE_RUN | IN_KEYS
    if isinstance(value, dict):
        return {key: clean(one) for key, one in value.items() if key not in left_out}
    return [clean(one) for one in value] if isinstance(value, list) else value
