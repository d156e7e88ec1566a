"""Processes of hostile clients: one for each attack, which ends when its stdin does.

`python3 -m tests.hostile_clients.attackers NAME SEED` reads the targets as a line of JSON, and
prints how often it was answered with which status.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random

import msgspec

import bootstrap
from tests.hostile_clients.floods import FLOODS, Flood
from tests.hostile_clients.requests import request_status
from tests.hostile_clients.slow_connections import SLOW, hold
from tests.hostile_clients.targets import Targets

ATTACKS = (*FLOODS, *SLOW)
NICENESS = 10
"""On a small machine attackers shall not starve the server of CPU time by their own use of it."""
CLIENTS = 10
"""Clients of a flood: each waits for its answer before it sends the next request."""

Answers = dict[str, dict[int, int]]
"""How often each attack was answered with which status."""


class Attackers:
    """The processes that attack."""

    def __init__(self, targets: Targets, names: Sequence[str], seed: int) -> None:
        self.answers: Answers = {}
        self._processes = {name: _start(name, seed) for name in names}
        for process in self._processes.values():
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(targets) + b"\n")
            process.stdin.flush()

    def end(self) -> None:
        """Let all end, and read what they have counted."""
        for process in self._processes.values():
            assert process.stdin is not None
            process.stdin.close()
            process.stdin = None  # `communicate` would flush it
        for name, process in self._processes.items():
            out, _ = process.communicate()
            assert process.returncode == 0, f"{name} has failed: see above"
            self.answers[name] = msgspec.json.decode(out, type=dict[int, int])


@contextmanager
def attacking(targets: Targets, names: Sequence[str], seed: int) -> Iterator[Attackers]:
    """Attack as long as the block lasts."""
    attackers = Attackers(targets, names, seed)
    try:
        yield attackers
    finally:
        attackers.end()


def _start(name: str, seed: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.hostile_clients.attackers", name, str(seed)],
        cwd=bootstrap.HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


async def attack(name: str, targets: Targets, chance: Random) -> Counter[int]:
    """Attack until stdin ends; return how often which status was the answer."""
    answers = Counter[int]()
    if name in SLOW:
        attacking = asyncio.create_task(hold(name, targets, chance, answers))
    else:
        attacking = asyncio.create_task(_flood(FLOODS[name], targets, chance, answers))
    ending = asyncio.create_task(asyncio.to_thread(sys.stdin.buffer.read))
    await asyncio.wait((attacking, ending), return_when=asyncio.FIRST_COMPLETED)
    attacking.cancel()
    with suppress(asyncio.CancelledError):
        await attacking
    return answers


async def _flood(flood: Flood, targets: Targets, chance: Random, answers: Counter[int]) -> None:
    """Send its requests at its rate, for ever."""
    requests, every_s = flood.requests(targets, chance), CLIENTS / flood.per_second

    async def send(number: int) -> None:
        await asyncio.sleep(number / flood.per_second)
        while True:
            began = time.monotonic()
            answers[await request_status(next(requests), targets.port)] += 1
            await asyncio.sleep(max(0.0, began + every_s - time.monotonic()))

    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(send(number))


def main(name: str, seed: int) -> None:
    os.nice(NICENESS)
    targets = msgspec.json.decode(sys.stdin.buffer.readline(), type=Targets)
    answers = asyncio.run(attack(name, targets, Random(f"{seed} {name}")))
    sys.stdout.buffer.write(msgspec.json.encode(answers))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
