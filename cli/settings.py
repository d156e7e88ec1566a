"""List what --set and --limit can change: the command `settings`."""

from __future__ import annotations

import click

from cli.options import MatchOptions
from engine.support.lazy_import import lazy_imports
from runners.configuration import read_configuration

with lazy_imports():  # they take a while, and --help needs none of them
    from runners import planning


@click.command()
@click.pass_obj
def settings(options: MatchOptions) -> None:
    """List settings and resource limits.

    As a match would be played with them: of the game, config.toml, --preset and so on.
    """
    plan = planning.MatchPlan(options.request, read_configuration())
    click.echo(plan.settings_json() if options.prints_json else plan.settings_text())
