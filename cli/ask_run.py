"""What `ask` does: a bot is put before recorded turns, or a suite of positions."""

from contextlib import ExitStack
from pathlib import Path

import click
import msgspec

from cli.logs import folded
from cli.match_summary import time_in_words
from cli.options import MatchOptions
from engine.bots.finding import Bot, resolve
from engine.bots.imports import with_dependencies
from engine.errors import BadSettings
from engine.referee import no_breakpoints
from engine.replays.reading import Replay, newest_replay
from engine.replays.recorded_asks import RecordedAnswer, as_data
from engine.support.sanitizing import one_line
from engine.support.wording import counted
from runners.authoring.orders import difference, in_words, is_order
from runners.authoring.positions import ask_positions, keep_position, read_positions
from runners.authoring.recorded import find_replay, team_of
from runners.authoring.workbench import Question, Workbench
from runners.planning import bots_folder

OTHERWISE = 1
"""The exit code where something else is ordered than before, or than was expected."""
MOST_KEPT = 10
"""More positions than that are kept by hand only."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, as it was typed."""

    file: str
    match: str | None
    turns: range
    team: int | None
    piece: int | None
    is_fresh: bool


def ask_recorded(options: MatchOptions, asked: Asked, keep: Path | None) -> int:
    """Print what a bot orders beside what was ordered, and return the exit code.

    What it orders is kept in a suite of positions, if one is named. Raises: BadBot, BadReplay,
    UsageError.
    """
    bot, question = question_of(options, asked)
    replay, team = question.replay, question.team
    answers, log = _answers(options, bot, question)
    if options.prints_json:
        click.echo(msgspec.json.encode([_as_json(answer) for answer in answers]).decode())
    else:
        click.echo(answers_text(replay, bot, team, answers))
    if options.shows_logs and log:
        click.echo(folded(log), err=True)
    if keep is not None:
        _keep(keep, replay, answers, bot)
    return 0 if all(answer.is_same for answer in answers) else OTHERWISE


def question_of(options: MatchOptions, asked: Asked) -> tuple[Bot, Question]:
    """Return the bot that was named, and what it is to be asked. Raises: BadBot, BadReplay."""
    replay = (
        Replay(newest_replay(options.out))
        if asked.match is None
        else find_replay(options.out, asked.match)
    )
    bot = resolve(asked.file, bots_folder(replay.spec.game))
    return bot, Question(
        replay=replay,
        team=team_of(replay, asked.team, bot),
        turns=asked.turns,
        pieces=None if asked.piece is None else (asked.piece,),
        is_fresh=asked.is_fresh,
    )


def packages_of(options: MatchOptions) -> tuple[str, ...]:
    """Return the packages that were allowed. Raises: UsageError for one that is not installed."""
    packages = options.request.packages
    return with_dependencies(packages) if packages else ()


def workbench_of(options: MatchOptions) -> Workbench:
    """Return a workbench, as a context, for what was said of playing."""
    return Workbench(options.out, options.run.play)


def _answers(
    options: MatchOptions, bot: Bot, question: Question
) -> tuple[list[RecordedAnswer], str]:
    """Return what the bot orders, and what it printed meanwhile."""
    logs: list[str] = []
    with workbench_of(options) as workbench, ExitStack() as silence:
        silence.enter_context(no_breakpoints())  # in the turns before
        asked = workbench.ask(
            bot,
            question,
            packages=packages_of(options),
            before_ask=lambda place: silence.close(),
            on_log=logs.append,
        )
        return list(asked), "".join(logs)


def answers_text(replay: Replay, bot: Bot, team: int, answers: list[RecordedAnswer]) -> str:
    """Return the answers for people, those that changed marked."""
    then = replay.bots[team - 1].name
    head = f"{bot.name} as team {team} of {one_line(replay.path)}, which {then} played"
    width = max(len(answer.place) for answer in answers)
    lines = [head, ""]
    for answer in answers:
        now = in_words(answer.now)
        took = f"  ({time_in_words(answer.us)})" if answer.us else ""
        place = f"  {answer.place:<{width}}  "
        logged = [f"  {'':<{width}}  {line.level}: {one_line(line.text)}" for line in answer.logged]
        if answer.is_same:
            lines += [f"{place}the same: {now}{took}", *logged]
            continue
        lines.append(f"{place}{click.style('now:', fg='yellow')}      {now}{took}")
        lines.append(f"  {'':<{width}}  recorded: {in_words(answer.recorded)}")
        if between := difference(answer.recorded, answer.now):
            lines.append(f"  {'':<{width}}  {between}")
        lines += logged
    changed = sum(not answer.is_same for answer in answers)
    lines += ["", f"{counted(len(answers), 'decision')}, {changed} of them changed"]
    return "\n".join(lines)


def _as_json(answer: RecordedAnswer) -> dict[str, object]:
    return {
        "turn": answer.turn,
        "team": answer.ask.team,
        "piece": answer.ask.piece_id,
        "recorded": as_data(answer.recorded),
        "now": as_data(answer.now),
        "is_same": answer.is_same,
        "us": answer.us,
        "logged": [f"{line.level}: {line.text}" for line in answer.logged],
    }


def _keep(path: Path, replay: Replay, answers: list[RecordedAnswer], bot: Bot) -> None:
    """Add positions to a suite. Raises: BadSettings for too many at once."""
    if len(answers) > MOST_KEPT:
        raise BadSettings(
            f"--keep: {len(answers)} decisions are too many at once ({MOST_KEPT}); name one turn, "
            "and a --piece"
        )
    orders = [answer for answer in answers if is_order(answer.now)]
    if not orders:
        raise BadSettings(f"--keep: {bot.name} ordered nothing there that could be expected")
    for answer in orders:
        keep_position(path, replay, answer, bot.name)
    click.echo(f"kept {counted(len(orders), 'position')} in {path}: say there what is best")


def ask_suite(options: MatchOptions, file: str, suite: Path) -> int:
    """Print what a bot orders in each position, and return the exit code.

    Raises: BadBot, BadReplay, BadSettings.
    """
    positions = read_positions(suite)
    if not positions:
        raise BadSettings(f"{suite}: has no position; `ask --keep {suite}` writes one down")
    bot = resolve(file, bots_folder(Replay(positions[0].replay).spec.game))
    with workbench_of(options) as workbench:
        answers = list(ask_positions(workbench, bot, positions, packages_of(options)))
    right = sum(answer.is_right for answer in answers)
    if options.prints_json:
        click.echo(msgspec.json.encode(answers).decode())
    else:
        for answer in answers:
            color = "green" if answer.is_right else "red"
            mark = click.style("right" if answer.is_right else "WRONG", fg=color)
            click.echo(f"  {mark}  {one_line(answer.position)}: {one_line(answer.why)}")
        click.echo(f"\n{right} of {counted(len(answers), 'position')} right")
    return 0 if right == len(answers) else OTHERWISE
