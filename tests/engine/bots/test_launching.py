"""Both ways to start a worker, and what happens when starting one fails."""

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from engine import referee
from engine.bots import process_seat
from engine.bots.forking import ForkLauncher
from engine.bots.launching import new_launcher, require
from engine.bots.sandbox import ENCLOSES, Level
from engine.bots.sandbox.trials import enclosures_here
from engine.bots.spawning import SpawnLauncher
from engine.errors import EngineFailure, SandboxMissing
from engine.fault import Cause
from engine.game import Stage
from tests import needs
from tests.engine.bots.bad_bots import BREAKERS, bad_bot_path
from tests.engine.bots.matches import (
    QUICK,
    Arena,
    Orders,
    Table,
    a_bot,
    find_children,
    find_holders,
    launch,
    open_descriptors,
)
from tests.shell import eventually

with suppress(ImportError):  # Windows has none
    import resource

QUICK_BUT_SLOW_TO_START = replace(QUICK, load_ms=30_000)
STEADY = ["DOWN", "LEFT", "RIGHT"]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """An arena whose launcher a test may break."""
    monkeypatch.setattr(referee, "new_launcher", new_launcher)  # one of its own
    arena = Arena(tmp_path / "out")
    yield arena
    arena.referee.close()


@pytest.fixture
def spawning(monkeypatch: pytest.MonkeyPatch, fresh: Arena) -> Arena:
    monkeypatch.setenv("SLIME_MIND_LAUNCHER", "spawn")
    return fresh


def test_the_launcher_of_this_platform_forks_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SLIME_MIND_LAUNCHER", raising=False)
    launcher = new_launcher()
    launcher.close()
    assert isinstance(launcher, ForkLauncher)
    monkeypatch.setenv("SLIME_MIND_LAUNCHER", "spawn")
    assert isinstance(new_launcher(), SpawnLauncher)


def test_the_other_launcher_plays_the_same_match(
    monkeypatch: pytest.MonkeyPatch, fresh: Arena, tmp_path: Path
) -> None:
    dice = a_bot(
        tmp_path,
        "return random.choice(['UP', 'DOWN', 'LEFT', 'RIGHT'][: numpy.random.randint(1, 5)])",
        top="import random, numpy",
    )
    forked = fresh.play(dice, dice)
    fresh.referee.close()
    monkeypatch.setenv("SLIME_MIND_LAUNCHER", "spawn")
    spawned = fresh.play(dice, dice)
    assert isinstance(fresh.referee._launcher, SpawnLauncher)
    assert spawned.fingerprint == forked.fingerprint
    assert spawned.faults == 0


@pytest.mark.parametrize("level", ENCLOSES)
def test_what_is_put_around_workers_needs_linux(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SandboxMissing, match=f"--sandbox {level}: .* it needs Linux"):
        require(level)
    assert enclosures_here()[level] == "it needs Linux"


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        *BREAKERS,
        ("answers_10_mb", Cause.UNREADABLE),
        ("babbles", Cause.UNREADABLE),
        ("import_exits_hard", Cause.EXIT),
        ("raises", Cause.EXCEPTION),
    ],
)
@pytest.mark.slow
def test_the_other_launcher_finds_the_same_faults(
    name: str, cause: Cause, spawning: Arena, steady: Path, logs: list[int]
) -> None:
    orders = Orders()
    before = threading.active_count(), open_descriptors()
    children = find_children(os.getpid())  # of other tests in this process
    # To write 10 MB takes a busy machine more than a quick call's 40 ms.
    limits = replace(QUICK_BUT_SLOW_TO_START, cpu_ms=200)
    result = spawning.play(bad_bot_path(name), steady, limits=limits, observers=[orders])
    assert set(result.teams[0].faults) - {Cause.OUT} == {cause}, result.teams[0].details
    assert orders.of[2] == STEADY
    assert eventually(lambda: (threading.active_count(), open_descriptors()) == before)
    assert eventually(lambda: not find_holders(logs))
    assert set(find_children(os.getpid())) <= set(children)


def test_the_other_launcher_does_not_wait_for_a_bot_that_does_not_read(tmp_path: Path) -> None:
    bot = a_bot(
        tmp_path,
        """
        frame = sys._getframe(2)
        os.write(frame.f_locals["self"]._writer, b'[%d,"UP"]\\n' % frame.f_locals["nonce"])
        while True:
            pass
        """,
        top="import os, sys",
    )
    limits = replace(QUICK_BUT_SLOW_TO_START, ponder_ms=30_000)  # we may be slow to ask again
    table = Table(SpawnLauncher(), bot, limits=limits)
    assert table.ask() == "UP"
    for turn in range(20_000):
        table.seat.notify(Stage(turn, "a stage of many letters"))
    assert table.cause() == Cause.TIMEOUT
    table.seat.close()


@needs.call("signal.SIGKILL")
def test_a_killed_zygote_is_our_failure_and_the_next_match_is_played(
    fresh: Arena, steady: Path
) -> None:
    fresh.play(steady, steady)
    os.kill(_zygote(fresh), signal.SIGKILL)
    with pytest.raises(EngineFailure, match="the process that starts bots has gone away"):
        fresh.play(steady, steady)
    assert fresh.play(steady, steady).faults == 0
    assert [path.name[0] for path in (fresh.out / "matches").iterdir()] != ["."]


@needs.call("signal.SIGKILL")
def test_a_zygote_killed_in_the_middle_of_a_match_is_our_failure(
    fresh: Arena, steady: Path, logs: list[int]
) -> None:
    class Killer(Orders):
        def on_decision(self, asks: Any, orders: Any) -> None:
            super().on_decision(asks, orders)
            if len(self.of[1] + self.of[2]) == 3:
                os.kill(_zygote(fresh), signal.SIGKILL)

    before = open_descriptors()
    with pytest.raises(EngineFailure, match="the process that starts bots has gone away"):
        fresh.play(steady, steady, observers=[Killer()])
    assert eventually(lambda: not find_holders(logs))
    assert open_descriptors() == before
    assert list((fresh.out / "matches").iterdir()) == []


@needs.call("signal.SIGKILL")
def test_workers_die_with_a_killed_zygote(
    launcher: ForkLauncher, tmp_path: Path, logs: list[int]
) -> None:
    ours = ForkLauncher()
    table = Table(ours, a_bot(tmp_path, "return 'UP'"))
    table.ask()
    os.kill(ours._zygote.pid, signal.SIGKILL)
    assert eventually(lambda: not find_holders(logs))
    with pytest.raises(EngineFailure):
        table.seat.close()
    ours.close()


def test_workers_outlive_the_thread_that_started_their_zygote(tmp_path: Path) -> None:
    made: list[ForkLauncher] = []
    thread = threading.Thread(target=lambda: made.append(ForkLauncher()))
    thread.start()
    thread.join()
    table = Table(made[0], a_bot(tmp_path, "return 'UP'"))
    assert [table.ask() for _ in range(3)] == ["UP"] * 3
    table.seat.close()
    made[0].close()


@needs.call("os.fork")
def test_a_zygote_ends_though_a_fork_of_the_engine_holds_its_socket() -> None:
    launcher = ForkLauncher()
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    try:
        launcher.close()
        assert launcher._zygote.returncode == 0
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_bot_that_can_have_no_log_is_our_failure_and_leaves_no_descriptor(
    launcher: ForkLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> NoReturn:
        raise OSError(errno.ENFILE, "Too many open files in system")

    table = Table(launcher, a_bot(tmp_path, "return 'UP'"))
    before = open_descriptors()
    monkeypatch.setattr(process_seat, "open_log", refuse)
    with pytest.raises(EngineFailure, match=r"a bot could be started: .*in system"):
        table.ask()
    assert open_descriptors() == before


@needs.call("resource.setrlimit")
@pytest.mark.parametrize("spare", range(7))
def test_an_engine_out_of_descriptors_says_so_and_leaks_none(
    spare: int, launcher: ForkLauncher, tmp_path: Path
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = open_descriptors()
    highest = max(int(line.partition(":")[0]) for line in before)
    fill = [os.open(os.devnull, os.O_RDONLY) for _ in range(highest + 1 - len(before))]
    full = open_descriptors()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(full) + spare, hard))
        process = None
        try:
            process = launch(launcher, tmp_path)
        except EngineFailure as failure:
            assert "Too many open files" in str(failure)  # noqa: PT017 - it may also succeed
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if process is not None:
        process.end()
    assert open_descriptors() == full
    for descriptor in fill:
        os.close(descriptor)


@needs.call("signal.SIGKILL")
def test_a_worker_is_reaped_and_its_status_told(launcher: ForkLauncher, tmp_path: Path) -> None:
    process = launch(launcher, tmp_path)
    assert not process.has_ended(0)
    assert process.end() == -signal.SIGKILL
    assert find_children(launcher._zygote.pid) == []


def _zygote(arena: Arena) -> int:
    launcher = arena.referee._launcher
    assert isinstance(launcher, ForkLauncher)
    return launcher._zygote.pid
