"""The processes of a league on loopback, each started again whenever it has ended."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import bootstrap
from runners.contests.contests import Ladder, TournamentChoices
from runners.match_request import RunOptions
from runners.storage.database import Database
from runners.storage.schema import ensure_schema
from server.contests.tournaments import Tournaments
from tests.postgresql import PostgreSQL
from tests.runners.machines import Machines
from tests.server.contests.field import enter_all, real_bot_in, tiny_ladder_in
from tests.shell import ENVIRONMENT, free_port

HERE = "127.0.0.1"
RESTART_S = 1.0
"""How long a supervisor waits before it starts a process again."""
POLL_INTERVAL_S = 0.25
LADDER_BOTS = 4
WORKERS = 3
HOSTS = 2
CUP = "soak_cup"
"""The name of a tournament, ..."""
MAPS = 5
"""... and how many maps each two of its bots play."""
KINDS = ("web", "worker", "arena", "postgresql", "scheduler")
"""What is killed, in turn."""


class Process:
    """A process that is started again whenever it has ended."""

    def __init__(self, start: "Callable[[], subprocess.Popen[Any]]") -> None:
        self._start = start
        self._popen = start()
        self._ended_at: float | None = None

    def kill(self) -> None:
        """End it and all it has started; nobody says farewell."""
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def look(self, now: float) -> None:
        """Start it again if it ended a while ago."""
        if self._popen.poll() is None:
            return
        if self._ended_at is None:
            self._ended_at = now
        elif now - self._ended_at >= RESTART_S:
            self._ended_at = None
            self._popen = self._start()


class League:
    """All processes, and the database that they share."""

    def __init__(self, folder: Path, postgresql: PostgreSQL, chance: Random) -> None:
        self.outs = [folder / f"host {number}" for number in range(HOSTS)]
        """The folders of the hosts, which have nothing in common but the copies of bots."""
        _share_bots(self.outs, folder / "bots")
        self.url = postgresql.new_url()
        self.ports: Sequence[int] = [free_port() for _ in range(4)]
        self.kills: Counter[str] = Counter()
        self._chance = chance
        self._postgresql = postgresql
        self._machines = Machines(folder / "machines", is_grouped=True)
        with closing(Database(self.url)) as database:
            ensure_schema(database)
            self.ladder = new_ladder(database, self.outs[0])
            make_tournament(database, self.outs[0], self.ladder)
        self._log = (folder / "servers.log").open("wb")
        cluster = ("--cluster", self._machines.address)
        web = ("--role", "web")
        self._processes = {
            "scheduler": Process(self._machines.start_scheduler),
            **{f"worker {n}": Process(self._machines.start_worker) for n in range(WORKERS)},
            "web 1": Process(lambda: self._serve(0, self.ports[0], *web)),
            "web 2": Process(lambda: self._serve(1, self.ports[1], *web)),
            "arena 1": Process(lambda: self._serve(0, self.ports[2], *cluster)),
            "arena 2": Process(lambda: self._serve(1, self.ports[3], *cluster)),
        }
        self._is_over = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise)
        self._supervisor.start()

    def close(self) -> None:
        """End everything but PostgreSQL."""
        self._is_over.set()
        self._supervisor.join()
        for process in self._processes.values():
            process.kill()
        self._log.close()

    def kill_one(self, what: str) -> None:
        """Kill a process of a kind."""
        self.kills[what] += 1
        if what == "postgresql":
            self._postgresql.restart()
            return
        alike = [name for name in self._processes if name.partition(" ")[0] == what]
        self._processes[self._chance.choice(alike)].kill()

    def _serve(self, host: int, port: int, *parts: str) -> "subprocess.Popen[bytes]":
        out = str(self.outs[host])
        command = [sys.executable, str(bootstrap.HOME / "main.py"), "--out", out]
        return subprocess.Popen(
            [*command, "serve", "--port", str(port), *parts],
            cwd=bootstrap.HOME,
            env={**ENVIRONMENT, "SLIME_MIND_DATABASE": self.url},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def _supervise(self) -> None:
        while not self._is_over.wait(POLL_INTERVAL_S):
            for process in self._processes.values():
                process.look(time.monotonic())


def make_tournament(database: Database, out: Path, ladder: Ladder) -> None:
    """Let the bots of a ladder play a tournament, too."""
    tournaments = Tournaments(database, RunOptions(out=out))
    wishes = TournamentChoices(format="round_robin", games=MAPS, rounds=None, table=2)
    tournaments.make(CUP, ladder, tournaments.candidates(ladder.id), wishes)


def _share_bots(outs: Sequence[Path], bots: Path) -> None:
    bots.mkdir()
    for out in outs:
        out.mkdir()
        (out / "bots").symlink_to(bots)


def new_ladder(database: Database, out: Path) -> Ladder:
    """Return a ladder of short matches, whose bots are never done with each other."""
    ladder = tiny_ladder_in(database, name="Soak", versions_per_day=100, matches_per_day=100_000)
    moves = ("UP", "DOWN", "LEFT", "RIGHT")
    names = [f"bot {number}" for number in range(LADDER_BOTS)]
    enter_all(
        database,
        ladder,
        [
            real_bot_in(database, out, name, f"return {move!r}")
            for name, move in zip(names, moves, strict=True)
        ],
    )
    return ladder
