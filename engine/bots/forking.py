"""Workers forked from a zygote: ready in about a millisecond (POSIX)."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress

import msgspec

from engine.bots.channel import Channel, PollChannel
from engine.bots.clock import process_cpu_clock
from engine.bots.process_start import (
    ENVIRONMENT,
    PYTHON,
    ROOT,
    START_CODE,
    Needs,
    as_engine_failure,
    kill_group,
)
from engine.bots.sandbox import Failings
from engine.bots.worker import INTERRUPT_SIGNAL
from engine.bots.zygote import ANSWER_BYTES, EndedRequest, ForkRequest, ReapRequest, Request
from engine.errors import EngineFailure
from engine.support.signals import deferring_signals

decode_answer = msgspec.json.Decoder(int | str).decode


class ForkLauncher:
    """Forks workers from a zygote of its own (POSIX)."""

    _bwrap: str | None = None

    def __init__(self) -> None:
        with as_engine_failure(), ExitStack() as stack, ExitStack() as if_it_fails:
            self._link, child_end = socket.socketpair()
            stack.callback(child_end.close)
            if_it_fails.callback(self._link.close)
            self._zygote = subprocess.Popen(
                [*PYTHON, START_CODE.format("zygote"), str(child_end.fileno()), str(ROOT)],
                env=ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                pass_fds=[child_end.fileno()],
                start_new_session=True,
            )
            child_end.close()
            ready = self._link.recv(ANSWER_BYTES)
            if not ready:
                self._zygote.wait()
                raise EngineFailure(
                    "the process that starts bots did not start; see the error above"
                )
            self.failings = msgspec.json.decode(ready, type=Failings)
            if_it_fails.pop_all()

    def launch(self, log: int, needs: Needs) -> "ForkedProcess":
        with as_engine_failure(), ExitStack() as child_end, ExitStack() as ours:
            their_reader, writer = os.pipe()
            child_end.callback(os.close, their_reader)
            ours.callback(os.close, writer)
            reader, their_writer = os.pipe()
            child_end.callback(os.close, their_writer)
            ours.callback(os.close, reader)
            reads = tuple(map(str, needs.reads))
            request = ForkRequest(needs.game, needs.has_numpy, reads, self._bwrap)
            pid = self._send_request(request, [their_reader, their_writer, log])
            ours.pop_all()
        return ForkedProcess(self, pid, PollChannel(reader, writer))

    def has_ended(self, pid: int, patience_ms: int) -> bool:
        """Return whether a worker is dead, or is within this time."""
        return bool(self._send_request(EndedRequest(pid, patience_ms)))

    def reap(self, pid: int) -> int:
        """Wait for a worker that is dead or as good as dead."""
        return self._send_request(ReapRequest(pid))

    def close(self) -> None:
        with suppress(OSError):  # gone already
            # Whoever else holds this socket (a fork of the engine), the zygote sees the end.
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()
        self._zygote.wait()

    def _send_request(self, request: Request, descriptors: list[int] | None = None) -> int:
        answer = self._ask(request, descriptors)
        if isinstance(answer, str):
            raise EngineFailure(f"no process for a bot could be started: {answer}")
        return answer

    def _ask(self, request: Request, descriptors: list[int] | None = None) -> int | str:
        """Return what the zygote answers. Raises: EngineFailure if it answers nothing."""
        content = msgspec.json.encode(request)
        try:
            with deferring_signals():  # or the next request would get the answer to this one
                if sys.platform != "win32":
                    socket.send_fds(self._link, [content], descriptors or [])
                answer = self._link.recv(ANSWER_BYTES)
        except OSError as error:
            raise EngineFailure("the process that starts bots has gone away") from error
        if not answer:
            raise EngineFailure("the process that starts bots has gone away")
        decoded: int | str = decode_answer(answer)
        return decoded


class ForkedProcess:
    """A worker forked from the zygote, which keeps its pid reserved until it is reaped."""

    def __init__(self, launcher: ForkLauncher, pid: int, channel: Channel) -> None:
        self._launcher = launcher
        self.pid = pid
        self.channel = channel
        self.cpu_clock = process_cpu_clock(pid)

    def pause(self) -> None:
        if sys.platform != "win32":
            os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        if sys.platform != "win32":
            os.kill(self.pid, signal.SIGCONT)

    def interrupt(self) -> bool:
        assert INTERRUPT_SIGNAL is not None
        os.kill(self.pid, INTERRUPT_SIGNAL)
        return True

    def has_ended(self, patience_ms: int) -> bool:
        return self._launcher.has_ended(self.pid, patience_ms)

    def end(self) -> int:
        kill_group(self.pid)
        self.channel.close()
        return self._launcher.reap(self.pid)
