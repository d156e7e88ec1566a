"""What must work on every system: here, and with what Windows and macOS lack taken away.

The commands of this system are never skipped, whichever it is.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest

import bootstrap
from tests import needs
from tests.shell import ENVIRONMENT

HERE, WINDOWS, MACOS = "", "win32", "darwin"
BOTS = ("-1", "player_one", "-2", "player_two", "--preset", "small", "--set", "max_turns=3")
COMMANDS = {
    "a first match": ("main.py", *BOTS, "--render", "none"),
    "a series": ("main.py", "-r", "multi_match", "-m", "2", "-j", "2", *BOTS),
    "a tournament": ("main.py", "-r", "tournament", "player_one", "player_two", *BOTS[4:]),
    "check": ("main.py", "check", "player_one", "--turns", "3"),
    "a replay, verified": ("replay.py", "--verify"),
    "a page": ("replay.py", "--export", "match.html"),
    "a picture": ("replay.py", "--export", "match.png"),
    "an animation": ("replay.py", "--export", "match.gif"),
    "bots": ("main.py", "bots"),
    "the sandbox's layers": ("main.py", "sandbox"),
}
MUST_WORK = (
    *("a first match", "a series", "check", "a page", "a picture", "an animation"),
    *("play", "serve"),
)
"""What is tried on the system that the tests run on, each time and whichever it is."""
USUAL = {
    HERE: {*MUST_WORK},
    WINDOWS: {"a first match", "a series", "check", "a page", "profile", "play", "serve"},
    MACOS: {"a first match", "a series", "serve"},
}
"""Of each system, what is tried each time; the others are with --every."""
SERVERS = {
    "play": ("main.py", "play", "--no-browser"),
    "serve": ("main.py", "serve", "--port", "0"),
}
PROFILE = {"profile": ("main.py", "profile", "player_one", "--turns", "2")}
ADDRESS = re.compile(r"http://\S+")
PATIENCE_S = 60


def environment(system: str) -> dict[str, str]:
    """Return the variables of a process on a system: this one, or another that is pretended."""
    pretended = {"PYTHONPATH": str(Path(__file__).parent), "SLIME_MIND_PRETENDED": system}
    ours = {**os.environ, **ENVIRONMENT, "SLIME_MIND_NO_BOOTSTRAP": "1"}
    return {**ours, **pretended} if system else ours


class System:
    """A folder to play in, and the commands of a system."""

    def __init__(self, name: str, home: Path) -> None:
        self.home = home
        self.env = environment(name)

    def start(self, program: str, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, str(bootstrap.HOME / program), *arguments],
            cwd=self.home,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str) -> str:
        """Return what a command that succeeds says."""
        process = self.start(*arguments)
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, said
        assert "Traceback" not in said
        return said


@pytest.fixture(scope="module")
def system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> System:
    """Return a system on which a match has been played."""
    system = System(request.param, tmp_path_factory.mktemp("system"))
    assert "watch it:" in system.run(*COMMANDS["a first match"])
    return system


def make_marks(system: str, thing: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a command: where a system is pretended, what it lacks is taken away."""
    pretended = [] if system == HERE else [needs.call("os.memfd_create")]
    return [*pretended, *([] if thing in USUAL[system] else [pytest.mark.exhaustive])]


def on_every_system(things: Mapping[str, tuple[str, ...]], name: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is given each system and each of some command lines."""
    return pytest.mark.parametrize(
        ("system", name),
        [
            pytest.param(
                system, words, id=f"{system or 'here'}-{thing}", marks=make_marks(system, thing)
            )
            for system in USUAL
            for thing, words in things.items()
        ],
        indirect=["system"],
    )


@on_every_system(COMMANDS, "arguments")
def test_a_command_works_on_every_system(system: System, arguments: tuple[str, ...]) -> None:
    assert system.run(*arguments)


@on_every_system(SERVERS, "arguments")
def test_a_server_answers_on_every_system(system: System, arguments: tuple[str, ...]) -> None:
    process = system.start(*arguments)
    assert process.stdout is not None
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            if found := ADDRESS.search(line):
                with urlopen(found[0], timeout=PATIENCE_S) as answer:
                    assert answer.status == 200
                break
        assert found, said
        assert "Traceback" not in "".join(said)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


@on_every_system(PROFILE, "arguments")
def test_a_profile_needs_a_timer_and_says_so_where_there_is_none(
    system: System, arguments: tuple[str, ...]
) -> None:
    process = system.start(*arguments)
    said, _ = process.communicate(timeout=PATIENCE_S)
    if system.env.get("SLIME_MIND_PRETENDED") == WINDOWS or sys.platform == WINDOWS:
        assert "error: profile needs a timer that this system does not have (setitimer)" in said
        assert process.returncode == 2
    else:
        assert process.returncode == 0, said
