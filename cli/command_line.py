"""Run a command line: defaults of config.toml, signals and exit codes, for both programs."""

import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from traceback import walk_tb
from types import FrameType
from typing import Any

import click

from cli.command_group import words_for_help
from engine.errors import SlimeMindError, Stopped, UsageError
from engine.support.files import forbid_writing_by_all
from engine.support.sanitizing import one_line, printable_lines
from engine.support.signals import INTERRUPTED_EXIT_CODE
from engine.support.standard_streams import discard_stdout
from engine.support.typed_commands import shorten_paths
from engine.support.wording import did_you_mean
from runners.configuration import Configuration

STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
DEAF_S = 1.0
"""Seconds after a signal before another one is heard: some senders send it twice."""
AGAIN_S = 0.01
"""Seconds between two looks at whether a signal can be sent again."""


def option_defaults(
    configuration: Configuration, group: click.Group, *, but: Collection[str]
) -> dict[str, Any]:
    """Return click's `default_map` from the [options] of a file, a command's below its name.

    `but`: parameters that cannot be set there. Raises: UsageError for one that is not usable.
    """
    if not configuration.options:
        return {}  # without importing the commands to see their options
    places = _options_by_name(group, but)
    former = _former_places(group, places)
    values: dict[str, Any] = {}
    for name, value in configuration.options.items():
        where = f"{configuration.path}: [options] {name}"
        if name not in places and name not in former:
            raise UsageError(
                f"{where}: no such option; possible are: {', '.join(places)}"
                f"{did_you_mean(name, places)}"
            )
        for command, option in (*former.get(name, ()), *places.get(name, ())):
            table = values.setdefault(command, {}) if command else values
            table[str(option.name)] = option_value(option, value, where)
    return values


def merge_defaults(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return two `default_map`s in one, command by command."""
    both = {**under, **over}
    for name in under.keys() & over.keys():
        if isinstance(under[name], dict) and isinstance(over[name], dict):
            both[name] = {**under[name], **over[name]}
    return both


Place = tuple[str, click.Parameter]
"""The name of a command, or '' for the group, and an option of it."""


def _options_by_name(group: click.Group, but: Collection[str]) -> dict[str, list[Place]]:
    """Return all options by their names in a file; several commands may share a name."""
    places = defaultdict[str, list[Place]](list)
    commands: dict[str, click.Command] = {"": group, **group.commands}
    for command_name, command in commands.items():
        for option in command.params:
            # Of the arguments lists alone can be set there: the bots of a tournament.
            if (isinstance(option, click.Option) or option.nargs < 0) and option.name not in but:
                places[config_name(option)].append((command_name, option))
    return places


def _former_places(
    group: click.Group, places: Mapping[str, Sequence[Place]]
) -> dict[str, list[Place]]:
    """Return options of earlier versions, by their names in a file of then."""
    found = defaultdict[str, list[Place]](list)
    for command, former in getattr(group, "former_options", {}).items():
        for word, today in former.items():
            here = places.get(_spell_for_file(today), ())
            found[_spell_for_file(word)] += [option for option in here if option[0] == command]
    return found


def config_name(option: click.Parameter) -> str:
    """Return an option as config.toml spells it: `player_1` for `--player-1`."""
    return _spell_for_file(max(option.opts, key=len))


def _spell_for_file(word: str) -> str:
    return word.removeprefix("--").replace("-", "_")


def option_value(option: click.Parameter, value: Any, where: str) -> Any:
    """Return a value of config.toml as the command line would read it. Raises: UsageError."""
    arguments = [str(word) for word in value] if isinstance(value, list) else str(value)
    if isinstance(arguments, str) and option.multiple:
        arguments = [arguments]
    try:
        option.type_cast_value(click.Context(click.Command("options")), arguments)
    except click.BadParameter as problem:
        raise UsageError(f"{where} = {value!r}: {problem.message}") from problem
    except (TypeError, ValueError) as problem:  # a list where one value is meant; a NUL
        raise UsageError(f"{where} = {one_line(repr(value))}: {one_line(problem)}") from problem
    return arguments


def run(command: click.Command, default_map: Callable[[], dict[str, Any]]) -> int:
    """Run a command line and return its exit code, one of those that --help lists."""
    forbid_writing_by_all()
    on_stop(stopper := Stopper())
    sys.unraisablehook = stopper.resend
    try:
        code = _run_command(command, default_map)
        return code if isinstance(code, int) else 0
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return INTERRUPTED_EXIT_CODE
    except Stopped as stopped:
        click.echo(stopped, err=True)
        return INTERRUPTED_EXIT_CODE
    except SlimeMindError as problem:
        click.echo(f"error: {shorten_paths(printable_lines(str(problem)))}", err=True)
        return 2 if isinstance(problem, UsageError) else 1
    except ModuleNotFoundError as error:
        from engine.support.extras import remedy_of

        if not (remedy := remedy_of(error)):
            raise
        click.echo(f"error: {remedy}", err=True)
        return 2
    except OSError as error:
        if (explanation := _explain(error)) is None:
            raise
        click.echo(f"error: {explanation}", err=True)
        return 1
    finally:
        on_stop(signal.SIG_IGN)  # all is said and done, and Python takes a moment to end


def _run_command(command: click.Command, default_map: Callable[[], dict[str, Any]]) -> Any:
    """Run the command; help is shown whatever is wrong with config.toml."""
    try:
        defaults = default_map()
    except UsageError as problem:
        arguments = words_for_help(sys.argv[1:], getattr(command, "commands", ()))
        if not arguments:
            raise
        click.echo(f"error: {shorten_paths(printable_lines(str(problem)))}", err=True)
        return command.main(arguments, standalone_mode=False)
    return command.main(standalone_mode=False, default_map=defaults)


def _explain(error: OSError) -> str | None:
    """Return what was refused: our output, or a look into a folder; None: it is a bug of ours."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    if frame.f_code is click.echo.__code__:
        discard_stdout()
        return f"the output cannot be written: {error.strerror}"
    is_refused = isinstance(error, PermissionError) and error.filename is not None
    return f"{one_line(error.filename)}: {error.strerror}" if is_refused else None


def on_stop(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    """Install a handler for all signals that end us."""
    for stop in find_stop_signals():
        signal.signal(stop, handler)


def find_stop_signals() -> list[signal.Signals]:
    """Return the signals that end us, but for those that our parent wants ignored (nohup)."""
    known = [signal.Signals[name] for name in STOPS if hasattr(signal, name)]
    return [stop for stop in known if signal.getsignal(stop) is not signal.SIG_IGN]


class Stopper:
    """A handler that raises KeyboardInterrupt, once until what follows is cleaned up."""

    def __init__(self) -> None:
        self._last = -DEAF_S
        self._signum: int = signal.SIGINT
        self._is_dropped = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        self._signum = signum
        now = time.monotonic()
        if now - self._last >= DEAF_S:
            self._last = now
            raise KeyboardInterrupt

    def resend(self, lost: "sys.UnraisableHookArgs") -> None:
        """Send a signal again that came while Python ran a callback and dropped the exception.

        Python drops what comes out of a finalizer or of a callback of a weak reference; there are
        such callbacks whenever a module is imported or a connection is closed.
        """
        if not isinstance(lost.exc_value, KeyboardInterrupt):
            sys.__unraisablehook__(lost)
            return
        self._is_dropped = True
        threading.Thread(target=self._send_again, daemon=True).start()
        self._is_dropped = False

    def _send_again(self) -> None:
        """Send the signal once the callback is left: what it raises before is dropped as well."""
        while self._is_dropped:
            time.sleep(AGAIN_S)
        time.sleep(AGAIN_S)
        self._last = -DEAF_S
        os.kill(os.getpid(), self._signum)
