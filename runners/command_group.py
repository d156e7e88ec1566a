"""A click group with a match of its own: help in sections, and words that are bots."""

from collections.abc import Container, Iterator, Mapping, MutableMapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from engine.signals import signals_held

HELP = ("-h", "--help", "--version")


class CommandsByPlace(MutableMapping[str, click.Command]):
    """Commands by name; those that are told by their places are imported when they are used."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """`places`: `module:attribute` by the name of the command."""
        self._commands: dict[str, click.Command | str] = dict(places)

    def __getitem__(self, name: str) -> click.Command:
        command = self._commands[name]
        if isinstance(command, str):
            module, _, attribute = command.partition(":")
            with signals_held():  # an import may swallow what they raise
                command = self._commands[name] = getattr(import_module(module), attribute)
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __contains__(self, name: object) -> bool:
        return name in self._commands  # Mapping's own would import it

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)


class SectionedGroup(click.Group):
    """Without a command a match is played; a runner takes words that are no command as bots.

    An option that is not ours may stand anywhere, if it is the command's.
    """

    def __init__(self, *args: Any, sections: dict[str, str], **attributes: Any) -> None:
        """`sections`: a heading by the name of the first option below it."""
        super().__init__(*args, **attributes)
        self._sections = sections
        self.ignore_unknown_options = True  # until it is known whose they are

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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Help that is asked for with a command is the command's."""
        wanted = words_for_help(args, self.commands)
        if len(wanted) > 1 and "--version" not in wanted:
            name = next(word for word in wanted if word in self.commands)
            self.commands[name].make_context(name, ["--help"], parent=ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args[0] in self.commands else str(ctx.params.get("runner"))
        self._refuse_unknown_options(ctx, args, self.commands.get(name))
        if name not in self.commands:
            names = ", ".join(self.commands)
            ctx.fail(f"No command '{args[0]}'; there are: {names}. A bot is named with -p.")
        command = self.commands[name]
        return name, command, args[1:] if args[0] == name else args

    def _refuse_unknown_options(
        self, ctx: click.Context, words: Sequence[str], command: click.Command | None
    ) -> None:
        known = options_of([self] if command is None else [self, command])
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and option not in known:
                alike = get_close_matches(option, known)
                raise click.NoSuchOption(option, possibilities=alike, ctx=ctx)


def options_of(commands: Sequence[click.Command]) -> list[str]:
    """All words that are options of these."""
    params = [param for command in commands for param in command.params]
    return [word for param in params for word in (*param.opts, *param.secondary_opts)]


def words_for_help(words: Sequence[str], commands: Container[str]) -> list[str]:
    """What of our words asks for help, with the command it is about; empty if nothing does."""
    if not set(HELP) & set(words):
        return []
    return [word for word in words if word in HELP or word in commands]
