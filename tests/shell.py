"""A project of its own in a folder of its own, to be used from a command line."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import bootstrap
from engine.errors import BadReplay
from engine.replay import Replay
from engine.shelves import REPLAY
from visualizer.screen import DISPLAYS

COPIED = (
    *("bootstrap.py", "interruption.py", "main.py", "replay.py"),
    *("designing.py", "reporting.py", "tournaments.py"),
    *("engine", "runners", "visualizer", "resources"),
)
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in DISPLAYS},
    "SLIME_MIND_NO_BOOTSTRAP": "1",
}
"""Without a screen, so that no test opens a window that did not mean to."""
QUICK = ("--preset", "small", "--set", "max_turns=3")
PATIENCE_S = 20

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


class Shell:
    """Where a user sits: a project with its bots, and a way to type commands."""

    def __init__(self, home: Path) -> None:
        self.home = home
        for name in COPIED:
            source = bootstrap.HOME / name
            if source.is_dir():
                shutil.copytree(source, home / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, home / name)
        (home / "playerCode").mkdir()

    @property
    def matches(self) -> Path:
        return self.home / "results" / "matches"

    @property
    def cut_off(self) -> Path:
        return self.home / "results" / "cut-off"

    def bot(self, name: str, source: str) -> Path:
        """Write a bot; a name without folder goes to playerCode."""
        path = self.home / name if "/" in name else self.home / "playerCode" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return path

    def start(self, *words: str, tool: str = "main.py", **options: Any) -> "subprocess.Popen[str]":
        """A command in a session of its own, as a terminal would start it."""
        return subprocess.Popen(
            [sys.executable, str(self.home / tool), *words],
            cwd=options.pop("cwd", self.home),
            env=options.pop("env", ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )

    def run(self, *words: str, tool: str = "main.py", **options: Any) -> "Done":
        return finish(self.start(*words, tool=tool, **options))

    def json(self, *words: str) -> Any:
        """The result of a command that succeeds, read from its stdout alone."""
        done = self.run("--json", *words)
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    def processes(self) -> list[int]:
        """All that runs in or from this project (Linux)."""
        return [int(entry.name) for entry in Path("/proc").iterdir() if self._owns(entry)]

    def half_written(self) -> list[Path]:
        shelves = (self.matches, self.cut_off)
        return [path for shelf in shelves for path in shelf.glob(".*")]

    def has_recorded(self) -> bool:
        """Whether a match is under way of which a kill would leave something."""
        return any(turns_in(folder / REPLAY) > 0 for folder in self.half_written())

    def kept(self) -> list[Path]:
        """The replays of matches that were cut off."""
        return sorted(self.cut_off.glob(f"[!.]*/{REPLAY}"))

    def finished(self, shelf: str = "matches") -> list[Path]:
        folder = self.home / "results" / shelf
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
    """How far a recorded match came; 0 if there is none."""
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


def finish(process: "subprocess.Popen[str]") -> Done:
    """Wait for the end of a command; nothing it started may outlive a test."""
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Done(process.returncode, out or "", err or "")


def eventually(holds: Callable[[], object]) -> bool:
    """Whether something comes true before our patience ends."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
