"""T2: compared with the usual way: a process pool, and the board pickled for each ask."""

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cores import one_core
from benchmarks.boards import GAME
from benchmarks.match_loop import IDLE, SLIMES, MatchLoop
from benchmarks.seats import make_spec
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.bots.launching import new_launcher
from engine.game import Ask
from engine.match import play_match
from engine.seat import Seat


def measure(effort: Effort) -> list[Figure]:
    pool_orders = max(SLIMES, effort.orders // 10)
    with one_core(), closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        match = MatchLoop(launcher, Path(folder), effort.orders)
        pair = measure_interleaved(
            effort, lambda: match.order_us("player_idle", IDLE), lambda: pool_order_us(pool_orders)
        )
    return [
        figure("T2", "us", pair, Target.at_least(12, Of.INVERSE)).says(
            "an order in a whole match; over a ProcessPoolExecutor, no replay"
        )
    ]


def pool_order_us(orders: int) -> float:
    """Return the time per order of the same match, with its bots in a process pool, us."""
    turns = max(1, orders // SLIMES)
    spec = make_spec("player_idle", {**IDLE, "max_turns": turns})
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as executor:
        executor.submit(decide, (), (), (), 0).result()  # its process has started
        seats = (PoolSeat(executor), PoolSeat(executor))
        began = time.perf_counter()
        play_match(GAME, spec, seats)
        return (time.perf_counter() - began) / (turns * SLIMES) * 1e6


def decide(
    slimes: Sequence[Any], plants: Sequence[Any], rocks: Sequence[Any], piece_id: int
) -> str:
    """Decide as the bot that does nothing, in the pool's process."""
    return "UP"


class PoolSeat(Seat):
    """Sends all pieces with each ask, and waits for the answer's future."""

    def __init__(self, executor: ProcessPoolExecutor) -> None:
        self._executor = executor
        self._state: Any = None
        self._answer: Future[str] | None = None

    def prepare(self, state: Any) -> None:
        self._state = state

    def put(self, ask: Ask, view: Any) -> None:
        slimes, plants, rocks = (
            tuple(kind.values())
            for kind in (self._state.slimes, self._state.plants, self._state.rocks)
        )
        self._answer = self._executor.submit(decide, slimes, plants, rocks, ask.piece_id)

    def take(self) -> Any:
        assert self._answer is not None
        return self._answer.result(timeout=1)
