"""Running the server: a socket, uvicorn, limits of the process, and an end that loses nothing."""

import asyncio
import contextlib
import ctypes
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from engine.support.interpreter_state import format_traceback
from server.http.connections import (
    LOGGER,
    MAX_ACCEPTED_AT_ONCE,
    ConnectionLimits,
    Connections,
    limits_for,
)
from server.http.listening import UNIX
from server.http.timed_protocol import CountedByAddress, TimedProtocol

DEFAULT_PROXIES = "127.0.0.1,::1"
"""Proxies that are believed where $FORWARDED_ALLOW_IPS says nothing: this machine's."""
STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
READY_S = 0.01
"""Time between two looks at whether the server listens."""
GRACE_S = 2
"""Time that requests have to end when the server does."""
UVICORN = logging.getLogger("uvicorn.error")
BACKLOG = 2_048
"""Connections that the system keeps until we accept them."""
MAX_HEAD_BYTES = 32_768
"""The longest head of a request, bytes: browsers send a cookie for each of a guest's seats."""


if sys.platform != "win32":  # which knows no such limit
    from resource import RLIMIT_NOFILE, getrlimit, setrlimit
MAX_DESCRIPTORS = 1 << 16
"""More are never asked for: where there is no limit the system's own may be lower."""
WITHOUT_LIMIT = 2_048
"""What we count on where the system knows no limit."""
M_MMAP_THRESHOLD = -3
"""The parameter of mallopt(3)."""
LARGE_BYTES = 1 << 20
"""A block of so many bytes is mapped by itself, and unmapped when it is free."""
PAUSE_S = 60.0
"""Time between two lines of a kind."""


class Served(Protocol):
    """What is served."""

    @property
    def app(self) -> ASGIApp:
        """Return the application."""

    @property
    def public_path(self) -> str:
        """Return the path below which browsers find it: see server/http/public_path.py."""

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""


def serve(web: Served, listener: socket.socket, on_ready: Callable[[], object]) -> None:
    """Serve until a signal comes; `on_ready` is called once the server listens."""
    return_large_blocks()
    before = {stop: signal.getsignal(stop) for stop in STOPS}
    try:
        asyncio.run(_serve(web, listener, on_ready))
    finally:
        for stop, handler in before.items():
            signal.signal(stop, handler)


async def _serve(web: Served, listener: socket.socket, on_ready: Callable[[], object]) -> None:
    believed = os.environ.get("FORWARDED_ALLOW_IPS", "" if is_unix(listener) else DEFAULT_PROXIES)
    if is_unix(listener):  # nobody is there but whom its owner lets in
        believed = f"{believed},{UNIX}" if believed else UNIX
    server = make_server(web.app, limits_for(raise_descriptor_limit()), believed, web.public_path)
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    for logger in (LOGGER, UVICORN):
        if not any(isinstance(known, OncePerMinute) for known in logger.filters):
            logger.addFilter(OncePerMinute())
    serving = asyncio.ensure_future(server.serve([listener]))
    while not (server.started or serving.done()):
        await asyncio.sleep(READY_S)
    if server.started:
        for stop in STOPS:
            with contextlib.suppress(NotImplementedError):  # Windows has its own way
                asyncio.get_running_loop().add_signal_handler(stop, server.end, web)
        on_ready()
    await serving


def is_unix(listener: socket.socket) -> bool:
    """Return whether a socket is one of the file system."""
    return sys.platform != "win32" and listener.family == socket.AF_UNIX


def make_server(
    app: ASGIApp, limits: ConnectionLimits, believed: str = DEFAULT_PROXIES, public_path: str = ""
) -> "_Server":
    """Return what serves an application within limits.

    `believed`: the addresses of proxies, with commas, that say for whom they ask.
    `public_path`: see server/http/public_path.py.
    """
    config = uvicorn.Config(
        CountedByAddress(app),
        # It would take away the handler that writes JSON.
        log_config=None if UVICORN.handlers else LOGGING_CONFIG,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        ws="none",  # we have none, and its protocol has no time limits
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        backlog=MAX_ACCEPTED_AT_ONCE,
        forwarded_allow_ips=believed,
    )
    proxies = ProxyHeadersMiddleware(cast(Any, app), config.forwarded_allow_ips).trusted_hosts
    connections = Connections(limits, proxies.__contains__)
    config.http = cast(Any, partial(TimedProtocol, connections, public_path))
    return _Server(config)


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop; in a line where no connection can be accepted.

    asyncio would write thousands of tracebacks of it each second.
    """
    error = context.get("exception")
    if isinstance(error, OSError) and "accept" in context["message"].lower():
        LOGGER.warning(
            "connections cannot be accepted: %s; raise the limit on open files (LimitNOFILE of "
            "systemd, ulimit -n)",
            error.strerror,
        )
    else:
        loop.default_exception_handler(context)


class _Server(uvicorn.Server):
    """Leaves signals to us: a stream that is open would keep it from ending."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():  # asyncio accepts as many at once as it lets wait
            listener.listen(BACKLOG)

    def end(self, web: Served) -> None:
        web.end_streams()
        self.should_exit = True


def raise_descriptor_limit() -> int:
    """Raise our limit to the highest that we may have, and return it.

    The usual one, 1024, is for old programs that call select(2); what we start inherits ours.
    """
    if sys.platform == "win32":
        return WITHOUT_LIMIT
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        soft, hard = getrlimit(RLIMIT_NOFILE)
        highest = max(soft, min(_limit_number(hard), MAX_DESCRIPTORS))
        with suppress(ValueError, OSError):  # macOS has another limit, of which it says nothing
            setrlimit(RLIMIT_NOFILE, (highest, hard))
        return min(_limit_number(getrlimit(RLIMIT_NOFILE)[0]), MAX_DESCRIPTORS)


def _limit_number(limit: int) -> int:
    """Return a limit; none at all is a negative number on some systems."""
    return limit if limit >= 0 else MAX_DESCRIPTORS


def return_large_blocks() -> None:
    """Let this process give back large blocks of memory whenever they are free.

    glibc raises the size from which blocks are mapped by themselves with each that is freed, up to
    32 MB. Smaller ones are kept by whichever thread has used them: after some uploads that were
    hundreds of megabytes. Other C libraries have no such parameter.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


class OncePerMinute(logging.Filter):
    """Lets the first of equal warnings through, and then one a minute, with how many there were.

    Errors with a traceback always pass: they are ours.
    """

    def __init__(self, passed: Callable[[], float] = time.monotonic) -> None:
        """`passed`: seconds since some moment."""
        super().__init__()
        self._passed = passed
        self._said_at: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged. Equal are those of one text without its values."""
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text = format_traceback(record.exc_info[1])
            return True
        if record.levelno < logging.WARNING:
            return True
        kind, now = str(record.msg), self._passed()
        if now - self._said_at.get(kind, -PAUSE_S) < PAUSE_S:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._said_at[kind] = now
        if left_out := self._left_out.pop(kind, 0):
            record.msg = f"{record.getMessage()} (and {left_out} times more since it was said last)"
            record.args = ()
        return True
