"""What `profile` does: a match is played and sampled, and what that says is printed."""

import sys
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from cli.fault_lines import forfeits_text
from cli.match_summary import time_in_words
from cli.options import MatchOptions
from engine.bots.finding import Bot, resolve
from engine.game import Ask
from engine.support.sanitizing import one_line
from engine.support.wording import counted
from runners.authoring.flame_graph import write_flame_graph
from runners.authoring.profile import Profile
from runners.authoring.profile import profile as run_profile
from runners.commands import commands_for, place_words
from runners.configuration import read_configuration
from runners.planning import MatchPlan, bots_folder
from runners.starter_bots import rivals_of

FOLDER = "profiles"
"""The folder of profiles, in that of --out."""
LONGEST_S = 60.0
FEW = 50
"""With fewer samples shares say little."""
SLOWEST_TURNS = 5
MOST_FUNCTIONS = 15
USUAL_SEED = 0


def profile_bot(
    options: MatchOptions, file: str, against: str | None, turns: int | None, flame: Path | None
) -> None:
    """Play, and print where the time went. Raises: BadBot, EngineFailure, UsageError."""
    request = options.request
    rival = against or _rival(options, file)
    seed = USUAL_SEED if request.seed is None else request.seed
    plan = MatchPlan(replace(request, players=(file, rival), seed=seed), read_configuration())
    job, bot = plan.job(), plan.bots[0]
    folder = options.out / FOLDER / bot.name
    found = run_profile(job, options.out, folder, turns=turns, seconds=LONGEST_S)
    graph = flame or folder / "flame.svg"
    total_us = sum(turn.us for turn in found.by_turn)
    title = f"{found.bot} against {found.opponent}, {counted(found.turns, 'turn')}"
    write_flame_graph(graph, title, found.stacks, total_us)
    if options.prints_json:
        click.echo(_as_json(found, graph))
    else:
        click.echo(_as_text(options, bot, found, graph, total_us))


def _rival(options: MatchOptions, file: str) -> str:
    """Return a bot to play against: the weakest starter bot, or itself. Raises: BadBot."""
    bot = resolve(file, bots_folder(options.game))
    return str(rivals_of(bot.path, options.game)[0])


def _as_json(found: Profile, graph: Path) -> str:
    fields = msgspec.to_builtins({**msgspec.structs.asdict(found), "stacks": None})
    del fields["stacks"]
    return msgspec.json.encode({**fields, "flame_graph": str(graph)}).decode()


def _as_text(options: MatchOptions, bot: Bot, found: Profile, graph: Path, total_us: int) -> str:
    """Return the profile for people."""
    cpu = found.cpu
    took, median, p95, most = map(time_in_words, (total_us, cpu.median_us, cpu.p95_us, cpu.max_us))
    turns, calls = counted(found.turns, "turn"), counted(cpu.calls, "call")
    lines = [
        f"{found.bot} as team {found.team} against {found.opponent}: {turns}, {calls}, {took}",
        f"a call: median {median}, p95 {p95}, max {most}, in our process",
        *_faults(options, bot, found),
        "",
        *_functions(found),
        "",
        "the slowest turns:",
    ]
    for turn in sorted(found.by_turn, key=lambda turn: -turn.us)[:SLOWEST_TURNS]:
        calls = counted(turn.calls, "call")
        lines.append(f"  turn {turn.turn}: {time_in_words(turn.us)} in {calls}")
    lines += ["", "the slowest positions, to ask it again:", *_positions(options, bot, found)]
    return "\n".join([*lines, "", f"the flame graph: {graph}"])


def _faults(options: MatchOptions, bot: Bot, found: Profile) -> list[str]:
    """Return what was lost by cause, with the command that shows the first fault."""
    return [
        f"{forfeits_text({each.fault.cause: each.times})}: {one_line(each.fault.detail)}; look at "
        f"it: {_ask(options, bot, found, each.turn, each.ask)}"
        for each in found.faults
    ]


def _functions(found: Profile) -> list[str]:
    """Return the table of functions."""
    if not found.samples:
        return ["too quick to be looked at: play more turns, or a larger map (--preset, --set)"]
    lines = ["   self   total  function"]
    for each in found.functions[:MOST_FUNCTIONS]:
        function = each.function
        where = f"{one_line(function.file)}, line {function.line}"
        lines.append(
            f"  {each.self_share:5.1%}  {each.total_share:6.1%}  "
            f"{one_line(function.name)}  ({where})"
        )
    if found.samples < FEW:
        lines.append(f"  (only {counted(found.samples, 'sample')}: take these shares with caution)")
    return lines


def _positions(options: MatchOptions, bot: Bot, found: Profile) -> list[str]:
    """Return the commands that ask the bot again what took longest."""
    return [
        f"  {time_in_words(call.us):>8}  {_ask(options, bot, found, call.turn, call.ask)}"
        for call in found.slowest
    ]


def _ask(options: MatchOptions, bot: Bot, found: Profile, turn: int, ask: Ask) -> str:
    """Return the command that asks the bot again what it was asked there."""
    place = place_words(turn, found.team, ask.piece_id)
    return commands_for(sys.argv[0], options.out).ask(str(bot.path), found.replay, place)
