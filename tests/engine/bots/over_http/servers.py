"""Programs that bots are asked of over HTTP, for tests: honest ones, and those that are not."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec

HELLO = b'{"type":"hello","protocol":1}'
Act = Callable[[socket.socket, bytes], None]
"""What a server does with a message that came over a connection."""


class Server:
    """Takes connections, reads messages, and lets an act answer each of them."""

    def __init__(self, act: Act, context: ssl.SSLContext | None = None) -> None:
        self.act = act
        self.heads: list[str] = []
        """The head of each request, as it came."""
        self.messages: list[dict[str, object]] = []
        self.connections = 0
        self._context = context
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"{'http' if self._context is None else 'https'}://127.0.0.1:{self.port}/"

    def close(self) -> None:
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self._open.append(connection)
                self.connections += 1
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError):
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            while body := self._read(connection):
                self.act(connection, body)

    def _read(self, connection: socket.socket) -> bytes:
        """Return the message that comes next; nothing where the other side has closed."""
        came = b""
        while b"\r\n\r\n" not in came:
            part = connection.recv(1 << 16)
            if not part:
                return b""
            came += part
        head, _, body = came.partition(b"\r\n\r\n")
        self.heads.append(head.decode())
        (length,) = (
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        )
        while len(body) < length:
            body += connection.recv(1 << 16)
        self.messages.append(msgspec.json.decode(body))
        return body


@contextmanager
def serving(act: Act, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(act, context)
    try:
        yield server
    finally:
        server.close()


def respond(connection: socket.socket, body: bytes, head: str = "200 OK", more: str = "") -> None:
    """Answer in good HTTP."""
    lines = f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    connection.sendall(lines.encode() + body)


def answer(connection: socket.socket, body: bytes, order: object = "LEFT") -> None:
    """Answer as an honest bot does."""
    message = msgspec.json.decode(body)
    if message["type"] != "ask":
        respond(connection, HELLO)
        return
    said = {"type": "answer", "nonce": message["nonce"], "answer": order}
    respond(connection, msgspec.json.encode(said))


def then(act: Act) -> Act:
    """Return what is honest at the start of a match, and does this when it is asked."""

    def do(connection: socket.socket, body: bytes) -> None:
        if msgspec.json.decode(body)["type"] == "ask":
            act(connection, body)
        else:
            answer(connection, body)

    return do
