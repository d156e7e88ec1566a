"""Answers questions about the quality of rules, statistics, bots and code.

`python3 -m benchmarks.audits` lists the audits, with the NAME of one it runs that, and with
`NAME --help` it says what that one finds out. `python3 -m benchmarks` measures speed.
"""

from benchmarks import prepared  # noqa: F401

import click

from benchmarks.audits import (
    byte_copies,
    code_figures,
    early_ends,
    fights,
    interval_coverage,
    perft,
    scale,
    starter_bots,
    verdicts,
)

AUDITS: dict[str, click.Command] = {
    "byte_copies": byte_copies.main,
    "code_figures": code_figures.main,
    "early_ends": early_ends.main,
    "fights": fights.main,
    "interval_coverage": interval_coverage.main,
    "perft": perft.main,
    "scale": scale.main,
    "starter_bots": starter_bots.main,
    "verdicts": verdicts.main,
}

main = click.Group(help=__doc__, commands=AUDITS)

if __name__ == "__main__":
    main(prog_name="python3 -m benchmarks.audits")
