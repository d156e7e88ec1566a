"""`python3 -m benchmarks.starts`: the CPU time before a command says anything.

As a ratio to `python3 -c pass`, measured in the same run: what a machine is like cancels out.
"""

import os
import subprocess
import sys
from statistics import median

from benchmarks import prepared  # noqa: F401

from bootstrap import HOME

import click

NOTHING = ("-c", "pass")
COMMANDS = (
    ("main.py", "--help"),
    ("main.py", "--version"),
    ("main.py", "standings", "--help"),
    ("main.py", "tournament", "--help"),
    ("main.py", "versus", "--help"),
    ("replay.py", "--help"),
)


def cpu_s(arguments: tuple[str, ...], runs: int) -> float:
    """Return the median of user and system time of a run of Python, in seconds."""
    return median(_cpu_s(arguments) for _ in range(runs))


def _cpu_s(arguments: tuple[str, ...]) -> float:
    before = os.times()
    subprocess.run([sys.executable, *arguments], cwd=HOME, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after[2] + after[3] - before[2] - before[3]


@click.command(help=__doc__)
@click.option("--runs", default=9, show_default=True, type=click.IntRange(1), help="Of each.")
def main(runs: int) -> None:
    nothing = cpu_s(NOTHING, runs)
    click.echo(f"{'python3':<28}{'CPU s':>7}{'ratio':>7}")
    for command in (NOTHING, *COMMANDS):
        took = cpu_s(command, runs)
        click.echo(f"{' '.join(command):<28}{took:>7.2f}{took / nothing:>7.1f}")


if __name__ == "__main__":
    main()
