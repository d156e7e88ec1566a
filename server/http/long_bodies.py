"""Reading long bodies of requests: few at a time, and none for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

MOST_AT_ONCE = 8
"""Bodies in memory at once; one has up to 46 MB, and what is made of it as much again."""
MOST_S = 300.0
"""The time that a body may take: 34 MB take that long at one megabit a second."""


class NotRead(Exception):
    """Why a body was not read, in a sentence."""


class LongBodies:
    """Bodies of uploads; used on the event loop only."""

    def __init__(self, most_s: float = MOST_S) -> None:
        self._most_s = most_s
        self._senders = set[str]()

    @asynccontextmanager
    async def read(self, request: Request, person_id: str) -> AsyncIterator[bytes]:
        """Read a body, whose place is free again at the end of the block. Raises: NotRead."""
        if person_id in self._senders:
            raise NotRead("another upload of yours is in progress: wait until it is done")
        if len(self._senders) >= MOST_AT_ONCE:
            raise NotRead("too many uploads at once: try again in a minute")
        self._senders.add(person_id)
        try:
            yield await self._content(request)
        finally:
            self._senders.discard(person_id)

    async def _content(self, request: Request) -> bytes:
        """Raises: NotRead."""
        try:
            async with asyncio.timeout(self._most_s):
                return await request.body()
        except TimeoutError as error:
            raise NotRead(f"the upload took more than {self._most_s:.0f} seconds") from error
