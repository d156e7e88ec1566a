"""A client of a server in this process: requests without sockets."""

import atexit
from functools import cache

from anyio.from_thread import BlockingPortal, start_blocking_portal
from httpx2 import ASGITransport, BaseTransport, ByteStream, Client, Request, Response
from starlette.types import ASGIApp


def make_client(
    app: ASGIApp,
    server: str,
    *,
    address: str = "testclient",
    follow_redirects: bool = True,
    raise_app_exceptions: bool = True,
) -> Client:
    """Return a client that keeps cookies.

    `server`: where the server is said to be, such as `http://arena.test`; `address`: where the
    client is.
    """
    to_app = ASGITransport(app, client=(address, 50_000), raise_app_exceptions=raise_app_exceptions)
    return Client(transport=_InProcess(to_app), base_url=server, follow_redirects=follow_redirects)


class _InProcess(BaseTransport):
    def __init__(self, to_app: ASGITransport) -> None:
        self._to_app = to_app

    def handle_request(self, request: Request) -> Response:
        return _event_loop().call(self._answer, request)

    async def _answer(self, request: Request) -> Response:
        answer = await self._to_app.handle_async_request(request)
        # As it was sent: the client unpacks what the headers say is packed.
        body = b"".join([part async for part in answer.aiter_raw()])
        return Response(answer.status_code, headers=answer.headers.raw, stream=ByteStream(body))


@cache
def _event_loop() -> BlockingPortal:
    """Return the event loop, in a thread, in which the servers of this process answer.

    One of its own for each request takes five times as long as most answers.
    """
    portal = start_blocking_portal()
    atexit.register(portal.__exit__, None, None, None)
    return portal.__enter__()
