"""From the words of a command line to what the runners take."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from engine.bots.sandbox import Level
from engine.errors import UsageError
from runners.configuration import Choices, read_configuration
from runners.planning import Plan, Wishes
from runners.seats import SEAT_OPTIONS, players_of

Options = dict[str, Any]
"""By our names, as click hands them over."""

FOR_ONE_MATCH = (
    *(*SEAT_OPTIONS, "key", "matches"),
    *("past", "past_before"),
    *("in_process", "render", "shows_logs"),
)
"""What tournaments and their like do without."""


def all_options(context: click.Context) -> Options:
    """Those of a command and of its group."""
    above = {} if context.parent is None else all_options(context.parent)
    return {**above, **context.params}


def said_options(context: click.Context) -> Options:
    """What stands on the command line or in a file, of a command and of its group."""
    above = {} if context.parent is None else said_options(context.parent)
    unsaid = (ParameterSource.DEFAULT, None)
    own = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) not in unsaid
    }
    return {**above, **own}


def is_said(context: click.Context, name: str) -> bool:
    """Whether an option stands on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse(context: click.Context, ignored: Sequence[str], why: str) -> None:
    """Raises: UsageError if one of these was said."""
    for option in context.command.params:
        if option.name in ignored and is_said(context, option.name):
            raise UsageError(f"{option.opts[-1]} would have no effect: {why}")


def choices_from(options: Mapping[str, Any]) -> Choices:
    """What was said about settings and limits."""
    return Choices(
        preset=options.get("preset"),
        configured=options.get("config"),
        settings_file=options.get("settings_file"),
        settings=options.get("words", ()),
        limits=options.get("limits", ()),
    )


def plan_from(options: Options, players: Sequence[str] | None = None) -> Plan:
    """What is to be played; by these, or else by those whom options name."""
    if options["seed"] is None:
        options["seed"] = random.SystemRandom().getrandbits(32)
    return Plan(
        Wishes(
            game=options["game"],
            players=players_of(options) if players is None else tuple(players),
            seed=options["seed"],
            key=options["key"],
            past=options["past"],
            past_before=options["past_before"],
            choices=choices_from(options),
            packages=options["packages"],
            out=options["out"],
            keep_replays=options["replay"],
            in_process=options["in_process"],
            sandbox=Level(options["sandbox"]),
        ),
        read_configuration(),
    )


def shows_progress(options: Options) -> bool:
    """Nothing but the result for scripts; no bar under a debugger's prompt."""
    return not (options["quiet"] or options["prints_json"] or options["in_process"])
