"""Workers that are fresh interpreters: slower, and all that Windows has."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

from engine.bots.channel import Channel, ThreadChannel
from engine.bots.clock import process_cpu_clock
from engine.bots.process_start import (
    ENVIRONMENT,
    PYTHON,
    ROOT,
    START_CODE,
    Needs,
    as_engine_failure,
    kill_group,
    send_signal,
)
from engine.bots.sandbox.trials import failings_here
from engine.bots.worker import INTERRUPT_SIGNAL
from engine.bots.zygote import has_ended

WORKER_COMMAND = (*PYTHON, START_CODE.format("spawned_worker"), "0", str(ROOT))


class SpawnLauncher:
    """A fresh interpreter per worker: slower, and all that Windows has."""

    def __init__(self) -> None:
        self.failings = failings_here()

    def launch(self, log: int, needs: Needs) -> "SpawnedProcess":
        # Windows needs it to start any process.
        needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        return SpawnedProcess(spawn(WORKER_COMMAND, {**needed, **ENVIRONMENT}, log))

    def close(self) -> None:
        """Do nothing: nothing outlives its workers."""


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
        self.cpu_clock = process_cpu_clock(process.pid)
        process.stdin.close()
        process.stdout.close()

    def pause(self) -> None:
        send_signal(self.pid, "SIGSTOP")

    def resume(self) -> None:
        send_signal(self.pid, "SIGCONT")

    def interrupt(self) -> bool:
        if INTERRUPT_SIGNAL is None:
            return False
        self._process.send_signal(INTERRUPT_SIGNAL)
        return True

    def has_ended(self, patience_ms: int) -> bool:
        if os.name == "posix":
            return has_ended(self._process.pid, patience_ms)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_ms / 1_000)
        return self._process.returncode is not None

    def end(self) -> int:
        kill_group(self._process.pid)
        self._process.kill()
        self.channel.close()
        return self._process.wait()


def spawn(
    command: Sequence[str], environment: Mapping[str, str], log: int
) -> "subprocess.Popen[bytes]":
    """Start a command that is a worker, or becomes one. Raises: EngineFailure."""
    with as_engine_failure():
        return subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
