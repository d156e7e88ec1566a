"""Write the report of a tournament for a browser: the command `report`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cli.store_options import RESULTS, StoreOptions, build_store_options
from cli.tournament_options import PAGES, TournamentName
from engine.support.signals import deferring_signals

if TYPE_CHECKING:
    from runners.contests.tournament import Tournament


@click.command()
@click.argument("name", required=False, type=TournamentName())
@RESULTS
@PAGES
@click.option(
    "--public",
    "is_public",
    is_flag=True,
    help="Leave out what is the authors' alone: source, tracebacks, what bots printed.",
)
@click.pass_context
def report(
    context: click.Context, /, name: str | None, pages: int, is_public: bool, **_: object
) -> None:
    """Write the report of a tournament for a browser.

    Also while it is played; by default of the latest one. It is a folder of pages, which need no
    server and no network, and of tables as CSV and JSON.
    """
    options = build_store_options(context)
    with deferring_signals():  # what reads results takes a while to import
        from cli.kept_tournament import as_it_stands
    with as_it_stands(options, name) as tournament:
        page = write_tournament_report(tournament, options, pages, is_public=is_public)
    if options.match.prints_json:
        click.echo(msgspec.json.encode({"page": str(page)}).decode())
    else:
        click.echo(page)


def write_tournament_report(
    tournament: "Tournament", options: StoreOptions, pages: int, *, is_public: bool = False
) -> Path:
    """Write the report, with pages to watch so many matches; return its first page."""
    with deferring_signals():  # what it renders with takes a while to import
        from report.folder import write_report
    return write_report(tournament, options.match.out, options.commands, pages, is_public=is_public)
