"""The worker's end of the pipe, spoken to by hand."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.forking import ForkLauncher
from engine.bots.launching import Process
from engine.bots.wire import START_NONCE, Problem, Reply, Start
from engine.fault import Cause
from engine.game import Stage
from tests import needs
from tests.engine.bots.matches import Table, a_bot, launch, open_descriptors
from tests.shell import eventually

WAIT_MS = 20_000


class Worker:
    """A worker's process, and lines to and from it."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.pid: int = process.pid

    def send(self, message: Any) -> None:
        assert self.process.channel.send(msgspec.json.encode(message) + b"\n", WAIT_MS)

    def reply(self) -> Reply:
        line = b""
        while not line.endswith(b"\n"):
            more = self.process.channel.receive(WAIT_MS, 1 << 20)
            assert more, "no reply"
            line += more
        return msgspec.json.decode(line, type=Reply)

    def is_asleep(self) -> bool:
        """Waiting for something, such as its next line."""
        state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "S"


def start(table: Table) -> Start:
    return table.seat._start_message()


@pytest.fixture
def worker(launcher: ForkLauncher, tmp_path: Path) -> Iterator[Worker]:
    process = launch(launcher, tmp_path)
    yield Worker(process)
    process.end()


def table(launcher: ForkLauncher, tmp_path: Path, decide: str, top: str = "") -> Table:
    return Table(launcher, a_bot(tmp_path, decide, top=top))


def test_a_worker_says_that_it_is_ready_and_answers_with_the_nonce_it_was_given(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    seat = table(launcher, tmp_path, "return [self.board.turn, slime.id]")
    worker.send(start(seat))
    assert worker.reply() == Reply(START_NONCE)
    worker.send((77, [Stage(5, "a stage")], seat.slime.id, None))
    assert worker.reply() == Reply(77, [5, seat.slime.id])


def test_a_line_that_comes_in_pieces_is_one_line(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    line = msgspec.json.encode(start(table(launcher, tmp_path, "return 'UP'"))) + b"\n"
    for piece in (line[:1], line[1:100], line[100:-1], line[-1:]):
        assert worker.process.channel.send(piece, WAIT_MS)
        assert eventually(worker.is_asleep)
    assert worker.reply() == Reply(START_NONCE)


def test_a_bot_that_cannot_start_says_why_and_its_worker_ends(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    worker.send(start(table(launcher, tmp_path, "return 'UP'", top="1 / 0")))
    reply = worker.reply()
    message = "ZeroDivisionError: division by zero (player_test, line 2)"
    assert reply == Reply(START_NONCE, None, Problem(Cause.LOAD_ERROR, message))
    assert worker.process.has_ended(WAIT_MS)


def test_an_interrupt_drops_the_present_call_and_no_other(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    seat = table(
        launcher,
        tmp_path,
        """
        self.calls = getattr(self, "calls", 0) + 1
        if self.calls == 2:
            time.sleep(60)
        return self.calls
        """,
        top="import time",
    )
    worker.send(start(seat))
    worker.reply()
    for nonce, answer in ((1, 1), (2, None), (3, 3)):
        worker.process.interrupt()  # while it waits: nothing to drop
        assert eventually(worker.is_asleep)
        worker.send((nonce, [], seat.slime.id, None))
        if answer is None:
            time.sleep(0.05)
            assert eventually(worker.is_asleep)
            worker.process.interrupt()
            worker.process.interrupt()
        reply = worker.reply()
        assert (reply.nonce, reply.answer) == (nonce, answer)
        assert (reply.problem is None) == (answer is not None)


def test_a_worker_ends_when_the_engine_goes_away(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    worker.send(start(table(launcher, tmp_path, "return 'UP'")))
    worker.reply()
    os.close(worker.process.channel._writer)  # type: ignore[attr-defined]
    assert worker.process.has_ended(WAIT_MS)
    worker.process.channel._writer = os.open(os.devnull, os.O_WRONLY)  # type: ignore[attr-defined]


def test_a_worker_holds_its_pipes_and_its_log_and_no_other_descriptor(
    worker: Worker, launcher: ForkLauncher, tmp_path: Path
) -> None:
    sibling = table(launcher, tmp_path / "sibling", "return 'UP'")
    assert sibling.ask() == "UP"
    worker.send(start(sibling))
    assert worker.reply() == Reply(START_NONCE)
    held = [line.partition(": ")[2] for line in open_descriptors(worker.pid)]
    sibling.seat.close()
    kinds = ["pipe" if target.startswith("pipe:") else target for target in held]
    log = "/memfd:log (deleted)"
    assert sorted(kinds) == sorted(["/dev/null", log, log, log, "pipe", "pipe"])


@needs.call("os.getpgid")
def test_a_worker_leads_a_session_and_a_group_of_its_own(worker: Worker) -> None:
    assert eventually(lambda: os.getsid(worker.pid) == worker.pid)
    assert os.getpgid(worker.pid) == worker.pid
