"""Runs a league on loopback, kills its processes one by one, and looks up what is lost.

`python3 -m tests.soak --minutes 30` starts PostgreSQL, two web processes, a server that plays the
ladders on a cluster (a scheduler and three workers), and lets people play, spectators look on and
authors hand in bots, while one of those processes after the other is killed. Whoever supervises a
real one starts a killed process again; so does this. At the end every acknowledged order, result
and bot is looked up, and a table says how long which page was away.
"""

import sys
import tempfile
from pathlib import Path

import click
import pytest

from tests.soak.running import soak


@click.command()
@click.option("--minutes", default=30.0, show_default=True)
@click.option("--spectators", default=200, show_default=True)
@click.option("--kill-every", default=20.0, show_default=True, help="Seconds.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--dashboard",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also run Prometheus, and save a picture of the dashboard here.",
)
def main(
    minutes: float, spectators: int, kill_every: float, seed: int, dashboard: Path | None
) -> None:
    """Run a league for a while, and kill its processes meanwhile."""
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        Path(folder).chmod(0o711)
        try:
            figures = soak(
                Path(folder),
                minutes=minutes,
                spectators=spectators,
                kill_every_s=kill_every,
                seed=seed,
                dashboard=dashboard,
            )
        except pytest.skip.Exception as missing:
            raise click.ClickException(str(missing)) from missing
    click.echo(figures.table())
    sys.exit(bool(figures.lost or figures.behind))


if __name__ == "__main__":
    main()
