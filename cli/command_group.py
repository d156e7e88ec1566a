"""Define click groups whose help has sections, and whose commands are found, then imported late."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from cli.help_pages import EVERYTHING, MAX_LINES, HelpRow, brief_help, format_rows, note_everything
from engine.support.lazy_import import LazyMapping
from engine.support.wording import did_you_mean

HELP = ("-h", "--help", "--version")
RUNNER = re.compile("(?:-r=?|--runner=)(.+)")
SYNONYMS = {
    "--resume": "--continue",
    "--output": "--out",
    "--threads": "--jobs",
    "--workers": "--jobs",
    "--games": "--pairs",
    "--players": "-p",
    "--map": "--seed",
    "--turns": "--set max_turns=N",
    "--timeout": "--limit cpu_ms=N",
    "--headless": "--render none",
    "--no-render": "--render none",
}
"""What options are called in other tools, and here."""
RESUMING = ("series", "tournament", "versus", "tune", "fairness")
"""What resumes by itself."""
END = "--"
"""Behind it every word stands for itself."""
Options = Mapping[str, click.Option]
"""Options by each of their words: `-m` and `--matches`."""
Piece = tuple[str, ...]
"""A word, or an option with the value that stands behind it."""


class CommandEntry(NamedTuple):
    """A line of the table of commands: all that --help says of one, which it does not import."""

    place: str
    """`module:attribute`."""
    summary: str
    """The first words of the command's own help."""
    is_first: bool = True
    """Whether it stands on the first page of help."""


class SectionedGroup(click.Group):
    """A group that plays a match without a command; with a runner, other words are bots.

    An option that is not ours may stand anywhere, if it is the command's; one that both have is
    the command's.
    """

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, str],
        table: Mapping[str, Mapping[str, CommandEntry]],
        shared: Mapping[str, Sequence[str]],
        former: Mapping[str, str],
        former_options: Mapping[str, Mapping[str, str]],
        first_page_end: str,
        **attributes: Any,
    ) -> None:
        """`sections`: a heading by the name of the first option below it; `table` by headings.

        `shared`: the names of our parameters that count for a command, by its name. `former`: what
        is typed today for commands of earlier versions; `former_options` the same for options, by
        the names of their commands. `first_page_end` ends the first page of help.
        """
        entries = {name: entry for group in table.values() for name, entry in group.items()}
        places = {name: entry.place for name, entry in entries.items()}
        super().__init__(*args, **attributes)
        self.commands = LazyMapping(places)
        self.sections = sections
        self._table = table
        self._shared = shared
        self._former = former
        self.former_options = former_options
        self._first_page_end = first_page_end
        self._left_to_command: list[str] = []
        self._entries = entries
        self.ignore_unknown_options = True  # until it is known whose they are

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order of the table

    def get_help(self, ctx: click.Context) -> str:
        """Return the first page, or all with --all."""
        if ctx.meta.get(EVERYTHING):
            return super().get_help(ctx)
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        formatter.write_paragraph()
        width = max(map(len, self._entries))
        for heading, entries in self._table.items():
            rows = [HelpRow(name, one.summary) for name, one in entries.items() if one.is_first]
            formatter.write("\n".join([f"{heading}:", *format_rows(rows, width), ""]))
        return formatter.getvalue() + self._first_page_end

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, options in in_sections(self.get_params(ctx), self.sections).items():
            write_section(ctx, formatter, heading, options)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, entries in self._table.items():
            with formatter.section(heading):
                formatter.write_dl([(name, entry.summary) for name, entry in entries.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help of a command where it is asked for with one."""
        args = note_everything(ctx, self._replace_former_command(ctx, args), HELP)
        named = find_commands(args, self, self._find_runner(ctx, args))
        args = self._replace_former_options(ctx, args, named)
        wanted = [] if ctx.resilient_parsing else words_for_help(args, self.commands)
        if named and len(wanted) > 1 and "--version" not in wanted:
            self._show_help(ctx, named)
        self._left_to_command = list(options_by_word(named))
        return super().parse_args(ctx, attach_values(args, self, named))

    def _show_help(self, ctx: click.Context, named: Sequence[click.Command]) -> None:
        """Show the help of a command, or of that below it which is asked for with one."""
        *above, asked = named
        outer = ctx
        for group in above:
            outer = click.Context(group, parent=outer, info_name=group.name)
        inner = click.Context(asked, parent=outer, info_name=asked.name)
        page = self._format_whole_page(ctx, inner, named)
        if not ctx.meta.get(EVERYTHING) and page.count("\n") >= MAX_LINES:
            page = brief_help(inner, asked)
        click.echo(page, color=ctx.color)
        ctx.exit()

    def _format_whole_page(
        self, ctx: click.Context, inner: click.Context, named: Sequence[click.Command]
    ) -> str:
        asked, formatter = named[-1], inner.make_formatter()
        asked.format_usage(inner, formatter)
        asked.format_help_text(inner, formatter)
        asked.format_options(inner, formatter)
        self._write_shared(ctx, formatter, self._shared.get(named[0].name or "", ()))
        asked.format_epilog(inner, formatter)
        return formatter.getvalue().rstrip("\n")

    def _replace_former_command(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the words with what is typed today for a command of earlier versions."""
        if find_commands(args, self):
            return args
        for name in (word for word in args if word in self._former):
            today = tuple(self._former[name].split())
            options = options_by_word([self, *find_commands(today, self)])
            pieces = list(in_pieces(args, options))
            if (name,) in pieces:  # and it is no option's value
                _print_advice(ctx, name, self._former[name])
                pieces[pieces.index((name,))] = today
                return [word for piece in pieces for word in piece]
        return args

    def _replace_former_options(
        self, ctx: click.Context, args: list[str], named: Sequence[click.Command]
    ) -> list[str]:
        """Return the words with what is typed today for options of earlier versions."""
        former = self.former_options.get(" ".join(str(one.name) for one in named), {})
        arguments: list[str] = []
        for piece in in_pieces(args, options_by_word([self, *named])) if former else ():
            option, *value = piece[0].partition("=")
            if option in former and END not in arguments:
                _print_advice(ctx, option, former[option])
                option = former[option]
            arguments += ["".join([option, *value]), *piece[1:]]
        return arguments if former else args

    def _write_shared(
        self, ctx: click.Context, formatter: click.HelpFormatter, names: Sequence[str]
    ) -> None:
        """Write which options of the group count, by the headings of the group's help."""
        rows = [
            (heading, ", ".join("/".join(each.opts) for each in params if each.name in names))
            for heading, params in in_sections(self.get_params(ctx), self.sections).items()
        ]
        if names:
            with formatter.section(
                f"Shared options ({ctx.command_path} --help --all explains them)"
            ):
                formatter.write_dl([row for row in rows if row[1]])

    def make_parser(self, ctx: click.Context) -> Any:
        """Return a parser that leaves a command the options which it has as well."""
        parser = super().make_parser(ctx)
        for option in self._left_to_command:
            parser._long_opt.pop(option, None)  # noqa: SLF001 - click has no other way
            parser._short_opt.pop(option, None)  # noqa: SLF001
        return parser

    def _find_runner(self, ctx: click.Context, args: Sequence[str]) -> str | None:
        """Return the command that --runner names: other words are then its bots."""
        said = ["=".join(piece) for piece in in_pieces(args, options_by_word([self]))]
        named = [found[1] for word in said if (found := RUNNER.fullmatch(word))]
        return named[-1] if named else (ctx.default_map or {}).get("runner")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args[0] in self.commands else str(ctx.params.get("runner"))
        if ctx.resilient_parsing:  # a shell asks what may follow
            command = self.commands.get(name)
            return name, command, args[1:] if args[0] == name else args
        self._refuse_unknown_options(ctx, args, self.commands.get(name))
        if name not in self.commands:
            self._refuse_word(ctx, args[0])
        return name, self.commands[name], args[1:] if args[0] == name else args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return commands and options; the commands are not imported for it."""
        commands = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self._entries.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def _refuse_word(self, ctx: click.Context, word: str) -> None:
        if word.startswith("-"):
            ctx.fail(f"no such option '{word}'; settings are given by --set NAME=VALUE")
        ctx.fail(
            f"'{word}' is not a valid command (a bot is named with -p); expected one of "
            f"{', '.join(self.commands)}{did_you_mean(word, self.commands)}"
        )

    def _refuse_unknown_options(
        self, ctx: click.Context, arguments: Sequence[str], command: click.Command | None
    ) -> None:
        known = option_words([self] if command is None else [self, command])
        for word in takewhile(lambda word: word != END, arguments):
            option = word.partition("=")[0]
            is_short = word.startswith("-") and not word.startswith("--") and word != "-"
            if is_short and word[:2] not in known:
                self._refuse_word(ctx, word)
            if option.startswith("--") and option not in known:
                if option == "--resume" and command is not None and command.name in RESUMING:
                    ctx.fail("no such option '--resume'; the same command resumes by itself")
                if option in SYNONYMS:
                    ctx.fail(f"no such option '{option}'; use {SYNONYMS[option]}")
                raise click.NoSuchOption(option, possibilities=known, ctx=ctx)


class CommandList(click.Group):
    """A command that is nothing without one of its own."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            ctx.fail(
                f"'{args[0]}' is not one of {', '.join(self.list_commands(ctx))}"
                f"{did_you_mean(args[0], self.commands)}"
            )
        return super().resolve_command(ctx, args)


class SectionedCommand(click.Command):
    """A command without subcommands, whose options stand below headings in --help."""

    def __init__(self, *args: Any, sections: Mapping[str, str], **attributes: Any) -> None:
        """`sections`: a heading by the name of the first option below it."""
        super().__init__(*args, **attributes)
        self.sections = sections

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, note_everything(ctx, args, HELP))

    def get_help(self, ctx: click.Context) -> str:
        """Return the first page, or all with --all."""
        return super().get_help(ctx) if ctx.meta.get(EVERYTHING) else brief_help(ctx, self)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, options in in_sections(self.get_params(ctx), self.sections).items():
            write_section(ctx, formatter, heading, options)


def _print_advice(ctx: click.Context, former: str, today: str) -> None:
    """Say what is typed today, unless a shell asks what may follow."""
    if not ctx.resilient_parsing:
        click.echo(f"'{former}' is '{today}' now, and goes with version 2.0", err=True)


def in_sections(
    params: Sequence[click.Parameter], sections: Mapping[str, str]
) -> dict[str, list[click.Parameter]]:
    """Return options by their headings; a section begins with the option that names it."""
    heading, found = "", dict[str, list[click.Parameter]]()
    for param in (param for param in params if isinstance(param, click.Option)):
        name = "help" if "--help" in param.opts else str(param.name)  # click names it otherwise
        heading = sections.get(name, heading)
        found.setdefault(heading, []).append(param)
    return found


def write_section(
    ctx: click.Context,
    formatter: click.HelpFormatter,
    heading: str,
    params: Sequence[click.Parameter],
) -> None:
    """Write what --help says of these options, below their heading."""
    rows = [record for param in params if (record := param.get_help_record(ctx)) is not None]
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows)


def option_words(commands: Sequence[click.Command]) -> list[str]:
    """Return all words that are options of these commands."""
    groups = [command for command in commands if isinstance(command, click.Group)]
    below = [one for group in groups[1:] for one in group.commands.values()]
    return list(options_by_word([*commands, *below]))


def words_for_help(arguments: Sequence[str], commands: Container[str]) -> list[str]:
    """Return the words that ask for help, with the command it is about; none if nothing asks."""
    if not set(HELP) & set(arguments):
        return []
    return [word for word in arguments if word in (*HELP, EVERYTHING) or word in commands]


def options_by_word(commands: Iterable[click.Command]) -> dict[str, click.Option]:
    """Return the options of these commands; of one word, that of the last command."""
    return {
        word: param
        for command in commands
        for param in command.params
        if isinstance(param, click.Option)
        for word in (*param.opts, *param.secondary_opts)
    }


def in_pieces(arguments: Sequence[str], options: Options) -> Iterator[Piece]:
    """Yield the words; an option and its value together, whatever the value begins with."""
    index = 0
    while index < len(arguments):
        size = 1 + _takes_next(arguments[index], arguments[index + 1 : index + 2], options)
        yield tuple(arguments[index : index + size])
        index += size
        if arguments[index - size] == END:
            yield from ((word,) for word in arguments[index:])
            return


def find_commands(
    arguments: Sequence[str], group: click.Group, usual: str | None = None
) -> list[click.Command]:
    """Return the command that is named, and the one below it that is.

    `usual` is the name of the command where none is named; None: there may be none.
    """
    name = _find_first_command(arguments, [group]) or usual
    if name is None or name not in group.commands:
        return []
    command = group.commands[name]
    if not isinstance(command, click.Group):
        return [command]
    below = _find_first_command(arguments, [group, command])
    return [command] if below is None else [command, command.commands[below]]


def attach_values(
    arguments: Sequence[str], group: click.Group, commands: Sequence[click.Command]
) -> list[str]:
    """Return the words, with `--elo0 -3` of a command as `--elo0=-3`, `-j 2` as `--jobs=2`.

    The group reads all words before the command does, and would take a value such as `-3`, or a
    letter of an attached one, for an option of its own. Words behind `--` are kept from both.
    """
    own = options_by_word(commands)
    found: list[str] = []
    for piece in in_pieces(arguments, {**options_by_word([group]), **own}):
        word, *values = piece
        option = own.get(word if word.startswith("--") else word[:2])
        if option is not None and not (option.is_flag or word.startswith("--") or word == word[:2]):
            values = [word[2:]]
        if option is None or not values or END in found:
            found += piece
        else:
            found.append(f"{max(option.opts, key=len)}={values[0]}")
    if commands and END in found:
        found.insert(found.index(END), END)  # one for the group, and one for the command
    return found


def _find_first_command(arguments: Sequence[str], groups: Sequence[click.Group]) -> str | None:
    """Return the first word that names a command of the last group, and is no option's value.

    What is a value is known with the options of that command alone: they may stand before it.
    """
    commands = groups[-1].commands
    for name in (word for word in arguments if word in commands):
        options = options_by_word([*groups, commands[name]])
        if (name,) in in_pieces(arguments, options):
            return name
    return None


def _takes_next(word: str, following: Sequence[str], options: Options) -> bool:
    """Return whether the next word is the value of this one."""
    if not following or not word.startswith("-"):
        return False
    option = options.get(word) if word.startswith("--") else _last_short(word, options)
    return option is not None and _needs_value(option, following[0])


def _last_short(word: str, options: Options) -> click.Option | None:
    """Return the option whose value is not attached, in words such as `-m` and `-qm`."""
    for index, letter in enumerate(word[1:], 2):
        option = options.get(f"-{letter}")
        if option is not None and not option.is_flag:
            return option if index == len(word) else None
    return None


def _needs_value(option: click.Option, word: str) -> bool:
    """Return whether an option takes a word as its value."""
    if option.is_flag or option.count:
        return False
    is_optional: Any = option._flag_needs_value  # noqa: SLF001 - click has no other way
    return not (is_optional and word.startswith("-") and len(word) > 1)
