"""Every request gets an id, is counted, and is logged where that is wanted.

The id is sent back as a header, stands in each line that is logged meanwhile, and on the page
of whoever met an error of ours: what they tell an organizer leads to the lines.
"""

import logging
import sys
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPMethod, HTTPStatus
from secrets import token_hex

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.support.interpreter_state import ONE_THREAD
from server.http.metrics import RequestMetrics

HEADER = "x-request-id"
ID_BYTES = 8
OTHER_ROUTE = "other"
"""The route of a request that has none, and the method of one that is none."""
METHODS = frozenset(HTTPMethod)
CLIENT_GONE = 499
"""The status of a request whose client has gone before any answer, as nginx calls it."""
LOGGER = logging.getLogger("slime_mind.server")
"""What a server says of itself; uvicorn has loggers of its own."""
DETAILS = "details"
"""The attribute of a log record that holds what else stands in its line."""

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that is being answered; '' for none."""
    return _request_id.get()


class RequestLog:
    """Stands before everything else that a request passes."""

    def __init__(self, app: ASGIApp, request_metrics: RequestMetrics) -> None:
        self._app = app
        self._request_metrics = request_metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Always one of ours: one that a stranger sends could make lines of others look like theirs.
        _request_id.set(number := token_hex(ID_BYTES))
        began = time.perf_counter()
        status, took = CLIENT_GONE, None

        async def send_with_id(message: Message) -> None:
            nonlocal status, took
            if message["type"] == "http.response.start":
                status, took = message["status"], time.perf_counter() - began
                message["headers"] = [*message["headers"], (HEADER.encode(), number.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception:
            if took is None:
                status, took = HTTPStatus.INTERNAL_SERVER_ERROR, time.perf_counter() - began
            raise
        finally:
            self._note(scope, status, time.perf_counter() - began, took)

    def _note(self, scope: Scope, status: int, lasted: float, took: float | None) -> None:
        """Count and log a request; `took`: until its answer began, unless its client had gone."""
        route = getattr(scope.get("route"), "path", "") or OTHER_ROUTE
        method = scope["method"] if scope["method"] in METHODS else OTHER_ROUTE
        self._request_metrics.count_request(route, method, status, took)
        if LOGGER.isEnabledFor(logging.INFO):
            client = scope.get("client")
            details = {
                "method": method,
                "route": route,  # and not the path: that may hold somebody's key
                "status": status,
                "ms": round((lasted if took is None else took) * 1_000, 3),
                "address": client[0] if client else "",
            }
            LOGGER.info("request", extra={DETAILS: details})


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if number := request_id():
            line["request_id"] = number
        line |= getattr(record, DETAILS, {})
        if record.exc_info:
            with ONE_THREAD:
                line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def log_json_lines() -> None:
    """Log to stderr from now on: requests, warnings, and errors with their tracebacks."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for logger in (LOGGER, logging.getLogger("uvicorn.error")):
        logger.handlers = [handler]
        logger.propagate = False
    LOGGER.setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
