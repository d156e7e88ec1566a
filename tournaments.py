"""The commands of tournaments that runners and visualizer have a part in: playing, reporting."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from engine.bots.finding import Bot
from engine.signals import signals_held
from runners.options import FOR_ONE_MATCH, all_options, refuse
from runners.store_options import RESULTS, commands_to_type
from runners.tournament.command import as_it_stands, run_tournament
from runners.tournament.options import PAGES, TournamentName, tournament_options
from runners.tournament.playing import Tournament
from visualizer.custom_sprites import find_custom, keep


@click.command()
@tournament_options
@click.pass_context
def tournament(context: click.Context, /, **_: Any) -> None:
    """Play a tournament, or go on with one; the same as -r tournament.

    Of the BOTS named; without any, of all in playerCode but the template, or of those that
    play it already. Stop it whenever you like: the same command goes on.
    """
    assert context.parent is not None
    refuse(context.parent, FOR_ONE_MATCH, "a tournament is played")
    out = context.parent.params["out"]

    def keep_pictures(bots: Sequence[Bot]) -> None:
        customs = [find_custom(bot.path) for bot in bots]
        for bot, custom in zip(bots, customs, strict=True):
            keep(custom, out, bot.digest)

    context.exit(run_tournament(context, keep_pictures, write_report_of))


@click.command()
@click.argument("name", required=False, type=TournamentName())
@RESULTS
@PAGES
@click.pass_context
def report(context: click.Context, /, **_: Any) -> None:
    """Write the report of a tournament, also while it is played; by default of the latest one.

    It is a folder of pages for a browser, which need no server and no network, and of tables
    as CSV and JSON.
    """
    options = all_options(context)
    with as_it_stands(options) as tournament:
        click.echo(write_report_of(tournament, options))


def write_report_of(tournament: Tournament, options: dict[str, Any]) -> Path:
    """The page to begin with."""
    with signals_held():
        from reporting import write_report  # what it renders with takes a while to import

    return write_report(
        tournament,
        options["out"],
        commands_to_type(options),
        options["pages"],
    )
