"""Show how a tournament stands, and write its report for a browser: the command `report`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cli.choices import option
from cli.store_options import RESULTS, StoreOptions, build_store_options
from cli.tournament_options import PAGES, TournamentName
from engine.support.signals import deferring_signals

if TYPE_CHECKING:
    from runners.contests.tournament import Tournament


@click.command()
@click.argument("name", required=False, type=TournamentName())
@RESULTS
@PAGES
@option("--standings", "is_table", is_flag=True, help="Only print the standings; write no pages.")
@option(
    "--export",
    "exported",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the matches to a FILE for programs that rate games of two, such as Ordo: .pgn, or "
    ".csv; with --standings.",
)
@option(
    "--public",
    "is_public",
    is_flag=True,
    help="Leave out what is the authors' alone: source, tracebacks, what bots printed.",
)
@click.pass_context
def report(
    context: click.Context,
    /,
    name: str | None,
    pages: int,
    is_table: bool,
    exported: Path | None,
    is_public: bool,
    **_: object,
) -> None:
    """Show how a tournament stands, and write its pages.

    Also while it is played; by default of the latest one. The pages are a folder for a browser,
    without a server or a network, with tables as CSV and JSON.
    """
    options = build_store_options(context)
    with deferring_signals():  # what reads results takes a while to import
        from cli.kept_tournament import as_it_stands, standings_as_json, whole_table
        from engine.support.files import write_whole
        from runners.contests.game_records import records_for
    json, is_verbose = options.match.prints_json, options.match.verbose
    with as_it_stands(options, name) as tournament:
        if exported is not None:
            write_whole(exported, records_for(tournament, exported))
        if is_table or not json:
            table = "" if json else whole_table(tournament, is_verbose=is_verbose)
            click.echo(table or standings_as_json(tournament))
        if is_table:
            return
        page = write_tournament_report(tournament, options, pages, is_public=is_public)
    click.echo(
        msgspec.json.encode({"page": str(page)}).decode() if json else f"\nthe pages: {page}"
    )


def write_tournament_report(
    tournament: "Tournament", options: StoreOptions, pages: int, *, is_public: bool = False
) -> Path:
    """Write the report, with pages to watch so many matches; return its first page."""
    with deferring_signals():  # what it renders with takes a while to import
        from report.folder import write_report
    return write_report(tournament, options.match.out, options.commands, pages, is_public=is_public)
