"""What main.py and replay.py share: defaults, signals, exit codes."""

import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from traceback import walk_tb
from types import FrameType
from typing import Any

import click

from engine.errors import SlimeMindError, Stopped, UsageError
from runners.command_group import words_for_help
from runners.configuration import Configuration

INTERRUPTED = 130
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
DEAF_S = 1.0
"""After a signal, before another one is heard: some senders send it twice."""


def option_defaults(
    configuration: Configuration, group: click.Group, *, but: Collection[str]
) -> dict[str, Any]:
    """Click's `default_map` from the [options] of a file, those of commands by their commands.

    `but`: our names of what cannot be set there. Raises: UsageError for one we cannot use.
    """
    if not configuration.options:
        return {}  # without importing the commands to see their options
    places = _places(group, but)
    values: dict[str, Any] = {}
    for name, value in configuration.options.items():
        where = f"{configuration.path}: [options] {name}"
        if name not in places:
            raise UsageError(f"{where}: no such option; possible are: {', '.join(places)}")
        for command, option in places[name]:
            table = values.setdefault(command, {}) if command else values
            table[str(option.name)] = option_value(option, value, where)
    return values


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two `default_map`s in one, command by command."""
    both = {**under, **over}
    for name in under.keys() & over.keys():
        if isinstance(under[name], dict) and isinstance(over[name], dict):
            both[name] = {**under[name], **over[name]}
    return both


Place = tuple[str, click.Parameter]
"""An option, and whose it is: a command's by its name, or '' for the group's."""


def _places(group: click.Group, but: Collection[str]) -> dict[str, list[Place]]:
    """All options by their names in a file; several commands may have one of the same name."""
    places = defaultdict[str, list[Place]](list)
    commands: dict[str, click.Command] = {"": group, **group.commands}
    for command_name, command in commands.items():
        for option in command.params:
            if option.name not in but:
                places[config_name(option)].append((command_name, option))
    return places


def config_name(option: click.Parameter) -> str:
    """`--player-1` -> `player_1`: an option as config.toml spells it."""
    return max(option.opts, key=len).removeprefix("--").replace("-", "_")


def option_value(option: click.Parameter, value: Any, where: str) -> Any:
    """A value of config.toml as the command line would read it. Raises: UsageError."""
    words = [str(word) for word in value] if isinstance(value, list) else str(value)
    if isinstance(words, str) and option.multiple:
        words = [words]
    try:
        option.type_cast_value(click.Context(click.Command("options")), words)
    except click.BadParameter as problem:
        raise UsageError(f"{where} = {value!r}: {problem.message}") from problem
    return words


def run(command: click.Command, default_map: Callable[[], dict[str, Any]]) -> int:
    """Run a command line; its exit code as --help lists them."""
    on_stop(Stopper())
    try:
        code = _main(command, default_map)
        return code if isinstance(code, int) else 0
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return INTERRUPTED
    except Stopped as stopped:
        click.echo(stopped, err=True)
        return INTERRUPTED
    except SlimeMindError as problem:
        click.echo(f"error: {problem}", err=True)
        return 2 if isinstance(problem, UsageError) else 1
    except OSError as error:
        if not _comes_from_printing(error):
            raise
        _let_go_of_stdout()
        click.echo(f"error: the output cannot be written: {error.strerror}", err=True)
        return 1
    finally:
        on_stop(signal.SIG_IGN)  # all is said and done, and Python takes a moment to end


def _main(command: click.Command, default_map: Callable[[], dict[str, Any]]) -> Any:
    """Whatever is wrong with config.toml, help is shown."""
    try:
        defaults = default_map()
    except UsageError as problem:
        words = words_for_help(sys.argv[1:], getattr(command, "commands", ()))
        if not words:
            raise
        click.echo(f"error: {problem}", err=True)
        return command.main(words, standalone_mode=False)
    return command.main(standalone_mode=False, default_map=defaults)


def _comes_from_printing(error: OSError) -> bool:
    """No other error of the system is for the user: it is a bug of ours."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return frames[-1].f_code is click.echo.__code__


def _let_go_of_stdout() -> None:
    """Python flushes it once more at its end, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def on_stop(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for stop in stops():
        signal.signal(stop, handler)


def stops() -> list[signal.Signals]:
    """The signals that end us, but for those whoever started us wants ignored (nohup)."""
    known = [signal.Signals[name] for name in STOPS if hasattr(signal, name)]
    return [stop for stop in known if signal.getsignal(stop) is not signal.SIG_IGN]


class Stopper:
    """Raises KeyboardInterrupt; not again while we clean up, unless that takes long."""

    def __init__(self) -> None:
        self._last = -DEAF_S

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._last >= DEAF_S:
            self._last = now
            raise KeyboardInterrupt
