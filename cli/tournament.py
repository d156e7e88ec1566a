"""The command `tournament`: playing one, or resuming it."""

import click

from cli.options import NOT_FOR_TOURNAMENTS, refuse
from cli.tournament_options import tournament_options, tournament_options_of
from engine.support.signals import signals_held


@click.command()
@tournament_options
@click.pass_context
def tournament(context: click.Context, /, **_: object) -> None:
    """Play a tournament, or resume one.

    The same as -r tournament. It is played by the BOTS named (a folder stands for those in it);
    without any, by all in playerCode but the template, or by those that play it already. Stop it
    whenever you like: the same command resumes.
    """
    assert context.parent is not None
    refuse(context.parent, NOT_FOR_TOURNAMENTS, "a tournament is played")
    with signals_held():  # what plays takes a while to import
        from cli.tournament_run import run_tournament
    context.exit(run_tournament(context, tournament_options_of(context)))
