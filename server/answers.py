"""Answers to programs, and reading what they send."""

from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from server.api import COOKIE, JSON
from server.bodies import Problem

T = TypeVar("T")

YEAR_S = 365 * 86_400

encode = msgspec.json.Encoder().encode


def sent(value: object) -> Response:
    return Response(encode(value), media_type=JSON, headers={"cache-control": "no-store"})


def failed(status: int, words: str) -> Response:
    return Response(encode(Problem(words)), status_code=status, media_type=JSON)


def cookie_of(game_id: str) -> str:
    """Return the name of the cookie with which a browser plays a game."""
    return COOKIE + game_id


def seat_at(request: Request, response: Response, game_id: str, token: str) -> None:
    """Let the browser of a request play what a token stands for."""
    response.set_cookie(
        cookie_of(game_id),
        token,
        max_age=YEAR_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


async def read(request: Request, body: type[T]) -> T:
    """Raises: msgspec.DecodeError for what is not such a body."""
    return msgspec.json.decode(await request.body(), type=body)
