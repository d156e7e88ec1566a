"""A page is read from the database in one transaction: quick, and of one moment.

No request waits for long until others have written: it is refused, and its client tries again.
"""

import asyncio
from collections.abc import MutableMapping
from typing import Any

from anyio import CancelScope, CapacityLimiter, to_thread
from starlette.types import ASGIApp, Receive, Scope, Send

from runners.storage.database import MAX_REQUEST_WAIT_S, waiting_at_most
from runners.storage.shared_reading import SharedReading, shared_reading
from server.http.guard import SAFE

ENDED_AT_ONCE = 10
"""Transactions."""


class ReadTransaction:
    """Stands before the pages; what is sent by a form is read and written by turns."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._threads: CapacityLimiter | None = None
        """Those in which transactions are ended, and connections given back: other threads may all
        be waiting for a connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with waiting_at_most(MAX_REQUEST_WAIT_S):
            if scope["method"] in SAFE:
                await self._read(scope, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        with shared_reading() as shared:
            ending: asyncio.Task[None] | None = None

            async def end_then_send(message: MutableMapping[str, Any]) -> None:
                nonlocal ending
                if ending is None and shared.is_used:
                    # The answer does not wait for the end, nor the end for whoever reads slowly.
                    shared.is_over = True  # a stream reads what is there by then
                    ending = asyncio.create_task(self._end(shared))
                await send(message)

            try:
                await self._app(scope, receive, end_then_send)
            finally:
                with CancelScope(shield=True):
                    await (self._end(shared) if ending is None else ending)

    async def _end(self, shared: SharedReading) -> None:
        if shared.is_used:
            self._threads = self._threads or CapacityLimiter(ENDED_AT_ONCE)
            await to_thread.run_sync(shared.end, limiter=self._threads)
