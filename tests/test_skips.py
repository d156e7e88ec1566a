"""What is skipped names what is missing; what must work on every system is never skipped."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bootstrap
from tests import needs, test_first_hour
from tests.other_systems import test_commands
from tests.server import test_serve

HOME = bootstrap.HOME / "tests"
LEFT_OUT = (HOME / "bad_bots", HOME / "needs.py")
"""Bots, of which some cannot be parsed, and the module that skips."""
SKIPPING = {"importorskip", "skip", "skipif", "skipIf", "skipTest", "skipUnless", "xfail"}
ITS_OWN = ("pytest", "unittest", "mark")
MUST_RUN = (test_commands, test_first_hour, test_serve)
"""Modules with the tests of a first match, a series and a server."""


@cache
def parse_all() -> dict[Path, ast.Module]:
    paths = [one for one in HOME.rglob("*.py") if not any(map(one.is_relative_to, LEFT_OUT))]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def calls_in(tree: ast.AST) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield of each call of an attribute the name before the last dot, the one behind, and it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            yield name, node.func.attr, node


def find_needs(tree: ast.AST, *functions: str) -> Iterator[str]:
    """Yield what is named where functions of `needs` are called with a constant."""
    for owner, name, call in calls_in(tree):
        if owner == "needs" and name in functions and isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value)


def test_no_test_is_skipped_but_for_something_that_it_needs() -> None:
    """All of `needs` say `needs ...`; so does whatever else would skip, if it is found here."""
    others = [
        f"{path.relative_to(HOME)}:{call.lineno}: {owner}.{name}"
        for path, tree in parse_all().items()
        for owner, name, call in calls_in(tree)
        if name in SKIPPING and owner in ITS_OWN
    ]
    assert others == []


@pytest.mark.parametrize(
    "marks",
    [
        needs.call("os.no_such_call"),
        needs.libc("no_such_call", "WITH_THIS"),
        needs.path("/no/such/file"),
        needs.program("no-such-program", "no-such-other", package="none"),
    ],
)
def test_what_is_missing_is_named(marks: pytest.MarkDecorator) -> None:
    assert marks.args == (True,)
    assert marks.kwargs["reason"] in {
        "needs os.no_such_call",
        "needs no_such_call(WITH_THIS) of the C library",
        "needs /no/such/file",
        "needs no-such-program or no-such-other (Debian's package none)",
    }


def test_what_is_there_is_not_skipped() -> None:
    here = (needs.call("os.getpid"), needs.path(sys.executable), needs.program(sys.executable))
    assert [mark.args for mark in here] == [(False,)] * 3


def test_a_test_or_module_that_finds_something_missing_says_what() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"^needs no-such-program$"):
        needs.require_program("no-such-program")
    with pytest.raises(pytest.skip.Exception, match=r"^needs os\.no_such_call$"):
        needs.require_call("os.no_such_call")
    with pytest.raises(pytest.skip.Exception, match=r"^needs the module no_such_module$") as skip:
        needs.module("no_such_module")
    assert skip.value.allow_module_level
    assert needs.module("os") is os


@needs.PROC
@needs.libc("prctl")
def test_linux_has_every_call_that_a_test_needs() -> None:
    """A name with a slip would be missing everywhere, and its tests never run."""
    for path, tree in parse_all().items():
        calls = {*find_needs(tree, "call", "has_call", "require_call")} - {"os.no_such_call"}
        libc = {*find_needs(tree, "libc", "has_libc")} - {"no_such_call"}
        assert [name for name in calls if not needs.has_call(name)] == [], path
        assert [name for name in libc if not needs.has_libc(name)] == [], path


# -- what must run everywhere ------------------------------------------------------------------


def is_skipping(mark: pytest.Mark) -> bool:
    return mark.name in SKIPPING


@pytest.mark.parametrize("thing", test_commands.MUST_WORK)
def test_what_must_work_is_tried_on_this_system_each_time(thing: str) -> None:
    assert thing in {**test_commands.COMMANDS, **test_commands.SERVERS}
    assert test_commands.make_marks(test_commands.HERE, thing) == []


def test_a_first_match_a_series_and_a_server_are_never_skipped() -> None:
    """The one test with a mark is about an address that a machine may not have."""
    skipped = {
        f"{module.__name__}.{name}": mark.kwargs["reason"]
        for module in MUST_RUN
        for name, test in vars(module).items()
        for mark in [*getattr(module, "pytestmark", []), *getattr(test, "pytestmark", [])]
        if is_skipping(mark)
    }
    assert skipped == {
        "tests.server.test_serve.test_it_serves_at_addresses_of_ipv6_and_prints_links_that_work": (
            "needs socket.AF_INET6 with the address ::1"
        )
    }
    for module in MUST_RUN:
        tree = parse_all()[Path(str(module.__file__))]
        found = {name for owner, name, _ in calls_in(tree) if owner == "needs"}
        assert found <= {"call", "mark"}, module  # marks, of which those above are all


@pytest.mark.slow
@needs.call("os.memfd_create")  # what others lack is taken away
@pytest.mark.parametrize("system", [test_commands.WINDOWS, test_commands.MACOS])
def test_every_module_of_tests_can_be_imported_on_every_system(system: str) -> None:
    """Where one cannot, pytest ends before any test; where the one is conftest.py, all do."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.other_systems.import_all"],
        cwd=bootstrap.HOME,
        env=test_commands.environment(system),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if "skips itself" not in line] == []
