"""What ordinary programs do and bots cannot: each gets its reason, and what works instead."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import dedent

import pytest

from engine.bots.fault_advice import INSTEAD_ADVICE, advice_on, advice_to_author
from engine.bots.forking import ForkLauncher
from engine.bots.syntax_hints import THIS_PYTHON
from engine.fault import Cause, Fault
from engine.limits import Limits
from engine.support.text_decoding import REMEDY
from tests import needs
from tests.engine.bots.matches import BOT, Table, a_bot

IMPORTS = """
import argparse, asyncio, concurrent.futures, logging, multiprocessing, os, signal, socket
import sqlite3, subprocess, sys, tempfile, threading, urllib.request
"""

Tell = Callable[..., Fault]
"""Plays a bot, `tell(decide, top=..., **files)`, and returns its first fault."""


@pytest.fixture
def tell(launcher: ForkLauncher, tmp_path: Path) -> Iterator[Tell]:
    with ExitStack() as stack:

        def provoke_fault(decide: str = "return 'UP'", *, top: str = "", **files: bytes) -> Fault:
            bot = a_folder(tmp_path / "player_test", decide, top, files)
            table = Table(launcher, bot)
            stack.callback(table.seat.close)
            fault = table.seat.start() or table.ask()
            assert isinstance(fault, Fault), fault
            return fault

        yield provoke_fault


def a_folder(folder: Path, decide: str, top: str, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    lines = "".join(f"        {line}\n" for line in dedent(decide).strip().split("\n"))
    source = BOT.format(top=dedent(top).strip(), decide=lines)
    (folder / "__init__.py").write_text(source, encoding="utf-8")
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_bytes(content)
    return folder


SCREEN = "a bot has no screen: self.draw draws on the board for those who watch"
NETWORK = "a bot has no network: put what it needs into a file beside it"
ONE_THREAD = "a bot is one thread of one process: compute in the call itself, keep data in self"
PROGRAMS = "a bot starts no programs; one in another language is a bot itself (docs/protocol.md)"
NO_WRITING = "a bot writes no files: keep data in self; print() and self.log write its log"
FILES = (
    "a bot reads its own files, Path(__file__).with_name('NAME'), and writes none: keep data in "
    "self; print() and self.log write its log"
)
NO_COMMAND_LINE = "a bot has no command line: write values into the file (PARAMS can be tuned)"


@pytest.mark.variants(8)
@pytest.mark.parametrize(
    ("call", "why"),
    [
        (
            "asyncio.run(main())",
            "asyncio needs sockets, which no bot may open: write and call ordinary functions",
        ),
        ("threading.Thread(target=print).start()", ONE_THREAD),
        ("concurrent.futures.ThreadPoolExecutor().submit(print)", ONE_THREAD),
        ("multiprocessing.Process(target=print).start()", ONE_THREAD),
        ("multiprocessing.Queue()", ONE_THREAD),
        ("subprocess.run(['ls'])", PROGRAMS),
        ("os.popen('ls')", PROGRAMS),
        ("os.fork()", PROGRAMS),
        ("socket.socket()", NETWORK),
        ("urllib.request.urlopen('http://example.org')", NETWORK),
        ("open('log.txt', 'w')", FILES),
        ("open('/etc/passwd')", FILES),
        ("os.makedirs('out')", FILES),
        ("tempfile.mkdtemp()", NO_WRITING),
        ("logging.basicConfig(filename='bot.log')", NO_WRITING),
        ("sqlite3.connect('games.db')", "a bot writes no files: sqlite3.connect(':memory:') works"),
        ("input('move? ')", "nobody types while a bot plays: all that it is told is on the board"),
        ("sys.argv[1]", NO_COMMAND_LINE),
        ("argparse.ArgumentParser().parse_args(['x'])", NO_COMMAND_LINE),
        ("os.environ['HOME']", "the environment tells a bot nothing: write values into the file"),
        ("os.nice(5)", "the sandbox does not allow it"),
        (
            "signal.setitimer(signal.ITIMER_REAL, 1)",
            "a bot sets no timers: compare time.perf_counter() with self.limits.cpu_ms",
        ),
    ],
)
@needs.SANDBOX
def test_a_call_that_a_bot_cannot_make_is_named_with_what_works_instead(
    tell: Tell, call: str, why: str
) -> None:
    fault = tell(call, top=f"{IMPORTS}\nasync def main(): pass")
    shown = call if len(call) <= 50 else f"{call[:49]}\N{HORIZONTAL ELLIPSIS}"
    assert f" in `{shown}`: {why} (player_test, line " in fault.detail


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("foes[0]", "it is empty: ask `if foes:` before"),
        ("foes[-1]", "it is empty: ask `if foes:` before"),
        ("sorted(foes)[0]", "it is empty: ask `if sorted(foes):` before"),
        ("foes[3]", "it has fewer items: compare with len(foes) before"),
        ("foes.pop()", "it is empty: ask `if foes:` before"),
        ("random.choice(foes)", "it is empty: ask `if foes:` before"),
        ("memory['a']", "it has no such key: memory.get('a') returns None then"),
        ("min(foes)", "there is nothing to choose from: default=None returns None then"),
        ("max(foes)", "there is nothing to choose from: default=None returns None then"),
    ],
)
def test_what_is_empty_is_named_with_what_to_ask_before(tell: Tell, call: str, why: str) -> None:
    fault = tell(call, top="import random\nfoes, memory = [], {}")
    assert f" in `{call}`: {why} (player_test, line " in fault.detail


@pytest.mark.parametrize(
    "call", ["{}['a' + \\\n'b']", "[].index(1)", "dict().popitem()", "int('x')"]
)
def test_other_values_that_are_missing_are_told_in_the_words_of_python(
    tell: Tell, call: str
) -> None:
    assert " in `" not in tell(call, top="").detail


@pytest.mark.parametrize(
    ("name", "files", "hint"),
    [
        (
            "w.txt",
            {"w__txt": b"1"},
            (
                ": it is in the bot's folder, not in the current one: name it "
                "Path(__file__).with_name('w.txt')"
            ),
        ),
        (
            "w.txt",
            {},
            ": it is not in the bot's folder; a file there is Path(__file__).with_name('w.txt')",
        ),
        (
            "data/w.txt",
            {},
            ": it is not in the bot's folder; a file there is Path(__file__).parent / 'data/w.txt'",
        ),
        (
            "/home/me/w.txt",
            {},
            (
                ": a bot reads its own files: put it beside __init__.py, as "
                "Path(__file__).with_name('w.txt')"
            ),
        ),
        (
            "C:\\me\\w.txt",
            {},
            (
                ": a bot reads its own files: put it beside __init__.py, as "
                "Path(__file__).with_name('w.txt')"
            ),
        ),
    ],
)
def test_a_file_that_is_not_found_is_named_as_a_bot_must_name_it(
    tell: Tell, name: str, files: dict[str, bytes], hint: str
) -> None:
    fault = tell(f"open({name!r})", **files)
    assert fault.detail == (
        f"FileNotFoundError: [Errno 2] No such file or directory: {name!r}{hint} "
        "(player_test, line 8)"
    )


def test_a_bot_of_one_file_is_told_how_to_have_another(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    table = Table(launcher, a_bot(tmp_path, "open('w.txt')"))
    with closing(table.seat):
        fault = table.ask()
    assert ": a bot of one file has no other: make it a folder with an __init__.py and w.txt, " in (
        fault.detail
    )


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        *[
            ("from typing import override", "; it came with Python 3.12, and this is ")
            for _ in range(sys.version_info < (3, 12))  # later ones have it
        ],
        ("from typing import overide_all", f"; this is {THIS_PYTHON} ("),
        ("import matplotlib.pyplot as plt", f"; {SCREEN} ("),
        ("import arcade", f"; {SCREEN} ("),
        ("import requests", f"; {NETWORK} ("),
        (
            "get_ipython().run_line_magic('matplotlib', 'inline')",
            ": that is of a notebook, and not of Python: take that line out (",
        ),
        (
            "import player_test.weights",
            "'player_test' is this bot itself, which has no name while it plays: write ",
        ),
        ("NOTHING = null", ": that is a word of JSON: in Python it is None ("),
    ],
)
def test_a_line_that_is_not_for_here_gets_its_reason(tell: Tell, line: str, hint: str) -> None:
    assert hint in tell(top=line).detail


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (
            "1 2 3 4\n".encode("utf-16"),
            (
                ": the file is UTF-16 (with a byte order mark): save it as UTF-8, or open it with "
                "encoding='utf-16' ("
            ),
        ),
        (
            b"caf\xe9\n",
            (
                ": the file is not utf-8: save it as UTF-8, or open it with its own encoding, such "
                "as encoding='latin-1' ("
            ),
        ),
    ],
)
def test_a_file_in_another_encoding_is_named_in_the_bot_that_reads_it(
    tell: Tell, content: bytes, hint: str
) -> None:
    decide = "Path(__file__).with_name('w.txt').read_text()"
    assert hint in tell(decide, top="from pathlib import Path", w__txt=content).detail


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_module_of_a_bot_in_another_encoding_is_named_with_its_cure(
    tell: Tell, encoding: str
) -> None:
    fault = tell(top="import weights", weights__py="WEIGHTS = [1, 2, 3]\n".encode(encoding))
    name = encoding[:6].upper()
    assert (fault.cause, fault.detail.partition(": ")[0]) == (
        Cause.SYNTAX_ERROR,
        "player_test/weights.py",
    )
    assert f": it is {name} (with" in fault.detail
    assert advice_on(fault, Limits(), None) == REMEDY
    assert advice_to_author(fault, Limits()) == REMEDY


def test_what_is_remedied_is_not_advised_to_be_played_in_process(tell: Tell) -> None:
    fault = tell("input()")
    assert advice_on(fault, Limits(), None) == advice_to_author(fault, Limits()) == INSTEAD_ADVICE


def test_the_same_words_at_two_places_get_two_hints(tell: Tell) -> None:
    decide = """
        self.calls = getattr(self, "calls", 0) + 1
        if self.calls == 1:
            try: os.fork()
            except OSError as error: first = find_hint(error, Path(__file__))
            try: os.nice(5)
            except OSError as error: raise ValueError(first + find_hint(error, Path(__file__)))
    """
    top = "import os\nfrom pathlib import Path\nfrom engine.bots.error_hints import find_hint"
    assert f" in `os.fork()`: {PROGRAMS} in `os.nice(5)`: the sandbox does not allow it" in (
        tell(decide, top=top).detail
    )
