"""Serving below a path: a proxy shows this server at https://example.org/arena.

Everything behind `BelowPath` speaks of paths without it, as if the server had a host of its own.
It is taken off a request, where the proxy has not done so, and put before what a browser is told.
Templates put it before links themselves: `{{ site }}`.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import UsageError
from engine.support.sanitizing import one_line

SEGMENTS = re.compile(r"(/[A-Za-z0-9~_][A-Za-z0-9~_.-]*)+")
COOKIE_PATH = re.compile(rb"(; *path=)/(?=;|$)", re.IGNORECASE)


def read_public_path(text: str) -> str:
    """Return a path without its last slash; '' for a host of its own. Raises: UsageError."""
    path = text.rstrip("/")
    if path and not SEGMENTS.fullmatch(path):
        raise UsageError(
            f"--public-path {one_line(text)}: expected a path such as /arena, of letters, digits, "
            "and - . _ ~"
        )
    return path


def require_other(public_path: str, own: Iterable[str]) -> None:
    """Raises: UsageError for a path that begins as one of the server's own pages does.

    Where the proxy takes it off, nobody could tell what a request asks for.
    """
    first = public_path[1:].partition("/")[0]
    if first in {one[1:].partition("/")[0] for one in own}:
        raise UsageError(
            f"--public-path {public_path}: the server has pages of its own at /{first}: choose "
            "another path, such as /arena"
        )


def strip_public_path(public_path: str, path: str) -> str:
    """Return the path of a request, as the pages behind the proxy's path know it."""
    if public_path and (path + "/").startswith(public_path + "/"):
        return path[len(public_path) :] or "/"
    return path


class BelowPath:
    """Lets an application be found below a path, whether the proxy takes it off or not."""

    def __init__(self, app: ASGIApp, public_path: str) -> None:
        """`public_path`: as `read_public_path` returns it, and not ''."""
        self._app = app
        self._public_path = public_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")

        async def put_before(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    (name, self._rewrite(name, value, host)) for name, value in message["headers"]
                ]
            await send(message)

        path = strip_public_path(self._public_path, scope["path"])
        headers = [_first_cookies(*header) for header in scope["headers"]]
        await self._app({**scope, "path": path, "headers": headers}, receive, put_before)

    def _rewrite(self, name: bytes, value: bytes, host: str) -> bytes:
        """Return a header of an answer as a browser has to read it."""
        if name == b"location":
            target = urlsplit(value.decode("latin-1"))
            if target.netloc in ("", host) and target.path.startswith("/"):
                return target._replace(path=self._public_path + target.path).geturl().encode()
        if name == b"set-cookie":
            return COOKIE_PATH.sub(rb"\g<1>" + self._public_path.encode(), value)
        return value


def _first_cookies(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Return a header; of cookies with the same name the first, whose path is the longest.

    Another server of ours may be at the same host, and its cookies come to all paths below its.
    """
    if name != b"cookie":
        return name, value
    first: dict[bytes, bytes] = {}
    for one in value.split(b";"):
        first.setdefault(one.partition(b"=")[0].strip(), one.strip())
    return name, b"; ".join(first.values())
