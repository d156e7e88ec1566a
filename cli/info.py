"""Look up what there is to play with on this machine: the commands `info ...`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from cli.choices import complete_bots
from cli.command_group import CommandList
from cli.options import MatchOptions
from engine.bots.sandbox import DANGER, ENCLOSES, PURPOSE, Failings, Layer, Level, is_root
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line, path_text
from runners.configuration import read_configuration

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding
    from engine.bots.programs import languages
    from engine.bots.sandbox import trials
    from runners import planning

OWN_PROGRAMS = "what was compiled: weakens nothing; with `threads = true` it may have threads"
BUILDS = "in a sandbox of its own: no network, and nothing is written but the build"
WEAKENED = (
    "processes: none, but for itself; one exec, and no second",
    "files: the system's libraries, its runtime and its own folder, all to be read only",
    "memory: what it can write counts, and not what runtimes reserve; other programs of the same",
    "    user, which are no bots, can read it",
    "threads, where it may have any: some 64 beyond those of all programs of this machine; they",
    "    share its time and its memory",
    "time: with threads it is stopped (SIGSTOP) whenever it is not asked",
)


@click.group(cls=CommandList)
def info() -> None:
    """List bots and settings, and show what confines bots here."""


@info.command()
@click.argument("path", metavar="[BOT]", required=False, shell_complete=complete_bots)
@click.pass_obj
def bots(options: MatchOptions, path: str | None) -> None:
    """List bots, and why a file is not a valid bot.

    Those of playerCode, or of BOT: a bot, or a folder of bots. They are read and not run. A bot
    may have 1 MB of source (its .py files), 32 MB of files and 1000 files.
    """
    folder, listed = planning.list_bots(options.game, path)
    if options.prints_json:
        fields = [{**msgspec.structs.asdict(bot), "path": path_text(bot.path)} for bot in listed]
        click.echo(msgspec.json.encode({"folder": path_text(folder), "bots": fields}).decode())
    else:
        click.echo(bots_table(folder, listed))


def bots_table(folder: Path, bots: Sequence[finding.Bot]) -> str:
    """Return a line for every file that could be meant as a bot."""
    if not bots:
        return f"no bots in {folder}: files named player_NAME.py are looked for"
    files = [one_line(bot.path.name) for bot in bots]
    width = max(map(len, files))
    lines = [f"bots in {folder}:"]
    for file, bot in zip(files, bots, strict=True):
        lines.append(
            f"  {file:<{width}}  {bot.digest:<{finding.DIGEST_LETTERS}}  {_bot_words(bot)}".rstrip()
        )
    return "\n".join(lines)


def _bot_words(bot: finding.Bot) -> str:
    if bot.flaw:
        return f"NOT A VALID BOT: {bot.flaw}"
    needs = f"needs {', '.join(bot.needs)}" if bot.needs else ""
    origin = bot.origin and f"asked over HTTP at {bot.origin}"
    language = bot.language and f"a program ({bot.language})"
    template = "the template: copy it" if bot.name == finding.TEMPLATE else ""
    author = bot.author and f"by {bot.author}"
    arguments = (bot.title, bot.version, author, language, origin, needs, template)
    return ", ".join(filter(None, arguments))


@info.command()
@click.pass_obj
def settings(options: MatchOptions) -> None:
    """List settings and resource limits.

    As a match would be played with them: of the game, config.toml, --preset and so on.
    """
    plan = planning.MatchPlan(options.request, read_configuration())
    click.echo(plan.settings_json() if options.prints_json else plan.settings_text())


@info.command()
@click.pass_obj
def sandbox(options: MatchOptions) -> None:
    """Show sandbox status.

    Every layer of it, and what can be put around each bot, is tried out on this machine.
    """
    failings = trials.failings_here()
    enclosures = trials.enclosures_here()
    known = languages.load_allowed_languages()
    if options.prints_json:
        click.echo(sandbox_json(failings, enclosures, known))
        return
    click.echo(sandbox_table(failings, enclosures))
    click.echo(languages_table(known))


def sandbox_json(
    failings: Failings, enclosures: Mapping[Level, str], known: languages.Languages
) -> str:
    """Return all that is shown, for scripts; a reason why something does not hold, or ''."""
    status = {
        "layers": {
            layer: {"holds": layer not in failings, "why_not": failings.get(layer, "")}
            for layer in Layer
        },
        "enclosures": {
            level: {"holds": not why, "why_not": why} for level, why in enclosures.items()
        },
        "is_root": is_root(),
        "own_programs": known.own_programs,
        "runtimes": {
            name: {"program": runtime.program, "weakens": runtime.weakens}
            for name, runtime in known.runtimes.items()
        },
        "toolchains": {name: tool.program for name, tool in known.toolchains.items()},
    }
    return msgspec.json.encode(status).decode()


def languages_table(known: languages.Languages) -> str:
    """Return what bots in other languages may be, and what each weakens of the sandbox."""
    found = (
        f"named by {languages.LANGUAGES_VARIABLE}"
        if languages.are_named()
        else f"found; {languages.LANGUAGES_VARIABLE} may name others"
    )
    own = OWN_PROGRAMS if known.own_programs else "not allowed"
    lines = ["", f"Bots in other languages ({found}):", f"  {'./program':<10} {own}"]
    lines += [
        f"  {name:<10} {runtime.program}: {runtime.weakens or 'weakens nothing'}"
        for name, runtime in known.runtimes.items()
    ]
    lines += [
        f"  built by   {', '.join(known.toolchains) or 'nothing'}; {BUILDS}",
        "  of all:",
        *(f"    {line}" for line in WEAKENED),
    ]
    return "\n".join(lines)


def sandbox_table(failings: Failings, enclosures: Mapping[Level, str]) -> str:
    """Return every layer and enclosure: whether it holds here, what for, and if not, why."""
    lines = []
    for layer in Layer:
        state = "does not hold" if layer in failings else "holds"
        lines.append(f"  {layer:<8} {state:<14} {PURPOSE[layer]}")
        if layer in failings:
            lines.append(f"  {'':<8} {'':<14} because: {failings[layer]}; a bot {DANGER[layer]}")
    lines += ["", "What can be put around each bot:"]
    for level, why in enclosures.items():
        state = "does not hold" if why else "holds"
        lines.append(f"  --sandbox {level:<7} {state:<14} {ENCLOSES[level]}")
        lines += [f"  {'':<17} {'':<14} because: {why}"] if why else []
    if is_root():
        lines.append("You are root: play untrusted bots as an ordinary user.")
    return "\n".join(["What confines a bot on this machine:", *lines])
