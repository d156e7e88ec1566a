"""What main.py and replay.py share: help in sections, defaults, signals, exit codes."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from traceback import walk_tb
from types import FrameType
from typing import Any

import click

from engine.errors import SlimeMindError, Stopped, UsageError
from runners.configuration import read_configuration

INTERRUPTED = 130
HELP = ("-h", "--help", "--version")
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
DEAF_S = 1.0
"""After a signal, before another one is heard: some senders send it twice."""


class SectionedGroup(click.Group):
    """A help page in sections, and a hint for who names a bot without its option."""

    def __init__(self, *args: Any, sections: dict[str, str], **attributes: Any) -> None:
        """`sections`: a heading by the name of the first option below it."""
        super().__init__(*args, **attributes)
        self._sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        heading, rows = "", dict[str, list[tuple[str, str]]]()
        for option in self.get_params(ctx):
            heading = self._sections.get(str(option.name), heading)
            record = option.get_help_record(ctx)
            if record is not None:
                rows.setdefault(heading, []).append(record)
        for heading, lines in rows.items():
            with formatter.section(heading):
                formatter.write_dl(lines)
        self.format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands:
            names = ", ".join(self.commands)
            ctx.fail(f"No command '{args[0]}'; there are: {names}. A bot is named with -1 or -2.")
        return super().resolve_command(ctx, args)


def option_defaults(options: Iterable[click.Parameter]) -> dict[str, Any]:
    """The [options] of config.toml by our names. Raises: UsageError for one we cannot use."""
    configuration = read_configuration()
    possible = {config_name(option): option for option in options}
    values = {}
    for name, value in configuration.options.items():
        where = f"{configuration.path}: [options] {name}"
        if name not in possible:
            raise UsageError(f"{where}: no such option; possible are: {', '.join(possible)}")
        values[str(possible[name].name)] = option_value(possible[name], value, where)
    return values


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
        words = _words_for_help(command)
        if not words:
            raise
        click.echo(f"error: {problem}", err=True)
        return command.main(words, standalone_mode=False)
    return command.main(standalone_mode=False, default_map=defaults)


def _words_for_help(command: click.Command) -> list[str]:
    """What of our words asks for help, with the command it is about; empty if nothing does."""
    words = sys.argv[1:]
    if not set(HELP) & set(words):
        return []
    return [word for word in words if word in HELP or word in getattr(command, "commands", ())]


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
