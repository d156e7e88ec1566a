"""Answers to programs, and reading what they send."""

from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from server.api import JSON
from server.bodies import Problem

T = TypeVar("T")

encode = msgspec.json.Encoder().encode


def sent(value: object) -> Response:
    return Response(encode(value), media_type=JSON, headers={"cache-control": "no-store"})


def failed(status: int, words: str) -> Response:
    return Response(encode(Problem(words)), status_code=status, media_type=JSON)


async def read(request: Request, body: type[T]) -> T:
    """Raises: msgspec.DecodeError for what is not such a body."""
    return msgspec.json.decode(await request.body(), type=body)
