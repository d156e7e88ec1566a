"""Attacks a server on loopback while people play on it, and looks up who had to wait.

`python3 -m tests.hostile_clients --minutes 10` starts a server with SQLite, few descriptors and a
ladder. Two people play each other, somebody signs in, others look on; and at the same time hostile
clients send names that take long to normalize, broken bodies, wrong passwords, what is refused, and
halves of requests. At the end a table says how long each kind of honest request took, what the
server took of memory, log and database, and what was lost; it ends with 1 where somebody waited for
more than two seconds, something was lost or something grew.
"""

import signal
import sys
import tempfile
from pathlib import Path

import click

from tests.hostile_clients.attackers import ATTACKS
from tests.hostile_clients.running import run

ENDED = 128 + signal.SIGTERM
"""The exit code of who was ended from outside, as shells have it."""


@click.command()
@click.option("--minutes", default=10.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--attack",
    "attacks",
    multiple=True,
    type=click.Choice(ATTACKS),
    help="Only this one; may be repeated.  [default: all]",
)
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the log of the server here.",
)
def main(minutes: float, seed: int, attacks: tuple[str, ...], log: Path | None) -> None:
    """Attack a server for a while, and see how honest people fare."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # what was started ends, too
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        Path(folder).chmod(0o711)
        figures = run(Path(folder), minutes=minutes, seed=seed, attacks=attacks or ATTACKS, log=log)
    click.echo(figures.table())
    complaints = figures.complaints()
    click.echo("\n" + ("\n".join(complaints) or "nothing to complain about"))
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
