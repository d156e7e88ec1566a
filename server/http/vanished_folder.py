"""Answers 503 to requests while the folder of results has vanished."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.guard import OF_ANY_HOST

ANSWERED = (*OF_ANY_HOST, "/admin/health", "/sign-in", "/static/")
"""Beginnings of the paths that are answered all the same: organizers look there for the cause."""


class VanishedFolder:
    """Stands before the pages, which read and write in the folder of results."""

    def __init__(
        self, app: ASGIApp, is_there: Callable[[], bool], answer: Callable[[Request], Response]
    ) -> None:
        """`answer`: what says that the folder has vanished."""
        self._app = app
        self._is_there = is_there
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] == "http"
            and not scope["path"].startswith(ANSWERED)
            and not await run_in_threadpool(self._is_there)  # a disk may take its time
        ):
            await self._answer(Request(scope))(scope, receive, send)
            return
        await self._app(scope, receive, send)
