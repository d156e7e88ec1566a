"""What the engine's end of a bot does after every kind of fault, and before."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots.channel import PollChannel
from engine.bots.forking import ForkLauncher
from engine.bots.process_seat import PIECE_MS
from engine.bots.sandbox import Level
from engine.bots.wire import SHORT_BYTES
from engine.fault import OF_A_CALL, OF_LOADING, Cause, Fault
from engine.game import Ask, Stage
from engine.games.slime_mind.events import Moved
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from tests import needs
from tests.engine.bots.matches import LENIENT, QUICK, Table, a_bot, find_children
from tests.shell import eventually

COUNTS = """
self.rounds = getattr(self, "rounds", 0) + 1
if self.rounds == 2:
    {breaks}
return f"round {{self.rounds}}"
"""
HUGE = Settings(columns=200, rows=100, slime_pairs=1, plant_pairs=4_000, rock_pairs=4_000)
"""A board of which the very first message is far longer than a pipe holds."""


@pytest.fixture
def sit(launcher: ForkLauncher, tmp_path: Path) -> Iterator[Any]:
    """Seat a bot: `sit(decide, top=..., **words of Table)`."""
    with ExitStack() as stack:

        def sit_down(decide: str, *, top: str = "", **words: Any) -> Table:
            table = Table(launcher, a_bot(tmp_path, decide, top=top), **words)
            stack.callback(table.seat.close)
            return table

        yield sit_down


@pytest.mark.parametrize(
    ("breaks", "cause"),
    [
        ("while True: pass", Cause.TIMEOUT),
        ("import time; time.sleep(9)", Cause.SLEPT),
        ("raise ValueError", Cause.EXCEPTION),
        ("import sys; sys.exit()", Cause.EXIT),
        ("return object()", Cause.UNREADABLE),
        ("return bytearray(1 << 46)", Cause.OUT_OF_MEMORY),
    ],
)
def test_a_bot_that_can_be_stopped_keeps_its_memory(sit: Any, breaks: str, cause: Cause) -> None:
    table = sit(COUNTS.format(breaks=breaks), limits=QUICK)
    assert [table.ask(), table.cause(), table.ask()] == ["round 1", cause, "round 3"]
    assert table.seat.restarts == 0


@pytest.mark.parametrize(
    ("breaks", "cause"),
    [
        ("import os; os._exit(3)", Cause.EXIT),
        ("import ctypes; ctypes.string_at(0)", Cause.SIGNAL),
        ("return 'x' * 10_000", Cause.UNREADABLE),
        ("import os; os.closerange(3, 99)", Cause.EXIT),
        ("import collections as c, itertools as i; c.deque(i.count(), 0)", Cause.TIMEOUT),
    ],
)
def test_a_bot_that_broke_begins_anew(sit: Any, breaks: str, cause: Cause) -> None:
    table = sit(COUNTS.format(breaks=breaks), limits=QUICK)
    assert [table.ask(), table.cause(), table.ask()] == ["round 1", cause, "round 1"]
    assert table.seat.restarts == 1


def test_an_abort_is_called_by_its_name(sit: Any) -> None:
    fault = sit("import os; os.abort()").ask()
    assert fault == Fault(Cause.SIGNAL, "process ended by signal 6 (SIGABRT)")


def test_a_bot_that_was_replaced_then_is_replaced_now_and_no_second_time(sit: Any) -> None:
    table = sit(COUNTS.format(breaks="pass"))
    assert [table.ask(), table.ask()] == ["round 1", "round 2"]
    for _ in range(2):
        table.seat.restore(2, None)
        assert table.seat.restarts == 2
    assert [table.ask(), table.ask()] == ["round 1", "round 2"]
    table.seat.restore(1, None)
    assert (table.ask(), table.seat.restarts) == ("round 3", 2)


def test_a_bot_that_was_out_then_is_out_now(sit: Any) -> None:
    table = sit(COUNTS.format(breaks="pass"))
    table.ask()
    table.seat.restore(0, why := Fault(Cause.OUT, "exit: why"))
    assert [table.ask(), table.ask()] == [why, why]
    assert table.seat.out == why


def test_past_its_restarts_a_bot_is_out_and_says_why(sit: Any) -> None:
    table = sit("import os; os._exit(3)", limits=replace(QUICK, max_restarts=2))
    causes = [table.cause() for _ in range(5)]
    assert causes == [Cause.EXIT] * 3 + [Cause.OUT] * 2
    assert table.seat.restarts == 2
    assert table.seat.out == Fault(Cause.OUT, "exit: process ended itself with exit code 3")


def test_a_bot_that_may_not_be_restarted_is_out_at_once(sit: Any) -> None:
    table = sit("import os; os._exit(3)", limits=replace(QUICK, max_restarts=0))
    assert [table.cause(), table.cause()] == [Cause.EXIT, Cause.OUT]


def test_a_restarted_bot_sees_the_present_board(sit: Any) -> None:
    table = sit(
        """
        if self.board.turn == 2:
            os._exit(3)
        return [self.board.turn, slime.x, slime.y]
        """,
        top="import os",
    )
    slime = table.slime
    assert table.ask() == [1, slime.x, slime.y]
    table.happen(Stage(2, "a stage"))
    assert table.cause() == Cause.EXIT
    table.board.queue = [slime.id]
    table.happen(Moved(slime.id, slime.x + 1, slime.y))
    table.happen(Stage(3, "a stage"))
    assert table.ask() == [3, slime.x + 1, slime.y]


def test_an_interrupted_bot_has_been_told_what_happened_meanwhile(sit: Any) -> None:
    table = sit(
        """
        while self.board.turn == 2:
            pass
        return self.board.turn
        """,
        limits=QUICK,
    )
    assert table.ask() == 1
    table.happen(Stage(2, "a stage"))
    assert table.cause() == Cause.TIMEOUT
    table.happen(Stage(3, "a stage"))
    assert table.ask() == 3


def test_a_restarted_bot_rolls_other_dice(sit: Any) -> None:
    table = sit(
        """
        self.rolls = getattr(self, "rolls", [])
        if self.rolls:
            os._exit(1)
        self.rolls.append(random.random())
        return self.rolls
        """,
        top="import os, random",
    )
    first, _, second = table.ask(), table.cause(), table.ask()
    assert first != second


@needs.call("signal.SIGUSR1")
def test_a_bot_that_interrupts_itself_in_time_loses_nothing(sit: Any) -> None:
    """The signal is the engine's; between asks, and after an answer, it means nothing."""
    table = sit("return 'UP'")
    for _ in range(50):
        assert table.ask() == "UP"
        os.kill(table.pid, signal.SIGUSR1)
    assert table.ask() == "UP"
    assert table.seat.restarts == 0


@pytest.mark.slow
def test_a_bot_that_answers_at_the_last_moment_is_late_or_in_time_and_never_broken(
    sit: Any,
) -> None:
    """Answers, exceptions and interrupts that cross each other, some hundred times."""
    table = sit(
        """
        self.rounds = getattr(self, "rounds", 0) + 1
        until = time.thread_time() + 0.0100 + self.rounds % 40 * 0.00002
        while time.thread_time() < until:
            pass
        if self.rounds % 2:
            raise ValueError(self.rounds)
        return self.rounds
        """,
        top="import time",
        limits=replace(LENIENT, cpu_ms=10),
    )
    for _ in range(150):
        answer = table.ask()
        if isinstance(answer, Fault):
            assert answer.cause in (Cause.TIMEOUT, Cause.EXCEPTION), answer
            assert answer.detail.startswith(("no answer", "answered after", "ValueError: "))
        else:
            assert answer % 2 == 0


@needs.call("signal.SIGKILL")
def test_a_killed_worker_is_replaced_at_the_next_ask(sit: Any) -> None:
    table = sit(COUNTS.format(breaks="pass"))
    assert table.ask() == "round 1"
    os.kill(table.pid, signal.SIGKILL)
    assert table.cause() == Cause.SIGNAL
    assert table.ask() == "round 1"


def test_a_worker_killed_while_it_thinks_is_blamed_for_the_signal(sit: Any) -> None:
    table = sit("import time; time.sleep(9)")
    table.seat.put(Ask(1, table.slime.id), None)
    os.kill(table.pid, signal.SIGTERM)
    assert table.seat.take() == Fault(Cause.SIGNAL, "process ended by signal 15 (SIGTERM)")


@pytest.mark.slow
def test_a_bot_past_its_bank_is_asked_no_more_and_its_process_ends(
    sit: Any, launcher: ForkLauncher
) -> None:
    table = sit(
        """
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass
        return 'UP'
        """,
        top="import time",
        limits=replace(LENIENT, bank_s=1),
    )
    answers = [table.ask() for _ in range(6)]
    assert answers[:3] == ["UP"] * 3
    assert answers[-1] == Fault(Cause.BANK_EMPTY, "used its 1 s of CPU time")
    assert eventually(lambda: find_children(launcher._zygote.pid) == [])


def test_a_bot_that_sleeps_a_little_in_every_call_is_not_asked_for_ever(sit: Any) -> None:
    table = sit(
        "time.sleep(0.3); return 'UP'",
        top="import time",
        limits=replace(LENIENT, wall_ms=2_000, bank_s=1),
    )
    answers = [table.ask() for _ in range(6)]
    assert answers[:2] == ["UP"] * 2
    out = answers[-1]
    assert out.cause is Cause.BANK_EMPTY
    assert re.fullmatch(r"used its 1 s: 1\.\d s asleep, 0\.\d s of CPU time", out.detail)
    assert (table.seat.out, table.seat.pid) == (out, None)


@pytest.mark.slow
def test_a_bot_that_thinks_past_its_wall_time_is_not_said_to_have_slept(sit: Any) -> None:
    # Long enough for a share of CPU time on a machine that has much else to do.
    fault = sit("while True: pass", limits=replace(QUICK, cpu_ms=5_000, wall_ms=1_500)).ask()
    assert fault.cause is Cause.TIMEOUT
    text = r"no answer after 1500 ms, \d+ ms of CPU time among them( \(player_test, line 8\))?"
    assert re.fullmatch(text, fault.detail)


def test_a_call_that_was_interrupted_is_told_with_its_line(sit: Any) -> None:
    fault = sit("time.sleep(60)", top="import time", limits=replace(LENIENT, wall_ms=300)).ask()
    assert fault.cause is Cause.SLEPT
    assert re.fullmatch(r"no answer after 300 ms \(\w+, line \d+\)", fault.detail)


DRIPS = """
frame = sys._getframe(2)
writer = frame.f_locals["self"]._writer
for letter in b'[%d,' % frame.f_locals["nonce"] + b" " * 5_000:
    os.write(writer, bytes([letter]))
    time.sleep(0)
time.sleep(9)
"""
"""Writes an answer that has no end, a byte at a time."""


def test_each_byte_of_an_answer_is_not_worth_a_look(
    sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the engine's own time holds a match up, for several times what the bot has used."""
    table = sit(DRIPS, top="import os, sys, time", limits=replace(QUICK, cpu_ms=200))
    looks = []

    class Counting(PollChannel):
        def receive(self, timeout_ms: float, most: int) -> bytes:
            looks.append(time.monotonic())
            return super().receive(timeout_ms, most)

    monkeypatch.setattr("engine.bots.forking.PollChannel", Counting)
    assert table.cause() in (Cause.SLEPT, Cause.TIMEOUT)
    took_ms = (looks[-1] - looks[0]) * 1_000
    assert len(looks) < 10 + took_ms / PIECE_MS


def test_a_long_answer_that_comes_in_pieces_is_whole(sit: Any) -> None:
    table = sit("return 'x' * 1_000_000", limits=replace(LENIENT, answer_bytes=1_100_000))
    assert table.ask() == "x" * 1_000_000


def test_a_line_that_is_there_is_received_at_once_however_long_it_is() -> None:
    with closing(PollChannel(*os.pipe())) as channel:
        for size in (1, SHORT_BYTES - 1, SHORT_BYTES, SHORT_BYTES + 1, 9 * SHORT_BYTES):
            assert channel.send(line := b"x" * size, 0)
            assert channel.receive(0, 9 * SHORT_BYTES) == line


def test_thinking_between_asks_is_charged(sit: Any) -> None:
    table = sit(
        """
        threading.Thread(target=ponder, daemon=True).start()
        return 'UP'
        """,
        top="""
        import threading

        def ponder():
            while True:
                pass
        """,
        limits=QUICK,
        level=Level.OFF,
    )
    assert table.ask() == "UP"
    used_ns = table.seat._process.cpu_clock()
    # Much more than the next call may take on a busy machine: what that could have used itself is
    # not held against the thoughts before it.
    assert eventually(lambda: table.seat._process.cpu_clock() > used_ns + 500_000_000)
    assert table.cause() == Cause.PONDERED


def test_threads_that_think_are_found_out_though_the_bot_answers_at_once(sit: Any) -> None:
    table = sit(
        """
        if threading.active_count() == 1:
            threading.Thread(target=ponder, daemon=True).start()
        return 'UP'
        """,
        top="""
        import hashlib, threading

        def ponder():
            while True:
                hashlib.sha256(bytes(1 << 20))
        """,
        limits=replace(QUICK, cpu_ms=10_000, wall_ms=10_000, bank_s=1),
        level=Level.OFF,
    )
    found = []

    def is_found_out() -> bool:
        found.append(table.ask())
        return isinstance(found[-1], Fault)

    assert eventually(is_found_out)
    assert found[-1].cause in (Cause.PONDERED, Cause.BANK_EMPTY)


def test_a_first_message_longer_than_a_pipe_arrives(sit: Any) -> None:
    table = sit("return len(self.board.plants)", settings=HUGE)
    assert table.ask() == 8_000


def test_a_bot_that_does_not_read_does_not_block_the_engine(sit: Any) -> None:
    """It answers from a thread and never reads again, while more happens than a pipe holds."""
    table = sit(
        """
        if self.team:
            self.team = 0
            threading.Thread(target=time.sleep, args=(9,)).start()
            frame = sys._getframe(2)
            line = b'[%d,"UP"]\\n' % frame.f_locals["nonce"]
            os.write(frame.f_locals["self"]._writer, line)
            time.sleep(9)
        """,
        top="import os, sys, threading, time",
        limits=replace(QUICK, wall_ms=100),
        level=Level.OFF,
    )
    assert table.ask() == "UP"
    for turn in range(20_000):
        table.seat.notify(Stage(turn, "a stage of many letters"))
    fault = table.ask()
    assert fault == Fault(Cause.UNREADABLE, "does not read what it is asked")


def test_an_answer_to_an_earlier_ask_is_none(sit: Any) -> None:
    table = sit(
        """
        frame = sys._getframe(2)
        line = b'[%d,"UP"]\\n' % (frame.f_locals["nonce"] - 1)
        os.write(frame.f_locals["self"]._writer, line)
        time.sleep(9)
        """,
        top="import os, sys, time",
    )
    assert table.ask() == Fault(Cause.UNREADABLE, "an answer to no ask, or to an earlier one")


REPORTS = """
import os, sys, time

def report(cause):
    frame = sys._getframe()
    while type(frame.f_locals.get("self")).__name__ != "Worker":
        frame = frame.f_back
    nonce = frame.f_locals.get("nonce", 0)
    line = '[%d,null,["%s","so it says"]]\\n' % (nonce, cause)
    os.write(frame.f_locals["self"]._writer, line.encode())
    time.sleep(9)
"""
"""Forges a worker's report of a problem."""


@pytest.mark.parametrize("cause", sorted(OF_A_CALL))
def test_a_worker_may_name_what_can_happen_in_a_call(sit: Any, cause: Cause) -> None:
    table = sit(f"report({str(cause)!r})", top=REPORTS)
    assert table.ask() == Fault(cause, "so it says")


@pytest.mark.variants(5)
@pytest.mark.parametrize("cause", sorted(set(Cause) - OF_A_CALL))
def test_a_worker_that_names_a_cause_no_call_can_have_is_broken_off(sit: Any, cause: Cause) -> None:
    table = sit(f"report({str(cause)!r})", top=REPORTS)
    assert table.ask() == Fault(Cause.UNREADABLE, f"a made-up problem: {cause}")
    assert table.seat.restarts == 1


@pytest.mark.parametrize("cause", sorted(OF_LOADING))
def test_a_worker_may_name_what_keeps_a_bot_from_starting(sit: Any, cause: Cause) -> None:
    table = sit("return 'UP'", top=f"{REPORTS}\nreport({str(cause)!r})")
    assert table.ask() == Fault(cause, "so it says")


@pytest.mark.variants(4)
@pytest.mark.parametrize("cause", sorted(set(Cause) - OF_LOADING))
def test_a_worker_that_names_a_cause_loading_cannot_have_wrote_it_itself(
    sit: Any, cause: Cause
) -> None:
    table = sit("return 'UP'", top=f"{REPORTS}\nreport({str(cause)!r})")
    assert table.ask() == Fault(Cause.UNREADABLE, "wrote to the pipe while being loaded")


def test_a_hundred_thousand_events_arrive_at_once(sit: Any) -> None:
    table = sit("return self.board.turn")
    table.ask()
    for turn in range(1, 100_001):
        table.happen(Stage(turn, "a stage"))
    assert table.ask() == 100_000


def test_the_longest_problem_fits_beside_the_shortest_answer(sit: Any) -> None:
    table = sit(
        "raise ValueError('\\U0001f40c\"' * 1000)", limits=replace(LENIENT, answer_bytes=64)
    )
    assert table.cause() == Cause.EXCEPTION
    assert table.seat.restarts == 0


def test_an_answer_of_exactly_the_limit_is_taken(sit: Any) -> None:
    table = sit("return 'x' * (64 - 2)", limits=replace(LENIENT, answer_bytes=64))
    assert table.ask() == "x" * 62


def test_an_answer_far_over_the_limit_is_refused(sit: Any) -> None:
    table = sit("return 'x' * 5_000", limits=replace(LENIENT, answer_bytes=64))
    assert table.ask() == Fault(Cause.UNREADABLE, "an answer of over 64 bytes")


def test_numpy_rolls_the_same_dice_in_every_playing(sit: Any) -> None:
    decide = "return [random.random(), numpy.random.random(), hash('word') % 1000]"
    first, second = (sit(decide, top="import random, numpy").ask() for _ in range(2))
    assert first == second


@pytest.fixture
def fresh_launcher() -> Iterator[ForkLauncher]:
    """One that nobody has had import numpy."""
    with closing(ForkLauncher()) as launcher:
        yield launcher


def test_numpy_that_is_imported_late_rolls_the_same_dice(
    fresh_launcher: ForkLauncher, sit: Any, tmp_path: Path
) -> None:
    late = a_bot(tmp_path, "return __import__('num' 'py').random.random()")
    first, second = (Table(fresh_launcher, late) for _ in range(2))
    named = sit("return numpy.random.random()", top="import numpy")
    assert first.ask() == second.ask() == named.ask()


def test_only_bots_that_name_numpy_begin_with_it(
    fresh_launcher: ForkLauncher, tmp_path: Path
) -> None:
    decide = "return 'num' 'py' in sys.modules"
    for top, has_numpy in (("import sys", False), ("import sys  # not numpy", True)):
        table = Table(fresh_launcher, a_bot(tmp_path, decide, top=top))
        assert table.ask() == has_numpy


def test_another_seed_is_other_dice(sit: Any) -> None:
    decide = "return [random.random(), numpy.random.random()]"
    first, second = (sit(decide, top="import random, numpy", seed=seed).ask() for seed in (1, 2))
    assert first[0] != second[0]
    assert first[1] != second[1]


@pytest.mark.slow
@needs.call("os.fork")
def test_a_bot_of_half_its_budget_beside_hogs_is_never_late(sit: Any) -> None:
    limits = Limits(cpu_ms=60, wall_ms=5_000)  # of which a virtual machine can lose 20 at once
    table = sit(
        """
        until = time.process_time() + 0.030
        while time.process_time() < until:
            pass
        return 'UP'
        """,
        top="import time",
        limits=limits,
    )
    cores = os.sched_getaffinity(0)
    hogs = []
    try:
        os.sched_setaffinity(0, {min(cores)})
        assert table.ask() == "UP"
        os.sched_setaffinity(table.pid, {min(cores)})
        hogs = [_hog() for _ in range(8)]
        assert [table.ask() for _ in range(20)] == ["UP"] * 20
    finally:
        os.sched_setaffinity(0, cores)
        for hog in hogs:
            os.kill(hog, signal.SIGKILL)
            os.waitpid(hog, 0)


def _hog() -> int:
    """Run in a session of its own, as workers do: Linux gives each session an equal share."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            pass
        os._exit(0)
    return pid
