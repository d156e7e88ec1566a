"""Attacks that are made of connections: half of a request, a byte at a time, or streams."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from random import Random

import msgspec

from tests.hostile_clients.requests import (
    HERE,
    JSON,
    UNANSWERED,
    Request,
    make_address,
    make_head,
    status_in,
)
from tests.hostile_clients.targets import Targets

DRIP_S = 1.0
AGAIN_S = 15.0
"""How long a client waits before it opens a connection in place of one that was closed."""
LENGTH = 10_000
"""The length of a body that never comes."""


class Slow(msgspec.Struct, frozen=True, kw_only=True):
    """Connections that all do the same, of one address."""

    connections: int
    sends: Callable[[Targets], AsyncIterator[bytes]]


async def half_a_head(targets: Targets) -> AsyncIterator[bytes]:
    """Send the first lines of a request."""
    yield make_head(Request(), targets.port).removesuffix(b"\r\n")


async def dripping_head(targets: Targets) -> AsyncIterator[bytes]:
    """Send a header that never ends."""
    yield make_head(Request(headers=("X-Slow: ",)), targets.port).rstrip(b"\r\n")
    async for byte in _drips():
        yield byte


async def half_a_body(targets: Targets) -> AsyncIterator[bytes]:
    """Send the beginning of a form."""
    request = Request(method="POST", path="/sign-in", headers=(targets.origin,))
    yield make_head(request, targets.port, LENGTH) + b"name="


async def dripping_body(targets: Targets) -> AsyncIterator[bytes]:
    """Send a form letter by letter."""
    async for content in half_a_body(targets):
        yield content
    async for byte in _drips():
        yield byte


async def dripping_upload(targets: Targets) -> AsyncIterator[bytes]:
    """Hand in a bot letter by letter."""
    bearer = f"Authorization: Bearer {targets.token}"
    request = Request(method="POST", path="/api/v1/bots", content_type=JSON, headers=(bearer,))
    yield make_head(request, targets.port, LENGTH) + b'{"name": "'
    async for byte in _drips():
        yield byte


async def game_stream(targets: Targets) -> AsyncIterator[bytes]:
    """Follow a game."""
    yield make_head(Request(path=f"/api/v1/games/{targets.running}/events"), targets.port)


async def scene_stream(targets: Targets) -> AsyncIterator[bytes]:
    """Follow what is drawn of a game."""
    yield make_head(Request(path=f"/api/v1/games/{targets.running}/scene"), targets.port)


SLOW = {
    "7 half-sent heads": Slow(connections=400, sends=half_a_head),
    "7 dripping heads": Slow(connections=50, sends=dripping_head),
    "7 half-sent bodies": Slow(connections=50, sends=half_a_body),
    "7 dripping bodies": Slow(connections=50, sends=dripping_body),
    "7 dripping uploads": Slow(connections=10, sends=dripping_upload),
    "7 event streams": Slow(connections=300, sends=game_stream),
    "7 scene streams": Slow(connections=50, sends=scene_stream),
}


async def hold(name: str, targets: Targets, chance: Random, answers: Counter[int]) -> None:
    """Keep all connections of an attack open, for ever; count how they are answered."""
    address = make_address(7, list(SLOW).index(name))
    slow = SLOW[name]
    async with asyncio.TaskGroup() as group:
        for _ in range(slow.connections):
            delay_s = chance.random() * AGAIN_S
            group.create_task(_keep_open(slow, targets, address, delay_s, answers))


async def _keep_open(
    slow: Slow, targets: Targets, address: str, delay_s: float, answers: Counter[int]
) -> None:
    await asyncio.sleep(delay_s)  # all at once would be a flood
    while True:
        with suppress(OSError, ValueError):
            await _connect(slow, targets, address, answers)
        await asyncio.sleep(AGAIN_S)


async def _connect(slow: Slow, targets: Targets, address: str, answers: Counter[int]) -> None:
    """Open a connection, and keep it until the server closes it."""
    reader, writer = await asyncio.open_connection(HERE, targets.port, local_addr=(address, 0))
    status = UNANSWERED

    async def send() -> None:
        with suppress(OSError):
            async for content in slow.sends(targets):
                writer.write(content)
                await writer.drain()

    sending = asyncio.create_task(send())
    try:
        status = status_in(await reader.readline())
        while await reader.read(1 << 16):
            pass
    finally:
        answers[status] += 1
        sending.cancel()
        writer.close()


async def _drips() -> AsyncIterator[bytes]:
    while True:
        await asyncio.sleep(DRIP_S)
        yield b"x"
