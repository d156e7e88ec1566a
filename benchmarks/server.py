"""The server: a move, alone and beside ladders, a game made again, 500 spectators, memory."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from benchmarks.arena import add_bots, kept_bot, new_database, new_ladder
from benchmarks.cores import CAN_PIN, cores
from benchmarks.memory import rollup
from benchmarks.spectators import watch
from benchmarks.table import Effort, Figure, Of, Pair, Target, interleaved
from benchmarks.web_program import HOST, Program, program
from engine.bots.clock import cpu_clock_of
from engine.catalogue import game_named
from engine.games.slime_mind.settings import Settings
from engine.spec import MatchSpec
from server.answers import cookie_of
from server.lobby import Lobby
from server.rooms import Room
from server.storage import SeatedOne, Storage

GAME = "smack"
TEAMS = (1, 2)
PLIES = 100
"""The number of orders of a game that is half over."""
MOVES, COLD_MOVES, GETS = 50, 10, 500
LATE_GAMES, LADDER_BOTS = 6, 20
SETTLED_S, PAUSE_S = 3.0, 0.02
"""How long a server has to begin with its ladders, and a person thinks after a move."""
SPECTATORS, EVENTS_PER_S, CHANGES = 500, 10, 100
US_PER_NS, MS_PER_S = 1e-3, 1e3
SMALL = 1_000
"""A benchmark with fewer orders than this only shows that it runs."""


def measure(effort: Effort) -> list[Figure]:
    """Measure the server; nothing where the CPU time of another process cannot be read."""
    if cpu_clock_of(os.getpid()) is None:
        return []
    with TemporaryDirectory() as name:
        table = Table(Path(name) / "games.sqlite")
        return [
            *_moves(effort, table),
            _rebuilt(effort, table),
            *_watched(effort, table),
            _beside_ladders(effort, table),
            _memory(table),
        ]


class Table:
    """Games of Smack! in a database, half over, and whoever plays both sides of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._dice = Random(1)
        self._games = 0
        nobody: Any = None  # no bot plays
        self._lobby = Lobby(Storage(path), nobody)

    def new_game(self) -> tuple[str, str]:
        """Return the id of a new game, half over, and the cookie with which it is played."""
        self._games += 1
        seats = [SeatedOne(name=f"Ann {t}", digest=f"person:{t}", is_person=True) for t in TEAMS]
        game = self._lobby.create(_spec(seats), seats, f"{self._games:016x}")
        for _ in range(PLIES):
            with self._lobby.room(game) as room:
                ask = self._dice.choice(list(room.stepper.asks))
                step = room.step_of(ask)
                moves = room.stepper.state.halves[ask.piece_id - 1].position.moves()
            self._lobby.answer(game, ask, step, str(self._dice.choice(moves)))
        return game, f"{cookie_of(game)}={self._lobby.new_token(game, TEAMS)}"

    def rebuild_ms(self, game: str) -> float:
        """Return the CPU time of making a game again from its rows, ms."""
        with closing(Storage(self.path)) as storage:
            began = time.process_time()
            stored = storage.game(game)
            assert stored is not None
            Room(stored, storage)
            return (time.process_time() - began) * MS_PER_S


class Player:
    """Plays both sides of a game over a connection that stays open."""

    def __init__(self, port: int, game: str, cookie: str) -> None:
        self._connection = HTTPConnection(HOST, port)
        self._path = f"/api/v1/games/{game}"
        self._headers = {"content-type": "application/json", "cookie": cookie}
        self._dice = Random(2)
        self.position = self.look()

    def look(self) -> Any:
        return self._asked("GET", self._path)

    def move(self) -> int:
        """Order a random move of whoever is to move; return the step that it led to."""
        asked = self._dice.choice(self.position["asks"])
        moves = self.position["board"]["halves"][asked["piece"] - 1]["moves"]
        source = self._dice.choice(list(moves))
        target = self._dice.choice(list(moves[source]))
        order = {name: asked[name] for name in ("team", "piece", "step")}
        body = msgspec.json.encode({**order, "order": f"{source}-{target}"})
        return int(self._asked("POST", f"{self._path}/orders", body)["step"])

    def move_and_look(self) -> int:
        step = self.move()
        self.position = self.look()
        return step

    def _asked(self, method: str, path: str, body: bytes | None = None) -> Any:
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return msgspec.json.decode(content)


def _spec(seats: list[SeatedOne]) -> MatchSpec:
    game = game_named(GAME)
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=msgspec.convert({"pace": "free"}, game.settings),
        limits=game.limits,
        bots=tuple(one.digest for one in seats),
        seed=1,
    )


def cpu_us(running: Program, times: int, do: Callable[[], object]) -> float:
    """Return the CPU time of a server for what is done so often, us each time."""
    clock = cpu_clock_of(running.pid)
    assert clock is not None
    before = clock()
    for _ in range(times):
        do()
    return (clock() - before) / times * US_PER_NS


def bare_us(running: Program) -> float:
    """Return the CPU time of a request that does nothing but answer JSON, us."""
    connection = HTTPConnection(HOST, running.port)

    def ask() -> None:
        connection.request("GET", "/")
        connection.getresponse().read()

    ask()
    return cpu_us(running, GETS, ask)


def warm_us(running: Program, table: Table) -> float:
    """Return the CPU time of a move and its position, of a game that is in memory, us."""
    player = Player(running.port, *table.new_game())
    return cpu_us(running, MOVES, player.move_and_look)


def cold_us(running: Program, table: Table) -> float:
    """Return the same where the game is made again before each move: another has its place."""
    players = [Player(running.port, *table.new_game()) for _ in TEAMS]

    def move() -> None:
        for player in players:
            player.move_and_look()

    return cpu_us(running, COLD_MOVES, move) / len(players)


def _moves(effort: Effort, table: Table) -> list[Figure]:
    with program() as bare:
        with program(table.path, 2) as running:
            warm = interleaved(effort, lambda: warm_us(running, table), lambda: bare_us(bare))
        with program(table.path, 1) as running:
            cold = interleaved(effort, lambda: cold_us(running, table), lambda: bare_us(bare))
    return [
        _ratio(
            "server move", "CPU time of a move and the position after it, game in memory", warm, 25
        ),
        _ratio(
            "server cold", "the same, where a game of 100 plies is made again before it", cold, None
        ),
    ]


def _ratio(name: str, what: str, pair: Pair, limit: float | None) -> Figure:
    return Figure(
        name=name,
        what=f"{what}; a bare JSON answer",
        unit="us",
        ours=pair.ours,
        reference=pair.reference,
        target=None if limit is None else Target.at_most(limit),
    )


def _rebuilt(effort: Effort, table: Table) -> Figure:
    game, _ = table.new_game()
    return Figure(
        name="server again",
        what="CPU time of making a game of 100 plies again from its rows",
        unit="ms",
        ours=median(table.rebuild_ms(game) for _ in range(effort.repeats)),
        target=Target.at_most(50, Of.OURS),
    )


def _watched(effort: Effort, table: Table) -> list[Figure]:
    """Let many follow a game; where processes can be pinned, the server has one core."""
    spectators, changes = (20, 3) if effort.orders < SMALL else (SPECTATORS, CHANGES)
    game, cookie = table.new_game()
    with program(table.path, 2) as running:
        if CAN_PIN:
            os.sched_setaffinity(running.pid, {cores()[-1]})
        player = Player(running.port, game, cookie)
        clock = cpu_clock_of(running.pid)
        assert clock is not None
        before, began = clock(), time.perf_counter_ns()
        lags_ms = asyncio.run(
            watch(running.port, game, spectators, changes, 1 / EVENTS_PER_S, player.move_and_look)
        )
        share = (clock() - before) / (time.perf_counter_ns() - began)
    what = f"{SPECTATORS} spectators of a game at {EVENTS_PER_S} moves a second"
    return [
        Figure(
            name="server watched",
            what=f"part of a core that {what} take",
            unit="%",
            ours=100 * share,
            target=Target.at_most(100, Of.OURS),
        ),
        Figure(
            name="server lag",
            what="from a move to the last of them who is told, median",
            unit="ms",
            ours=median(lags_ms),
            target=Target.at_most(MS_PER_S / EVENTS_PER_S, Of.OURS),
        ),
        Figure(
            name="server lag p95",
            what="the same, p95",
            unit="ms",
            ours=quantiles(lags_ms, n=20)[-1],
        ),
    ]


def _beside_ladders(effort: Effort, table: Table) -> Figure:
    """Let somebody move while matches of a ladder keep every core busy, and while none are played.

    Both are the time that whoever moves waits.
    """
    games = 1 if effort.orders < SMALL else LATE_GAMES
    folder = table.path.parent
    with closing(new_database(folder)) as database:
        ladder = new_ladder(database, Settings())
        add_bots(database, ladder, LADDER_BOTS, kept_bot(folder))
    idle = p99_ms((table.path, games), table, games)
    busy = p99_ms((table.path, games, len(cores())), table, games)
    return Figure(
        name="server beside ladders",
        what="from an order to its answer while ladders use every core, p99; of an idle server",
        unit="ms",
        ours=busy,
        reference=idle,
        target=Target.at_most(3),
    )


def p99_ms(words: Sequence[object], table: Table, games: int) -> float:
    """Return the longest but one percent that moves took of a server, ms."""
    waits: list[float] = []
    with program(*words) as running:
        time.sleep(SETTLED_S)
        for _ in range(games):
            player = Player(running.port, *table.new_game())
            for _ in range(MOVES):
                began = time.perf_counter()
                player.move()
                waits.append((time.perf_counter() - began) * MS_PER_S)
                player.position = player.look()
                time.sleep(PAUSE_S)
    return quantiles(waits, n=100)[-1]


def _memory(table: Table) -> Figure:
    """Return the memory of a server that has just begun."""
    with program(table.path, 2) as running:
        resident = rollup(running.pid)["Rss"]
    return Figure(
        name="server memory",
        what="resident memory of a server that waits for its first request",
        unit="MB",
        ours=resident,
        target=Target.at_most(90, Of.OURS),
    )
