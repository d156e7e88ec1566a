"""What is answered where a request is refused or fails, or the folder of results has vanished."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.errors import EngineFailure, UnknownGame
from runners.storage.database import DatabaseBusy, Stale
from runners.storage.storable import BadValue
from server.http.errors import Denied, RequestRefused, SignInFirst
from server.http.guard import OF_ANY_HOST, SAFE_METHODS
from server.http.page_requests import PageRequest, Pages, make_environment, redirect_to, render_page
from server.http.permissions import NOTHING_HERE
from server.http.request_log import request_id
from server.http.responses import API, problem_response

UNABLE_TEXT = "the server cannot do that now, and says why where it was started: try again later"
BUSY_TEXT = "too many people write at this moment, and nothing was done: try again in a few seconds"
RETRY_S = 3
"""What a program is told to wait."""
VANISHED = "the server's folder of results has vanished: tell its organizer, and try again later"
VANISHED_S = 30
"""When to try again."""
STALE = "the game has gone on meanwhile: look at the board again"
ALWAYS_ANSWERED = (*OF_ANY_HOST, "/admin/health", "/sign-in", "/static/")
"""Beginnings of the paths that are answered all the same: organizers look there for the cause."""


class ErrorResponses:
    """The answers to everything that a handler raises: the one table of them."""

    def __init__(
        self, public_path: str, pages: Pages | None, report: Callable[[str], object]
    ) -> None:
        """`pages`: of a server with accounts; `report` takes a sentence for the operator."""
        self._templates = make_environment(public_path) if pages is None else pages.templates
        self._pages = pages
        self._report = report

    @property
    def handlers(self) -> Mapping[Any, Callable[[Request, Any], Response]]:
        """Return what Starlette calls, by what was raised: the nearest class counts."""
        return {
            RequestRefused: self._handle_refusal,
            SignInFirst: self._sign_in_first,
            Stale: lambda request, error: self._make_answer(request, HTTPStatus.CONFLICT, STALE),
            UnknownGame: lambda request, error: self._make_answer(
                request, HTTPStatus.CONFLICT, str(error)
            ),
            EngineFailure: self._handle_engine_failure,
            DatabaseBusy: self._handle_busy,
            BadValue: self._handle_bad_value,
            msgspec.DecodeError: _handle_decode_error,
            HTTPStatus.NOT_FOUND: self._handle_not_found,
            HTTPStatus.METHOD_NOT_ALLOWED: _handle_not_allowed,
            Exception: self._handle_exception,
        }

    def _handle_refusal(self, request: Request, error: RequestRefused) -> Response:
        if isinstance(error, Denied) and self._pages is not None and not _is_of_api(request):
            page_request = PageRequest(self._pages, request)
            response = page_request.html("problem.html", error.status, why=str(error))
            response.headers.update(error.headers)
            return response
        return self._make_answer(request, error.status, str(error), error.headers)

    def _sign_in_first(self, request: Request, error: SignInFirst) -> Response:
        if _is_of_api(request):
            return problem_response(error.status, str(error))
        path = quote(request.url.path, safe="/")
        return redirect_to(f"/sign-in?next={path}" if request.method == "GET" else "/sign-in")

    def _handle_engine_failure(self, request: Request, error: EngineFailure) -> Response:
        """Answer where the disk is full, or the database away: the words are the operator's."""
        self._report(str(error))
        return self._make_answer(request, HTTPStatus.SERVICE_UNAVAILABLE, UNABLE_TEXT)

    def _handle_busy(self, request: Request, error: DatabaseBusy) -> Response:
        self._report(str(error))
        headers = {"retry-after": str(RETRY_S)}
        return self._make_answer(request, HTTPStatus.SERVICE_UNAVAILABLE, BUSY_TEXT, headers)

    def respond_unavailable(self, request: Request) -> Response:
        """Answer while the folder of results has vanished: it may be back in a minute."""
        headers = {"retry-after": str(VANISHED_S)}
        return self._make_answer(request, HTTPStatus.SERVICE_UNAVAILABLE, VANISHED, headers)

    def _handle_bad_value(self, request: Request, error: BadValue) -> Response:
        """Answer whoever sent what no database can keep: at such an address there is nothing."""
        if request.method in SAFE_METHODS:
            return self._make_answer(request, HTTPStatus.NOT_FOUND, NOTHING_HERE)
        return self._make_answer(request, HTTPStatus.BAD_REQUEST, str(error))

    def _handle_not_found(self, request: Request, error: HTTPException) -> Response:
        return self._make_answer(request, HTTPStatus.NOT_FOUND, NOTHING_HERE)

    def _handle_exception(self, request: Request, error: Exception) -> Response:
        """Say the number under which an error of ours is in the log; it is raised all the same."""
        text = f"this is a bug in the server; tell the organizer this number: {request_id()}"
        return self._make_answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, text)

    def _make_answer(
        self, request: Request, status: int, text: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        if _is_of_api(request):
            return problem_response(status, text, headers)
        values = {"words": text}
        return render_page(self._templates, "refused.html", status, values=values, headers=headers)


def _is_of_api(request: Request) -> bool:
    path = request.url.path
    return path == API or path.startswith(f"{API}/")


def _handle_decode_error(request: Request, error: msgspec.DecodeError) -> Response:
    return problem_response(HTTPStatus.BAD_REQUEST, str(error))


def _handle_not_allowed(request: Request, error: HTTPException) -> Response:
    """Refuse a method, with the header that says which there are."""
    response = problem_response(error.status_code, f"{request.method} is not possible here")
    response.headers.update(error.headers or {})
    return response


class VanishedFolder:
    """Stands before the pages, which read and write in the folder of results."""

    def __init__(
        self, app: ASGIApp, is_there: Callable[[], bool], answer: Callable[[Request], Response]
    ) -> None:
        """`answer`: what says that the folder has vanished."""
        self._app = app
        self._is_there = is_there
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] == "http"
            and not scope["path"].startswith(ALWAYS_ANSWERED)
            and not await run_in_threadpool(self._is_there)  # a disk may take its time
        ):
            await self._answer(Request(scope))(scope, receive, send)
            return
        await self._app(scope, receive, send)
