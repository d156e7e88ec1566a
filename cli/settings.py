"""The command `settings`: what --set and --limit can change."""

import click

from cli.options import MatchOptions
from runners.configuration import read_configuration
from runners.planning import MatchPlan


@click.command()
@click.pass_obj
def settings(options: MatchOptions) -> None:
    """List settings and resource limits.

    As a match would be played with them: of the game, config.toml, --preset and so on.
    """
    plan = MatchPlan(options.request, read_configuration())
    click.echo(plan.settings_json() if options.prints_json else plan.settings_text())
