"""uvicorn's protocol with time limits: no client holds a connection by being slow.

Its own limit ends a connection on which nothing comes between two requests, and no other: half a
request that stands still, or drips in byte by byte, would stay for ever.
"""

import asyncio
import enum
from contextlib import AbstractContextManager
from http import HTTPStatus

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from server.http.connections import CONNECTION, Connection, Connections
from server.http.guard import LONGER_BODIES
from server.http.listening import UNIX, client_host
from server.http.public_path import strip_public_path
from server.http.responses import Problem
from server.identity.rate_limits import address_blocks


class Phase(enum.Enum):
    """What a connection does; see `Limits`."""

    HEAD = enum.auto()
    """It waits for the head of a request."""
    BODY = enum.auto()
    LONG_BODY = enum.auto()
    ANSWER = enum.auto()
    """The request is there; how long we take to answer is not the client's fault."""
    CLOSING = enum.auto()


class TimedProtocol(H11Protocol):
    """A connection each of whose phases has a time limit."""

    def __init__(
        self,
        connections: Connections,
        public_path: str,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Do as uvicorn's does; `connections` counts this one.

        `public_path`: see server/http/public_path.py.
        """
        super().__init__(config, server_state, {**app_state, CONNECTION: self}, _loop)
        self._all = connections
        self._public_path = public_path
        self._peer = ""
        """The address at the other end: that of a client, or of a proxy."""
        self._limits = connections.limits
        self._at: tuple[Phase, RequestResponseCycle | None] | None = None
        """The phase, and the request that it is one of."""
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        """Bytes that were still to be sent when the timer was set."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or refuse the client."""
        super().connection_made(transport)
        # Whoever is connected to a unix socket has no address.
        host, port = self.client or (UNIX, 0)
        self.client = client_host(host), port
        self._peer = self.client[0]
        if self._all.open(self, self._peer):
            self._follow()
        else:
            self._end(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections: try again in a minute")

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop_timer()
        self._all.close(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note in which phase the data leave us."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Watch whether the client reads."""
        super().pause_writing()
        if self._at is not None and self._at[0] is Phase.ANSWER:
            self._set_timer(self._limits.stalled_s)

    def resume_writing(self) -> None:
        """Watch no more."""
        super().resume_writing()
        if self._at is not None and self._at[0] is Phase.ANSWER:
            self._stop_timer()

    def drop(self) -> None:
        """End it at once, as somebody else needs its place."""
        self.transport.abort()

    def passes_on_for(self, address: str) -> bool:
        """Count a request as one of an address; return whether there is room for it."""
        return not self._is_forwarded(address) or self._all.ask_for(self, address)

    def stream(self, address: str, session: str) -> AbstractContextManager[bool]:
        """Count an event stream; gives whether there is room for it."""
        is_proxys = self._all.is_proxy(self._peer) and not self._is_forwarded(address)
        return self._all.streams.open_stream(() if is_proxys else address_blocks(address), session)

    def _is_forwarded(self, address: str) -> bool:
        """Return whether a proxy has said that a request comes from this address."""
        return address != self._peer

    @property
    def _last(self) -> RequestResponseCycle | None:
        """Return the last request of which the head is there."""
        return self.cycle

    def _current_phase(self) -> Phase:
        if self.transport.is_closing():
            return Phase.CLOSING
        if self._last is None:
            return Phase.HEAD
        if self._last.response_complete:  # whoever is answered early has said too much already
            return Phase.CLOSING if self._last.more_body else Phase.HEAD
        if not self._last.more_body:
            return Phase.ANSWER
        path = strip_public_path(self._public_path, self.scope["path"])
        return Phase.LONG_BODY if path in LONGER_BODIES else Phase.BODY

    def _follow(self) -> None:
        """Begin the phase that the connection is in, unless it has begun."""
        phase = self._current_phase()
        if self._at == (phase, self.cycle):
            return
        self._at = phase, self.cycle
        if phase in (Phase.HEAD, Phase.BODY, Phase.CLOSING):
            is_between = phase is Phase.HEAD and self._all.is_proxy(self._peer)
            self._all.wait(self, for_anybody=is_between)
        else:
            self._all.answer(self)
        seconds = self._phase_timeout_s(phase)
        if seconds is None:
            self._stop_timer()
        else:
            self._set_timer(seconds)

    def _phase_timeout_s(self, phase: Phase) -> float | None:
        """Return how long a phase may last; None: as long as we take."""
        limits = self._limits
        return {
            Phase.HEAD: limits.head_s,
            Phase.BODY: limits.body_s,
            Phase.LONG_BODY: limits.long_body_s,
            Phase.ANSWER: limits.stalled_s if self.flow.write_paused else None,
            Phase.CLOSING: limits.closing_s,
        }[phase]

    def _set_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._unsent = self.transport.get_write_buffer_size()
        if self._unsent:  # the system takes more only when a third of what it has was read
            seconds = max(seconds, self._limits.stalled_s)
        self._timer = self.loop.call_later(seconds, self._end_if_overdue)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_if_overdue(self) -> None:
        """End the connection, unless the last answer is still on its way, and gets on."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and self._unsent - unsent >= self._limits.least_sent:
            self._set_timer(self._limits.stalled_s)
        elif unsent or self.transport.is_closing():
            self.transport.abort()
        elif self._is_half_sent:
            self._end(HTTPStatus.REQUEST_TIMEOUT, "the request took too long")
        else:  # browsers open connections before they need them
            self._close()

    @property
    def _is_half_sent(self) -> bool:
        """Return whether a request has begun, and is neither there nor answered."""
        if self._current_phase() is Phase.HEAD:
            return bool(self.conn.trailing_data[0])
        return self._current_phase() in (Phase.BODY, Phase.LONG_BODY)

    def _end(self, status: HTTPStatus, text: str) -> None:
        """Say why, and close."""
        if self._last is None or self._last.response_complete or not self._last.response_started:
            self.transport.write(make_raw_response(status, text))
        self._close()

    def _close(self) -> None:
        if self._last is not None and not self._last.response_complete:
            self._last.disconnected = True  # nothing that is answered later may be sent
            self._last.message_event.set()
        self.transport.close()
        self._at = Phase.CLOSING, self.cycle
        self._set_timer(self._limits.closing_s)


class CountedByAddress:
    """Refuses what a proxy passes on for an address that has too many requests under way."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_admitted(scope):
            await _refuse(send)
        else:
            await self._app(scope, receive, send)


def _is_admitted(scope: Scope) -> bool:
    connection: Connection = scope["state"][CONNECTION]
    return connection.passes_on_for(scope["client"][0])


async def _refuse(send: Send) -> None:
    message = "too many requests at once from your address: try again in a minute"
    headers = [
        (b"content-type", b"application/json"),
        (b"connection", b"close"),
        (b"retry-after", b"60"),
    ]
    status = HTTPStatus.TOO_MANY_REQUESTS
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(Problem(message))})


def make_raw_response(status: HTTPStatus, message: str) -> bytes:
    """Return an answer to what may not even be a request."""
    body = msgspec.json.encode(Problem(message))
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
