"""Plays bad bots against an honest one, and looks for anything they did to anybody else.

`python3 -m tests.engine.bots.contained FOLDER LEVEL` does so with all that a bot could be after put
into FOLDER and around it; it reads the names of bots, and answers each with a line of JSON.
"""

import ctypes
import os
import signal
import socket
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.sandbox import Level
from engine.errors import EngineFailure, SandboxMissing
from engine.fault import Cause
from engine.limits import Limits
from engine.streams import draw_seed
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import DUEL, Arena, Orders, a_bot, find_children
from tests.shell import eventually

with suppress(ImportError):  # Windows has none
    import resource

CONTAINED = Limits(cpu_ms=100, wall_ms=400, load_ms=2_000, max_restarts=1, memory_mb=128)
STEADY_ORDERS = ["DOWN", "LEFT", "RIGHT", "UP"]
"""Again and again."""
STEADY = """
self.rounds = getattr(self, "rounds", 0) + 1
return ("UP", "DOWN", "LEFT", "RIGHT")[self.rounds % 4]
"""
TURNS = {"knows_later_nonces": 660}
"""Turns of the matches of bots that need more than those of a short one."""
ESCAPED = "escaped"
"""What a bad bot prints when something worked, and the beginning of all names it makes up."""
CANARY = "SLIME_MIND_CANARY"
MADE_UP_UID = 2_000_000
OPEN_TO_ALL = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue")
ROOT = Path(__file__).resolve().parents[3]
PR_SET_CHILD_SUBREAPER = 36
GROWTH = 64 << 20
"""Bytes the engine may grow by in one match."""


class Verdict(msgspec.Struct, frozen=True):
    """What came of one bad bot."""

    bot: str
    causes: tuple[Cause, ...]
    """The causes of its faults; empty for a bot that played on."""
    breaches: tuple[str, ...]
    """What it did beyond its own worker; empty if it was held."""


class World:
    """An engine at work, and what is to stay as it is."""

    def __init__(self, folder: Path, level: Level) -> None:
        self._folder = folder
        self._level = level
        self._arena = Arena(folder / "results")
        self._steady = a_bot(folder / "bots", STEADY, name="player_steady")
        (folder / "secret.txt").write_text("nobody's business")
        (folder / "results").mkdir()
        (folder / "results" / "result.txt").write_text("player_steady won")
        self._listeners = (_listening_port(folder), _listening_name(folder))
        # What a bot leaves behind becomes our child, wherever it hides.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._arena.play(self._steady, self._steady, limits=CONTAINED, sandbox=level)
        launcher = self._arena.referee._launcher
        assert launcher is not None
        self.failings = launcher.failings
        self._zygote: int = launcher._zygote.pid  # type: ignore[attr-defined]
        self._canaries = [*folder.rglob("*.*"), *ROOT.glob("engine/**/*.py")]

    def try_out(self, name: str) -> Verdict:
        """Play the bad bot of this name, and look around."""
        path = bad_bot_path(name)
        before, memory_before = self._state(), _memory()
        settings = replace(DUEL, max_turns=TURNS.get(name, DUEL.max_turns))
        orders = Orders()
        try:
            result = self._arena.play(
                path,
                self._steady,
                limits=CONTAINED,
                settings=settings,
                observers=[orders],
                sandbox=self._level,
                seed=draw_seed(),
            )
        except EngineFailure as failure:
            return Verdict(name, (), (f"the engine failed: {failure}",))
        bad, good = result.teams
        log = self._arena.log(result).splitlines()
        breaches = [line for line in log if line.startswith(f"{ESCAPED}:")]
        breaches += [f"its fault paints: {d!r}" for d in _unprintable(bad.details.values())]
        steady = [*islice(cycle(STEADY_ORDERS), settings.max_turns)]
        if (orders.of[2], good.faults, good.out) != (steady, {}, None):
            breaches.append(f"the opponent was moved: {orders.of[2]} {good.faults} {good.out}")
        if result.turns != settings.max_turns:
            breaches.append(f"the match ended in turn {result.turns}")
        if not eventually(lambda: not self._strangers(), patience_s=2):
            breaches.append(f"processes are left: {len(self._strangers())}")
            for pid in self._strangers():
                with suppress(OSError):  # the zygote's child, or gone by now
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
        if _memory() > memory_before + GROWTH:
            breaches.append(f"the engine grew from {memory_before} to {_memory()} bytes")
        after = self._state()
        breaches += [f"{key}: {before[key]} -> {after[key]}" for key in _differences(before, after)]
        causes = tuple(sorted({Cause(cause) for cause in bad.faults} - {Cause.OUT}))
        return Verdict(name, causes, tuple(breaches))

    def close(self) -> None:
        self._arena.referee.close()

    def _strangers(self) -> list[int]:
        """Processes below ours that are none of the engine's."""
        ours, found = {self._zygote}, []
        for parent in (os.getpid(), self._zygote):
            found += [pid for pid in find_children(parent) if pid not in ours]
        return found

    def _state(self) -> dict[str, object]:
        """All that no bot may change."""
        state: dict[str, object] = {}
        for path in (*self._canaries, *self._folder.rglob(f"*{ESCAPED}*")):
            with suppress(FileNotFoundError):
                piece_id = path.lstat()
                state[str(path)] = (piece_id.st_mode, piece_id.st_size, piece_id.st_mtime_ns)
        for pid in (os.getpid(), self._zygote):
            state[f"affinity of {pid}"] = os.sched_getaffinity(pid)
            state[f"priority of {pid}"] = os.getpriority(os.PRIO_PROCESS, pid)
            state[f"limits of {pid}"] = _read_limits(pid)
        state["files that anybody can make"] = sorted(_loose_files())
        for kind in ("shm", "msg", "sem"):
            state[f"System V {kind}"] = _ipc_ids(kind)
        state["connections"] = sum(map(_was_called, self._listeners))
        state["environment"] = os.environ.get(CANARY)
        return state


def _unprintable(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if not text.isprintable()]


def _differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    keys = sorted({*before, *after})
    before |= {key: None for key in keys if key not in before}
    after |= {key: None for key in keys if key not in after}
    return [key for key in keys if not _is_as_before(before[key], after[key])]


def _is_as_before(before: object, after: object) -> bool:
    """Sets are of what everybody on the machine has: what others took away is none of ours."""
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return after <= before
    return before == after


def _loose_files() -> Iterator[str]:
    for place in (*OPEN_TO_ALL, ".", str(Path.home())):
        with suppress(OSError):
            for path in Path(place).iterdir():
                if path.name.startswith(ESCAPED) or _is_of_made_up_user(path):
                    yield str(path)


def _is_of_made_up_user(path: Path) -> bool:
    with suppress(OSError):
        return os.getuid() >= MADE_UP_UID and path.lstat().st_uid == os.getuid()
    return False


def _ipc_ids(kind: str) -> frozenset[str]:
    """The segments, queues or semaphores that our user made: windows beside us have theirs."""
    with suppress(OSError):
        heading, *rows = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
        maker = heading.split().index("cuid")
        cells = [row.split() for row in rows]
        return frozenset(row[1] for row in cells if int(row[maker]) == os.getuid())
    return frozenset()


def _read_limits(pid: int) -> list[tuple[int, int]]:
    kinds = (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS)
    return [resource.prlimit(pid, kind) for kind in kinds]


def _memory() -> int:
    """Bytes of ours that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _listening_port(folder: Path) -> socket.socket:
    """Bad bots know our folder from their own, and so the port."""
    port = 20_000 + zlib.crc32(bytes(folder)) % 10_000
    return _quiet(socket.create_server(("127.0.0.1", port)))


def _listening_name(folder: Path) -> socket.socket:
    """A Unix socket without a file."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"\0{folder}")
    server.listen()
    return _quiet(server)


def _quiet(server: socket.socket) -> socket.socket:
    server.setblocking(False)
    return server


def _was_called(server: socket.socket) -> bool:
    with suppress(BlockingIOError):
        server.accept()[0].close()
        return True
    return False


def main(folder: Path, level: Level) -> None:
    """First a line with what of the sandbox does not hold here, then one for each name."""
    try:
        world = World(folder, level)
    except SandboxMissing as missing:
        sys.exit(str(missing))
    failings = {} if level is Level.OFF else world.failings
    _say(failings)
    if failings:
        return  # some bad bots would do what they try
    for name in map(str.strip, sys.stdin):
        _say(world.try_out(name))
    world.close()


def _say(what: object) -> None:
    sys.stdout.write(msgspec.json.encode(what).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Level(sys.argv[2]))
