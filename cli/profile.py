"""Show where a bot's time goes: the command `profile`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from cli.choices import complete_bots, option
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.game import Ask
from engine.result_folder import OutName
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize, write_time
from runners.commands import commands_for, place_words
from runners.configuration import read_configuration

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding
    from runners import lost_decisions, planning, starter_bots
    from runners.authoring import profile as profiles


WITHOUT_EFFECT = tuple(
    name for name in (*FOR_ONE_MATCH, *FOR_SERIES) if name not in ("shows_logs", "jobs")
)
FOLDER = OutName.PROFILES
"""The folder of profiles, in that of --out."""
MATCH_TIMEOUT_S = 60.0
FEW = 50
"""With fewer samples shares say little."""
SLOWEST_TURNS = 5
MAX_FUNCTIONS = 15
USUAL_SEED = 0


@click.command(epilog="Exit codes: 0 success, 2 wrong usage, 130 interrupted.")
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@option(
    "--against",
    metavar="BOT",
    help="The other bot; default: the first starter bot.",
)
@option(
    "--turns",
    type=click.IntRange(1),
    help="How much of the match is played; default: all of it, 60 seconds at most.",
)
@option(
    "--flame",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the flame graph is written: a .svg picture, or a .json for speedscope.app; "
    "default: a picture in the folder of results.",
)
@click.pass_context
def profile(
    context: click.Context, /, file: str, against: str | None, turns: int | None, flame: Path | None
) -> None:
    """Show where a bot's time goes.

    By function and by turn, with a flame graph, and the slowest positions, ready for `ask`. The
    bot plays a match in our process, without limits, and is looked at every half millisecond.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "profile plays a match of its own")
    options: MatchOptions = context.obj
    profile_bot(options, file, against, turns, flame)


def profile_bot(
    options: MatchOptions, file: str, against: str | None, turns: int | None, flame: Path | None
) -> None:
    """Play, and print where the time went. Raises: BadBot, EngineFailure, UsageError."""
    request = options.request
    if not against:
        own = finding.resolve(file, planning.bots_folder(options.game))
        against = str(starter_bots.find_rivals(own.path, options.game)[0])
    seed = USUAL_SEED if request.seed is None else request.seed
    plan = planning.MatchPlan(
        replace(request, players=(file, against), seed=seed), read_configuration()
    )
    job, bot = plan.make_job(), plan.bots[0]
    folder = options.out / FOLDER / bot.name
    found = profiles.profile(job, options.out, folder, turns=turns, seconds=MATCH_TIMEOUT_S)
    graph = flame or folder / "flame.svg"
    total_us = sum(turn.us for turn in found.by_turn)
    title = f"{found.bot} against {found.opponent}, {pluralize(found.turns, 'turn')}"
    profiles.write_flame_graph(graph, title, found.stacks, total_us)
    if options.prints_json:
        click.echo(_profile_json(found, graph))
    else:
        click.echo(_profile_text(options, bot, found, graph, total_us))


def _profile_json(found: profiles.Profile, graph: Path) -> str:
    fields = msgspec.to_builtins({**msgspec.structs.asdict(found), "stacks": None})
    del fields["stacks"]
    return msgspec.json.encode({**fields, "flame_graph": str(graph)}).decode()


def _profile_text(
    options: MatchOptions, bot: finding.Bot, found: profiles.Profile, graph: Path, total_us: int
) -> str:
    """Return the profile for people."""
    cpu = found.cpu
    took, median, p95, most = map(write_time, (total_us, cpu.median_us, cpu.p95_us, cpu.max_us))
    turns, calls = pluralize(found.turns, "turn"), pluralize(cpu.calls, "call")
    lines = [
        f"{found.bot} as team {found.team} against {found.opponent}: {turns}, {calls}, {took}",
        f"a call: median {median}, p95 {p95}, max {most}, in our process",
        *_fault_lines(options, bot, found),
        "",
        *_function_table(found),
        "",
        "the slowest turns:",
    ]
    for turn in sorted(found.by_turn, key=lambda turn: -turn.us)[:SLOWEST_TURNS]:
        calls = pluralize(turn.calls, "call")
        lines.append(f"  turn {turn.turn}: {write_time(turn.us)} in {calls}")
    commands = [
        f"  {write_time(call.us):>8}  {_ask(options, bot, found, call.turn, call.ask)}"
        for call in found.slowest
    ]
    lines += ["", "the slowest positions, to ask it again:", *commands]
    return "\n".join([*lines, "", f"the flame graph: {graph}"])


def _fault_lines(options: MatchOptions, bot: finding.Bot, found: profiles.Profile) -> list[str]:
    """Return what was lost by cause, with the command that shows the first fault."""
    return [
        f"{lost_decisions.forfeits_text({each.fault.cause: each.times})}: "
        f"{one_line(each.fault.detail)}; look at it: "
        f"{_ask(options, bot, found, each.turn, each.ask)}"
        for each in found.faults
    ]


def _function_table(found: profiles.Profile) -> list[str]:
    """Return the table of functions."""
    if not found.samples:
        return ["too quick to be looked at: play more turns, or a larger map (--preset, --set)"]
    lines = ["   self   total  function"]
    for each in found.functions[:MAX_FUNCTIONS]:
        function = each.function
        where = f"{one_line(function.file)}, line {function.line}"
        lines.append(
            f"  {each.self_share:5.1%}  {each.total_share:6.1%}  "
            f"{one_line(function.name)}  ({where})"
        )
    if found.samples < FEW:
        lines.append(
            f"  (only {pluralize(found.samples, 'sample')}: take these shares with caution)"
        )
    return lines


def _ask(
    options: MatchOptions, bot: finding.Bot, found: profiles.Profile, turn: int, ask: Ask
) -> str:
    """Return the command that asks the bot again what it was asked there."""
    place = place_words(turn, found.team, ask.piece_id)
    word = planning.word_for(bot.path, options.game)
    return commands_for(sys.argv[0], options.out).ask(word, found.replay, place)
