"""T3: two matches on two cores, compared with one alone."""

import multiprocessing
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cores import cores, pin
from benchmarks.match_loop import IDLE, MatchLoop
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.bots.launching import new_launcher

PLAY = "play"


def measure(effort: Effort) -> list[Figure]:
    """Measure both; nothing on a machine with one core."""
    if len(cores()) < 2:
        return []
    first, second = cores()[-2:]
    with _player(first, effort.orders) as one, _player(second, effort.orders) as other:
        pair = measure_interleaved(
            effort, lambda: both_rate(one, other), lambda: alone_rate(one, other)
        )
    return [
        figure("T3", "orders/s", pair, Target.at_least(1.8)).says(
            "orders per second of two matches on two cores; of one alone"
        )
    ]


def both_rate(one: Connection, other: Connection) -> float:
    """Return the orders per second of both together."""
    for player in (one, other):
        player.send(PLAY)
    return sum(_rate(player) for player in (one, other))


def alone_rate(one: Connection, other: Connection) -> float:
    """Return the mean orders per second of one while the other rests."""
    rates = []
    for player in (one, other):
        player.send(PLAY)
        rates.append(_rate(player))
    return sum(rates) / 2


def _rate(player: Connection) -> float:
    order_us: float = player.recv()
    return 1e6 / order_us


@contextmanager
def _player(core: int, orders: int) -> Iterator[Connection]:
    """Play a match on one core whenever told to, in a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, child_end = context.Pipe()
    process = context.Process(target=_play_on_request, args=(core, orders, child_end))
    process.start()
    child_end.close()
    assert ours.recv() == "ready"
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()
        process.join()


def _play_on_request(core: int, orders: int, link: Connection) -> None:
    pin(core)
    with closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        match = MatchLoop(launcher, Path(folder), orders)
        link.send("ready")
        while link.recv() == PLAY:
            link.send(match.order_us("player_idle", IDLE))
