"""A way to a server that counts round trips, and may be as long as one likes."""

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

CHUNK = 65_536
SHORT_S = 0.002
"""Whoever does not wait for an answer has sent the next message by then."""


class CountingProxy:
    """Passes on what clients and a server send, and counts how often a client waits for it."""

    def __init__(self, port: int, round_trip_s: float) -> None:
        """`port`: that of the server, on loopback; `round_trip_s`: how long an answer takes."""
        self.round_trips = 0
        self._server_port = port
        self._round_trip_s = round_trip_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open = [self._listener]
        _thread(self._accept)

    def url(self, url: str) -> str:
        """Return the URL of a database with our port in place of its server's."""
        port = self._listener.getsockname()[1]
        host = urlsplit(url).netloc.rpartition(":")[0]
        return urlsplit(url)._replace(netloc=f"{host}:{port}").geturl()

    def close(self) -> None:
        for each in self._open:
            _end(each)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                for each in (client, server):
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open += [client, server]
                _Session(self, client, server)


class _Session:
    """One client, and its connection to the server."""

    def __init__(self, proxy: CountingProxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy, self._client, self._server = proxy, client, server
        self._was_answered = True
        self._answers: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        for passes_on in (self._ask, self._receive, self._answer):
            _thread(passes_on)

    def _ask(self) -> None:
        with suppress(OSError):
            while content := self._client.recv(CHUNK):
                self._proxy.round_trips += self._was_answered
                self._was_answered = False
                self._server.sendall(content)
        _end(self._server)

    def _receive(self) -> None:
        content = b"anything"
        while content:
            try:
                content = self._server.recv(CHUNK)
            except OSError:
                content = b""
            self._answers.put((time.monotonic() + self._proxy._round_trip_s, content))

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                due, content = self._answers.get()
                time.sleep(max(0.0, due - time.monotonic()))
                if not content:
                    break
                self._was_answered = True
                self._client.sendall(content)
        _end(self._client)


def _thread(run: Callable[[], None]) -> None:
    threading.Thread(target=run, daemon=True).start()


def _end(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)


@contextmanager
def counting(port: int, round_trip_s: float = SHORT_S) -> Iterator[CountingProxy]:
    """Yield one that ends with the block."""
    proxy = CountingProxy(port, round_trip_s)
    try:
        yield proxy
    finally:
        proxy.close()
