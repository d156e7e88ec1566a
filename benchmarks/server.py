"""The server: a move, alone and beside ladders, a game made again, 500 spectators, memory."""

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import closing
from random import Random
from statistics import median, quantiles
from typing import Any

import msgspec
from msgspec.structs import replace

from benchmarks.cores import CAN_PIN, cores
from benchmarks.harness import MS_PER_S, Client, Server, Site, new_site, serving
from benchmarks.memory import rollup
from benchmarks.spectators import watch
from benchmarks.table import SMALL, Effort, Figure, Pair, Target, figure, measure_interleaved
from benchmarks.web_program import NoBotSeats
from engine.bots.clock import process_cpu_clock
from engine.catalog import find_game
from engine.games.slime_mind.settings import Settings
from runners.contests.contests import usual_spec
from server.http.responses import game_cookie_name
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.game_rows import Participant
from server.games.game_storage import GameStorage

GAME = "smack"
TEAMS = (1, 2)
PLIES = 100
"""The number of orders of a game that is half over."""
MOVES, COLD_MOVES, GETS = 50, 10, 500
LATE_GAMES, LADDER_BOTS = 6, 20
SETTLED_S, PAUSE_S = 3.0, 0.02
"""How long a server has to begin with its ladders, and a person thinks after a move."""
SPECTATORS, EVENTS_PER_S, CHANGES = 500, 10, 100


def measure(effort: Effort) -> list[Figure]:
    """Measure the server; nothing where the CPU time of another process cannot be read."""
    if process_cpu_clock(os.getpid()) is None:
        return []
    with new_site() as site:
        table = Table(site)
        return [
            *_moves(effort, table),
            _rebuilt(effort, table),
            *_measure_watching(effort, table),
            _beside_ladders(effort, table),
            _beside_runs(effort, table),
            _memory(table),
        ]


class Table:
    """Games of Smack!, half over, and whoever plays both sides of them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._dice = Random(1)
        self._games = 0
        no_bots: Any = NoBotSeats()
        self._game_service = GameService(GameStorage(site.path), no_bots)

    def new_game(self) -> tuple[str, str]:
        """Return the id of a new game, half over, and the cookie with which it is played."""
        self._games += 1
        seats = [Participant(name=f"Ann {t}", digest=f"person:{t}", is_person=True) for t in TEAMS]
        spec = replace(
            usual_spec(find_game(GAME)),
            settings=msgspec.convert({"pace": "free"}, find_game(GAME).settings),
            bots=tuple(one.digest for one in seats),
            seed=1,
        )
        game = self._game_service.create(spec, seats, f"{self._games:016x}")
        for _ in range(PLIES):
            with self._game_service.open_session(game) as session:
                ask = self._dice.choice(list(session.stepper.asks))
                step = session.ask_step(ask)
                moves = session.stepper.state.halves[ask.piece_id - 1].position.moves()
            self._game_service.answer(game, ask, step, str(self._dice.choice(moves)))
        return game, f"{game_cookie_name(game)}={self._game_service.keys.new_token(game, TEAMS)}"

    def rebuild_ms(self, game: str) -> float:
        """Return the CPU time of making a game again from its rows, ms."""
        with closing(GameStorage(self.site.path)) as storage:
            began = time.process_time()
            stored = storage.find_game(game)
            assert stored is not None
            GameSession(stored, storage)
            return (time.process_time() - began) * MS_PER_S


class Player:
    """Plays both sides of a game over a connection that stays open."""

    def __init__(self, server: Server, game: str, cookie: str) -> None:
        self._client = Client(server, cookie)
        self._path = f"/api/v1/games/{game}"
        self._dice = Random(2)
        self.look()

    def look(self) -> None:
        self._position = self._client.get(self._path)

    def move(self) -> int:
        """Order a random move of whoever is to move; return the step that it led to."""
        asked = self._dice.choice(self._position["asks"])
        moves = self._position["board"]["halves"][asked["piece"] - 1]["moves"]
        source = self._dice.choice(list(moves))
        target = self._dice.choice(list(moves[source]))
        order = {name: asked[name] for name in ("team", "piece", "step")}
        move = {**order, "order": f"{source}-{target}"}
        return int(self._client.post(f"{self._path}/orders", move)["step"])

    def move_and_look(self) -> int:
        step = self.move()
        self.look()
        return step


def bare_us(running: Server) -> float:
    """Return the CPU time of a request that does nothing but answer JSON, us."""
    client = Client(running)
    client.get("/")
    return running.cpu_us(GETS, lambda: client.get("/"))


def warm_us(running: Server, table: Table) -> float:
    """Return the CPU time of a move and its position, of a game that is in memory, us."""
    return running.cpu_us(MOVES, Player(running, *table.new_game()).move_and_look)


def cold_us(running: Server, table: Table) -> float:
    """Return the same where the game is made again before each move: another has its place."""
    players = [Player(running, *table.new_game()) for _ in TEAMS]
    both_us = running.cpu_us(COLD_MOVES, lambda: [one.move_and_look() for one in players])
    return both_us / len(players)


def _moves(effort: Effort, table: Table) -> list[Figure]:
    with serving() as bare:
        with serving(table.site.path, 2) as running:
            warm = measure_interleaved(
                effort, lambda: warm_us(running, table), lambda: bare_us(bare)
            )
        with serving(table.site.path, 1) as running:
            cold = measure_interleaved(
                effort, lambda: cold_us(running, table), lambda: bare_us(bare)
            )
    return [
        figure("server move", "us", warm, Target.at_most(25)).says(
            "CPU time of a move and the position after it, game in memory; a bare JSON answer"
        ),
        figure("server cold", "us", cold).says(
            "the same, where a game of 100 plies is made again before it; a bare JSON answer"
        ),
    ]


def _rebuilt(effort: Effort, table: Table) -> Figure:
    game, _ = table.new_game()
    return figure(
        "server again",
        "ms",
        median(table.rebuild_ms(game) for _ in range(effort.repeats)),
        Target.at_most(50),
    ).says("CPU time of making a game of 100 plies again from its rows")


def _measure_watching(effort: Effort, table: Table) -> list[Figure]:
    """Let many follow a game; where processes can be pinned, the server has one core."""
    spectators, changes = (20, 3) if effort.orders < SMALL else (SPECTATORS, CHANGES)
    game, cookie = table.new_game()
    with serving(table.site.path, 2) as running:
        if CAN_PIN:
            os.sched_setaffinity(running.pid, {cores()[-1]})
        player = Player(running, game, cookie)
        before, began = running.cpu_ns(), time.perf_counter_ns()
        lags_ms = asyncio.run(
            watch(running.port, game, spectators, changes, 1 / EVENTS_PER_S, player.move_and_look)
        )
        share = (running.cpu_ns() - before) / (time.perf_counter_ns() - began)
    what = f"{SPECTATORS} spectators of a game at {EVENTS_PER_S} moves a second"
    return [
        figure("server watched", "%", 100 * share, Target.at_most(100)).says(
            f"part of a core that {what} take"
        ),
        figure("server lag", "ms", median(lags_ms), Target.at_most(MS_PER_S / EVENTS_PER_S)).says(
            "from a move to the last of them who is told, median"
        ),
        figure("server lag p95", "ms", quantiles(lags_ms, n=20)[-1]).says("the same, p95"),
    ]


def _beside_ladders(effort: Effort, table: Table) -> Figure:
    """Let somebody move while matches of a ladder keep every core busy, and while none are played.

    Both are the time that whoever moves waits.
    """
    games = 1 if effort.orders < SMALL else LATE_GAMES
    site = table.site
    site.add_bots(site.new_ladder(Settings()), LADDER_BOTS, site.add_bot())
    idle = p99_ms((site.path, games), table, games)
    busy = p99_ms((site.path, games, len(cores())), table, games)
    return figure("server beside ladders", "ms", Pair(busy, idle), Target.at_most(3)).says(
        "from an order to its answer while ladders use every core, p99; of an idle server"
    )


def _beside_runs(effort: Effort, table: Table) -> Figure:
    """Let somebody move while authors run bots all the time, and while none are run."""
    games = 1 if effort.orders < SMALL else LATE_GAMES
    idle = p99_ms((table.site.path, games), table, games)
    busy = p99_ms((table.site.path, games, "runs"), table, games)
    return figure("server beside runs", "ms", Pair(busy, idle), Target.at_most(3)).says(
        "from an order to its answer while eight authors run bots, p99; of an idle server"
    )


def p99_ms(arguments: Sequence[object], table: Table, games: int) -> float:
    """Return the longest but one percent that moves took of a server, ms."""
    waits: list[float] = []
    with serving(*arguments) as running:
        time.sleep(SETTLED_S)
        for _ in range(games):
            player = Player(running, *table.new_game())
            for _ in range(MOVES):
                began = time.perf_counter()
                player.move()
                waits.append((time.perf_counter() - began) * MS_PER_S)
                player.look()
                time.sleep(PAUSE_S)
    return quantiles(waits, n=100)[-1]


def _memory(table: Table) -> Figure:
    """Return the memory of a server that has just begun."""
    with serving(table.site.path, 2) as running:
        resident = rollup(running.pid)["Rss"]
    return figure("server memory", "MB", resident, Target.at_most(90)).says(
        "resident memory of a server that waits for its first request"
    )
