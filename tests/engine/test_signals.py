"""Holding back the signals that end us."""

import signal
import socket
import threading
import time

import pytest

from engine.bots.forking import ForkLauncher
from engine.support.signals import deferring_signals
from tests import needs

pytestmark = needs.call("signal.pthread_sigmask")


def test_a_held_signal_is_heard_afterwards() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), deferring_signals():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert reached


def test_what_was_held_before_is_held_afterwards() -> None:
    with deferring_signals():
        with deferring_signals():
            pass
        assert signal.SIGTERM in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_ctrl_c_does_not_leave_the_answer_to_a_request_for_the_next_one() -> None:
    ours, other = socket.socketpair()
    launcher = object.__new__(ForkLauncher)
    launcher._link = ours
    caller = threading.get_ident()

    def answer_slowly() -> None:
        other.recv(100)
        signal.pthread_kill(caller, signal.SIGINT)
        time.sleep(0.05)
        other.sendall(b"7")

    answering = threading.Thread(target=answer_slowly)
    answering.start()
    with pytest.raises(KeyboardInterrupt):
        launcher.reap(1234)
    answering.join()
    ours.setblocking(False)
    with pytest.raises(BlockingIOError):
        ours.recv(1)
    ours.close()
    other.close()
