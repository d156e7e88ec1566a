"""Events of streams, as browsers read them (server-sent events)."""

from collections.abc import AsyncIterator
from typing import NamedTuple

ALIVE = b": still here\n\n"
"""Keeps a stream alive where there is no news."""


class StreamEvent(NamedTuple):
    """An event of a stream."""

    kind: str
    data: bytes
    """JSON, in one line."""
    last: str | None = None
    """Stands for all that was sent so far: who sends it back is sent what came after it."""

    def encoded(self) -> bytes:
        """Return the event as it is sent."""
        last = b"" if self.last is None else b"id: %b\n" % self.last.encode()
        return b"event: %b\n%bdata: %b\n\n" % (self.kind.encode(), last, self.data)


Events = AsyncIterator[StreamEvent | None]
"""What is followed: its events, and None where there is no news for a while."""


async def encoded(events: Events) -> AsyncIterator[bytes]:
    """Yield events as they are sent."""
    async for event in events:
        yield ALIVE if event is None else event.encoded()
