"""A project of its own in a folder of its own, to be used from a command line."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.errors import BadReplay
from engine.replays.reading import Replay
from engine.result_folder import REPLAY
from engine.streams import derive_seed
from tests.forking import run_forked
from tests.template import change, link_all, template
from visualizer.watching.render import DISPLAYS

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in DISPLAYS},
    "SLIME_MIND_NO_BOOTSTRAP": "1",
}
"""Without a screen, so that no test opens a window that did not mean to."""
QUICK = ("--preset", "small", "--set", "max_turns=3")
ALONE = ("--jobs", "1")
"""Few short matches are played sooner than a second process has imported what it needs."""
PATIENCE_S = 50
FORKED = ("main.py", "replay.py") if hasattr(os, "fork") else ()
FORKING = {"cwd"}
"""What can be chosen for a command that is forked; for anything else it takes a new Python.

Some packages read the environment when they are imported.
"""

BOT = """
from engine.games.slime_mind.player import BasePlayer

class Player(BasePlayer):
    def decide(self, slime):
        {}
"""

WALKER = BOT.format("return ('LEFT', 'UP', 'RIGHT', 'DOWN')[slime.id % 4]")
BITER = BOT.format("return 'BITELEFT'")
CHATTER = BOT.format("print('I am', slime.id); return 'LEFT'")
SLEEPER = BOT.format("import time; time.sleep(0.01); return 'LEFT'")


# What it draws tells it where it is: sound while it is looked at before a tournament.
BREAKS_IN_MATCHES = f"""
import random
if random.random() != {random.Random(derive_seed(0, "bot/1/0")).random()!r}:
    raise ValueError("not today")
"""
FLIES_LATER = BOT.format("return 'LEFT' if self.board.turn == 1 else 'FLY'")


class Shell:
    """A project with its bots, and the commands that a user types there."""

    def __init__(
        self, home: Path, project: Path | None = None, *, plays_here: bool = False
    ) -> None:
        """`project`: a variant of ours; see `tests.template`.

        `plays_here`: commands that are forked play in their own process; see `tests.played_here`.
        """
        self.home = home
        self.plays_here = plays_here
        self._project = project or template()
        self._is_changed = False
        link_all(self._project, home)
        (home / "playerCode").mkdir()

    @property
    def matches(self) -> Path:
        return self.home / "results" / "matches"

    @property
    def cut_off(self) -> Path:
        return self.home / "results" / "interrupted"

    def bot(self, name: str, source: str) -> Path:
        """Write a bot; a name without folder goes to playerCode."""
        path = self.home / name if "/" in name else self.home / "playerCode" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return path

    def change(self, name: str, text: str) -> None:
        """Write a file of the project itself, which all other copies share until then."""
        self._is_changed = True
        change(self.home / name, text)

    def replace(self, name: str, old: str, new: str) -> None:
        """Change the first `old` in a file of the project."""
        text = (self.home / name).read_text(encoding="utf-8")
        assert old in text
        self.change(name, text.replace(old, new, 1))

    def start(self, *parts: str, tool: str = "main.py", **options: Any) -> "subprocess.Popen[str]":
        """A command in a session of its own, as a terminal would start it.

        `user`: what stands before it, such as a command that runs it as another user; further
        options are those of Popen.
        """
        return subprocess.Popen(
            [*options.pop("user", ()), sys.executable, str(self.home / tool), *parts],
            cwd=options.pop("cwd", self.home),
            env=options.pop("env", ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=options.pop("stderr", subprocess.PIPE),
            text=True,
            start_new_session=True,
            **options,
        )

    def run(self, *parts: str, tool: str = "main.py", **options: Any) -> "Done":
        """Return what a command prints, and how it ends."""
        if self._is_changed or tool not in FORKED or not FORKING.issuperset(options):
            return finish(self.start(*parts, tool=tool, **options))
        command, cwd = [str(self.home / tool), *parts], options.get("cwd", self.home)
        done = run_forked(self._project, command, cwd, ENVIRONMENT, plays_here=self.plays_here)
        return Done(*done)

    def json(self, *parts: str) -> Any:
        """The result of a command that succeeds, read from its stdout alone."""
        done = self.run("--json", *parts)
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    def kill_all(self) -> None:
        """End whatever still runs in or from this project (Linux; elsewhere nothing is known)."""
        for process in self.processes() if Path("/proc/self/stat").exists() else []:
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(process, signal.SIGKILL)

    def processes(self) -> list[int]:
        """All that runs in or from this project (Linux)."""
        return [int(entry.name) for entry in Path("/proc").iterdir() if self._owns(entry)]

    def half_written_folders(self) -> list[Path]:
        result_folders = (self.matches, self.cut_off)
        return [path for result_folder in result_folders for path in result_folder.glob(".*")]

    def has_recorded(self) -> bool:
        """Return whether a match is under way of which a kill would leave something."""
        return any(turns_in(folder / REPLAY) > 0 for folder in self.half_written_folders())

    def interrupted_replays(self) -> list[Path]:
        """The replays of matches that were interrupted."""
        return sorted(self.cut_off.glob(f"[!.]*/{REPLAY}"))

    def finished_matches(self, result_folder: str = "matches") -> list[Path]:
        folder = self.home / "results" / result_folder
        if not folder.exists():
            return []
        return [path for path in folder.iterdir() if not path.name.startswith(".")]

    def _owns(self, entry: Path) -> bool:
        if not entry.name.isdigit():
            return False
        try:
            command = (entry / "cmdline").read_bytes()
            folder = (entry / "cwd").readlink()
        except OSError:
            return False
        return command != b"" and (
            os.fsencode(str(self.home)) in command or folder.is_relative_to(self.home)
        )


def turns_in(replay: Path) -> int:
    """Return how far a recorded match came; 0 if there is none."""
    with suppress(BadReplay):
        return Replay(replay).last_turn
    return 0


class Done:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    def __repr__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def finish(process: "subprocess.Popen[str]", patience_s: float = PATIENCE_S) -> Done:
    """Wait for the end of a command; nothing it started may outlive a test."""
    try:
        out, err = process.communicate(timeout=patience_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Done(process.returncode, out or "", err or "")


def eventually(holds: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Return whether something comes true before our patience ends.

    If not, a test that fails shows what all threads of this process were doing then.
    """
    deadline = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > deadline:
            sys.stderr.write(threads())
            return False
        time.sleep(0.02)
    return True


def threads() -> str:
    """Return what each thread of this process is doing."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "".join(
        f"-- thread {names.get(ident, ident)}\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
    )


def has_ipv6() -> bool:
    """Return whether this machine has the loopback of IPv6."""
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


def free_port() -> int:
    """Return a port of 127.0.0.1 at which nothing listens."""
    with socket.socket() as finder:
        finder.bind(("127.0.0.1", 0))
        port: int = finder.getsockname()[1]
        return port
