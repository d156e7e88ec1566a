"""Define the options of commands: their types, and how a shell completes them.

What is looked up is imported late, as every command declares its options and few complete them.
"""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import reduce
from typing import Any

import click
from click.decorators import FC
from click.shell_completion import CompletionItem

from engine.catalog import GAMES, OURS, find_game, find_package
from engine.errors import UsageError
from engine.support.wording import did_you_mean
from visualizer.watching.render import Render


def option(*words: str, **attributes: Any) -> Callable[[FC], FC]:
    """Return an option whose help shows its default, for a number N, and for a path FILE.

    Words for a BOT are completed.
    """
    kind = attributes.get("type")
    if isinstance(kind, click.IntRange):
        attributes.setdefault("metavar", "N")
    elif isinstance(kind, click.Path):
        attributes.setdefault("metavar", "FILE" if kind.file_okay else "FOLDER")
    if attributes.get("metavar") == "BOT":
        attributes.setdefault("shell_complete", complete_bots)
    attributes.setdefault("show_default", attributes.get("default", "") != "")
    return click.option(*words, **attributes)


def combine(options: Sequence[Callable[[FC], FC]]) -> Callable[[FC], FC]:
    """Return what adds several options to a command, in this order."""
    return lambda command: reduce(lambda done, add: add(done), reversed(options), command)


PORT = option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    show_default=False,
    help="The server's port; default: one that is free.",
)
BROWSER = option(
    "--browser/--no-browser",
    "opens_browser",
    default=True,
    show_default=False,
    help="Whether a browser is opened.",
)


class Choice(click.Choice[str]):
    """A choice of click's that suggests the value that may have been meant."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return f"{message}{did_you_mean(str(value), self.choices) or '.'}"


class GameChoice(Choice):
    """A game; those of packages are looked for where it is none of ours."""

    def __init__(self) -> None:
        super().__init__([*OURS])

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value not in OURS:
            if find_package(str(value)) is not None:
                find_game(str(value))  # which says why it is not played
            self.choices = (*GAMES,)
        return super().convert(value, param, ctx)


class RenderChoice(Choice):
    """What is shown; 0 and false, 1 and true are understood as well: it was a number once."""

    def __init__(self) -> None:
        super().__init__([str(render) for render in Render])

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        word = str(value).lower()
        if word in ("0", "false"):
            value = Render.NONE
        elif word in ("1", "true"):
            value = Render.AUTO
        return super().convert(str(value), param, ctx)


def complete_bots(
    context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the bots of the game's folder by name; for a path, what makes the shell go on."""
    from engine.bots.finding import bot_candidates
    from runners.planning import bots_folder

    if "/" in incomplete or incomplete.startswith("."):
        return [CompletionItem(incomplete, type="file")]
    files = bot_candidates(bots_folder(_game_so_far(context)))
    return _items_starting([file.stem for file in files], incomplete)


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


def _read_zone(context: click.Context, option: click.Parameter, name: str) -> tzinfo:
    """Raises: UsageError."""
    from runners.contests.times import BadTime, parse_time_zone

    try:
        return parse_time_zone(name)
    except BadTime as error:
        raise UsageError(f"--timezone: {error}") from error


TIMEZONE = option(
    "--timezone",
    envvar="SLIME_MIND_TIMEZONE",
    default="UTC",
    metavar="NAME",
    callback=_read_zone,
    help="The time zone, such as Europe/Berlin, of times that say none.",
)
