"""Counts verdicts of `versus` on a bot and its byte copy.

They are equal, so a verdict that one is better or worse is false; 5 % at most may be.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from benchmarks.command_line import HOME

SHORT = ("--preset", "small", "--set", "max_turns=40", "-q", "--json")


@click.command(help=__doc__)
@click.option("--bot", default="player_two", show_default=True)
@click.option("--tests", default=40, show_default=True)
@click.option("--most", default=60, show_default=True, help="Pairs of a test.")
def main(bot: str, tests: int, most: int) -> None:
    verdicts = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        a, b = (shutil.copy(HOME / f"playerCode/{bot}.py", folder / f"{x}.py") for x in "ab")
        for seed in range(1, tests + 1):
            own = ("--seed", str(seed), "--out", str(folder / str(seed)))
            arguments = (
                sys.executable,
                "main.py",
                *SHORT,
                *own,
                "versus",
                a,
                b,
                "--max-pairs",
                str(most),
            )
            done = subprocess.run(arguments, cwd=HOME, capture_output=True, check=False)
            verdicts.append(json.loads(done.stdout)["assessment"]["verdict"])
    for verdict in sorted(set(verdicts)):
        click.echo(f"{verdicts.count(verdict):>4}  {verdict}")
