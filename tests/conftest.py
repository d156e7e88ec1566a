"""What holds for all tests."""

import asyncio
import gc
import importlib
import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

from benchmarks import chromium as browsers
from engine import referee
from tests import needs
from tests.cpu_times import CpuTimes, name_without_case, read_long_tests
from tests.crashes import ending
from tests.examples import EVERY_VARIANT, PROFILES
from tests.faults.catalog import FAULTS
from tests.game_packages import Install, installing
from tests.postgresql import PostgreSQL, running
from tests.shell import Shell
from tests.template import compile_project, room_for_tests
from tests.zygotes import shared_launcher

ENDED: list[str] = []
"""In words, the processes that ended in the midst of a test."""
LARGE = {"chromium", "postgresql", "shell", "slow_shell", "screen", "compiled"}
"""Fixtures that start whole programs (browsers, database servers, commands, windows) or compile."""
WORKER = "PYTEST_XDIST_WORKER"
"""Names each of several processes that run tests: gw0 and so on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--list-long", action="store_true", help="write which tests took long: tests/long_tests.txt"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Prepare, once for all processes that run tests, what they share."""
    config.pluginmanager.register(CpuTimes())
    if not hasattr(config, "workerinput"):
        compile_project()
        stack = ExitStack()
        stack.enter_context(room_for_tests())
        config.add_cleanup(stack.close)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return three for each two cores: tests often wait for what they have started."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Note how a process that runs tests has ended, if it did in the midst of one."""
    if error:
        ENDED.append(f"{node.gateway.id} {ending(node.gateway._io.popen)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if ENDED:
        terminalreporter.section("processes of tests that have ended")
        for line in ENDED:
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, Any, Any]:
    """Collect tests, but no garbage: they stay, and would be looked through again and again."""
    gc.disable()
    try:
        is_everything = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS
        if is_everything and WORKER in os.environ:
            import_all_tests(session.config.rootpath, os.environ[WORKER])
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def import_all_tests(home: Path, worker: str) -> None:
    """Import the modules of all tests, each worker beginning somewhere else.

    What nobody has imported before is compiled, once: workers that began with the same module would
    all compile the same ones at the same time.
    """
    modules = sorted(path.relative_to(home) for path in home.glob("tests/**/test_*.py"))
    first = len(modules) * int(worker.removeprefix("gw")) // worker_count()
    for path in modules[first:] + modules[:first]:
        with suppress(Exception, pytest.skip.Exception):  # told when it is collected
            importlib.import_module(".".join(path.with_suffix("").parts))


def worker_count() -> int:
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, Any, Any]:
    """Choose what is in the usual run; of what will run, begin with the longest tests.

    At the end one worker would be busy with them alone.
    """
    mark_long_tests_slow(items)
    left_out = mark_most_variants_slow(items)
    if left_out and not os.environ.get(EVERY_VARIANT):
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    yield
    items[:] = longest_first(items, worker_count(), float(config.getini("timeout") or 0))


def mark_long_tests_slow(items: list[pytest.Item]) -> None:
    """Leave out of the usual run what starts whole programs or takes long.

    What catches a seeded fault stays in it.
    """
    catching = {test for fault in FAULTS for test in fault.tests}
    long = read_long_tests()
    for item in items:
        name = name_without_case(item.nodeid)
        names = {item.nodeid, name, name.partition("::")[0]}
        is_long = long & names or LARGE.intersection(getattr(item, "fixturenames", ()))
        if is_long and not catching & names:
            item.add_marker("slow")


def mark_most_variants_slow(items: list[pytest.Item]) -> set[str]:
    """Leave as many variants of a test in the usual run as its marker `variants` says.

    Returns the ids of those that `--all` does not play either: it plays twice as many, or as many
    as the marker says with `all`.
    """
    tests: dict[tuple[object, ...], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("variants") is not None:
            name = getattr(item, "originalname", item.name)
            tests.setdefault((item.path, item.parent, name), []).append(item)
    left_out: set[str] = set()
    for variants in tests.values():
        marker = variants[0].get_closest_marker("variants")
        assert marker is not None
        [wanted] = marker.args
        usual = spread(wanted, len(variants))
        played = usual | spread(marker.kwargs.get("all", 2 * wanted), len(variants))
        for place, item in enumerate(variants):
            if place not in usual:
                item.add_marker("slow")
            if place not in played:
                left_out.add(item.nodeid)
    return left_out


def spread(wanted: int, count: int) -> set[int]:
    """Return so many places among the first `count`, evenly spread; all if there are no more."""
    wanted = min(wanted, count)
    return {place * count // wanted for place in range(wanted)}


def longest_first(items: list[pytest.Item], workers: int, usual_s: float) -> list[pytest.Item]:
    """Return the tests in an order of which each worker's equal share begins with long ones.

    Those are long that may take longer than the usual. Those of a file share what they begin with.
    """
    files: dict[object, list[pytest.Item]] = {}
    for item in items:
        if any(mark.args[0] > usual_s for mark in item.iter_markers("timeout")):
            files.setdefault(item.path, []).append(item)
    long = {item.nodeid for tests in files.values() for item in tests}
    others = [item for item in items if item.nodeid not in long]
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        share = [item for tests in list(files.values())[worker::workers] for item in tests]
        room = (len(items) - len(ordered)) // (workers - worker) - len(share)
        ordered += [*share, *others[: max(0, room)]]
        del others[: max(0, room)]
    return ordered + others


# How long an example takes says more about the machine than about the code.
for name, count in PROFILES.items():
    settings.register_profile(name, deadline=None, max_examples=count)
settings.load_profile("usual")


HEARD: dict[str, Callable[[int, FrameType | None], object] | signal.Handlers] = {
    "SIGINT": signal.default_int_handler,
    "SIGTERM": signal.SIG_DFL,
    "SIGHUP": signal.SIG_DFL,
}
"""What tests send, to themselves and to what they start."""


@pytest.fixture
def shell(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shell]:
    """Return a project with the bots that a module lists as SHELL_BOTS: sources by their files.

    SHELL_PLAYS_HERE: bots play in the process of a command. What runs there ends with the test.
    """
    made = Shell(tmp_path, plays_here=getattr(request.module, "SHELL_PLAYS_HERE", False))
    for file, source in getattr(request.module, "SHELL_BOTS", {}).items():
        made.bot(file, source)
    yield made
    made.kill_all()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Return a database server for all tests, none of which may end it."""
    with running() as postgresql:
        yield postgresql


@pytest.fixture(scope="session")
def one_chromium() -> Iterator[Any]:
    """Return the browser of this process of tests, whose event loop waits: see `chromium`.

    It ends with this process, however that ends: Playwright's own ends when it is not heard.
    """
    if browsers.path() is None:
        needs.skip(browsers.WHAT_IS_MISSING)
    with browsers.chromium() as running:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        running.loop = loop
        yield running
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def chromium(one_chromium: Any) -> Iterator[Any]:
    """Return the browser, to which a module leaves no context.

    Playwright keeps an event loop in this thread, and no test could run another one there
    (`asyncio.run`). It counts as running for the modules alone that use the browser.
    """
    asyncio._set_running_loop(one_chromium.loop)
    yield one_chromium
    for context in one_chromium.contexts:
        context.close()
    asyncio._set_running_loop(None)


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
def umask_of_the_process() -> Iterator[None]:
    """Restore the umask after a test: commands that run in this process may change it."""
    umask = os.umask(0o022)
    os.umask(umask)
    yield
    os.umask(umask)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a package with a game."""
    with installing(tmp_path, monkeypatch) as add:
        yield add


@pytest.fixture(scope="session", autouse=True)
def one_zygote() -> Iterator[None]:
    """Let referees of this process share a zygote: each would import the same for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(referee, "new_launcher", shared_launcher)
        yield
