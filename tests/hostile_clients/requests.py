"""Requests as a hostile client sends them: by hand, and from any address of the loopback."""

import asyncio
from contextlib import suppress

import msgspec

HERE = "127.0.0.1"
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
TIMEOUT_S = 60.0
"""How long a client waits for an answer."""
UNANSWERED = 0
"""What stands for the status where there was no answer."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request, and the address that it is sent from."""

    method: str = "GET"
    path: str = "/"
    body: bytes = b""
    content_type: str = FORM
    headers: tuple[str, ...] = ()
    host: str = ""
    """The name by which it addresses the server; '' for the right one."""
    address: str = HERE


def make_address(kind: int, number: int) -> str:
    """Return an address of the loopback that only clients of a kind use."""
    return f"127.66.{kind}.{1 + number % 250}"


def make_head(request: Request, port: int, length: int | None = None) -> bytes:
    """Return the head of a request, whose body has a length."""
    lines = [
        f"{request.method} {request.path} HTTP/1.1",
        f"Host: {request.host or f'{HERE}:{port}'}",
        *request.headers,
    ]
    if request.method != "GET":
        length = len(request.body) if length is None else length
        lines += [f"Content-Type: {request.content_type}", f"Content-Length: {length}"]
    return "\r\n".join((*lines, "", "")).encode("utf-8", "surrogateescape")


async def request_status(request: Request, port: int) -> int:
    """Send a request on a connection of its own; return the status of its answer."""
    status = UNANSWERED
    with suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection(
                HERE, port, local_addr=(request.address, 0)
            )
            try:
                closing = msgspec.structs.replace(
                    request, headers=(*request.headers, "Connection: close")
                )
                writer.write(make_head(closing, port))
                writer.write(request.body)
                status = status_in(await reader.readline())
                while await reader.read(1 << 16):
                    pass
            finally:
                writer.close()
    return status


def status_in(line: bytes) -> int:
    """Return the status that the first line of an answer has."""
    parts = line.split()
    return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else UNANSWERED
