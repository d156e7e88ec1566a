"""The engine's end of a program: the seat of a bot in any language."""

import os
import re
import time
from functools import cached_property
from pathlib import Path

import msgspec

from engine.bots.channel import Closed, TooLong
from engine.bots.clock import Hung
from engine.bots.launching import Launcher, Process
from engine.bots.log import MAX_LOG_BYTES, read_part
from engine.bots.process_seat import (
    ProcessSeat,
    SeatConfig,
    decode_reply,
    fault_from_status,
    fault_of_loading,
)
from engine.bots.process_start import Needs
from engine.bots.programs.becoming import Program
from engine.bots.programs.building import BuildFailed
from engine.bots.programs.builds import Builds
from engine.bots.programs.languages import NotAllowed
from engine.bots.programs.manifest import MANIFEST, BadManifest, read_manifest
from engine.bots.programs.protocol import (
    NONCE_BITS,
    VERSION,
    Answer,
    EventAsk,
    Failed,
    Hello,
    Interrupt,
    Interrupts,
    Misspoken,
    Ready,
    Said,
    SnapshotAsk,
    Start,
    Wants,
    abbreviate_line,
    message_in,
)
from engine.bots.wire import Problem, Reply
from engine.bots.wire import Start as WorkerStart
from engine.catalog import find_game
from engine.errors import EngineFailure
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask
from engine.streams import derive_seed, seed_text
from engine.support.sanitizing import one_line, printable_lines

SHOWN_LETTERS = 120
"""How much is shown of a line of a log."""
LAST_BYTES = 4_000
"""How much of a log is looked through for a line that says why."""
ERROR_WORDS = re.compile(r"error|exception|panic|fatal|assert", re.IGNORECASE)
MAX_TASKS = 80
"""Processes and threads of a program: Java starts some fifteen, Go and Node ten."""
KILLED_FOR_STARTING = "SIGSYS"
"""What ends a program that starts another one."""
STDOUT_HINT = "what a program writes to standard output is for the engine; print to standard error"
FLUSH_HINT = "flush standard output after every line"

ANSWERS: "tuple[type[Answer] | type[Failed], ...]" = (Answer, Failed)

encode = msgspec.json.Encoder().encode


class ProgramSeat(ProcessSeat):
    """One bot that is a program, in a process of its own, for one match.

    One that may have threads is stopped whenever it is not asked: none of them thinks on its
    opponents' time. One without is judged as a bot in Python is: by its CPU clock at the next ask.
    """

    def __init__(self, config: SeatConfig, launcher: Launcher, builds: Builds) -> None:
        super().__init__(config, launcher)
        self._builds = builds
        self._reply_of = self._reply_in
        self._hello = Hello(protocol=VERSION)
        self._program: Program | None = None
        self.build_s = 0.0
        """How long it took to build it, or to find what was built, seconds."""
        next_number = self._next_nonce
        self._next_nonce = lambda: (next_number() >> (64 - NONCE_BITS)) or 1

    # -- starting ---------------------------------------------------------------------------

    def _start(self) -> None:
        began = time.perf_counter()
        self._program, fault = self._find_program()
        self.build_s = time.perf_counter() - began
        if fault is None:
            assert self._program is not None
            self._is_stopped_between |= self._program.has_threads
            super()._start()
        else:
            self._fault = self.out = fault

    def _find_program(self) -> tuple[Program | None, Fault | None]:
        """Return what is to be executed, or why there is nothing."""
        config, folder = self.config, self.config.bot.parent
        if os.name != "posix":
            return None, Fault(Cause.BUILD_ERROR, "programs are played on Linux and macOS alone")
        try:
            game = read_manifest((folder / MANIFEST).read_bytes()).game
            if game != config.game:
                message = f"{MANIFEST}: it plays {game}, and this is a match of {config.game}"
                return None, Fault(Cause.WRONG_TYPE, one_line(message))
            failings = self._launcher.failings
            digest = folder.parent.name
            return self._builds.program(digest, folder, self._limits, failings), None
        except BuildFailed as error:
            self._note(error.output)
            return None, Fault(Cause.BUILD_ERROR, one_line(error))
        except (BadManifest, NotAllowed) as error:
            return None, Fault(Cause.BUILD_ERROR, one_line(error))

    def _note(self, output: str) -> None:
        """Put what a build said where its author looks: into the bot's log."""
        if output:
            with self.config.log.open("a", encoding="utf-8") as log:
                log.write(printable_lines(output))

    def _worker_needs(self) -> Needs:
        assert self._program is not None
        program = self._program
        reads = (program.file, program.folder, *program.reads)
        return Needs(tuple(map(Path, reads)), self._limits.memory_mb, tasks=MAX_TASKS)

    def _start_message(self) -> WorkerStart:
        message = super()._start_message()
        message.program, message.state = self._program, msgspec.Raw(b"null")
        return message

    def _await_ready(self, process: Process) -> None:
        """Hear the hello, tell it the match, and wait until it is ready: all on the load budget."""
        try:
            self._fault = self._shake_hands(process)
            if self._fault is None:
                self._judge.forgive()
        except Hung:
            message = f"not ready after {self._limits.load_ms} ms; {self._describe_received()}"
            self._fault = Fault(Cause.LOAD_TIMEOUT, message)
        except Closed:
            self._fault = self._await_end(process)
        except OSError as error:
            raise EngineFailure(f"{self.config.name}: its process was lost: {error}") from error
        except TooLong as line:
            self._fault = self._too_long(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._fault = Fault(Cause.UNREADABLE, one_line(error))

    def _shake_hands(self, process: Process) -> Fault | None:
        """Raises: Hung, Closed, TooLong, OSError, Misspoken."""
        line = self._next_line(process)
        if line.startswith(b"["):  # our own worker, which could not become the program
            return fault_of_loading(_decode_worker_reply(line))
        hello = _parse_message(line, (Hello,), 'its hello, such as {"type":"hello","protocol":1}')
        if hello.protocol != VERSION:
            message = f"it speaks version {hello.protocol} of the protocol, and this is {VERSION}"
            return Fault(Cause.WRONG_TYPE, message)
        self._hello = hello
        self._send(process, encode(self._program_start_message()) + b"\n", self._limits.load_ms)
        if self._fault is not None:
            return self._fault
        _parse_message(self._next_line(process), (Ready,), '{"type":"ready"}')
        return None

    def _next_line(self, process: Process) -> bytes:
        self._partial = b""
        budget = self._limits.load_ms
        return self._await_rest(b"", process, budget, budget)

    def _program_start_message(self) -> Start:
        config = self.config
        seed = derive_seed(config.match_seed, f"bot/{config.team}/{self.restarts}")
        return Start(
            protocol=VERSION,
            game=config.game,
            rules_version=self._game.rules_version,
            team=config.team,
            seed=seed_text(seed),
            limits=self._limits,
            notes=True,
            state=msgspec.Raw(encode(self._state)),
        )

    @cached_property
    def _game(self) -> AnyGame:
        return find_game(self.config.game)

    # -- speaking ---------------------------------------------------------------------------

    def _encode_ask(self, ask: Ask, view: object) -> bytes:
        hello, self._partial = self._hello, b""
        legal = self._game.legal_orders(self._state, ask) if hello.legal else None
        if hello.wants is Wants.EVENTS:
            return encode(EventAsk(self._nonce, ask.piece_id, view, legal, self._news)) + b"\n"
        return encode(SnapshotAsk(self._nonce, ask.piece_id, view, legal, self._state)) + b"\n"

    def _reply_in(self, line: bytes) -> Reply:
        """Return what a program answered. Raises: Misspoken."""
        expected = f'{{"type":"answer","nonce":{self._nonce},"answer":...}}'
        said: Answer | Failed = _parse_message(line, ANSWERS, expected)
        if said.nonce != self._nonce:
            raise Misspoken(
                f"an answer with the nonce {said.nonce}, where {self._nonce} was asked: "
                f"{abbreviate_line(line)}; each ask has one answer, with the nonce of that ask"
            )
        if isinstance(said, Failed):
            problem = Problem(Cause.EXCEPTION, one_line(said.error))
            return Reply(said.nonce, None, problem, said.notes)
        return Reply(said.nonce, said.answer, None, said.notes)

    def _too_long(self, answer: TooLong) -> Fault:
        start = self._partial or answer.part
        message = f"a line of over {self._longest} bytes; it begins {abbreviate_line(start)}"
        return Fault(Cause.UNREADABLE, message)

    def _say_stop(self, process: Process) -> bool:
        match self._hello.interrupts:
            case Interrupts.SIGNAL:
                return process.interrupt()
            case Interrupts.LINE:
                line = encode(Interrupt(self._nonce)) + b"\n"
                return process.channel.send(line, self._limits.wall_ms)
        return False

    def _hung_text(self, hung: Hung) -> str:
        return f"{hung}; {self._describe_received()}"

    def _describe_received(self) -> str:
        """Return what came of the line that was waited for, in words."""
        if self._partial:
            return (
                f"half a line was received: {abbreviate_line(self._partial)}; end lines with a "
                "newline"
            )
        return f"nothing was received: {FLUSH_HINT}"

    # -- blaming ----------------------------------------------------------------------------

    def _fault_from_status(self, status: int) -> Fault:
        fault = fault_from_status(status)
        if KILLED_FOR_STARTING in fault.detail:
            message = "it tried to start another process, and a bot is one process"
            return Fault(Cause.FORBIDDEN, message)
        if self._partial:
            fault = _add_detail(fault, f"after half a line: {abbreviate_line(self._partial)}")
        last = self._telling_line_of_log()
        return _add_detail(fault, f"its log says: {last}") if last else fault

    def _telling_line_of_log(self) -> str:
        """Return the last line that it wrote to standard error; of an error, if there is one."""
        if self._log is None:
            return ""
        end = min(self._log.tell(), MAX_LOG_BYTES)
        start = max(0, end - LAST_BYTES)
        lines = (
            read_part(self._log.fileno(), end - start, start).decode(errors="replace").split("\n")
        )
        messages = [line for line in lines if line.strip()]
        errors = [line for line in messages if ERROR_WORDS.search(line)]
        return one_line((errors or messages or [""])[-1])[:SHOWN_LETTERS]


def _decode_worker_reply(line: bytes) -> Reply:
    """Return what a worker says that did not become a program. Raises: Misspoken."""
    try:
        return decode_reply(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Misspoken(
            f"expected its hello, and received: {abbreviate_line(line)}; {STDOUT_HINT}"
        ) from error


def _parse_message(line: bytes, kinds: tuple[type[Said], ...], expected: str) -> Said:
    """Return the message that a line is. Raises: Misspoken, with the line."""
    lines = line.count(b"\n")
    if lines > 1:
        raise Misspoken(
            f"{lines} lines where one was expected: {abbreviate_line(line)}; {STDOUT_HINT}"
        )
    return message_in(line, kinds, expected, hint=f"; {STDOUT_HINT}")


def _add_detail(fault: Fault, message: str) -> Fault:
    return Fault(fault.cause, f"{fault.detail}; {message}")
