"""What every request passes: whose name it uses, where it comes from, and how much it says."""

from collections.abc import Callable, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.printable import one_line
from server.bodies import Problem

MOST_BODY = 1 << 18
"""The longest body of a request, bytes: a draft of 2000 lines takes a quarter of it."""
MOST_SHOWN = 200
"""Letters of a path in the audit log."""
MOST_PATH = 1_000
"""The longest path of a request, bytes: ours are far shorter."""
LONGER = {"/submit": 34_000_000, "/api/v1/bots": 46_000_000}
"""The longest bodies where bots are handed in: 32 MB of files, and what a form or JSON adds.

Those who read them see first who sends them.
"""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            b"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class TooLong(Exception):
    """A body is longer than any of ours."""


class Guard:
    """Refuses what no page of ours sends, before anything looks at it.

    The Host header is checked since a name of somebody else's may lead to this machine, and with
    it that page's scripts; the Origin, since a page of somebody else's may send us forms.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        on_refusal: Callable[[str, str], object] = lambda address, words: None,
    ) -> None:
        """`on_refusal` is called, on a thread, with the address of who was refused, and why."""
        self._app = app
        self._hosts = frozenset(hosts)
        self._on_refusal = on_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        why = self._why_not(scope)
        if why is not None:
            await self._refused(scope, *why)
            await _refuse(send, *why)
            return
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LONGER.get(scope["path"], MOST_BODY):
                raise TooLong
            return message

        has_begun = False

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        try:
            await self._app(scope, counted, with_headers)
        except ClientDisconnect:  # in the midst of a body: there is nobody to answer
            pass
        except TooLong:
            words = "that is too much"
            await self._refused(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)
            if not has_begun:
                await _refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)

    async def _refused(self, scope: Scope, status: int, words: str) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        said = f"{scope['method']} {scope['path']:.{MOST_SHOWN}}: {int(status)}, {words}"
        await run_in_threadpool(self._on_refusal, address, one_line(said))

    def _why_not(self, scope: Scope) -> tuple[int, str] | None:
        if len(scope["path"].encode(errors="replace")) > MOST_PATH:
            return HTTPStatus.REQUEST_URI_TOO_LONG, "there is nothing here"
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._hosts:
            names = ", ".join(sorted(self._hosts))
            return HTTPStatus.MISDIRECTED_REQUEST, f"this server is addressed as {names}"
        if scope["method"] in SAFE:
            return None
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and urlsplit(origin).netloc != host:
            return HTTPStatus.FORBIDDEN, "this came from a page of somebody else's"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return HTTPStatus.FORBIDDEN, "this came from a page of somebody else's"
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if scope["path"].startswith("/api/") and kind != b"application/json":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send JSON, with that content type"
        return None


async def _refuse(send: Send, status: int, words: str) -> None:
    body = msgspec.json.encode(Problem(words))
    headers = [(b"content-type", b"application/json"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
