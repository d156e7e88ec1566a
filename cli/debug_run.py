"""What `debug` does: a bot in our process, and pdb at its first line in a recorded turn."""

from contextlib import ExitStack

import click
import msgspec

from cli.ask_run import answers_text, packages_of, recorded_match
from cli.options import MatchOptions
from engine.bots.finding import Bot, entry_of, resolve
from engine.bots.local_seat import LeftDebugger
from engine.errors import BadBot
from engine.recorded_asks import RecordedAnswer
from engine.referee import no_breakpoints
from engine.replay import Replay
from runners.authoring.recorded import team_of
from runners.authoring.turn_debugger import TurnDebugger
from runners.authoring.workbench import Question, Workbench
from runners.planning import bots_folder


class Debugged(msgspec.Struct, frozen=True, kw_only=True):
    """What is debugged, as it was typed."""

    match: str
    turn: int
    team: int | None
    file: str | None
    piece: int | None
    is_fresh: bool


def debug_turn(options: MatchOptions, debugged: Debugged) -> None:
    """Put a bot under the debugger, and print what it ordered. Raises: BadBot, BadReplay."""
    replay = recorded_match(options, debugged.match)
    folder = bots_folder(replay.spec.game)
    said = None if debugged.file is None else resolve(debugged.file, folder)
    team = team_of(replay, debugged.team, said, folder)
    bot = said or _recorded_bot(replay, team)
    question = Question(
        replay=replay,
        team=team,
        turns=range(debugged.turn, debugged.turn + 1),
        pieces=None if debugged.piece is None else (debugged.piece,),
        is_fresh=debugged.is_fresh,
    )
    click.echo(f"{bot.path} as team {team} in turn {debugged.turn}; h is help, q leaves", err=True)
    try:
        answers = _debugged(options, bot, question)
    except LeftDebugger:
        return
    click.echo(answers_text(replay, bot, team, answers))


def _recorded_bot(replay: Replay, team: int) -> Bot:
    """Return the bot of the name that is recorded, as it is now. Raises: BadBot."""
    name = replay.bots[team - 1].name
    try:
        return resolve(name, bots_folder(replay.spec.game))
    except BadBot as error:
        raise BadBot(f"team {team} was played by {name}: {error}; name your file: --bot") from error


def _debugged(options: MatchOptions, bot: Bot, question: Question) -> list[RecordedAnswer]:
    """Return what the bot ordered under the debugger. Raises: LeftDebugger."""
    debugger, answers = TurnDebugger(entry_of(bot.path)), list[RecordedAnswer]()
    with ExitStack() as stack, Workbench(options.out, in_process=True) as workbench:
        silence = stack.enter_context(ExitStack())
        silence.enter_context(no_breakpoints())

        def before_ask(place: str) -> None:
            silence.close()
            click.echo(f"\n{place}", err=True)
            debugger.wait_for_ask()

        stack.callback(debugger.leave)
        asked = workbench.ask(bot, question, packages=packages_of(options), before_ask=before_ask)
        for answer in asked:
            debugger.leave()
            answers.append(answer)
    return answers
