"""Spectators of a game: connections that only read, and when each had heard of a change."""

import asyncio
import re
import time
from collections.abc import Callable

from benchmarks.web_program import HOST

STEP = re.compile(rb"id: (\d+)\n")
KEPT = 40
"""Bytes of what came last that are read again with what comes next: an id may be cut in two."""
PATIENCE_S = 30


class Spectator(asyncio.Protocol):
    """One who follows a game."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._rest = b""
        self.step = -1
        self.heard: dict[int, float] = {}
        """When it heard of a step, by the clock of this process."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        for found in STEP.findall(self._rest + data):
            step = int(found)
            for missed in range(self.step + 1, step + 1):
                self.heard[missed] = now
            self.step = max(self.step, step)
        self._rest = data[-KEPT:]


async def watch(
    port: int, game: str, spectators: int, changes: int, every_s: float, change: Callable[[], int]
) -> list[float]:
    """Let so many follow a game that is changed every so often; `change` returns its step.

    Return, of each change, the time until the last of them had heard of it, ms.

    Raises: TimeoutError if somebody never hears of a change.
    """
    request = (
        f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: {HOST}:{port}\r\n"
        "Accept: text/event-stream\r\n\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    made = [
        await loop.create_connection(lambda: Spectator(request), HOST, port)
        for _ in range(spectators)
    ]
    watching = [one for _, one in made]
    await _until(watching, 0)
    done: dict[int, float] = {}
    began = time.perf_counter()
    for number in range(changes):
        await asyncio.sleep(max(0.0, began + number * every_s - time.perf_counter()))
        asked = time.perf_counter()
        done[await asyncio.to_thread(change)] = asked
    await _until(watching, max(done))
    for transport, _ in made:
        transport.close()
    return [1_000 * (max(one.heard[step] for one in watching) - at) for step, at in done.items()]


async def _until(watching: list[Spectator], step: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while any(one.step < step for one in watching):
            await asyncio.sleep(0.005)
