"""What holds for all tests."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import FrameType

import pytest
from hypothesis import settings

from tests.examples import THOROUGH, USUAL
from tests.forking import forked_zygotes
from tests.template import compile_project, room_for_tests


def pytest_configure(config: pytest.Config) -> None:
    """Prepare, once for all processes that run tests, what they share."""
    if not hasattr(config, "workerinput"):
        compile_project()
        stack = ExitStack()
        stack.enter_context(room_for_tests())
        config.add_cleanup(stack.close)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one and a half for each core: many tests wait for what they have started."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)


# How long an example takes says more about the machine than about the code.
settings.register_profile("usual", deadline=None, max_examples=USUAL)
settings.register_profile("thorough", deadline=None, max_examples=THOROUGH)
settings.load_profile("usual")


HEARD: dict[str, Callable[[int, FrameType | None], object] | signal.Handlers] = {
    "SIGINT": signal.default_int_handler,
    "SIGTERM": signal.SIG_DFL,
    "SIGHUP": signal.SIG_DFL,
}
"""What tests send, to themselves and to what they start."""


@pytest.fixture(scope="session", autouse=True)
def signals_are_heard() -> Iterator[None]:
    """Whoever started us may ignore them: a script's `&`, nohup, some CI systems.

    What ignores a signal hands that on to all that it starts. In the process that runs the tests
    alone: one that only hands them out stays as it was started.
    """
    known = {signal.Signals[name]: how for name, how in HEARD.items() if hasattr(signal, name)}
    before = {number: signal.signal(number, how) for number, how in known.items()}
    blocked: set[signal.Signals | int] = set()
    if hasattr(signal, "pthread_sigmask"):
        blocked = set(signal.pthread_sigmask(signal.SIG_UNBLOCK, known))
        blocked &= set(known)
    yield
    for number, how in before.items():
        signal.signal(number, how)
    if blocked:
        signal.pthread_sigmask(signal.SIG_BLOCK, blocked)


@pytest.fixture(autouse=True)
def calm_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches with faults are played once, whatever else the machine has to do."""
    monkeypatch.setattr("engine.referee.looks_starved", lambda result: False)


@pytest.fixture(scope="module", autouse=True)
def zygotes() -> Iterator[None]:
    """Zygotes that this process starts are forked from one that is there, where that can be."""
    with forked_zygotes():
        yield
