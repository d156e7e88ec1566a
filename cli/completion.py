"""Complete bots, presets, settings and limits in a shell.

Choices, files and options are completed by click itself. What is looked up is imported late, as
every command declares its options and few complete them.
"""

import click
from click.shell_completion import CompletionItem


def complete_bots(
    context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the bots of the game's folder by name; for a path, what makes the shell go on."""
    from runners.planning import bot_names, bots_folder

    if "/" in incomplete or incomplete.startswith("."):
        return [CompletionItem(incomplete, type="file")]
    return _items_starting(bot_names(bots_folder(_game_so_far(context))), incomplete)


def complete_presets(
    context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the presets of the game."""
    from runners.configuration import preset_names

    return _items_starting(preset_names(_game_so_far(context)), incomplete)


def complete_settings(
    context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return `NAME=` for every setting of the game."""
    from engine.catalog import find_game

    names = find_game(_game_so_far(context)).settings.__struct_fields__
    return _items_starting([f"{name}=" for name in names], incomplete)


def complete_limits(
    context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return `NAME=` for every resource limit."""
    from engine.limits import Limits

    return _items_starting([f"{name}=" for name in Limits.__struct_fields__], incomplete)


def _game_so_far(context: click.Context) -> str:
    """Return the game that stands on the command line so far, or the default."""
    return str(context.find_root().params["game"])


def _items_starting(names: list[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
