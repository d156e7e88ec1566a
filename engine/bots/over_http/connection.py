"""A connection to a bot over HTTP: each call bounded in time and in bytes, whatever comes back."""

import io
import socket
import ssl
import time
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse

from engine import ENGINE_VERSION
from engine.bots.over_http.address import Address
from engine.fault import Cause, Fault
from engine.support.sanitizing import one_line

CONNECTION_ERRORS = (ConnectionError, ssl.SSLEOFError)
"""What is raised where the other side has closed a connection."""
HEADERS_BYTES = 1 << 15
"""How much may come besides the answer itself: the status, headers, and the sizes of chunks."""
MAX_ADDRESSES = 4
"""How many of the machines that a name stands for are tried."""
CLOSED_TOO_EARLY = "the connection was closed before an answer came"


class CallFailed(Exception):
    """A call brought no answer."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


class _OutOfTime(Exception):
    """The time for a call is over."""


class _TooLong(Exception):
    """More came than a call may bring."""


class Connection:
    """Asks one address, over one connection at a time, which is kept as long as both sides like.

    No redirect is followed, no proxy is used, no cookie is kept, and nothing is sent but messages.
    """

    def __init__(self, address: Address, longest: int) -> None:
        """`longest`: of an answer, bytes."""
        self._address = address
        self._longest = longest
        self._machines: list[str] = []
        """What the host's name stands for: looked up once, so that it stays the same machine."""
        self._line: _Line | None = None

    def call(self, message: bytes, timeout_ms: float) -> bytes:
        """Send a message, and return what is answered. Raises: CallFailed."""
        deadline = time.monotonic() + timeout_ms / 1_000
        is_kept = self._line is not None
        try:
            try:
                return self._send_and_receive(message, deadline)
            except CONNECTION_ERRORS:
                # Servers close what was idle, and may do so while a message is on its way.
                if not is_kept or self._has_begun():
                    raise
                self.close()
                return self._send_and_receive(message, deadline)
        except CallFailed:
            self.close()
            raise
        except Exception as error:
            self.close()
            fault = self._fault_from_error(error, timeout_ms)
            if fault is None:
                raise
            raise CallFailed(fault) from error

    def close(self) -> None:
        """Close the connection; the next call makes another one."""
        line, self._line = self._line, None
        if line is not None:
            line.close_socket()

    def _has_begun(self) -> bool:
        """Return whether something of an answer has come."""
        return self._line is not None and self._line.received > 0

    def _send_and_receive(self, message: bytes, deadline: float) -> bytes:
        line = self._line
        if line is None:
            line = self._line = _Line(self._connect(deadline))
        line.start_call(deadline, self._longest + HEADERS_BYTES)
        http = HTTPConnection(self._address.host, self._address.port)
        http.sock = line
        http.auto_open = 0
        http.request("POST", self._address.path, message, self._make_headers())
        response = http.getresponse()
        answer = self._answer_in(response)
        if response.will_close:
            self.close()
        return answer

    def _make_headers(self) -> dict[str, str]:
        return {
            "Host": self._address.host_and_port,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"slime-mind/{ENGINE_VERSION}",
        }

    def _answer_in(self, response: HTTPResponse) -> bytes:
        """Raises: CallFailed, _TooLong, HTTPException."""
        if response.status != HTTPStatus.OK:
            cause = Cause.UNREADABLE if response.status < 400 else Cause.EXCEPTION
            raise CallFailed(Fault(cause, f"answered with status {_status_text(response.status)}"))
        if (response.length or 0) > self._longest:
            raise _TooLong
        answer = response.read(self._longest + 1)
        if len(answer) > self._longest:
            raise _TooLong
        if response.length:
            raise ConnectionResetError("half an answer")
        return answer

    def _connect(self, deadline: float) -> socket.socket:
        """Raises: CallFailed, OSError, _OutOfTime."""
        self._machines = self._machines or self._resolve_host()
        refused: OSError | None = None
        for machine in self._machines:
            try:
                address = (machine, self._address.port)
                connected = socket.create_connection(address, _remaining_s(deadline))
            except TimeoutError:
                raise
            except OSError as error:
                refused = error
                continue
            return self._prepare_socket(connected, deadline)
        assert refused is not None
        raise refused

    def _resolve_host(self) -> list[str]:
        """Return the machines that the host's name stands for. Raises: CallFailed, OSError."""
        host, port = self._address.host, self._address.port
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        numbers = list(dict.fromkeys(str(address[0]) for *_, address in found))
        allowed = list(filter(self._address.may_resolve_to, numbers))
        if not allowed:
            message = (
                f"{host} is {numbers[0]}, no public address: use https, or name a machine of "
                "your own network by its number"
            )
            raise CallFailed(Fault(Cause.UNREACHABLE, message))
        return allowed[:MAX_ADDRESSES]

    def _prepare_socket(self, connected: socket.socket, deadline: float) -> socket.socket:
        """Return a connection ready for messages, under TLS if that is wanted."""
        try:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._address.scheme == "https":
                connected.settimeout(_remaining_s(deadline))
                context = ssl.create_default_context()
                return context.wrap_socket(connected, server_hostname=self._address.host)
        except BaseException:
            connected.close()
            raise
        return connected

    def _fault_from_error(self, error: Exception, timeout_ms: float) -> Fault | None:
        """Return what an error means for the bot; None for a mistake of our own."""
        origin = self._address.origin
        match error:
            case _OutOfTime() | TimeoutError():
                return Fault(Cause.TIMEOUT, f"no whole answer after {timeout_ms:g} ms")
            case _TooLong():
                message = f"an answer of over {self._longest} bytes, or too many headers"
                return Fault(Cause.UNREADABLE, message)
            case ConnectionResetError() | BrokenPipeError() | ssl.SSLEOFError():
                return Fault(Cause.UNREACHABLE, f"{origin}: {CLOSED_TOO_EARLY}")
            case ssl.SSLError():
                why = getattr(error, "verify_message", "") or error.reason or str(error)
                return Fault(Cause.UNREACHABLE, one_line(f"{origin}: no TLS with it: {why}"))
            case OSError():
                why = error.strerror or str(error)
                return Fault(Cause.UNREACHABLE, one_line(f"{origin}: {why}"))
            case HTTPException() | ValueError():
                message = f"what came is no answer in HTTP: {type(error).__name__} {error}"
                return Fault(Cause.UNREADABLE, one_line(message))
        return None


class _Line:
    """A connected socket as http.client takes one, whose reads and writes all end in time."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._deadline = 0.0
        self._most = 0
        self.received = 0
        """How much has come in this call, bytes."""

    def start_call(self, deadline: float, most: int) -> None:
        """Begin a call, which may last so long and bring so many bytes."""
        self._deadline, self._most, self.received = deadline, most, 0

    def sendall(self, content: bytes) -> None:
        left = memoryview(content)
        while left:
            self._socket.settimeout(_remaining_s(self._deadline))
            left = left[self._socket.send(left) :]

    def receive_into(self, buffer: memoryview) -> int:
        """Raises: _OutOfTime, TimeoutError, _TooLong."""
        if self.received > self._most:
            raise _TooLong
        self._socket.settimeout(_remaining_s(self._deadline))
        size = self._socket.recv_into(buffer)
        self.received += size
        return size

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self))

    def close(self) -> None:
        """Do nothing: http.client closes while the answer is still to be read."""

    def close_socket(self) -> None:
        with suppress(OSError):
            self._socket.close()


class _Incoming(io.RawIOBase):
    """What comes over a line."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        return self._line.receive_into(buffer)


def _remaining_s(deadline: float) -> float:
    """Return how much of the time is left, seconds. Raises: _OutOfTime."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise _OutOfTime
    return left


def _status_text(status: int) -> str:
    """Return a status with our own words for it: those of the server may say anything."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "unknown"
    follows = ", a redirect, and none is followed" if 300 <= status < 400 else ""
    return f"{status} ({phrase}){follows}"
