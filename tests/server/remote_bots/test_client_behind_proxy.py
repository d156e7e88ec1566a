"""The client of remote bots before a proxy that answers in place of the server."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace

import pytest

from clients.remote import remote_bot
from clients.remote.remote_bot import MAX_WAIT_S, Arena, Refused, asked_wait_s

JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
OURS = JSON + b'Content-Length: 11\r\n\r\n{"ours": 1}'
PAGE = b"<html><h1>back soon</h1>"
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
EVENT = b'event: over\nid: a:7\ndata: {"game": "a"}\n\n'
STATUSES = (
    *(201, 202, 204, 206, 299, 304, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 411, 413),
    *(418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 530),
    *(599, 600, 999),
)
GARBLED = {
    "a page": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE,
    "a page that says it is JSON": JSON + b"\r\n" + PAGE,
    "cut off in the midst": JSON + b'Content-Length: 99\r\n\r\n{"ours',
    "cut off in the midst of a refusal": b"HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n" + PAGE,
    "no bytes": b"",
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "half a line": b"HTTP/1.1 5",
    "a version of its own": b"HTTP/9.9 200 OK\r\n\r\n",
    "no number": b"HTTP/1.1 OK\r\n\r\n",
    "headers without end": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200,
    "a bad chunk": JSON + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "no UTF-8": JSON + b"\r\n\xff\xfe",
    "deeply nested": JSON + b"\r\n" + b"[" * 200_000,
    "JSON of its own": b'HTTP/1.1 404 No\r\n\r\n{"message": "no"}',
    "an error of its own": b'HTTP/1.1 403 No\r\n\r\n{"error": {"code": 7}, "path": "/"}',
    "a redirection to nowhere": b"HTTP/1.1 302 Found\r\n\r\n",
}


class Proxy:
    """Answers one connection after the other: with what it was given, and then as the server."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.answers: list[bytes] = []
        self.requests: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                connection, _ = self._socket.accept()
                with connection, suppress(ConnectionError):
                    self.requests.append(connection.recv(65_536))
                    connection.sendall(self.answers.pop(0) if self.answers else OURS)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture(name="proxy")
def a_proxy() -> Iterator[Proxy]:
    proxy = Proxy()
    yield proxy
    proxy.close()


@pytest.fixture(name="waits")
def what_is_waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return how long the client waits each time, which takes no time here."""
    waits: list[float] = []
    monkeypatch.setattr(remote_bot, "time", SimpleNamespace(sleep=waits.append))
    return waits


def make_answer(status: int, content: bytes = PAGE, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join([*lines, "", ""]).replace("_", "-").encode() + content


@pytest.mark.parametrize("status", STATUSES)
def test_a_page_of_any_status_is_waited_out(
    proxy: Proxy, waits: list[float], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy.answers = [make_answer(status), make_answer(status)]
    assert Arena(proxy.address, "secret").post("challenges") == {"ours": 1}
    assert waits == [1, 2]
    assert f"{status} from something before the server; again in 1 s" in capsys.readouterr().out


@pytest.mark.parametrize("answer", GARBLED.values(), ids=GARBLED)
def test_whatever_is_answered_in_place_of_the_server_is_waited_out(
    proxy: Proxy, waits: list[float], answer: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy.answers = [answer]
    assert Arena(proxy.address, "secret").post("challenges") == {"ours": 1}
    assert waits == [1]
    out = capsys.readouterr().out
    assert "secret" not in out
    assert len(out) < 400


@pytest.mark.parametrize("answer", [*GARBLED.values(), EVENTS + EVENT[:-9], EVENTS + b"\xff\n\n"])
def test_a_stream_goes_on_after_whatever_came_in_its_place(
    proxy: Proxy, waits: list[float], answer: bytes
) -> None:
    proxy.answers = [EVENTS + EVENT, answer, EVENTS + b": alive\n\n" + EVENT.replace(b"7", b"8")]
    found = Arena(proxy.address, "secret").events("me/events")
    assert [next(found), next(found)] == [("over", {"game": "a"})] * 2
    assert waits == [1, 1]
    assert b"last-event-id: a:7" in proxy.requests[2].lower()


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [
        *(("7", 7), ("007", 7), ("0", 1), ("9" * 20, MAX_WAIT_S), ("9" * 6_000, 5), ("\u00b2", 5)),
        *(("", 5), ("-3", 5), ("1.5", 5), ("7, 8", 5), ("soon", 5), ("inf", 5), ("1e9", 5)),
        *(("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37)),
        *(("Sun Nov  6 08:49:37 1994", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 1)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", MAX_WAIT_S),
        ("Fri, 31 Dec 999999999 23:59:59 GMT", 5),
        ("Fri, 99 Xyz 2030 99:99:99 GMT", 5),
    ],
)
def test_a_proxy_says_in_every_form_how_long_to_wait(
    header: str, wait_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dates are those of RFC 9110, 37 seconds before which it is."""
    monkeypatch.setattr(remote_bot, "time", SimpleNamespace(time=lambda: 784_111_740.0))
    assert asked_wait_s(header, 5) == wait_s


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_is_asked_for_is_kept(proxy: Proxy, waits: list[float], status: int) -> None:
    proxy.answers = [
        make_answer(status, Retry_After="7"),
        make_answer(status, b'{"error": "too much"}', Retry_After="8"),
    ]
    assert Arena(proxy.address, "secret").post("challenges") == {"ours": 1}
    assert waits == [7, 8]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", ["https://b.example/api/v1/challenges", "http://[", "\x1b[7m"])
def test_a_redirection_names_the_address_and_is_not_followed(
    proxy: Proxy, waits: list[float], status: int, location: str
) -> None:
    proxy.answers = [make_answer(status, b"", Location=location)]
    with pytest.raises(Refused) as refused:
        Arena(proxy.address, "secret").post("challenges")
    assert str(refused.value) == (
        f"{status}: the address is another one; say --server {location.partition('/api/')[0]!r}"
    )
    assert (len(proxy.requests), waits) == (1, [])


def test_a_server_that_has_answered_is_not_left_for_a_redirection(
    proxy: Proxy, waits: list[float]
) -> None:
    proxy.answers = [OURS, make_answer(302, b"", Location="/maintenance")]
    arena = Arena(proxy.address, "secret")
    assert [arena.post("challenges"), arena.post("challenges")] == [{"ours": 1}] * 2
    assert waits == [1]


def test_what_the_server_refuses_is_not_asked_again(proxy: Proxy, waits: list[float]) -> None:
    proxy.answers = [make_answer(422, b'{"error": "there is no bot"}')]
    with pytest.raises(Refused, match="422: there is no bot"):
        Arena(proxy.address, "secret").post("challenges")
    assert waits == []
