"""Connections that say little, or too many of them, keep nobody else out."""

import asyncio
import errno
import json
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, suppress

import pytest
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from server.http.connections import ConnectionLimits, Connections, Streams, limits_for
from server.http.event_streams import EventStream
from server.http.guard import LONGER_BODIES
from server.http.listening import LOOPBACK, listen
from server.http.serving import PAUSE_S, OncePerMinute, log_loop_error, make_server
from server.identity.rate_limits import Keys, address_blocks
from server.identity.visitors import SESSION
from tests.shell import PATIENCE_S, eventually

STRANGER = "127.0.0.2"
"""An address of this machine that is no proxy's."""
LIMITS = ConnectionLimits(
    connections=12,
    of_an_address=6,
    streams=5,
    streams_of_an_address=4,
    streams_of_a_session=2,
    head_s=0.4,
    body_s=0.4,
    long_body_s=0.8,
    stalled_s=0.4,
    closing_s=0.2,
)
PATIENT = replace(LIMITS, head_s=PATIENCE_S, body_s=PATIENCE_S, long_body_s=PATIENCE_S)
HEAD = "GET {} HTTP/1.1\r\nHost: arena.test\r\n"
BODY = "POST {} HTTP/1.1\r\nHost: arena.test\r\nContent-Length: 100\r\n\r\n"
UPLOAD = min(LONGER_BODIES)
LARGE = b"x" * (1 << 24)
OK = b"HTTP/1.1 200"
TOO_SLOW = b"HTTP/1.1 408"


async def echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def early(request: Request) -> Response:
    """Answer without reading the body."""
    return PlainTextResponse("no")


async def large(request: Request) -> Response:
    return Response(LARGE)


async def stream(request: Request) -> Response:
    async def beginning() -> AsyncIterator[bytes]:
        yield b": begun\n\n"
        await asyncio.Event().wait()

    return EventStream(beginning())


APP = Starlette(
    routes=[
        Route("/", echo, methods=["GET", "POST"]),
        Route(UPLOAD, echo, methods=["POST"]),
        Route("/early", early, methods=["POST"]),
        Route("/large", large),
        Route("/stream", stream),
    ]
)
Connect = Callable[..., socket.socket]


@pytest.fixture
def limits() -> ConnectionLimits:
    return LIMITS


@pytest.fixture
def connect(limits: ConnectionLimits) -> Iterator[Connect]:
    """Return what connects to a server with these limits, from an address, and says something."""
    listener = listen(LOOPBACK, 0)
    there = listener.getsockname()
    server = make_server(APP, limits)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    assert eventually(lambda: server.started)
    with ExitStack() as stack:

        def it(said: str = "", address: str = STRANGER) -> socket.socket:
            client = stack.enter_context(
                socket.create_connection(there, PATIENCE_S, source_address=(address, 0))
            )
            client.sendall(said.encode())
            return client

        yield it
    server.should_exit = True
    thread.join()


def receive_all(client: socket.socket) -> bytes:
    """Return all that a client is sent until the server closes the connection."""
    content = b""
    with suppress(ConnectionResetError):
        while more := client.recv(1 << 16):
            content += more
    return content


def drip(client: socket.socket, letter: bytes) -> None:
    """Send a letter again and again until the server closes the connection."""
    client.settimeout(0.02)

    def is_closed() -> bool:
        try:
            client.sendall(letter)
            return client.recv(1 << 16) == b""
        except TimeoutError:
            return False
        except OSError:
            return True

    assert eventually(is_closed)


def send_request(connect: Connect, path: str = "/", more: str = "", **of: str) -> bytes:
    """Return the status line and headers of an answer."""
    client = connect(f"{HEAD.format(path)}{more}\r\n", **of)
    return client.recv(1 << 16)


# -- time ------------------------------------------------------------------------------------------


def test_a_connection_on_which_nothing_is_said_is_closed(connect: Connect) -> None:
    assert receive_all(connect()) == b""


def test_half_a_head_is_answered_that_it_took_too_long(connect: Connect) -> None:
    status, _, body = receive_all(connect(HEAD.format("/"))).partition(b"\r\n\r\n")
    assert status.startswith(TOO_SLOW)
    assert json.loads(body) == {"error": "the request took too long"}


def test_a_head_that_drips_in_ends_with_its_connection(connect: Connect) -> None:
    drip(connect(HEAD.format("/") + "X: "), b"x")


@pytest.mark.parametrize("path", ["/", UPLOAD])
def test_half_a_body_is_answered_that_it_took_too_long(connect: Connect, path: str) -> None:
    assert receive_all(connect(BODY.format(path) + "half")).startswith(TOO_SLOW)


def test_a_body_that_drips_in_ends_with_its_connection(connect: Connect) -> None:
    drip(connect(BODY.format("/").replace("100", "100000")), b"x")


def test_the_rest_of_a_body_that_nobody_wants_ends_with_its_connection(connect: Connect) -> None:
    client = connect(BODY.format("/early").replace("100", "100000"))
    assert client.recv(1 << 16).startswith(OK)
    drip(client, b"x")


def test_half_a_second_request_is_answered_that_it_took_too_long(connect: Connect) -> None:
    client = connect(f"{HEAD.format('/')}\r\n{HEAD.format('/')}")
    assert receive_all(client).partition(b"\r\n\r\n")[2].startswith(b"0" + TOO_SLOW)


@pytest.mark.parametrize("limits", [replace(LIMITS, body_s=0.1, long_body_s=PATIENCE_S)])
def test_files_of_bots_may_take_longer(connect: Connect) -> None:
    client = connect(BODY.format(UPLOAD))
    for _ in range(10):
        client.sendall(b"x" * 10)
        time.sleep(0.04)
    assert client.recv(1 << 16).startswith(OK)


def test_one_who_does_not_read_an_answer_is_disconnected(connect: Connect) -> None:
    client = connect(f"{HEAD.format('/large')}\r\n")
    time.sleep(4 * LIMITS.stalled_s)  # what is on its way by then is all that ever comes
    assert len(receive_all(client)) < len(LARGE)


@pytest.mark.parametrize(
    "limits", [replace(LIMITS, head_s=0.1, stalled_s=1, closing_s=0.1, least_sent=1)]
)
@pytest.mark.parametrize("more", ["", "Connection: close\r\n"])
def test_one_who_reads_slowly_is_sent_all(connect: Connect, more: str) -> None:
    client = connect(f"{HEAD.format('/large')}{more}\r\n")
    count = 0
    while count < len(LARGE) and (content := client.recv(1 << 17)):
        count += len(content)
        time.sleep(0.02)
    assert count >= len(LARGE)


@pytest.mark.parametrize("limits", [replace(LIMITS, head_s=0.1, body_s=0.1, stalled_s=0.1)])
def test_a_stream_goes_on_however_long_nothing_happens(connect: Connect) -> None:
    client = connect(f"{HEAD.format('/stream')}\r\n")
    assert b"text/event-stream" in client.recv(1 << 16)
    client.settimeout(1)
    with pytest.raises(TimeoutError):  # it is neither told anything nor disconnected
        receive_all(client)


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [PATIENT])
@pytest.mark.parametrize("said", ["", HEAD.format("/"), BODY.format("/"), BODY.format("/early")])
@pytest.mark.parametrize("address", [STRANGER, LOOPBACK])
def test_who_comes_last_is_answered_and_who_waits_longest_goes(
    connect: Connect, said: str, address: str
) -> None:
    waiting = [connect(said, address=address) for _ in range(2 * LIMITS.connections)]
    assert send_request(connect).startswith(OK)
    assert send_request(connect, address=LOOPBACK).startswith(OK)
    receive_all(waiting[0])  # as it was closed


@pytest.mark.parametrize("limits", [PATIENT])
def test_half_a_body_that_a_proxy_passes_on_counts_for_whom_it_is(connect: Connect) -> None:
    named = "X-Forwarded-For: {}\r\nContent-Length"
    said = BODY.format("/").replace("Content-Length", named.format("203.0.113.9"))
    waiting = [connect(said, address=LOOPBACK) for _ in range(LIMITS.of_an_address + 1)]
    assert receive_all(waiting[0]) == b""
    assert send_request(
        connect, more="X-Forwarded-For: 203.0.113.7\r\n", address=LOOPBACK
    ).startswith(OK)


@pytest.mark.parametrize("limits", [replace(PATIENT, streams=100, streams_of_an_address=100)])
def test_an_address_with_too_many_answers_under_way_must_wait(connect: Connect) -> None:
    named = "X-Forwarded-For: 203.0.113.9\r\n"
    for _ in range(LIMITS.of_an_address):
        assert send_request(connect, "/stream", named, address=LOOPBACK).startswith(OK)
    assert send_request(connect, "/", named, address=LOOPBACK).startswith(b"HTTP/1.1 429")
    assert send_request(connect, "/", address=LOOPBACK).startswith(OK)
    for _ in range(LIMITS.of_an_address - 1):
        assert send_request(connect, "/stream").startswith(OK)
    assert send_request(connect).startswith(OK)


@pytest.mark.parametrize("limits", [PATIENT])
def test_an_address_follows_so_many_games_and_all_together_so_many(connect: Connect) -> None:
    streams = LIMITS.streams_of_an_address
    statuses = [send_request(connect, "/stream")[:12] for _ in range(streams + 1)]
    assert statuses == [OK] * streams + [b"HTTP/1.1 429"]
    others = [send_request(connect, "/stream", address=LOOPBACK)[:12] for _ in range(2)]
    assert others == [OK, b"HTTP/1.1 429"]
    assert send_request(connect).startswith(OK)


@pytest.mark.parametrize("limits", [PATIENT])
def test_a_browser_follows_so_many_games_and_may_follow_another_for_each_it_leaves(
    connect: Connect,
) -> None:
    cookie = f"{HEAD.format('/stream')}Cookie: {SESSION}=of-ann\r\n\r\n"
    first = connect(cookie)
    assert first.recv(1 << 16).startswith(OK)
    assert connect(cookie).recv(1 << 16).startswith(OK)
    refused = connect(cookie).recv(1 << 16)
    assert refused.startswith(b"HTTP/1.1 429")
    assert b"retry-after: 10\r\n" in refused
    first.close()
    assert eventually(lambda: connect(cookie).recv(1 << 16).startswith(OK))


@pytest.mark.parametrize(
    ("descriptors", "numbers"),
    [
        (64, (32, 8, 16, 4)),
        (256, (128, 32, 64, 16)),
        (1_024, (768, 192, 384, 96)),
        (1 << 16, (10_000, 1_000, 5_000, 500)),
    ],
)
def test_connections_leave_descriptors_for_everything_else(
    descriptors: int, numbers: tuple[int, ...]
) -> None:
    found = limits_for(descriptors)
    assert numbers == (
        found.connections,
        found.of_an_address,
        found.streams,
        found.streams_of_an_address,
    )


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.1", ("192.0.2.1",)),
        ("2001:db8:0:7:1234::1", ("2001:db8::/48", "2001:db8:0:7::/64")),
        ("::ffff:192.0.2.1", ("192.0.2.1",)),
        ("unknown", ("unknown",)),
        ("", ("?",)),
    ],
)
def test_an_ipv6_address_is_counted_as_its_networks(address: str, networks: Keys) -> None:
    assert address_blocks(address) == networks


def test_a_larger_network_follows_half_of_what_can_be_whatever_its_cookies() -> None:
    streams = Streams(limits_for(64))
    with ExitStack() as stack:

        def is_let_in(address: str, session: str) -> bool:
            return stack.enter_context(streams.open_stream(address_blocks(address), session))

        found = [is_let_in(f"2001:db8:0:{number}::1", f"made up {number}") for number in range(9)]
        assert found == [True] * 8 + [False]
        assert is_let_in("192.0.2.1", "")


class Busy:
    """A connection that is being answered, and so never makes room."""

    def drop(self) -> None:
        raise AssertionError("it was dropped")

    def passes_on_for(self, address: str) -> bool:
        raise NotImplementedError

    def stream(self, address: str, session: str) -> AbstractContextManager[bool]:
        raise NotImplementedError


def test_a_larger_network_has_half_of_all_connections() -> None:
    connections = Connections(limits_for(64), lambda address: False)

    def is_let_in(address: str) -> bool:
        connection = Busy()
        is_in = connections.open(connection, address)
        connections.answer(connection)
        return is_in

    found = [is_let_in(f"2001:db8:0:{number}::1") for number in range(17)]
    assert found == [True] * 16 + [False]
    assert is_let_in("192.0.2.1")


# -- what is said of it ----------------------------------------------------------------------------


def test_what_strangers_cause_is_logged_once_a_minute_and_our_errors_always(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    once = OncePerMinute(lambda: now)
    logger = logging.getLogger("tests.complaints")
    logger.addFilter(once)
    for _ in range(3):
        logger.warning("refused: %d", 1)
        logger.warning("another kind")
        logger.error("broken", exc_info=ValueError())
    now = PAUSE_S
    logger.warning("refused: %d", 2)
    assert caplog.messages == [
        *("refused: 1", "another kind", "broken", "broken", "broken"),
        "refused: 2 (and 2 times more since it was said last)",
    ]


def test_that_no_connection_can_be_accepted_is_a_line_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    message = "socket.accept() out of system resource"  # as asyncio says it
    with closing(asyncio.new_event_loop()) as loop:
        error = OSError(errno.EMFILE, "Too many open files")
        log_loop_error(loop, {"message": message, "exception": error})
        log_loop_error(loop, {"message": "a bug", "exception": ValueError("ours")})
    line, ours = caplog.records
    assert line.getMessage().startswith("connections cannot be accepted: Too many open files; ")
    assert line.exc_info is None
    assert ours.exc_info is not None
