"""`python3 -m tests.views`: every game in every way of watching, on one page to be looked at.

It needs Chromium for pages and a screen, or Xvfb, for windows; what is missing is said.
"""

import tempfile
from pathlib import Path

import click

from tests.views.matches import MATCHES, record
from tests.views.sheet import make_sheet


@click.command(help=__doc__)
@click.option("--out", type=click.Path(path_type=Path), help="A folder, by default a new one.")
@click.option("--moments", is_flag=True, help="Show the first and the last turn, too.")
@click.option("--record", "plays", is_flag=True, help="Play the matches anew first.")
@click.option("--renew", is_flag=True, help="Keep the pictures as the golden ones: look at them.")
def main(out: Path | None, *, moments: bool, plays: bool, renew: bool) -> None:
    """Make the sheet, and print its path."""
    for name in MATCHES if plays else ():
        click.echo(f"playing {name}", err=True)
        record(name)
    folder = out or Path(tempfile.mkdtemp(prefix="views-"))
    shown = ("", "begin", "end") if moments else ("",)
    page = make_sheet(folder, warn, renews=renew, moments=shown)
    click.echo(page)


def warn(message: str) -> None:
    click.echo(f"left out: {message}", err=True)


if __name__ == "__main__":
    main()
