"""Show the standings of a tournament, also while it is played: the command `standings`."""

from pathlib import Path

import click

from cli.store_options import RESULTS, build_store_options
from cli.tournament_options import TournamentName
from engine.support.signals import deferring_signals


@click.command()
@click.argument("name", required=False, type=TournamentName())
@RESULTS
@click.option(
    "--games",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the matches to a FILE for programs that rate games of two, such as Ordo: .pgn, or "
    ".csv.",
)
@click.pass_context
def standings(context: click.Context, /, name: str | None, games: Path | None, **_: object) -> None:
    """Show the standings of a tournament.

    Also while it is played; by default of the latest one.
    """
    options = build_store_options(context)
    with deferring_signals():  # what reads results takes a while to import
        from cli.kept_tournament import as_it_stands, standings_as_json, whole_table
        from engine.support.files import write_whole
        from runners.contests.game_records import records_for
    with as_it_stands(options, name) as tournament:
        if games is not None:
            write_whole(games, records_for(tournament, games))
        json = options.match.prints_json
        click.echo(standings_as_json(tournament) if json else whole_table(tournament))
