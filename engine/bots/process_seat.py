"""The engine's end of a bot: ask under a deadline, blame, restart, measure its memory."""

import os
import signal
import time
from array import array
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.bot_output import read_notes
from engine.bot_output_api import NO_OUTPUT
from engine.bots.channel import Closed, TooLong
from engine.bots.clock import Hung, Judge
from engine.bots.imports import names_numpy
from engine.bots.launching import Launcher, Process
from engine.bots.log import MAX_LOG_BYTES, keep_log, open_log, read_part
from engine.bots.process_start import Needs, as_engine_failure
from engine.bots.sandbox import Confinement, Level, layers_for
from engine.bots.wire import (
    BROKEN_STATUS,
    NOTES_BYTES,
    OUT_OF_MEMORY_STATUS,
    REPLY_OVERHEAD,
    START_NONCE,
    Problem,
    Reply,
    Start,
)
from engine.catalog import find_game, find_package_code
from engine.errors import EngineFailure
from engine.fault import OF_A_CALL, OF_LOADING, Cause, Fault
from engine.game import Ask, Event, State
from engine.limits import Limits
from engine.seat import Seat
from engine.streams import derive_seed
from engine.support.sanitizing import one_line

MS_PER_S = 1_000
SPARE_CPU_S = 10
"""CPU time the kernel grants beyond the bank: the engine judges first, and more exactly."""
GRACE_CPU_MS = 0.5
"""CPU time an interrupted worker has to come back before it is killed; most need a fifth of it."""
GRACE_WALL_MS = 200
"""The same in wall time, for a worker that sleeps or waits for a processor."""
LAST_MOMENT_MS = 200
"""Wall time a process that closed its pipe has to end by itself."""
PIPE_BYTES = 1 << 15
"""What every empty pipe holds."""
PIECE_MS = 1
"""How long to let an answer grow that comes in pieces, wall time: or else one that drips, byte by
byte, takes several times as much of the engine's time as of its own."""
NONCE_BLOCK_BYTES = 4_096
"""Nonces are drawn in blocks: a call of the system for each would cost more than the nonce."""
WROTE_WHILE_LOADING = Fault(Cause.UNREADABLE, "wrote to the pipe while being loaded")

encode = msgspec.json.Encoder().encode
decode_reply = msgspec.json.Decoder(Reply).decode
KB, MB = 1 << 10, 1 << 20
LIMIT_LINE = "Max address space"
PEAK_LINE = "VmPeak:"


class SeatConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All that a seat needs to know of a bot and its match."""

    name: str
    bot: Path
    """The private copy to load; in process it may be the author's own file."""
    is_own: bool = False
    """Whether `bot` is the author's own file."""
    log: Path
    """Where its log is put when it is no longer asked."""
    team: int
    game: str
    match_seed: int
    limits: Limits
    packages: tuple[str, ...] = ()
    """Third-party packages the bot may import."""
    level: Level = Level.DEFAULT
    keeps_notes: bool = False
    """Whether what the bot draws and logs is recorded."""


class ProcessSeat(Seat):
    """One bot in a process of its own, for one match."""

    def __init__(
        self, config: SeatConfig, launcher: Launcher, judge: Judge | None = None, role: str = ""
    ) -> None:
        """`judge` and `role` are for one of several processes of a bot."""
        self.config = config
        self._launcher = launcher
        self._limits = config.limits
        self._patience_ms = min(config.limits.cpu_ms, config.limits.wall_ms / 2)
        """How long to wait for an answer before looking at the clocks: not until it is too late,
        since standing in line is seen from the first look on."""
        self._longest = config.limits.answer_bytes + REPLY_OVERHEAD
        self._longest_with_notes = self._longest + NOTES_BYTES
        self._process: Process | None = None
        self._log: BinaryIO | None = None
        self._state: State | None = None
        self._news: list[Event] = []
        self.notify = self._news.append
        self._reply_of: Callable[[bytes], Reply] = decode_reply
        self._partial = b""
        """What has come of the last line that was waited for."""
        self._next_nonce = chain.from_iterable(iter(_fresh_nonces, None)).__next__
        self._nonce = START_NONCE
        self._judge = Judge(config.name, config.limits) if judge is None else judge
        self._role = role
        self.call_us = self._judge.call_us
        self._is_stopped_between = config.limits.is_stopped_between
        self._fault: Fault | None = None

    def prepare(self, state: State) -> None:
        self._state = state

    def start(self) -> Fault | None:
        """Start the bot's process on the present board; return why it cannot play, if so."""
        self._fault = self.out
        self._start_process()
        if self._process is not None and self._is_stopped_between:
            self._process.pause()
        return self.out

    def put(self, ask: Ask, view: object) -> None:
        self._fault = self.out
        if self._process is None or self._fault is not None:
            self._start_process()
            if self._process is None:
                return
        self._nonce = self._next_nonce()
        line = self._encode_ask(ask, view)
        self._news.clear()
        self._judge.ask()
        if self._is_stopped_between:
            self._send_and_resume(self._process, line)
        else:
            self._send(self._process, line, self._limits.wall_ms)

    def take(self) -> object:
        if self._fault is not None:
            return self._fault
        process = self._process
        assert process is not None
        limits = self._limits
        try:
            line = process.channel.receive(self._patience_ms, self._longest_with_notes)
            if line[-1:] != b"\n":
                line = self._await_rest(line, process, limits.cpu_ms, limits.wall_ms)
            fault = self._judge.charge()
            # Before the answer is looked at: a bot gains no time by a long one.
            if self._is_stopped_between:
                process.pause()
            if fault is not None:
                return self._hold_to(fault, process)
            reply = self._reply_of(line)
        except Hung as hung:
            return self._interrupt(process, hung)
        except Closed:
            return self._count_unexpected_end(process)
        except TooLong as answer:
            return self._kill(self._too_long(answer))
        except OSError as error:
            raise EngineFailure(f"{self.config.name}: its process was lost: {error}") from error
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return self._break_off(one_line(error))
        return self._answer_in(reply, len(line))

    def close(self) -> None:
        """End the bot's process, and keep its log: the match is over."""
        try:
            self._end_process()
        finally:
            if self._log is not None:
                with self._log as log:
                    self._log = None
                    keep_log(log, self.config.log)

    def log_from(self, offset: int) -> bytes:
        if self._log is None:
            return b""
        size = min(self._log.tell(), MAX_LOG_BYTES) - offset
        return read_part(self._log.fileno(), size, offset) if size > 0 else b""

    def restore(self, restarts: int, out: Fault | None) -> None:
        """Be as after a recorded fault: a process that was replaced then is replaced now."""
        if self.restarts < restarts:
            self._end_process()
            self.restarts = restarts
        self.out = self.out or out

    @property
    def pid(self) -> int | None:
        """The number of its process; None while it has none."""
        return None if self._process is None else self._process.pid

    def used_s(self) -> float:
        return self._judge.bank.used_s()

    def peak_memory_mb(self) -> float | None:
        """Return the most memory that its present process has had; None if that is unknown."""
        if self._process is None:
            return None
        return peak_memory_mb(self._process.pid, self._limits.memory_mb)

    # -- starting ---------------------------------------------------------------------------

    def _start_process(self) -> None:
        """Start a process, or none for a bot that is out."""
        if self.out is None:
            self._start()
        else:
            self._end_process()
        self._news.clear()

    def _start(self) -> None:
        """Start a process with the present board; a bot that cannot start is out."""
        if self._log is None:
            with as_engine_failure():
                self._log = open_log()
        process = self._process = self._launcher.launch(self._log.fileno(), self._worker_needs())
        self._judge.watch(process)
        self._judge.ask()
        self._nonce = START_NONCE
        self._send(process, encode(self._start_message()) + b"\n", self._limits.load_ms)
        if self._fault is None:
            self._await_ready(process)
        if self._fault is not None:
            self.out = self._fault
            self._end_process()

    def _worker_needs(self) -> Needs:
        config, folder = self.config, self.config.bot.parent
        has_numpy = find_game(config.game).has_numpy or bool(config.packages)
        return Needs(
            (folder, *find_package_code(config.game)),
            self._limits.memory_mb,
            game=config.game,
            has_numpy=has_numpy or names_numpy(folder),
        )

    def _start_message(self) -> Start:
        config = self.config
        return Start(
            game=config.game,
            bot=str(config.bot),
            name=config.name,
            team=config.team,
            seed=derive_seed(config.match_seed, f"bot/{config.team}/{self.restarts}{self._role}"),
            confinement=self._make_confinement(),
            packages=config.packages,
            limits=self._limits,
            state=msgspec.Raw(encode(self._state)),
        )

    def _make_confinement(self) -> Confinement:
        limits = self._limits
        return Confinement(
            layers=layers_for(self.config.level, self._launcher.failings),
            memory_mb=limits.memory_mb,
            cpu_s=limits.bank_s + limits.load_ms // MS_PER_S + SPARE_CPU_S,
        )

    def _await_ready(self, process: Process) -> None:
        budget = self._limits.load_ms
        try:
            reply = decode_reply(self._await_rest(b"", process, budget, budget))
            self._judge.forgive()
        except Hung:
            self._fault = Fault(Cause.LOAD_TIMEOUT, f"not ready after {budget} ms")
        except Closed:
            self._fault = self._await_end(process)
        except OSError as error:
            raise EngineFailure(f"{self.config.name}: its process was lost: {error}") from error
        except (TooLong, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._fault = WROTE_WHILE_LOADING
        else:
            self._fault = fault_of_loading(reply)

    # -- speaking, in ways of their own for programs of other languages -------------------------

    def _encode_ask(self, ask: Ask, view: object) -> bytes:
        """Return the line of an ask."""
        return encode((self._nonce, self._news, ask.piece_id, view)) + b"\n"

    def _too_long(self, answer: TooLong) -> Fault:
        return too_long(self._limits)

    def _say_stop(self, process: Process) -> bool:
        """Ask the worker to drop the call; False where that cannot be asked."""
        return process.interrupt()

    def _hung_text(self, hung: Hung) -> str:
        return str(hung)

    # -- waiting ----------------------------------------------------------------------------

    def _send_and_resume(self, process: Process, line: bytes) -> None:
        """Send first, where a pipe holds the line: who is woken then has something to read."""
        if len(line) > PIPE_BYTES:
            process.resume()
            self._send(process, line, self._limits.wall_ms)
        else:
            self._send(process, line, self._limits.wall_ms)
            if self._process is process:  # it has not ended meanwhile
                process.resume()

    def _send(self, process: Process, line: bytes, timeout_ms: int) -> None:
        try:
            if not process.channel.send(line, timeout_ms):
                self._fault = self._break_off("does not read what it is asked")
        except Closed:
            self._fault = self._count_unexpected_end(process)

    def _await_rest(self, line: bytes, process: Process, cpu_ms: float, wall_ms: float) -> bytes:
        """Return the whole line, of which this much has come. Raises: Hung, Closed, TooLong."""
        self._partial = line
        while line[-1:] != b"\n":
            if line:
                time.sleep(PIECE_MS / MS_PER_S)
            left_ms = self._judge.remaining_ms(cpu_ms, wall_ms)
            most = self._longest_with_notes - len(line)
            line += process.channel.receive(left_ms, most)
            self._partial = line
        return line

    def _keep_notes(self, reply: Reply) -> bytes:
        """Keep the notes that came with a reply, if they are recorded; return them as sent."""
        encoded = bytes(reply.notes)
        if self.config.keeps_notes and reply.nonce == self._nonce:
            self.notes = read_notes(encoded)
        return encoded

    def _answer_in(self, reply: Reply, size: int) -> object:
        if reply.nonce != self._nonce:
            return self._break_off("an answer to no ask, or to an earlier one")
        # An answer is as long as it may be without notes: drawing changes no match.
        if reply.notes is not NO_OUTPUT:
            size -= len(self._keep_notes(reply))
        if size > self._longest:
            return self._kill(too_long(self._limits))
        problem = reply.problem
        if problem is None:
            return reply.answer
        if problem.cause not in OF_A_CALL:
            return self._break_off(f"a made-up problem: {problem.cause}")
        return _fault_from(problem)

    # -- blaming ----------------------------------------------------------------------------

    def _hold_to(self, fault: Fault, process: Process) -> Fault:
        """Apply what follows from having used too much, beside the lost round."""
        if fault.cause is Cause.BANK_EMPTY:
            self.out = fault
        if fault.cause is Cause.PONDERED:
            self._is_stopped_between = True
            process.pause()
        return fault

    def _charge_after_fault(self, process: Process) -> None:
        """Charge a call that has its fault already."""
        fault = self._judge.charge()
        if fault is not None:
            self._hold_to(fault, process)

    def _interrupt(self, process: Process, hung: Hung) -> Fault:
        """Ask the worker to drop the call; if it does, it keeps its memory."""
        fault = Fault(hung.cause, self._hung_text(hung))
        if process.has_ended(0):  # a child of it holds the pipe open
            return self._count_unexpected_end(process)
        if not self._say_stop(process):
            return self._kill(fault)
        cpu_ms = self._judge.used_cpu_ms() + GRACE_CPU_MS
        wall_ms = self._judge.thinking_ms() + GRACE_WALL_MS
        try:
            reply = self._reply_of(self._await_rest(b"", process, cpu_ms, wall_ms))
        except (Hung, Closed, TooLong, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self._kill(fault)
        self._charge_after_fault(process)
        self._hold_to(fault, process)
        self._keep_notes(reply)
        if reply.nonce != self._nonce:
            return self._kill(fault)
        return _append_place(fault, reply.problem)

    def _break_off(self, detail: str) -> Fault:
        return self._kill(Fault(Cause.UNREADABLE, detail))

    def _kill(self, fault: Fault) -> Fault:
        if self._process is not None:
            self._charge_after_fault(self._process)
            self._end_process()
        return self._count_restart(fault)

    def _end_process(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.end()

    def _count_unexpected_end(self, process: Process) -> Fault:
        return self._count_restart(self._await_end(process))

    def _await_end(self, process: Process) -> Fault:
        """Return how the process ended that has closed its end of the pipe."""
        has_ended = process.has_ended(LAST_MOMENT_MS)
        self._process = None
        status = process.end()
        return (
            self._fault_from_status(status)
            if has_ended
            else Fault(Cause.UNREADABLE, "closed its pipe")
        )

    def _fault_from_status(self, status: int) -> Fault:
        return fault_from_status(status)

    def _count_restart(self, fault: Fault) -> Fault:
        if self.restarts >= self._limits.max_restarts:
            self.out = self.out or Fault(Cause.OUT, f"{fault.cause}: {fault.detail}")
        else:
            self.restarts += 1
        return fault


def _fresh_nonces() -> "array[int]":
    """Return a block of random 64-bit numbers of the system: those before reveal none to come."""
    return array("Q", os.urandom(NONCE_BLOCK_BYTES))


def too_long(limits: Limits) -> Fault:
    return Fault(Cause.UNREADABLE, f"an answer of over {limits.answer_bytes} bytes")


def fault_of_loading(reply: Reply) -> Fault | None:
    problem = reply.problem
    if reply.nonce != START_NONCE or (problem is not None and problem.cause not in OF_LOADING):
        return WROTE_WHILE_LOADING
    return None if problem is None else _fault_from(problem)


def _fault_from(problem: Problem) -> Fault:
    return Fault(problem.cause, one_line(problem.detail))


def _append_place(fault: Fault, problem: Problem | None) -> Fault:
    """Return a fault of a call that was interrupted, with the line it was at if that was said."""
    if problem is None or not problem.detail:
        return fault
    return Fault(fault.cause, one_line(f"{fault.detail} ({problem.detail})"))


def fault_from_status(status: int) -> Fault:
    if status < 0:
        return Fault(Cause.SIGNAL, f"process ended by signal {-status} ({_signal_name(-status)})")
    if status == OUT_OF_MEMORY_STATUS:
        return Fault(Cause.OUT_OF_MEMORY, "no memory left to continue with")
    if status == BROKEN_STATUS:
        return Fault(Cause.EXIT, f"broke its worker, which ended with exit code {status}")
    return Fault(Cause.EXIT, f"process ended itself with exit code {status}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def peak_memory_mb(pid: int, memory_mb: int) -> float | None:
    """Return the most address space that a process has had beyond its own, megabytes.

    `memory_mb` is what it may have beyond its own: that is what its limit was made from.
    None where it cannot be known: elsewhere than on Linux, without limits, or once it has ended.
    """
    try:
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        most = next(line for line in limits.splitlines() if line.startswith(LIMIT_LINE))
        peak = next(line for line in status.splitlines() if line.startswith(PEAK_LINE))
        limit = int(most.removeprefix(LIMIT_LINE).split()[0])
        own = limit - memory_mb * MB
        return max(0.0, (int(peak.split()[1]) * KB - own) / MB)
    except (OSError, StopIteration, ValueError, IndexError):
        return None
