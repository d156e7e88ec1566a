"""What `debug` does: a bot in our process, and pdb at its first line in a recorded turn."""

from contextlib import ExitStack

import click

from cli.ask_run import Asked, answers_text, packages_of, question_of
from cli.options import MatchOptions
from engine.bots.finding import Bot, entry_of
from engine.bots.local_seat import LeftDebugger
from engine.play_options import PlayOptions
from engine.referee import no_breakpoints
from engine.replays.recorded_asks import RecordedAnswer
from runners.authoring.turn_debugger import TurnDebugger
from runners.authoring.workbench import Question, Workbench


def debug_turn(options: MatchOptions, asked: Asked) -> None:
    """Put a bot under the debugger, and print what it ordered. Raises: BadBot, BadReplay."""
    bot, question = question_of(options, asked)
    where = f"{bot.path} as team {question.team} in turn {asked.turns.start}"
    click.echo(f"{where}; h is help, q leaves", err=True)
    try:
        answers = _debugged(options, bot, question)
    except LeftDebugger:
        return
    click.echo(answers_text(question.replay, bot, question.team, answers))


def _debugged(options: MatchOptions, bot: Bot, question: Question) -> list[RecordedAnswer]:
    """Return what the bot ordered under the debugger. Raises: LeftDebugger."""
    debugger, answers = TurnDebugger(entry_of(bot.path)), list[RecordedAnswer]()
    with ExitStack() as stack, Workbench(options.out, PlayOptions(in_process=True)) as workbench:
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
