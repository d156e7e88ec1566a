"""Long bodies of requests: few at once, and none for ever."""

import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from server.http.connections import MAX_LONG_BODIES, LongBodies
from server.http.errors import TooMany


def a_request(content: bytes = b"content") -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


def a_slow_request() -> Request:
    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


def test_a_body_is_read_and_its_place_is_free_again() -> None:
    async def read_twice() -> list[bytes]:
        bodies = LongBodies()
        found = []
        for _ in range(2):
            async with bodies.read(a_request(), "ann") as content:
                found.append(content)
        return found

    assert asyncio.run(read_twice()) == [b"content", b"content"]


def test_nobody_sends_two_at_once() -> None:
    async def read_two() -> None:
        bodies = LongBodies()
        async with bodies.read(a_request(), "ann"):
            async with bodies.read(a_request(), "ben"):
                pass
            async with bodies.read(a_request(), "ann"):
                pass

    with pytest.raises(TooMany, match="another upload of yours"):
        asyncio.run(read_two())


def test_all_together_send_so_many_at_once() -> None:
    async def read_many() -> None:
        bodies = LongBodies()
        others = [
            bodies.read(a_request(), f"somebody {number}") for number in range(MAX_LONG_BODIES)
        ]
        for one in others:
            await one.__aenter__()
        async with bodies.read(a_request(), "ann"):
            pass

    with pytest.raises(TooMany, match="too many uploads"):
        asyncio.run(read_many())


def test_a_body_that_never_ends_is_not_waited_for() -> None:
    async def read_slowly() -> bytes:
        bodies = LongBodies(most_s=0.01)
        with pytest.raises(TooMany, match="took more than"):
            async with bodies.read(a_slow_request(), "ann"):
                pass
        async with bodies.read(a_request(), "ann") as content:
            return content

    assert asyncio.run(read_slowly()) == b"content"
