"""Running the server: a socket, uvicorn, and an end that loses nothing."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from engine.errors import UsageError

LOOPBACK = "127.0.0.1"
ANY = "0.0.0.0"
STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
READY_S = 0.01
"""Time between two looks at whether the server listens."""
GRACE_S = 2
"""Time that requests have to end when the server does."""


class Served(Protocol):
    """What is served."""

    @property
    def app(self) -> ASGIApp:
        """Return the application."""

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound; port 0 is one that is free. Raises: UsageError."""
    # asyncio sends at once (TCP_NODELAY) only where the protocol is named: 40 ms an answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UsageError(
            f"port {port} of {host} cannot be had ({error.strerror}): choose another with --port"
        ) from error
    return listener


def lan_address() -> str:
    """Return this machine's address in its network, or the loopback where it has none."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
        contextlib.suppress(OSError),
    ):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: this only chooses the route
        return str(probe.getsockname()[0])
    return LOOPBACK


def addresses(names: Sequence[str], port: int) -> list[str]:
    """Return what a browser may put into its Host header."""
    return [f"{name}:{port}" for name in names]


def serve(web: Served, listener: socket.socket, on_ready: Callable[[], object]) -> None:
    """Serve until a signal comes; `on_ready` is called once the server listens."""
    before = {stop: signal.getsignal(stop) for stop in STOPS}
    try:
        asyncio.run(_serve(web, listener, on_ready))
    finally:
        for stop, handler in before.items():
            signal.signal(stop, handler)


async def _serve(web: Served, listener: socket.socket, on_ready: Callable[[], object]) -> None:
    config = uvicorn.Config(
        web.app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve([listener]))
    while not (server.started or serving.done()):
        await asyncio.sleep(READY_S)
    if server.started:
        for stop in STOPS:
            with contextlib.suppress(NotImplementedError):  # Windows has its own way
                asyncio.get_running_loop().add_signal_handler(stop, server.end, web)
        on_ready()
    await serving


class _Server(uvicorn.Server):
    """Leaves signals to us: a stream that is open would keep it from ending."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def end(self, web: Served) -> None:
        web.end_streams()
        self.should_exit = True
