"""Sources are parsed by a confined child, which is all that a source can harm."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.bots import confined_child, parsing
from engine.bots.parsing import Parser
from engine.bots.source import Source, read_source
from tests import needs
from tests.engine.bots.matches import find_children, open_descriptors
from tests.processes import is_alive
from tests.shell import eventually

SOURCE = b"class Player: pass\n"
TOO_MUCH = (
    "its source is nested too deeply, or takes more than 512 MB to parse",
    "its source cannot be parsed: that takes more than 5 s of CPU time",
)
"""Which comes first is the machine's to say."""
HOLDS_A_PARSER = """
import os, time
from engine.bots.parsing import Parser

parser = Parser()
parser.parse(b"class Player: pass")
print(parser._child._process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was parsed before."""
    monkeypatch.setattr(parsing, "_known", {})


@pytest.fixture
def reads_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[bytes], str]], None]:
    """Have the child find this title in a source."""

    def patch(title: Callable[[bytes], str]) -> None:
        monkeypatch.setattr(parsing, "read_source", lambda source: Source(title=title(source)))

    return patch


@pytest.mark.slow
def test_a_source_too_much_for_the_child_is_a_flaw_and_the_next_one_is_read() -> None:
    with Parser() as parser:
        costly = parser.parse(b"a\n" * 490_000)
        assert costly.flaw in TOO_MUCH
        assert parser.parse(SOURCE + b"NAME = 'Hare'") == Source(title="Hare")


@pytest.mark.parametrize(
    "source", [b"-" * 99_999 + b"1", b"x = " + b"a." * 99_999 + b"b", b"not " * 99_999 + b"1"]
)
def test_nesting_without_end_is_a_flaw(source: bytes) -> None:
    with Parser() as parser:
        assert parser.parse(source).flaw.startswith("its source ")
        assert parser.parse(SOURCE).flaw == ""


@pytest.mark.parametrize(
    "constant",
    [
        "9**9**9",
        "'x' * 10**9",
        "[0] * 10**9",
        f"0x{'f' * 900_000}",
        f"'{'x' * 900_000}' 'y'",
        "-1j",
    ],
)
def test_nothing_is_computed_for_a_constant(constant: str) -> None:
    with Parser() as parser:
        found = parser.parse(SOURCE + f"NAME = {constant}\n".encode())
    assert found.flaw == ""
    assert len(found.title) <= 60


def test_needs_without_end_are_a_flaw() -> None:
    found = read_source(SOURCE + b"NEEDS = " + repr(["scipy"] * 101).encode())
    assert found.flaw == "NEEDS names 101 packages, and a bot may name 100"
    assert len(found.needs) == 100


def test_two_hundred_sources_are_parsed_by_one_child(
    reads_as: Callable[[Callable[[bytes], str]], None],
) -> None:
    reads_as(lambda source: str(os.getpid()))
    with Parser() as parser:
        children = {parser.parse(b"# %d" % number).title for number in range(200)}
    assert len(children) == 1
    assert children != {str(os.getpid())}


def test_a_source_is_parsed_once(reads_as: Callable[[Callable[[bytes], str]], None]) -> None:
    reads_as(lambda source: str(os.getpid()))
    first, second = Parser(), Parser()
    with first, second:
        assert first.parse(SOURCE) == second.parse(SOURCE)
        assert second.parse(b"# another") != first.parse(SOURCE)


def misbehave(source: bytes) -> str:
    match source:
        case b"loop":
            while True:
                pass
        case b"sleep":
            time.sleep(60)
        case b"crash":
            ctypes.string_at(0)
        case b"leak":
            kept.append(bytes(400_000_000))
    return str(os.getpid())


kept: list[bytes] = []


@pytest.mark.parametrize(
    ("source", "flaw"),
    [
        (b"loop", "cannot be parsed: that takes more than 0.3 s of CPU time"),
        (b"sleep", "cannot be parsed: that takes more than 0.6 s"),
        (b"crash", "its source broke Python's parser (SIGSEGV)"),
    ],
)
def test_what_exhausts_the_child_is_flawed_alone(
    reads_as: Callable[[Callable[[bytes], str]], None],
    monkeypatch: pytest.MonkeyPatch,
    source: bytes,
    flaw: str,
) -> None:
    monkeypatch.setattr(confined_child, "CPU_S", 0.3)
    monkeypatch.setattr(confined_child, "WALL_S", 30 if source == b"loop" else 0.6)
    reads_as(misbehave)
    with Parser() as parser:
        before = parser.parse(b"before")
        exhausting, after = parser.parse(source), parser.parse(b"after")
    assert flaw in exhausting.flaw
    assert (before.flaw, after.flaw) == ("", "")
    assert before.title != after.title


def test_no_source_pays_for_the_one_before_it(
    reads_as: Callable[[Callable[[bytes], str]], None],
) -> None:
    reads_as(misbehave)
    with Parser() as parser:
        assert parser.parse(b"leak").flaw == ""
        again = parser.parse(b"leak" + b"")  # remembered
        parsing._known.clear()
        assert (
            parser.parse(b"leak").title != again.title
        )  # in a fresh child, as the first had no room
        assert parser.parse(b"leak").flaw == ""


def escapes(source: bytes) -> str:
    """Return what works of what a child has no need of."""
    attempts: dict[str, Callable[[], object]] = {
        "reads": lambda: Path("/etc/passwd").read_bytes(),
        "writes": lambda: Path("/tmp/escaped").touch(),
        "forks": lambda: os.fork() or os._exit(0),
        "calls": socket.socket,
        "kills": lambda: os.kill(os.getppid(), 0),
        "eats": lambda: bytes(600_000_000),
    }
    worked = []
    for name, attempt in attempts.items():
        with suppress(OSError, MemoryError):
            attempt()
            worked.append(name)
    return " ".join([*worked, f"holds {sum(map(_is_open, range(3, 100)))}"])


def _is_open(descriptor: int) -> bool:
    with suppress(OSError):
        os.fstat(descriptor)
        return True
    return False


@needs.SANDBOX
def test_the_child_is_confined(reads_as: Callable[[Callable[[bytes], str]], None]) -> None:
    reads_as(escapes)
    with Parser() as parser:
        assert parser.parse(SOURCE).title == "holds 1"  # its end of the pipe


def test_an_encoding_is_looked_up_in_the_sandbox() -> None:
    with Parser() as parser:
        found = parser.parse(b"# coding: cp1257\nNAME = '\xe0'\n" + SOURCE)
    assert found == Source(title="\u0105")


def test_nothing_is_left_of_a_parser() -> None:
    children, descriptors = find_children(os.getpid()), open_descriptors()
    with Parser() as parser:
        parser.parse(SOURCE)
        assert len(find_children(os.getpid())) == len(children) + 1
    assert (find_children(os.getpid()), open_descriptors()) == (children, descriptors)


@needs.call("signal.SIGKILL")
def test_a_child_ends_with_an_engine_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_PARSER], stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdout is not None
        child = int(engine.stdout.readline())
        engine.send_signal(signal.SIGKILL)
    assert eventually(lambda: not is_alive(child))
