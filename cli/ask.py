"""Ask a bot what it would order in a recorded turn: the command `ask`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from cli.choices import complete_bots, option
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.errors import BadSettings, UsageError
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize, write_time

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import debug
    from cli import logs as bot_logs
    from engine import referee
    from engine.bots import finding, imports
    from engine.replays import reading, recorded_asks, writing
    from runners import planning
    from runners.authoring import positions as position_suites
    from runners.authoring import workbench as order_words
    from runners.authoring import workbench as workbenches
    from visualizer.model import story


WITHOUT_EFFECT = tuple(
    name
    for name in (*FOR_ONE_MATCH, *FOR_SERIES, "seed")
    if name not in ("shows_logs", "jobs", "in_process", "past_before")
)
OTHERWISE = 1
"""The exit code where something else is ordered than before, or than was expected."""
MAX_SAVED_ANSWERS = 10
"""More positions than that are kept by hand only."""
MATCH = option(
    "--match",
    metavar="MATCH",
    help="The recorded match: a replay, or the first letters of its key; default: the newest.",
)
TEAM = option(
    "--team",
    type=click.IntRange(1, 6),
    help="The team for which it decides; default: the one that a bot of its name played.",
)
FRESH = option(
    "--fresh",
    is_flag=True,
    help="Begin at that turn, as after a restart: quick, and the bot remembers nothing. Otherwise "
    "it is asked in all turns before as well.",
)


def turn_range(text: str) -> range:
    """Return some turns, typed as the first and the last. Raises: click.BadParameter."""
    first, dash, last = text.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise click.BadParameter(f"{text!r:.40}: expected two turns, such as 400-412")
    return range(int(first), int(last) + 1)


@click.command(
    epilog="Exit codes: 0 the same was ordered, or all positions are right, 1 not so, 2 wrong "
    "usage, 130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@MATCH
@option("--turn", type=click.IntRange(0), help="The turn in which the bot is asked.")
@option("--turns", type=turn_range, metavar="A-B", help="The same, for several turns.")
@option(
    "--debug",
    "debugs",
    is_flag=True,
    help="Stop at the first line of its decision in Python's debugger, in our process; without "
    "--turn in that of its first fault, or else where it lost the lead.",
)
@TEAM
@option("--piece", type=int, metavar="ID", help="Ask about this piece alone.")
@FRESH
@option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SUITE",
    help="Add what was asked to a suite of positions (TOML), with what it ordered as the best.",
)
@option(
    "--positions",
    "suite",
    type=click.Path(path_type=Path),
    metavar="SUITE",
    help="Ask it all positions of a suite, and compare with the orders that are expected there.",
)
@click.pass_context
def ask(
    context: click.Context,
    /,
    turn: int | None,
    debugs: bool,
    keep: Path | None,
    suite: Path | None,
    **values: Any,
) -> None:
    """Ask a bot what it would order in a recorded turn.

    It is shown beside what was ordered then, and nothing is played on. BOT is the bot as it is
    now, in a process of its own; with --in-process in ours, where breakpoint() works. It is also
    asked in all earlier turns, where breakpoint() is ignored.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "ask plays nothing")
    options: MatchOptions = context.obj
    asked = AskRequest(**values)
    if suite is not None:
        if any(one is not None for one in (turn, asked.turns, asked.match, keep)):
            raise UsageError("--positions has the matches and turns of its own")
        context.exit(ask_suite(options, asked.file, suite))
    if turn is not None and asked.turns is None:
        asked = replace(asked, turns=range(turn, turn + 1))
    elif turn is not None or not (asked.turns or debugs):
        raise UsageError(
            "name the turn: --turn 412, or --turns 400-412; or --debug, which finds its first "
            "fault, or where it lost the lead"
        )
    if not debugs:
        context.exit(ask_recorded(options, asked, keep))
    if len(asked.turns or (0,)) > 1 or keep is not None or options.prints_json:
        raise UsageError("--debug stops in one --turn: leave --turns, --keep and --json out")
    debug.debug_turn(options, asked)


class AskRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, as it was typed."""

    file: str
    match: str | None
    turns: range | None
    """None: that of its first fault, or in which it lost the lead."""
    team: int | None
    piece: int | None
    fresh: bool


def ask_recorded(options: MatchOptions, asked: AskRequest, keep: Path | None) -> int:
    """Print what a bot orders beside what was ordered, and return the exit code.

    What it orders is kept in a suite of positions, if one is named. Raises: BadBot, BadReplay,
    UsageError.
    """
    bot, question = load_question(options, asked)
    replay, team = question.replay, question.team
    answers, log = _collect_answers(options, bot, question)
    if options.prints_json:
        click.echo(msgspec.json.encode([_answer_to_json(answer) for answer in answers]).decode())
    else:
        click.echo(answers_text(replay, bot, team, answers))
    if options.shows_logs and log:
        click.echo(bot_logs.fold_tracebacks(log), err=True)
    if keep is not None:
        _save_positions(keep, replay, answers, bot)
    return 0 if all(answer.is_same for answer in answers) else OTHERWISE


def load_question(
    options: MatchOptions, asked: AskRequest
) -> tuple[finding.Bot, workbenches.Question]:
    """Return the bot that was named, and what it is to be asked. Raises: BadBot, BadReplay."""
    replay = (
        reading.Replay(reading.newest_replay(options.out))
        if asked.match is None
        else position_suites.find_replay(options.out, asked.match)
    )
    bot = finding.resolve(asked.file, planning.bots_folder(replay.spec.game))
    team = position_suites.choose_team(replay, asked.team, bot)
    return bot, workbenches.Question(
        replay=replay,
        team=team,
        turns=find_critical_turn(replay, team) if asked.turns is None else asked.turns,
        pieces=None if asked.piece is None else (asked.piece,),
        is_fresh=asked.fresh,
    )


def find_critical_turn(replay: reading.Replay, team: int) -> range:
    """Return the turn of a team's first fault; without one, that from which it was behind for good.

    Raises: UsageError where there is neither.
    """
    faults = (one for one in replay.asides if isinstance(one, writing.FaultAside))
    turn = min((fault.turn for fault in faults if fault.team == team), default=None)
    if turn is None:
        turn = story.losing_turn(replay.path, team - 1)
    if turn is None:
        raise UsageError(f"team {team} had no fault and lost no lead; name the turn: --turn 412")
    return range(turn, turn + 1)


def resolve_packages(options: MatchOptions) -> tuple[str, ...]:
    """Return the packages that were allowed. Raises: UsageError for one that is not installed."""
    packages = options.request.packages
    return imports.with_dependencies(packages) if packages else ()


def make_workbench(options: MatchOptions) -> workbenches.Workbench:
    """Return a workbench, as a context, for what was said of playing."""
    return workbenches.Workbench(options.out, options.run.play)


def _collect_answers(
    options: MatchOptions, bot: finding.Bot, question: workbenches.Question
) -> tuple[list[recorded_asks.RecordedAnswer], str]:
    """Return what the bot orders, and what it printed meanwhile."""
    logs: list[str] = []
    with make_workbench(options) as workbench, ExitStack() as silence:
        silence.enter_context(referee.disable_breakpoints())  # in the turns before
        asked = workbench.ask(
            bot,
            question,
            packages=resolve_packages(options),
            before_ask=lambda place: silence.close(),
            on_log=logs.append,
        )
        return list(asked), "".join(logs)


def answers_text(
    replay: reading.Replay, bot: finding.Bot, team: int, answers: list[recorded_asks.RecordedAnswer]
) -> str:
    """Return the answers for people, those that changed marked."""
    then = replay.bots[team - 1].name
    head = f"{bot.name} as team {team} of {one_line(replay.path)}, which {then} played"
    width = max(len(answer.place) for answer in answers)
    lines = [head, ""]
    for answer in answers:
        now = order_words.in_words(answer.now)
        took = f"  ({write_time(answer.us)})" if answer.us else ""
        place = f"  {answer.place:<{width}}  "
        logged = [f"  {'':<{width}}  {line.level}: {one_line(line.text)}" for line in answer.logged]
        if answer.is_same:
            lines += [f"{place}the same: {now}{took}", *logged]
            continue
        lines.append(f"{place}{click.style('now:', fg='yellow')}      {now}{took}")
        lines.append(f"  {'':<{width}}  recorded: {order_words.in_words(answer.recorded)}")
        if between := order_words.describe_difference(answer.recorded, answer.now):
            lines.append(f"  {'':<{width}}  {between}")
        lines += logged
    changed = sum(not answer.is_same for answer in answers)
    lines += ["", f"{pluralize(len(answers), 'decision')}, {changed} of them changed"]
    return "\n".join(lines)


def _answer_to_json(answer: recorded_asks.RecordedAnswer) -> dict[str, object]:
    return {
        "turn": answer.turn,
        "team": answer.ask.team,
        "piece": answer.ask.piece_id,
        "recorded": recorded_asks.as_data(answer.recorded),
        "now": recorded_asks.as_data(answer.now),
        "is_same": answer.is_same,
        "us": answer.us,
        "logged": [f"{line.level}: {line.text}" for line in answer.logged],
    }


def _save_positions(
    path: Path,
    replay: reading.Replay,
    answers: list[recorded_asks.RecordedAnswer],
    bot: finding.Bot,
) -> None:
    """Add positions to a suite. Raises: BadSettings for too many at once."""
    if len(answers) > MAX_SAVED_ANSWERS:
        raise BadSettings(
            f"--keep: {len(answers)} decisions are too many at once ({MAX_SAVED_ANSWERS}); name "
            "one turn, and a --piece"
        )
    orders = [answer for answer in answers if order_words.is_order(answer.now)]
    if not orders:
        raise BadSettings(f"--keep: {bot.name} ordered nothing there that could be expected")
    for answer in orders:
        position_suites.save_position(path, replay, answer, bot.name)
    click.echo(f"kept {pluralize(len(orders), 'position')} in {path}: say there what is best")


def ask_suite(options: MatchOptions, file: str, suite: Path) -> int:
    """Print what a bot orders in each position, and return the exit code.

    Raises: BadBot, BadReplay, BadSettings.
    """
    positions = position_suites.read_positions(suite)
    if not positions:
        raise BadSettings(f"{suite}: has no position; `ask --keep {suite}` writes one down")
    bot = finding.resolve(file, planning.bots_folder(reading.Replay(positions[0].replay).spec.game))
    with make_workbench(options) as workbench:
        answers = list(
            position_suites.ask_positions(workbench, bot, positions, resolve_packages(options))
        )
    right = sum(answer.is_right for answer in answers)
    if options.prints_json:
        click.echo(msgspec.json.encode(answers).decode())
    else:
        for answer in answers:
            color = "green" if answer.is_right else "red"
            mark = click.style("right" if answer.is_right else "WRONG", fg=color)
            click.echo(f"  {mark}  {one_line(answer.position)}: {one_line(answer.why)}")
        click.echo(f"\n{right} of {pluralize(len(answers), 'position')} right")
    return 0 if right == len(answers) else OTHERWISE
