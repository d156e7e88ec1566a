"""`--sandbox bwrap`: what a worker sees from within, how it ends, and what is said without it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from engine.bots.launching import BubbleLauncher
from engine.bots.sandbox import Layer, Level, bubble
from engine.bots.sandbox.bubble import Bubble, why_no_bubble
from engine.bots.sandbox.filesystem import interpreter_paths
from engine.errors import EngineFailure, SandboxMissing
from engine.fault import Cause
from tests import needs
from tests.engine.bots.bad_bots import BREAKERS, bad_bot_path
from tests.engine.bots.matches import (
    QUICK,
    Arena,
    Orders,
    Table,
    a_bot,
    find_children,
    find_holders,
    launch,
    open_descriptors,
)
from tests.shell import QUICK as SHORT_MATCH
from tests.shell import SLEEPER, WALKER, Shell, eventually, finish

BWRAP = shutil.which("bwrap") or ""
if not needs.has_call("os.pidfd_open"):
    needs.skip("os.pidfd_open", is_of_module=True)
if why := why_no_bubble(BWRAP or None):
    needs.skip(f"bwrap that holds: {why}", is_of_module=True)

STEADY = ["DOWN", "LEFT", "RIGHT"]
ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def bubbles() -> Iterator[BubbleLauncher]:
    launcher = BubbleLauncher()
    yield launcher
    launcher.close()


@pytest.fixture
def nothing_else() -> Iterator[BubbleLauncher]:
    """A launcher whose workers put no layer on: the bubblewrap alone holds them."""
    launcher = BubbleLauncher()
    launcher.failings = dict.fromkeys(Layer, "left out by a test")
    yield launcher
    launcher.close()


# -- playing ------------------------------------------------------------------------------------


def test_a_match_in_bubblewraps_is_the_same_match(arena: Arena, tmp_path: Path) -> None:
    dice = a_bot(
        tmp_path,
        "return random.choice(['UP', 'DOWN', 'LEFT', 'RIGHT'][: numpy.random.randint(1, 5)])",
        top="import random, numpy",
    )
    usual = arena.play(dice, dice)
    enclosed = arena.play(dice, dice, sandbox=Level.BWRAP)
    assert isinstance(arena.referee._launcher, BubbleLauncher)
    assert enclosed.fingerprint == usual.fingerprint
    assert enclosed.faults == 0
    assert enclosed.sandbox == msgspec.structs.replace(usual.sandbox, level=Level.BWRAP)


def test_an_environment_that_is_reached_by_a_link_plays(tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    linked.symlink_to(sys.prefix)
    shell = Shell(tmp_path)
    shell.bot("player_walker.py", WALKER)
    match = ("-1", "player_walker", "-2", "player_walker", *SHORT_MATCH, "--sandbox", "bwrap")
    command = [
        str(linked / "bin" / "python"),
        str(ROOT / "main.py"),
        *match,
        "--out",
        str(tmp_path / "out"),
    ]
    played = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (played.returncode, played.stderr) == (0, "")


@pytest.mark.variants(2)
@pytest.mark.parametrize(("name", "cause"), [*BREAKERS, ("aborts", Cause.SIGNAL)])
def test_a_broken_bot_is_replaced_and_blamed_as_ever(
    name: str, cause: Cause, arena: Arena, steady: Path, logs: list[int]
) -> None:
    orders = Orders()
    result = arena.play(
        bad_bot_path(name), steady, limits=QUICK, observers=[orders], sandbox=Level.BWRAP
    )
    assert set(result.teams[0].faults) - {Cause.OUT} == {cause}, result.teams[0].details
    assert orders.of[2] == STEADY
    launcher = arena.referee._launcher
    assert isinstance(launcher, BubbleLauncher)
    assert eventually(lambda: find_children(launcher._zygote.pid) == [])
    assert find_holders(logs) == []


def test_its_own_exit_code_is_told_and_its_own_signal(
    bubbles: BubbleLauncher, tmp_path: Path
) -> None:
    table = Table(bubbles, a_bot(tmp_path, "os._exit(137)", top="import os"))
    fault = table.ask()
    assert fault.detail == "process ended itself with exit code 137"
    process = launch(bubbles, tmp_path)
    assert process.end() == -signal.SIGKILL


def test_its_clock_is_its_own(bubbles: BubbleLauncher, tmp_path: Path) -> None:
    table = Table(bubbles, a_bot(tmp_path, "sum(range(3_000_000)); return 'UP'"))
    assert table.ask() == "UP"
    assert table.seat.call_us[0] > 5_000  # bwrap and its cat use no CPU time
    table.seat.close()


# -- what is seen from within --------------------------------------------------------------------


def test_a_worker_sees_itself_and_what_it_needs(
    nothing_else: BubbleLauncher, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    server = socket.create_server(("127.0.0.1", 0))
    named = socket.socket(socket.AF_UNIX)
    named.bind(f"\0{tmp_path}")
    named.listen()
    bot = a_bot(
        tmp_path / "bot",
        f"""
        pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
        assert pids == [1, os.getpid()], pids
        assert open("/proc/1/comm").read() == "cat\\n"
        assert socket.if_nameindex() == [(1, "lo")]
        hidden = ["/etc/passwd", "/home", "/run", "/var", "/sys", "/bin/sh", "/usr/bin/python3"]
        hidden += [{str(secret)!r}, {str(ROOT / "main.py")!r}, {str(ROOT / "engine")!r}]
        assert [path for path in hidden if os.path.exists(path)] == []
        assert set(os.listdir("/tmp")) <= {_tops(tmp_path, ROOT)!r}
        for folder in "/", "/tmp", "/dev", "/dev/shm", "/usr/lib", os.path.dirname(__file__):
            try:
                open(folder + "/made_inside", "w")
            except OSError as refusal:
                assert refusal.errno == errno.EROFS, (folder, refusal)
            else:
                raise AssertionError(folder)
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})),
            (socket.AF_UNIX, {f"{chr(0)}{tmp_path}"!r}),
        ):
            with socket.socket(family) as caller:
                assert caller.connect_ex(address) == errno.ECONNREFUSED
        assert socket.gethostname()
        assert "CapEff:\\t0000000000000000" in open("/proc/self/status").read()
        for call in lambda: os.kill({os.getpid()}, 0), lambda: socket.sethostname("x"):
            try:
                call()
            except (ProcessLookupError, PermissionError):
                continue
            raise AssertionError(call)
        return "UP"
        """,
        top="import errno, os, socket",
    )
    with closing(server), closing(named):
        table = Table(nothing_else, bot, level=Level.BWRAP)
        assert table.ask() == "UP"
        table.seat.close()
    assert secret.exists()


def _tops(*paths: Path) -> set[str]:
    """The first names below /tmp of what lies there.

    A bubble has the folders above a bot's own and above the installed packages.
    """
    return {path.relative_to("/tmp").parts[0] for path in paths if path.is_relative_to("/tmp")}


def test_what_a_worker_starts_ends_with_it(
    nothing_else: BubbleLauncher, tmp_path: Path, logs: list[int]
) -> None:
    bot = a_bot(
        tmp_path,
        """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        return "UP"
        """,
        top="import os, time",
    )
    table = Table(nothing_else, bot, level=Level.BWRAP)
    assert table.ask() == "UP"
    assert eventually(lambda: len(find_holders(logs)) == 2)
    table.seat.close()
    assert find_holders(logs) == []
    assert find_children(nothing_else._zygote.pid) == []


# -- ending ---------------------------------------------------------------------------------------


def test_a_zygote_keeps_nothing_of_a_worker_that_is_gone(
    bubbles: BubbleLauncher, tmp_path: Path
) -> None:
    before = open_descriptors(bubbles._zygote.pid), open_descriptors()
    for _ in range(3):
        launch(bubbles, tmp_path).end()
    assert (open_descriptors(bubbles._zygote.pid), open_descriptors()) == before
    assert find_children(bubbles._zygote.pid) == []


@pytest.mark.slow
def test_all_ends_with_a_killed_zygote(tmp_path: Path) -> None:
    launcher = BubbleLauncher()
    table = Table(launcher, a_bot(tmp_path, "return 'UP'"))
    table.ask()
    below = _descendants(launcher._zygote.pid)
    assert len(below) == 3  # bwrap, its cat, the worker
    os.kill(launcher._zygote.pid, signal.SIGKILL)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))
    with pytest.raises(EngineFailure):
        table.seat.close()
    launcher.close()


def _descendants(pid: int) -> list[int]:
    children = find_children(pid)
    return children + [below for child in children for below in _descendants(child)]


@pytest.mark.slow
def test_nothing_survives_a_runner_that_is_killed(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.bot("player_sleeper.py", SLEEPER)
    shell.bot("player_walker.py", WALKER)
    endless = ("-1", "player_sleeper", "-2", "player_walker", "--set", "max_turns=100000")
    process = shell.start(*endless, "--sandbox", "bwrap")
    assert eventually(lambda: len(_find_processes("cat", below=process.pid)) == 2)
    all_of_it = [process.pid, *_descendants(process.pid)]
    process.kill()
    finish(process)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in all_of_it))
    assert shell.processes() == []


def _find_processes(name: str, *, below: int) -> list[int]:
    found = []
    for pid in _descendants(below):
        with suppress(OSError):  # it has ended
            if Path(f"/proc/{pid}/comm").read_text() == f"{name}\n":
                found.append(pid)
    return found


# -- where it does not hold -----------------------------------------------------------------------


def test_without_bubblewrap_nothing_is_played_and_one_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steady: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    arena = Arena(tmp_path / "out")
    with pytest.raises(SandboxMissing, match=r"--sandbox bwrap: .*apt install bubblewrap"):
        arena.play(steady, steady, sandbox=Level.BWRAP)
    assert list((tmp_path / "out" / "matches").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("parts", [(), ("-r", "multi_match", "-m", "4")], ids=["match", "series"])
def test_a_bubblewrap_that_is_forbidden_is_a_wrong_wish_told_in_its_own_words(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    refusing = tmp_path / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\necho 'bwrap: uid map: Permission denied' >&2; exit 1\n")
    refusing.chmod(0o755)
    (tmp_path / "home").mkdir()
    shell = Shell(tmp_path / "home")
    shell.bot("player_walker.py", WALKER)
    environment = {**os.environ, "SLIME_MIND_NO_BOOTSTRAP": "1", "PATH": str(refusing.parent)}
    done = shell.run("--sandbox", "bwrap", *parts, *SHORT_MATCH, env=environment)
    assert (done.code, done.out) == (2, "")
    assert "--sandbox bwrap: does not hold" in done.err
    assert "bwrap: uid map: Permission denied; user namespaces may be forbidden here" in done.err
    assert "because: bwrap: uid map: " in shell.run("info", "sandbox", env=environment).out


def test_a_bubblewrap_that_hides_too_little_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with_etc = [*interpreter_paths(), Path("/etc")]
    monkeypatch.setattr("engine.bots.sandbox.bubble.interpreter_paths", lambda: with_etc)
    assert why_no_bubble(BWRAP) == "puts itself on, but inside are seen: files"


@pytest.mark.parametrize("namespace", ["pid", "net"])
def test_a_namespace_that_is_not_there_is_found_out(
    namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubble, "NAMESPACES", [n for n in bubble.NAMESPACES if n != namespace])
    assert why_no_bubble(BWRAP) != ""


def test_nobody_goes_on_as_a_copy_of_us_whatever_fails_on_the_way_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise MemoryError

    with closing(Bubble(BWRAP, [HERE])) as closed:
        monkeypatch.setattr(bubble, "drop_rights", fail)
        with pytest.raises(OSError, match=r"MemoryError\(\)"):
            closed.fork_inside()


def test_who_cannot_go_in_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Bubble(BWRAP, [HERE])) as closed:
        monkeypatch.setattr(bubble, "ALL_NAMESPACES", 1)
        with pytest.raises(OSError, match="setns: Invalid argument"):
            closed.fork_inside()
