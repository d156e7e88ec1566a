"""Look up what there is to play with on this machine: the commands `info ...`."""

import click

from cli.command_group import CommandList
from engine.support.lazy_import import LazyMapping


@click.group(cls=CommandList)
def info() -> None:
    """List bots and settings, and show what confines bots here."""


info.commands = LazyMapping(
    {"bots": "cli.bots:bots", "settings": "cli.settings:settings", "sandbox": "cli.sandbox:sandbox"}
)
