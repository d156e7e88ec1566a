"""Debug a bot in a recorded turn with Python's debugger: `ask --debug`."""

from __future__ import annotations

import pdb
import sys
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

import click

from cli.options import MatchOptions
from engine.bot_modules import is_own_file
from engine.play_options import PlayOptions
from engine.support.lazy_import import lazy_imports
from engine.support.typed_commands import shorten_path

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import ask
    from engine import referee
    from engine.bots import finding, local_seat
    from engine.replays import recorded_asks
    from runners.authoring import workbench as workbenches


NOT_A_DECISION = ("<module>", "__init__")
"""What runs of a bot's file when an object of its is made."""


def debug_turn(options: MatchOptions, asked: ask.AskRequest) -> None:
    """Put a bot under the debugger, and print what it ordered. Raises: BadBot, BadReplay."""
    bot, question = ask.load_question(options, asked)
    where = f"{shorten_path(bot.path)} as team {question.team} in turn {question.turns.start}"
    click.echo(f"{where}; h is help, q leaves", err=True)
    try:
        answers = _run_debugger(options, bot, question)
    except local_seat.LeftDebugger:
        return
    click.echo(ask.answers_text(question.replay, bot, question.team, answers))


def _run_debugger(
    options: MatchOptions, bot: finding.Bot, question: workbenches.Question
) -> list[recorded_asks.RecordedAnswer]:
    """Return what the bot ordered under the debugger. Raises: LeftDebugger."""
    debugger = TurnDebugger(finding.find_entry_file(bot.path))
    answers = list[recorded_asks.RecordedAnswer]()
    with (
        ExitStack() as stack,
        workbenches.Workbench(options.out, PlayOptions(in_process=True)) as workbench,
    ):
        silence = stack.enter_context(ExitStack())
        silence.enter_context(referee.disable_breakpoints())

        def before_ask(place: str) -> None:
            silence.close()
            click.echo(f"\n{place}", err=True)
            debugger.wait_for_ask()

        stack.callback(debugger.stop_watching)
        asked = workbench.ask(
            bot, question, packages=ask.resolve_packages(options), before_ask=before_ask
        )
        for answer in asked:
            debugger.stop_watching()
            answers.append(answer)
    return answers


class TurnDebugger(pdb.Pdb):
    """Stops at the first line of a bot's own that an ask calls; then it is pdb as always."""

    def __init__(self, entry: Path) -> None:
        """`entry` is the bot's file that is loaded."""
        # With streams of its own pdb edits no lines: a person needs that, a script does not.
        streams = {} if sys.stdin.isatty() else {"stdin": sys.stdin, "stdout": sys.stdout}
        super().__init__(**streams)  # type: ignore[arg-type]
        self.prompt = "(debug) "
        self._entry = entry
        self._is_waiting = False

    def wait_for_ask(self) -> None:
        """Stop in the bot's code that is called next."""
        self.reset()
        self._is_waiting = True
        sys.settrace(self.trace_dispatch)

    def stop_watching(self) -> None:
        """Watch nothing any more: the ask is over."""
        self._is_waiting = False
        sys.settrace(None)

    def stop_here(self, frame: FrameType) -> bool:
        if not self._is_waiting:
            return bool(super().stop_here(frame))
        return self._is_decision(frame)

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        """Stop on the first line of the method, and not before it."""
        if not self._is_waiting:
            super().user_call(frame, argument_list)

    def user_line(self, frame: FrameType) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self.set_step()
        super().user_line(frame)

    def _is_decision(self, frame: FrameType) -> bool:
        """Return whether the engine calls a method of the bot here."""
        code, caller = frame.f_code, frame.f_back
        is_own = is_own_file(code.co_filename, self._entry) and code.co_name not in NOT_A_DECISION
        return is_own and caller is not None and not self._is_own(caller)

    def _is_own(self, frame: FrameType) -> bool:
        return is_own_file(frame.f_code.co_filename, self._entry)
