"""Who is charged for what: thinking out of turn, waiting for a processor, sleeping."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from engine.bots.clock import (
    MAX_WAITED_BUDGETS,
    CpuClock,
    Hung,
    Judge,
    RunQueue,
    process_cpu_clock,
    read_run_queue,
)
from engine.errors import HostStarved
from engine.fault import Cause, Fault
from engine.limits import Limits
from tests import needs

NS_PER_MS = 1_000_000
LIMITS = Limits(cpu_ms=50, wall_ms=1_000, bank_s=1, ponder_ms=5)


class MadeUp:
    """A process whose clocks a test moves."""

    def __init__(self, *, has_clock: bool = True) -> None:
        self.pid = os.getpid()
        self.used_ns = 0
        self.cpu_clock: CpuClock | None = (lambda: self.used_ns) if has_clock else None


@contextmanager
def moving_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """Wall clock and line, in milliseconds, and the times somebody left the line."""
    now = {"wall": 0, "line": 0, "slices": 0}
    monkeypatch.setattr("engine.bots.clock._engine.clocks", {})
    monkeypatch.setattr("engine.bots.clock._engine.done_at", 0)
    monkeypatch.setattr(time, "perf_counter_ns", lambda: now["wall"] * NS_PER_MS)
    monkeypatch.setattr(
        "engine.bots.clock.read_run_queue",
        lambda thread: RunQueue(now["line"] * NS_PER_MS // 2, now["slices"]),
    )
    yield now


def a_judge(process: MadeUp, limits: Limits = LIMITS) -> Judge:
    judge = Judge("player_test", limits)
    judge.watch(process)
    judge.ask()
    return judge


def test_an_answer_is_overdue_when_the_cpu_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        now["wall"], process.used_ns = 70, 50 * NS_PER_MS
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.TIMEOUT


def test_a_sleeper_is_overdue_when_the_wall_budget_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp())
        now["wall"] = 900
        assert judge.remaining_ms(50, 1_000) == 50
        now["wall"] = 1_000
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.SLEPT


@pytest.mark.parametrize(
    ("used", "cause", "text"),
    [
        (0, Cause.SLEPT, "no answer after 1000 ms"),
        (400, Cause.SLEPT, "no answer after 1000 ms"),
        (600, Cause.TIMEOUT, "no answer after 1000 ms, 600 ms of CPU time among them"),
        (1_006, Cause.TIMEOUT, "no answer after 1000 ms, 1006 ms of CPU time among them"),
    ],
)
def test_where_more_cpu_time_is_allowed_than_wall_time_who_thinks_does_not_sleep(
    used: int, cause: Cause, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process, replace(LIMITS, cpu_ms=2_000))
        now["wall"], process.used_ns = 1_006, used * NS_PER_MS
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(2_000, 1_000)
    assert (hung.value.cause, str(hung.value)) == (cause, text)


def test_waiting_for_a_processor_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp())
        now["wall"] = 50
        judge.remaining_ms(50, 1_000)
        now["wall"], now["line"] = 3_000, 2_500
        assert judge.remaining_ms(50, 1_000) == 50
        assert judge.thinking_ms() == 500


def test_a_host_without_time_for_a_bot_is_to_blame_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(LIMITS, load_ms=1_000)
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp(), limits)
        judge.remaining_ms(50, 1_000)
        now["wall"] = now["line"] = MAX_WAITED_BUDGETS * 1_000 + 1
        with pytest.raises(HostStarved, match="overloaded"):
            judge.remaining_ms(50, 1_000)


def test_the_line_before_an_ask_excuses_no_more_than_the_time_before_the_first_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp())
        now["line"] = 700
        judge.ask()
        now["wall"] = 50
        assert judge.thinking_ms() == 0
        now["wall"] = 450
        assert judge.thinking_ms() == 400


def test_an_engine_that_comes_late_to_its_first_look_charges_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp())
        now["wall"], now["line"] = 2_000, 1_900
        assert judge.thinking_ms() == 100


def test_who_sleeps_again_and_again_for_a_moment_chooses_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call that works for 2 ms may begin to wait 20 + 2 * 10 times; this one does 4000 times."""
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        judge.remaining_ms(50, 1_000)
        now["wall"] = now["line"] = 1_200
        now["slices"], process.used_ns = 4_000, 2 * NS_PER_MS
        assert judge.thinking_ms() == 1_200 - 12
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.SLEPT


def test_waiting_for_bots_of_the_same_match_is_not_the_fault_of_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot of 64 threads leaves its core to nobody else."""
    crowd, other = MadeUp(), MadeUp()
    limits = replace(LIMITS, load_ms=1_000)
    with moving_time(monkeypatch) as now:
        judges = [a_judge(process, limits) for process in (other, crowd)]
        judges[0].remaining_ms(50, 1_000)
        now["wall"] = now["line"] = MAX_WAITED_BUDGETS * 1_000 + 1
        crowd.used_ns = now["wall"] * NS_PER_MS // 2
        with pytest.raises(Hung, match="no answer after 10 s in which bots were busy") as hung:
            judges[0].remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.TIMEOUT


def test_where_the_line_is_not_known_no_host_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    with moving_time(monkeypatch) as now:
        judge = a_judge(MadeUp(), replace(LIMITS, load_ms=1_000))
        judge.remaining_ms(50, 1_000)
        now["wall"] = MAX_WAITED_BUDGETS * 1_000 + 1
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.SLEPT


def call(
    judge: Judge, now: dict[str, int], process: MadeUp, *, took: int, used: int
) -> Fault | None:
    """One call, in milliseconds."""
    judge.ask()
    now["wall"] += took
    process.used_ns += used * NS_PER_MS
    return judge.charge()


def test_a_long_call_is_charged_the_processor_time_it_used(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        assert call(judge, now, process, took=80, used=30) is None
    assert list(judge.call_us) == [30_000]


def test_an_answer_that_used_too_much_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        fault = call(a_judge(process), now, process, took=60, used=51)
    assert fault == Fault(Cause.TIMEOUT, "answered after 51 ms of CPU time")


def test_what_calls_cannot_have_used_was_used_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        process.used_ns += 5 * NS_PER_MS
        assert call(judge, now, process, took=2, used=2) is None
        process.used_ns += 8 * NS_PER_MS
        fault = call(judge, now, process, took=2, used=2)
    assert fault == Fault(Cause.PONDERED, "used 8 ms of CPU time between its orders")


def test_short_calls_are_set_right_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        call(judge, now, process, took=1, used=0)
        call(judge, now, process, took=1, used=2)
    assert list(judge.call_us) == [1_000, 1_000]


@pytest.mark.parametrize(("first_ms", "second_ms"), [(1_000, 2), (1, 1_000)])
def test_the_bank_is_empty_once_more_than_it_held_is_used(
    monkeypatch: pytest.MonkeyPatch, first_ms: int, second_ms: int
) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process, replace(LIMITS, cpu_ms=2_000))
        assert call(judge, now, process, took=first_ms, used=first_ms) is None
        fault = call(judge, now, process, took=second_ms, used=second_ms)
    assert fault == Fault(Cause.BANK_EMPTY, "used its 1 s of CPU time")


def test_sleep_is_taken_off_the_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one that sleeps a little less than it may, in every call, would take days."""
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process, replace(LIMITS, bank_s=2))
        assert call(judge, now, process, took=900, used=0) is None
        assert call(judge, now, process, took=900, used=10) is None
        fault = call(judge, now, process, took=900, used=0)
    message = "used its 2 s: 2.7 s asleep, 0.0 s of CPU time"
    assert fault == Fault(Cause.BANK_EMPTY, message)


def test_what_was_slept_and_what_was_used_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process, replace(LIMITS, cpu_ms=2_000))
        assert call(judge, now, process, took=800, used=800) is None
        fault = call(judge, now, process, took=700, used=100)
    message = "used its 1 s: 0.6 s asleep, 0.9 s of CPU time"
    assert fault == Fault(Cause.BANK_EMPTY, message)


def test_waiting_for_a_processor_is_not_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        for _ in range(20):
            now["line"] += 890
            assert call(judge, now, process, took=900, used=10) is None


def test_waiting_until_the_engine_has_listened_to_another_is_no_sleep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both are asked at once, and the quick one is listened to when the slow one is done."""
    quick, slow = MadeUp(), MadeUp()
    with moving_time(monkeypatch) as now:
        judges = {
            process: a_judge(process, replace(LIMITS, cpu_ms=900)) for process in (slow, quick)
        }
        judges[quick].bank.left_ns = 100 * NS_PER_MS
        for judge in judges.values():
            judge.ask()
        now["wall"] += 800
        slow.used_ns, quick.used_ns = 800 * NS_PER_MS, NS_PER_MS
        assert [judge.charge() for judge in judges.values()] == [None, None]


def test_a_call_that_cannot_have_used_so_much_was_prepared_out_of_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        now["wall"], process.used_ns = 10, 60 * NS_PER_MS
        with pytest.raises(Hung, match="used 50 ms of CPU time before") as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.PONDERED


def test_loading_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp()
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        process.used_ns = 5_000 * NS_PER_MS
        judge.forgive()
        assert call(judge, now, process, took=3, used=3) is None
    assert list(judge.call_us) == [3_000]


def test_without_a_cpu_clock_the_wall_time_of_calls_is_charged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = MadeUp(has_clock=False)
    with moving_time(monkeypatch) as now:
        judge = a_judge(process)
        now["wall"] = 300
        judge.forgive()
        assert call(judge, now, process, took=1, used=0) is None
        assert call(judge, now, process, took=30, used=0) is None
        fault = call(judge, now, process, took=51, used=0)
    assert list(judge.call_us) == [1_000, 30_000, 51_000]
    assert fault == Fault(Cause.TIMEOUT, "answered after 51 ms of CPU time")


def test_without_a_cpu_clock_nobody_is_seen_to_ponder(monkeypatch: pytest.MonkeyPatch) -> None:
    process = MadeUp(has_clock=False)
    with moving_time(monkeypatch) as now:
        judge = a_judge(process, replace(LIMITS, ponder_ms=0))
        now["wall"] = 900
        assert call(judge, now, process, took=3, used=0) is None
        judge.ask()
        now["wall"] += 20
        assert judge.remaining_ms(50, 1_000) == 30
        now["wall"] += 30
        with pytest.raises(Hung) as hung:
            judge.remaining_ms(50, 1_000)
    assert hung.value.cause is Cause.TIMEOUT


@needs.libc("clock_getcpuclockid")
def test_the_clock_of_a_process_counts_its_processor_time_alone() -> None:
    clock = process_cpu_clock(os.getpid())
    assert clock is not None
    before = clock()
    time.sleep(0.05)
    slept = clock() - before
    while clock() - before < 20 * NS_PER_MS:
        pass
    assert slept < 20 * NS_PER_MS


def test_a_process_that_is_gone_has_not_waited() -> None:
    assert read_run_queue(2**22 + 1) == RunQueue(0, 0)


@needs.path("/proc/self/schedstat")
def test_each_thread_has_a_line_of_its_own() -> None:
    """A match may be played in any thread of its process."""
    begun, seen = read_run_queue(os.getpid()), []

    def wake_often() -> None:
        for _ in range(50):
            time.sleep(0.001)
        seen.append(read_run_queue(threading.get_native_id()))

    thread = threading.Thread(target=wake_often)
    thread.start()
    thread.join()
    assert seen[0].slices >= 50 > read_run_queue(os.getpid()).slices - begun.slices
