"""The bot's end of the pipe: load, fold events, call the player, answer."""

import gc
import os
import random
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from os import _exit as end_process  # before a bot can put something else into `os`
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import msgspec

from engine.bot_output_api import NO_OUTPUT, NoteTaker
from engine.bots import sandbox
from engine.bots.hosting import make_host
from engine.bots.imports import ImportGate, SeededNumpy
from engine.bots.loading import CannotStart, find_cause, in_words, own_frames, place_in
from engine.bots.log import BotLog
from engine.bots.programs.becoming import STDOUT, Program, become, why_not
from engine.bots.sandbox import Confinement
from engine.bots.wire import (
    BROKEN_STATUS,
    OUT_OF_MEMORY_STATUS,
    SHORT_BYTES,
    START_NONCE,
    NotPlain,
    Problem,
    Reply,
    Start,
    to_plain_value,
)
from engine.catalog import find_game, find_package_code
from engine.fault import Cause
from engine.game import AnyGame, Event, Host, State
from engine.streams import seed_words
from engine.support.sanitizing import one_line

INTERRUPT_SIGNAL = signal.SIGUSR1 if hasattr(signal, "SIGUSR1") else None
READ_BYTES = 1 << 16

encode = msgspec.json.Encoder().encode
decode_start = msgspec.json.Decoder(Start).decode

Asked = tuple[int, list[Event], int, object]
"""A nonce, what happened, the piece that is asked, and what it is shown besides."""


class OutOfTime(BaseException):
    """The engine's interrupt. No Exception, so that a bot's `except Exception` lets it through."""


def serve(reader: int, writer: int, log: int, ruleset: int | None = None) -> NoReturn:
    """Be a worker until the engine goes away; never returns to the caller.

    `ruleset`: see sandbox.confine.
    """
    status = BROKEN_STATUS
    try:
        Worker(reader, writer, log, ruleset).run()
        status = 0
    except (EOFError, BrokenPipeError):
        status = 0  # the match is over
    except MemoryError:
        status = OUT_OF_MEMORY_STATUS
    except BaseException as error:
        with suppress(BaseException):  # the bot may have closed its log, or changed Python
            os.write(log, f"worker: {error!r}\n".encode())
    finally:
        end_process(status)


class Worker:
    """One team's bot in one match."""

    def __init__(self, reader: int, writer: int, log: int, ruleset: int | None) -> None:
        self._reader = reader
        self._writer = writer
        self._ruleset = ruleset
        self._log_descriptor = log
        self._log = BotLog(log)
        self._is_thinking = False

    def run(self) -> None:
        """Make the player, then answer asks until the pipe closes (EOFError)."""
        start = decode_start(self._read())
        if start.program is not None:
            self._exec_program(start.program, start.confinement)
        entry = Path(start.bot)
        game = find_game(start.game)
        state = state_decoder(game).decode(start.state)
        self._settle_in(start, entry.parent)
        self._notes = NoteTaker(is_kept=True)
        try:
            host = make_host(
                game,
                state,
                entry,
                start.name,
                team=start.team,
                limits=start.limits,
                notes=self._notes,
            )
        except CannotStart as problem:
            self._log.write_text(problem.report)
            self._send(Reply(START_NONCE, None, Problem(problem.cause, one_line(problem.detail))))
            return
        self._log.place = host.place
        self._send(Reply(START_NONCE))
        self._answer_all(host, state.apply, ask_decoder(game), start)

    def _exec_program(self, program: Program, confinement: Confinement) -> NoReturn:
        """Turn into a program; tell the engine why, if that cannot be done."""
        try:
            become(program, confinement, self._reader, self._writer, self._log_descriptor)
        except OSError as error:
            detail = f"{program.arguments[0]} cannot be executed: {why_not(error)}"
            line = encode(Reply(START_NONCE, None, Problem(Cause.LOAD_ERROR, one_line(detail))))
            os.write(STDOUT, line + b"\n")
        end_process(BROKEN_STATUS)

    def _settle_in(self, start: Start, folder: Path) -> None:
        """Prepare all that must be in place before any line of the bot runs."""
        reads = (folder, *find_package_code(start.game))
        sandbox.confine(start.confinement, *reads, ruleset=self._ruleset)
        sys.stdout = sys.__stdout__ = self._log.open_stream()  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self._log.open_stream()  # type: ignore[misc]
        sys.argv = [start.bot]  # ours means nothing to a bot
        if INTERRUPT_SIGNAL is not None:
            signal.signal(INTERRUPT_SIGNAL, self._interrupt)
        sys.meta_path.insert(0, ImportGate(folder, start.packages, start.name))
        _seed_chance(start.seed)
        # What is there before the bot is never looked through again in its time.
        gc.collect()
        gc.freeze()

    def _answer_all(
        self,
        host: Host,
        apply: Callable[[Event], None],
        decoder: "msgspec.json.Decoder[Asked]",
        start: Start,
    ) -> None:
        decode, decide, log, notes = decoder.decode, host.decide, self._log, self._notes
        reader = self._reader
        while True:
            line = os.read(reader, SHORT_BYTES)  # not bound before: a bot may replace it
            line = line if line[-1:] == b"\n" else self._read(line)
            nonce, events, piece_id, view = decode(line)
            for event in events:
                apply(event)
            log.asked_piece_id = piece_id
            interrupt = None
            try:
                self._is_thinking = True
                answer = decide(piece_id, view)
                self._is_thinking = False
                sent = answer if type(answer) is str else to_plain_value(answer)
                noted = notes.take()
                line = encode((nonce, sent) if noted is NO_OUTPUT else (nonce, sent, None, noted))
            except BaseException as error:
                # No call before this line: an interrupt that comes now must find it done.
                was_thinking, self._is_thinking = self._is_thinking, False
                # A bot may raise it itself, and then still is thinking.
                interrupt = error if type(error) is OutOfTime and not was_thinking else None
                problem = self._explain_error(error, start, has_answered=not was_thinking)
                line = encode(Reply(nonce, None, problem, self._take_notes()))
            os.write(self._writer, line + b"\n")
            if interrupt is not None:
                # Not before the answer: to tell the whole story takes longer than an interrupted
                # call may take to come back.
                log.write_text(own_frames(interrupt, Path(start.bot), start.name))

    def _explain_error(self, error: BaseException, start: Start, *, has_answered: bool) -> Problem:
        """Return what stood between the bot and its answer; the whole story goes to its log.

        It survives an exception made to be unreadable, and a bot that changed Python itself.
        """
        try:
            entry = Path(start.bot)
            if has_answered and type(error) is OutOfTime:  # the engine has its own words for it
                return Problem(Cause.EXCEPTION, one_line(place_in(error, entry, start.name)))
            message = one_line(in_words(error, entry, start.name))
            if type(error) is NotPlain:
                return Problem(Cause.UNREADABLE, one_line(error))
            if has_answered:
                return Problem(Cause.UNREADABLE, f"an answer cannot be sent: {message}")
            self._log.write_text(own_frames(error, entry, start.name))
            return Problem(find_cause(error, Cause.EXCEPTION), message)
        except MemoryError:
            return Problem(Cause.OUT_OF_MEMORY, "and none left to say where")
        except BaseException:
            return Problem(Cause.EXCEPTION, "one that cannot be read")

    def _take_notes(self) -> msgspec.Raw:
        """Return what the bot noted before it failed, as far as it left that as it was."""
        try:
            return self._notes.take()
        except BaseException:
            return NO_OUTPUT

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        if self._is_thinking:
            self._is_thinking = False
            raise OutOfTime

    def _read(self, line: bytes = b"") -> bytes:
        """Return the next line, which begins so. Raises: EOFError when the engine is gone."""
        while not line.endswith(b"\n"):
            more = os.read(self._reader, READ_BYTES)
            if not more:
                raise EOFError
            line += more
        return line

    def _send(self, reply: Reply) -> None:
        os.write(self._writer, encode(reply) + b"\n")


@cache
def state_decoder(game: AnyGame) -> "msgspec.json.Decoder[State]":
    """Return the decoder of a board. Making a decoder takes longer than using it."""
    decoder: msgspec.json.Decoder[State] = msgspec.json.Decoder(game.state)
    return decoder


@cache
def ask_decoder(game: AnyGame) -> "msgspec.json.Decoder[Asked]":
    """Return the decoder of `[nonce, events, piece_id, view]`."""
    return msgspec.json.Decoder(tuple[int, list[game.event], int, Any])  # type: ignore[name-defined]


def _seed_chance(seed: int) -> None:
    """Seed the bot's own chance: the same in every playing of the match."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is None:
        sys.meta_path.insert(0, SeededNumpy(seed_words(seed)))
    else:
        numpy.random.seed(seed_words(seed))
