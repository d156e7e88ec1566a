"""Running the server: a socket, uvicorn, and an end that loses nothing."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server.http.connections import (
    ACCEPTED_AT_ONCE,
    LOGGER,
    ConnectionLimits,
    Connections,
    limits_for,
)
from server.http.descriptors import raise_descriptor_limit
from server.http.listening import UNIX
from server.http.log_throttling import OncePerMinute
from server.http.memory import return_large_blocks
from server.http.timed_protocol import CountedByAddress, TimedProtocol

BELIEVED = "127.0.0.1,::1"
"""Proxies that are believed where $FORWARDED_ALLOW_IPS says nothing: this machine's."""
STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
READY_S = 0.01
"""Time between two looks at whether the server listens."""
GRACE_S = 2
"""Time that requests have to end when the server does."""
UVICORN = logging.getLogger("uvicorn.error")
BACKLOG = 2_048
"""Connections that the system keeps until we accept them."""
MOST_HEAD = 32_768
"""The longest head of a request, bytes: browsers send a cookie for each of a guest's seats."""


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
    believed = os.environ.get("FORWARDED_ALLOW_IPS", "" if is_unix(listener) else BELIEVED)
    if is_unix(listener):  # nobody is there but whom its owner lets in
        believed = f"{believed},{UNIX}" if believed else UNIX
    server = server_of(web.app, limits_for(raise_descriptor_limit()), believed, web.public_path)
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


def server_of(
    app: ASGIApp, limits: ConnectionLimits, believed: str = BELIEVED, public_path: str = ""
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
        h11_max_incomplete_event_size=MOST_HEAD,
        backlog=ACCEPTED_AT_ONCE,
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
