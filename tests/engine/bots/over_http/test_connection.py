"""Calls of a bot over HTTP: bounded in time and bytes, whatever the other side does."""

import itertools
import socket
import ssl
import struct
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from engine.bots.over_http import connection as connections
from engine.bots.over_http.address import Address, parse_address
from engine.bots.over_http.connection import CallFailed, Connection
from engine.bots.over_http.seat import CallThread
from engine.fault import Cause, Fault
from tests import needs
from tests.engine.bots.over_http.servers import Act, Server, respond, serving

MAX_BYTES = 1_000
SHORT_MS = 300
LONG_MS = 10_000


def call(server: Server, timeout_ms: float = LONG_MS) -> bytes:
    connection = Connection(parse_address(server.url), MAX_BYTES)
    try:
        return connection.call(b"{}", timeout_ms)
    finally:
        connection.close()


def call_fault(act: Act, timeout_ms: float = LONG_MS) -> Fault:
    with serving(act) as server, pytest.raises(CallFailed) as failed:
        call(server, timeout_ms)
    return failed.value.fault


def ok(connection: socket.socket, body: bytes) -> None:
    respond(connection, b"fine")


def test_a_connection_is_kept_for_the_next_call() -> None:
    with serving(ok) as server:
        connection = Connection(parse_address(server.url), MAX_BYTES)
        assert [connection.call(b"{}", LONG_MS) for _ in range(3)] == [b"fine"] * 3
        assert server.connections == 1
        connection.close()


def test_nothing_is_sent_but_the_message_and_what_http_needs() -> None:
    with serving(ok) as server:
        call(server)
    request, *headers = server.heads[0].split("\r\n")
    assert request == "POST / HTTP/1.1"
    names = {line.partition(":")[0] for line in headers}
    assert names == {
        *("Host", "Accept-Encoding", "Content-Length", "Content-Type", "Accept", "User-Agent")
    }


def test_a_server_may_close_what_was_idle() -> None:
    """Many do so after some seconds: the call is made once more, over a new connection."""

    def closing(connection: socket.socket, body: bytes) -> None:
        ok(connection, body)
        connection.shutdown(socket.SHUT_RDWR)

    with serving(closing) as server:
        connection = Connection(parse_address(server.url), MAX_BYTES)
        for _ in range(3):
            assert connection.call(b"{}", LONG_MS) == b"fine"
        assert server.connections == 3
        connection.close()


def test_an_answer_may_come_in_chunks_and_without_a_length() -> None:
    def chunked(connection: socket.socket, body: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + b"2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n")

    def to_the_end(connection: socket.socket, body: bytes) -> None:
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\nfine")
        connection.shutdown(socket.SHUT_RDWR)

    for act in (chunked, to_the_end):
        with serving(act) as server:
            assert call(server) == b"fine"


def drip_on(connection: socket.socket, begin: bytes) -> None:
    with suppress(OSError):
        connection.sendall(begin)
        for _ in range(100):
            connection.sendall(b"x")
            time.sleep(0.02)
        connection.shutdown(socket.SHUT_RDWR)


def drip(connection: socket.socket, body: bytes) -> None:
    """Send headers byte by byte, each within any time-out of a single read."""
    drip_on(connection, b"HTTP/1.1 200 OK\r\nX: ")


def drip_body(connection: socket.socket, body: bytes) -> None:
    drip_on(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")


def silence(connection: socket.socket, body: bytes) -> None:
    """Answer nothing."""


@pytest.mark.parametrize("act", [drip, drip_body, silence])
def test_what_takes_too_long_is_given_up(act: Act) -> None:
    assert call_fault(act, SHORT_MS) == Fault(Cause.TIMEOUT, "no whole answer after 300 ms")


def test_a_server_that_does_not_read_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = parse_address(f"http://127.0.0.1:{deaf.getsockname()[1]}/")
        with pytest.raises(CallFailed, match="no whole answer after 300 ms"):
            Connection(address, MAX_BYTES).call(bytes(50_000_000), SHORT_MS)


def flood(connection: socket.socket, begin: bytes, more: bytes) -> None:
    with suppress(OSError):
        connection.sendall(begin)
        while True:
            connection.sendall(more)


def huge(connection: socket.socket, body: bytes) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\n\r\n", bytes(1_000))


def huge_chunk(connection: socket.socket, body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\n"
    flood(connection, head, bytes(1_000))


def huge_length(connection: socket.socket, body: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n")


def endless_informing(connection: socket.socket, body: bytes) -> None:
    flood(connection, b"", b"HTTP/1.1 100 Continue\r\n\r\n")


def endless_trailers(connection: socket.socket, body: bytes) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n")


@pytest.mark.parametrize(
    "act", [huge, huge_chunk, huge_length, endless_informing, endless_trailers]
)
def test_what_is_too_long_is_not_read_to_the_end(act: Act) -> None:
    fault = call_fault(act)
    assert fault == Fault(
        Cause.UNREADABLE, f"an answer of over {MAX_BYTES} bytes, or too many headers"
    )


def many_headers(connection: socket.socket, body: bytes) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\n", b"X: y\r\n")


def babble(connection: socket.socket, body: bytes) -> None:
    connection.sendall(b"\x00\xff Hello, who is there?\r\n\r\n" * 10)


def bad_length(connection: socket.socket, body: bytes) -> None:
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlots\r\nof it\r\n0\r\n\r\n"
    )


@pytest.mark.parametrize("act", [many_headers, babble, bad_length])
def test_what_is_no_http_is_unreadable(act: Act) -> None:
    fault = call_fault(act)
    assert fault.cause is Cause.UNREADABLE
    assert fault.detail.startswith("what came is no answer in HTTP: ")


def reset(connection: socket.socket, body: bytes) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hang_up(connection: socket.socket, body: bytes) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def half(connection: socket.socket, body: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("act", [reset, hang_up, half])
def test_a_connection_that_breaks_off_is_no_answer(act: Act) -> None:
    fault = call_fault(act)
    assert fault.cause is Cause.UNREACHABLE
    assert fault.detail.endswith(": the connection was closed before an answer came")


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(CallFailed) as failed:
        Connection(parse_address(f"http://127.0.0.1:{port}/"), MAX_BYTES).call(b"{}", LONG_MS)
    message = f"http://127.0.0.1:{port}: Connection refused"
    assert failed.value.fault == Fault(Cause.UNREACHABLE, message)


@pytest.mark.parametrize(
    ("status", "cause", "message"),
    [
        ("500 My secrets", Cause.EXCEPTION, "500 (Internal Server Error)"),
        ("404 no", Cause.EXCEPTION, "404 (Not Found)"),
        ("799 no", Cause.EXCEPTION, "799 (unknown)"),
        ("204 no", Cause.UNREADABLE, "204 (No Content)"),
    ],
)
def test_another_status_than_ok_is_named(status: str, cause: Cause, message: str) -> None:
    fault = call_fault(lambda connection, body: respond(connection, b"My secrets", status))
    assert fault == Fault(cause, f"answered with status {message}")


def test_no_redirect_is_followed() -> None:
    with serving(ok) as other:

        def redirect(connection: socket.socket, body: bytes) -> None:
            respond(connection, b"", "307 there", f"Location: {other.url}\r\n")

        fault = call_fault(redirect)
        message = "answered with status 307 (Temporary Redirect), a redirect, and none is followed"
        assert fault == Fault(Cause.UNREADABLE, message)
        assert other.connections == 0


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(ok) as server:
        assert call(server) == b"fine"


def resolve_names_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Let names stand for these machines, one after another, and numbers for themselves."""
    numbers = itertools.chain(answers, itertools.repeat(answers[-1]))
    real = socket.getaddrinfo

    def look_up(host: str, port: int, *parts: int, **more: int) -> list[object]:
        number = host if host[0].isdigit() else next(numbers)
        return [*real(number, port, *parts, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_a_name_that_stands_for_a_private_machine_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolve_names_to(monkeypatch, "127.0.0.1")
    with serving(ok) as server:
        address = parse_address(f"http://bots.example.org:{server.port}/")
        with pytest.raises(CallFailed, match=r"bots\.example\.org is 127\.0\.0\.1, no public add"):
            Connection(address, MAX_BYTES).call(b"{}", LONG_MS)
        assert server.connections == 0


def test_a_name_is_looked_up_once_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else it could stand for another machine once it was looked at (DNS rebinding)."""
    resolve_names_to(monkeypatch, "127.0.0.1", "127.0.0.9")
    monkeypatch.setattr(Address, "may_resolve_to", lambda self, number: number == "127.0.0.1")
    with serving(ok) as server:
        connection = Connection(parse_address(f"http://bots.example.org:{server.port}/"), MAX_BYTES)
        for _ in range(2):
            assert connection.call(b"{}", LONG_MS) == b"fine"
            connection.close()
        assert server.connections == 2


def test_a_look_up_that_hangs_does_not_hold_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *message, **more: time.sleep(3))
    call_thread = CallThread(parse_address("http://bots.example.org/"), MAX_BYTES)
    call_thread.send(b"{}", 10)
    message = "http://bots.example.org: not even a connection in 10 ms"
    assert call_thread.fetch().answer == Fault(Cause.UNREACHABLE, message)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that nobody has signed, and its key."""
    needs.require_program("openssl")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = "-subj /CN=here -addext subjectAltName=IP:127.0.0.1"
    command = f"{make} {name} -keyout {key} -out {certificate}"
    subprocess.run(command.split(), check=True, capture_output=True)
    return certificate, key


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


def test_a_certificate_is_verified(
    secure: ssl.SSLContext, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(ok, secure) as server:
        with pytest.raises(CallFailed) as failed:
            call(server)
        assert failed.value.fault.cause is Cause.UNREACHABLE
        assert "no TLS with it: self-signed certificate" in failed.value.fault.detail
        assert not server.messages
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        assert call(server) == b"fine"


def test_a_handshake_that_never_ends_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = parse_address(f"https://127.0.0.1:{deaf.getsockname()[1]}/")
        with pytest.raises(CallFailed, match="no whole answer after 300 ms"):
            Connection(address, MAX_BYTES).call(b"{}", SHORT_MS)


def test_a_drip_under_tls_is_given_up(
    secure: ssl.SSLContext, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with serving(drip, secure) as server, pytest.raises(CallFailed, match="no whole answer"):
        call(server, SHORT_MS)


def test_only_mistakes_of_our_own_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HTTPConnection", None)
    with serving(ok) as server, pytest.raises(TypeError):
        call(server)
