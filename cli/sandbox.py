"""Show what confines bots on this machine: the command `sandbox`."""

from __future__ import annotations

from collections.abc import Mapping

import click
import msgspec

from cli.options import MatchOptions
from engine.bots.sandbox import DANGER, ENCLOSES, PURPOSE, Failings, Layer, Level, is_root
from engine.support.lazy_import import lazy_imports

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots.programs import languages
    from engine.bots.sandbox import trials


OWN = "what was compiled: weakens nothing; with `threads = true` it may have threads"
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


@click.command()
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
    own = OWN if known.own_programs else "not allowed"
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
