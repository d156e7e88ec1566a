"""What every request passes: whose name it uses, where it comes from, and how much it says."""

import re
from asyncio import Future, get_running_loop
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from http import HTTPStatus

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.support.sanitizing import one_line
from server.http.responses import Problem

MAX_BODY_BYTES = 1 << 18
"""The longest body of a request, bytes: a draft of 2000 lines takes a quarter of it."""
MAX_LOGGED_PATH_LENGTH = 200
"""Letters of a path in the audit log."""
MAX_PATH_BYTES, MAX_QUERY_BYTES = 1_000, 8_192
"""The longest path of a request, and what may come after it, bytes: ours are far shorter."""
NUL_BYTES = (b"%00", b"\0")
"""A NUL as browsers send it, and as nobody should: no address of ours has one."""
OF_ANY_HOST = frozenset({"/healthz", "/healthz/live", "/healthz/ready", "/metrics"})
"""Asked for by programs that know addresses of machines and no names; they need no cookie."""
LONGER_BODIES = {"/submit": 34_000_000, "/api/v1/bots": 46_000_000}
"""The longest bodies where bots are handed in: 32 MB of files, and what a form or JSON adds.

Those who read them see first who sends them.
"""
PERSONAL_HEADERS = (b"authorization", b"cookie")
"""Headers that show who sends a request."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORM = "application/x-www-form-urlencoded"
ONCE_FIELD = re.compile(rb"(?:^|&)once=[0-9-]{16,64}$")
"""What web/shared/theme.js adds to a form, so that nothing is done twice by two clicks."""
MAX_ANSWERS, MAX_ANSWER_BYTES = 500, 1 << 16
"""How many answers are kept for who asks again, and the longest of them."""
TRANSIENT = (429, 500, 502, 503, 504)
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self'; "
    "base-uri 'none'; frame-ancestors "
)
FRAMEABLE_PATH = "/watch"
"""Pages whose paths end so may stand in a frame: they show what all may see, and do nothing."""
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class TooLong(Exception):
    """A body is longer than any of ours."""


class Guard:
    """Refuses what no page of ours sends, before anything looks at it.

    The Host header is checked since a name of somebody else's may lead to this machine, and with
    it that page's scripts; the Origin, since a page of somebody else's may send us forms.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        on_refusal: Callable[[str, str], object] = lambda address, words: None,
        framed_by: Sequence[str] = (),
    ) -> None:
        """`on_refusal` is called, on a thread, with the address of who was refused, and why.

        `framed_by`: the sites that may show matches in a frame, such as `https://example.org`.
        """
        self._app = app
        self._policy = _policy_header("'none'")
        self._policy_of_framed = _policy_header(" ".join(("'self'", *framed_by)))
        self._hosts = frozenset(hosts)
        self._on_refusal = on_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        why = self._why_refused(scope)
        if why is not None:
            await self._log_refusal(scope, *why)
            await _refuse(send, *why)
            return
        if not self._is_ours(scope):
            scope["headers"] = [one for one in scope["headers"] if one[0] not in PERSONAL_HEADERS]
        await self._pass_on(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request be answered, and count its body."""
        size = 0

        async def receive_limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LONGER_BODIES.get(scope["path"], MAX_BODY_BYTES):
                raise TooLong
            return message

        has_begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                is_framed = scope["path"].endswith(FRAMEABLE_PATH)
                policy = self._policy_of_framed if is_framed else self._policy
                message["headers"] = [*message["headers"], policy, *SECURITY_HEADERS]
            await send(message)

        try:
            await self._app(scope, receive_limited, send_with_headers)
        except ClientDisconnect:  # in the midst of a body: there is nobody to answer
            pass
        except TooLong:
            text = "that is too much"
            await self._log_refusal(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
            if not has_begun:
                await _refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)

    async def _log_refusal(self, scope: Scope, status: int, message: str) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        said = (
            f"{scope['method']} {scope['path']:.{MAX_LOGGED_PATH_LENGTH}}: {int(status)}, {message}"
        )
        await run_in_threadpool(self._on_refusal, address, one_line(said))

    def _is_ours(self, scope: Scope) -> bool:
        """Return whether a request uses a name of ours."""
        return host_header(scope) in self._hosts

    def _why_refused(self, scope: Scope) -> tuple[int, str] | None:
        path, query = scope["path"].encode(errors="replace"), scope["query_string"]
        if len(path) > MAX_PATH_BYTES or len(query) > MAX_QUERY_BYTES:
            return HTTPStatus.REQUEST_URI_TOO_LONG, "there is nothing here"
        if b"\0" in path or any(nul in query for nul in NUL_BYTES):
            return HTTPStatus.NOT_FOUND, "there is nothing here"
        is_safe = scope["method"] in SAFE_METHODS
        if not (self._is_ours(scope) or (is_safe and scope["path"] in OF_ANY_HOST)):
            names = ", ".join(sorted(self._hosts))
            return HTTPStatus.MISDIRECTED_REQUEST, f"this server is addressed as {names}"
        if is_safe:
            return None
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and origin.partition("://")[2] != host_header(scope):
            return HTTPStatus.FORBIDDEN, "this came from a page of somebody else's"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return HTTPStatus.FORBIDDEN, "this came from a page of somebody else's"
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if scope["path"].startswith("/api/") and kind != b"application/json":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send JSON, with that content type"
        return None


class AnswerOnce:
    """Does nothing twice that a browser sends again for want of an answer, or by two clicks.

    Scripts and programs send a key in a header, which counts for who sends it alone; forms have a
    random one in a field. What has the same key gets the answer of the first. What was refused for
    the moment is tried anew. Keys are known to one process.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._answers: dict[bytes, Future[Sequence[Message]]] = {}  # by key, the oldest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key, receive = await _read_key(scope, receive)
        if not key:
            await self._app(scope, receive, send)
            return
        while key in self._answers:
            if former := await self._answers[key]:
                for message in former:
                    await send(message)
                return
        answer = self._answers[key] = get_running_loop().create_future()
        messages = list[Message]()

        async def send_and_keep(message: Message) -> None:
            messages.append(message)
            await send(message)

        try:
            await self._app(scope, receive, send_and_keep)
        finally:
            is_over = bool(messages) and not messages[-1].get("more_body", len(messages) == 1)
            size = sum(len(each.get("body", b"")) for each in messages)
            if not is_over or messages[0]["status"] in TRANSIENT or size > MAX_ANSWER_BYTES:
                self._answers.pop(key, None)
                messages = []
            answer.set_result(messages)
            if len(self._answers) > MAX_ANSWERS:
                del self._answers[next(iter(self._answers))]


async def _read_key(scope: Scope, receive: Receive) -> tuple[bytes, Receive]:
    """Return what two requests have in common that are the same one, and what reads the rest."""
    if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
        return b"", receive
    headers, path = dict(scope["headers"]), f"{scope['method']} {scope['path']} ".encode()
    if key := headers.get(b"idempotency-key"):
        sender = [headers.get(name, b"") for name in PERSONAL_HEADERS]
        return path + sha256(b"\0".join([key, *sender])).digest(), receive
    if headers.get(b"content-type") != FORM.encode() or scope["path"] in LONGER_BODIES:
        return b"", receive
    body = await Request(scope, receive).body()
    found = ONCE_FIELD.search(body)
    rest = iter([{"type": "http.request", "body": body[: found.start()] if found else body}])

    async def receive_rest() -> Message:
        return next(rest, None) or await receive()

    return path + sha256(body).digest() if found else b"", receive_rest


def _policy_header(ancestors: str) -> tuple[bytes, bytes]:
    """Return the header that says what a page may do, and who may show it in a frame."""
    return b"content-security-policy", f"{CONTENT_POLICY}{ancestors}".encode()


def host_header(scope: Scope) -> str:
    """Return the Host header of a request; '' for none."""
    return str(dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower())


async def _refuse(send: Send, status: int, message: str) -> None:
    body = msgspec.json.encode(Problem(message))
    headers = [(b"content-type", b"application/json"), _policy_header("'none'"), *SECURITY_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
