"""Starting, interrupting and ending worker processes."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Protocol

import msgspec

from engine.bots.channel import Channel, PollChannel, ThreadChannel
from engine.bots.clock import CpuClock, cpu_clock_of
from engine.bots.sandbox import Failings
from engine.bots.sandbox.process import close_memory
from engine.bots.sandbox.trials import failings_here
from engine.bots.worker import INTERRUPT
from engine.bots.zygote import (
    READY_BYTES,
    EndedRequest,
    ForkRequest,
    ReapRequest,
    Request,
    has_ended,
)
from engine.errors import EngineFailure
from engine.signals import signals_held

ROOT = Path(__file__).resolve().parents[2]

# -P and a clean environment: nothing beside a bot, and no variable, changes what is imported.
# A fixed hash seed: set order in a bot is the same in every playing of a match.
PYTHON = (sys.executable, "-s", "-P", "-c")
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
ENTER = (
    "import sys; sys.path.insert(0, sys.argv[2]); "
    "from engine.bots.{0} import main; main(int(sys.argv[1]))"
)


class Process(Protocol):
    """A worker's process, as its launcher knows it."""

    channel: Channel
    pid: int
    cpu_clock: CpuClock | None

    def pause(self) -> None:
        """Stop it until it is resumed, where that can be asked."""

    def resume(self) -> None: ...

    def interrupt(self) -> bool:
        """Ask it to drop the present call; False where that cannot be asked."""

    def has_ended(self, patience_ms: int) -> bool:
        """Whether it has ended by itself, or does within this time."""

    def end(self) -> int:
        """Kill it with all it started, and wait: its exit code, or minus the signal's number."""


class Launcher(Protocol):
    """Makes worker processes."""

    failings: Failings
    """The layers of the sandbox that do not hold here, and why."""

    def launch(self, log: Path) -> Process:
        """Raises: EngineFailure if no process can be started."""

    def close(self) -> None: ...


class ForkLauncher:
    """Forks workers from a zygote of its own (POSIX)."""

    def __init__(self) -> None:
        with _starting(), ExitStack() as stack, ExitStack() as if_it_fails:
            self._link, theirs = socket.socketpair()
            stack.callback(theirs.close)
            if_it_fails.callback(self._link.close)
            self._zygote = subprocess.Popen(
                [*PYTHON, ENTER.format("zygote"), str(theirs.fileno()), str(ROOT)],
                env=ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            theirs.close()
            ready = self._link.recv(READY_BYTES)
            if not ready:
                self._zygote.wait()
                raise EngineFailure(
                    "the process that starts bots did not start; see the error above"
                )
            self.failings = msgspec.json.decode(ready, type=Failings)
            if_it_fails.pop_all()

    def launch(self, log: Path) -> Process:
        with _starting(), ExitStack() as theirs, ExitStack() as ours:
            their_log = _open_log(log)
            theirs.callback(os.close, their_log)
            their_reader, writer = os.pipe()
            theirs.callback(os.close, their_reader)
            ours.callback(os.close, writer)
            reader, their_writer = os.pipe()
            theirs.callback(os.close, their_writer)
            ours.callback(os.close, reader)
            pid = self._request(ForkRequest(), [their_reader, their_writer, their_log])
            ours.pop_all()
        return ForkedProcess(self, pid, PollChannel(reader, writer))

    def has_ended(self, pid: int, patience_ms: int) -> bool:
        """Whether a worker is dead, or is within this time."""
        return bool(self._request(EndedRequest(pid, patience_ms)))

    def reap(self, pid: int) -> int:
        """Wait for a worker that is dead or as good as dead."""
        return self._request(ReapRequest(pid))

    def close(self) -> None:
        with suppress(OSError):  # gone already
            # Whoever else holds this socket (a fork of the engine), the zygote sees the end.
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()
        self._zygote.wait()

    def _request(self, request: Request, descriptors: list[int] | None = None) -> int:
        content = msgspec.json.encode(request)
        try:
            with signals_held():  # or the next request would get the answer to this one
                socket.send_fds(self._link, [content], descriptors or [])
                answer = self._link.recv(64)
        except OSError as error:
            raise EngineFailure("the process that starts bots has gone away") from error
        if not answer:
            raise EngineFailure("the process that starts bots has gone away")
        return int(answer)


class ForkedProcess:
    """A worker forked from the zygote, which keeps its pid reserved until it is reaped."""

    def __init__(self, launcher: ForkLauncher, pid: int, channel: Channel) -> None:
        self._launcher = launcher
        self.pid = pid
        self.channel = channel
        self.cpu_clock = cpu_clock_of(pid)

    def pause(self) -> None:
        _send_signal(self.pid, "SIGSTOP")

    def resume(self) -> None:
        _send_signal(self.pid, "SIGCONT")

    def interrupt(self) -> bool:
        assert INTERRUPT is not None
        os.kill(self.pid, INTERRUPT)
        return True

    def has_ended(self, patience_ms: int) -> bool:
        return self._launcher.has_ended(self.pid, patience_ms)

    def end(self) -> int:
        _kill_group(self.pid)
        self.channel.close()
        return self._launcher.reap(self.pid)


class SpawnLauncher:
    """A fresh interpreter per worker: slower, and all that Windows has."""

    def __init__(self) -> None:
        self.failings = failings_here()

    def launch(self, log: Path) -> Process:
        with _starting():
            descriptor = _open_log(log)
            try:
                process = subprocess.Popen(
                    [*PYTHON, ENTER.format("spawned"), "0", str(ROOT)],
                    env={**_needed_variables(), **ENVIRONMENT},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=descriptor,
                    start_new_session=True,
                )
            finally:
                os.close(descriptor)
        return SpawnedProcess(process)

    def close(self) -> None:
        """Nothing outlives its workers."""


class SpawnedProcess:
    """A worker that is a child of the engine, talked to over its stdin and stdout."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self.channel: Channel = ThreadChannel(
            os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno())
        )
        self.pid = process.pid
        self.cpu_clock = cpu_clock_of(process.pid)
        process.stdin.close()
        process.stdout.close()

    def pause(self) -> None:
        _send_signal(self.pid, "SIGSTOP")

    def resume(self) -> None:
        _send_signal(self.pid, "SIGCONT")

    def interrupt(self) -> bool:
        if INTERRUPT is None:
            return False
        self._process.send_signal(INTERRUPT)
        return True

    def has_ended(self, patience_ms: int) -> bool:
        if os.name == "posix":
            return has_ended(self._process.pid, patience_ms)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_ms / 1_000)
        return self._process.returncode is not None

    def end(self) -> int:
        _kill_group(self._process.pid)
        self._process.kill()
        self.channel.close()
        return self._process.wait()


def new_launcher() -> Launcher:
    """The launcher of this platform; SLIME_MIND_LAUNCHER=spawn tries the other one."""
    close_memory()
    if os.name != "posix" or os.environ.get("SLIME_MIND_LAUNCHER") == "spawn":
        return SpawnLauncher()
    return ForkLauncher()


@contextmanager
def _starting() -> Iterator[None]:
    """What the system refuses is no bot's fault. Raises: EngineFailure."""
    try:
        yield
    except OSError as error:
        raise EngineFailure(f"no process for a bot could be started: {error}") from error


def _open_log(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)


def _send_signal(pid: int, name: str) -> None:
    """Where there is such a signal, and the process still lives."""
    if hasattr(signal, name):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.Signals[name])


def _kill_group(pid: int) -> None:
    """All of a worker's session. A pid of 0 would be our own group: never."""
    assert pid > 0
    if os.name != "posix":
        return
    for kill in (os.kill, os.killpg):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _needed_variables() -> dict[str, str]:
    """What Windows needs to start any process."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
