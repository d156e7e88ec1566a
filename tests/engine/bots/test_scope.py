"""`--sandbox cgroup`, with a stand-in for systemd-run: what it is asked, and what is said of it."""

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.bots.launching import ScopeLauncher
from engine.bots.log import open_log
from engine.bots.process_start import ENVIRONMENT, PYTHON, Needs
from engine.bots.sandbox import Level, scope
from engine.bots.sandbox.scope import ENV, scope_in, why_no_scope
from engine.errors import EngineFailure, SandboxMissing
from engine.fault import Cause
from tests import needs
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import QUICK, Arena, Orders, find_holders, launch
from tests.shell import ENVIRONMENT as OURS
from tests.shell import QUICK as SHORT_MATCH
from tests.shell import WALKER, Shell

pytestmark = needs.SHELL

QUICK_BUT_SLOW_TO_START = replace(QUICK, load_ms=30_000)
RUNS_IT = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
PASSES_THE_TRIAL = 'case "$*" in *begun*) echo begun; exit 137;; esac'
NO_BUS = "echo 'Failed to connect to bus: No medium found' >&2; exit 1"

StandIn = Callable[..., Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Puts a systemd-run of these lines before all others; the file in which it keeps its words."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def write(*lines: str) -> Path:
        asked = tmp_path / "asked.txt"
        keeps = f'printf "%s\\n" "$@" "" >> "{asked}"'
        program = folder / "systemd-run"
        program.write_text("\n".join(("#!/bin/sh", keeps, *lines, "")))
        program.chmod(0o755)
        return asked

    return write


# -- playing ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_match_in_scopes_is_the_same_match(
    stand_in: StandIn, tmp_path: Path, steady: Path
) -> None:
    stand_in(PASSES_THE_TRIAL, RUNS_IT)
    arena = Arena(tmp_path / "out")
    usual = arena.play(steady, steady)
    scoped = arena.play(steady, steady, sandbox=Level.CGROUP)
    assert isinstance(arena.referee._launcher, ScopeLauncher)
    arena.referee.close()
    assert scoped.fingerprint == usual.fingerprint
    assert scoped.faults == 0
    assert (scoped.sandbox.level, scoped.sandbox.layers) == (Level.CGROUP, usual.sandbox.layers)


@pytest.mark.parametrize(("user", "manager"), [(0, []), (1_000, ["--user"])])
def test_systemd_run_is_asked_for_exact_limits_and_runs_the_worker_with_its_own_environment(
    user: int,
    manager: list[str],
    stand_in: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    asked = stand_in(PASSES_THE_TRIAL, RUNS_IT)
    launcher = ScopeLauncher()
    asked.unlink()
    with open_log() as log:
        process = launcher.launch(log.fileno(), Needs((tmp_path,), 100))
    environment = Path(f"/proc/{process.pid}/environ").read_bytes().decode().split("\0")
    assert process.end() == -signal.SIGKILL
    parts = asked.read_text().splitlines()
    unit = parts.pop(len(manager) + 1)
    assert unit.startswith(f"--unit=slime-mind-{os.getpid()}-")
    assert unit.endswith(".scope")
    wanted = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    assert parts[: len(parts) - parts[::-1].index(PYTHON[0])] == [
        *(*manager, "--scope", "--quiet", "--collect", "--no-ask-password"),
        *("--property=MemoryMax=164M", "--property=MemorySwapMax=0", "--property=TasksMax=8"),
        *("--", ENV, "-i", *wanted, PYTHON[0]),
    ]
    assert sorted(filter(None, environment)) == sorted(wanted)


@pytest.mark.variants(1)
@pytest.mark.parametrize(("name", "cause"), [("loops", Cause.TIMEOUT), ("exits_hard", Cause.EXIT)])
def test_a_broken_bot_is_replaced_and_blamed_as_ever(
    name: str, cause: Cause, stand_in: StandIn, tmp_path: Path, steady: Path, logs: list[int]
) -> None:
    stand_in(PASSES_THE_TRIAL, RUNS_IT)
    arena, orders = Arena(tmp_path / "out"), Orders()
    result = arena.play(
        bad_bot_path(name),
        steady,
        limits=QUICK_BUT_SLOW_TO_START,
        observers=[orders],
        sandbox=Level.CGROUP,
    )
    assert set(result.teams[0].faults) - {Cause.OUT} == {cause}, result.teams[0].details
    assert orders.of[2] == ["DOWN", "LEFT", "RIGHT"]
    assert find_holders(logs) == []


def test_a_scope_that_fails_later_is_no_bots_fault(
    stand_in: StandIn, tmp_path: Path, steady: Path, logs: list[int]
) -> None:
    stand_in(PASSES_THE_TRIAL, NO_BUS)
    arena = Arena(tmp_path / "out")
    with pytest.raises(EngineFailure, match="no process for a bot: Failed to connect to bus"):
        arena.play(steady, steady, sandbox=Level.CGROUP)
    assert find_holders(logs) == []


def test_all_in_the_scope_of_a_worker_is_killed_and_nothing_else(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(PASSES_THE_TRIAL, RUNS_IT)
    process = launch(ScopeLauncher(), tmp_path)
    killed = tmp_path / "cgroup.kill"
    monkeypatch.setattr(scope, "scope_in", lambda lines, unit: tmp_path)
    process.end()
    assert killed.read_text() == "1"


@pytest.mark.parametrize(
    ("lines", "home"),
    [
        ("0::/user.slice/app.slice/a.scope\n", "/sys/fs/cgroup/user.slice/app.slice/a.scope"),
        ("3:pids:/x\n0::/system.slice/a.scope\n", "/sys/fs/cgroup/system.slice/a.scope"),
        ("0::/user.slice/session-3.scope\n", None),
        ("0::/a.scope/below\n", None),
        ("1:memory:/system.slice/a.scope\n", None),
        ("0::/\n", None),
    ],
)
def test_a_scope_is_found_by_its_name_alone(lines: str, home: str | None) -> None:
    assert scope_in(lines, "a.scope") == (home and Path(home))


# -- where it does not hold -----------------------------------------------------------------------


def test_a_scope_that_limits_nothing_is_found_out(stand_in: StandIn) -> None:
    stand_in(RUNS_IT)
    words = why_no_scope(shutil.which("systemd-run"))
    assert words == "one was started, but does not limit processes and memory"


def test_without_a_running_systemd_its_words_are_told_with_exit_code_2(
    stand_in: StandIn, tmp_path: Path
) -> None:
    stand_in(NO_BUS)
    (tmp_path / "home").mkdir()
    shell = Shell(tmp_path / "home")
    shell.bot("player_walker.py", WALKER)
    environment = {**OURS, "PATH": os.environ["PATH"]}
    done = shell.run("--sandbox", "cgroup", *SHORT_MATCH, env=environment)
    assert (done.code, done.out) == (2, "")
    assert "--sandbox cgroup: does not hold on this machine: systemd-run " in done.err
    assert "Failed to connect to bus: No medium found" in done.err
    assert "Failed to connect to bus" in shell.run("info", "sandbox", env=environment).out


def test_without_systemd_run_nothing_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steady: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    arena = Arena(tmp_path / "out")
    with pytest.raises(SandboxMissing, match="there is no systemd-run"):
        arena.play(steady, steady, sandbox=Level.CGROUP)
