"""Answers to programs, and reading what they send."""

import json
import re
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from engine.support.sanitizing import one_line
from engine.support.text_decoding import why_not_text
from server.identity.text_limits import TOO_DEEP, BadText, require_shallow

T = TypeVar("T")

API = "/api"
BASE = f"{API}/v1"
COOKIE = "seat-"
"""A browser has a cookie of this name and a game's id for each game that it plays."""
MAX_COOKIES = 100
"""Cookies that are looked at for seats; each costs a look into the database."""
JSON, EVENTS = "application/json", "text/event-stream"

HALF_LETTER = re.compile("[\ud800-\udfff]")
YEAR_S = 365 * 86_400

encode = msgspec.json.Encoder().encode


def json_response(value: object) -> Response:
    return Response(encode(value), media_type=JSON, headers={"cache-control": "no-store"})


def client_address(request: Request) -> str:
    """Return the address that a request comes from; '' where that is not known."""
    return "" if request.client is None else request.client.host


def retry_after(wait_s: float) -> dict[str, str]:
    """Return the headers that say how long to wait; none where waiting does not help."""
    return {"retry-after": str(ceil(wait_s))} if wait_s else {}


def problem_response(
    status: int, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(encode(Problem(message)), status_code=status, media_type=JSON, headers=headers)


def game_cookie_name(game_id: str) -> str:
    """Return the name of the cookie with which a browser plays a game."""
    return COOKIE + game_id


def seat_at(request: Request, response: Response, game_id: str, token: str) -> None:
    """Let the browser of a request play what a token stands for."""
    set_cookie(request, response, game_cookie_name(game_id), token)


def seat_cookies(request: Request) -> Iterator[tuple[str, str]]:
    """Yield the games for which a browser has a cookie of a seat, each with its token."""
    for name, token in list(request.cookies.items())[:MAX_COOKIES]:
        if name.startswith(COOKIE):
            yield name.removeprefix(COOKIE), token


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    """Let the browser of a request keep a cookie for a year: for this host, and for no script."""
    response.set_cookie(
        name,
        value,
        max_age=YEAR_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


async def read(request: Request, body: type[T]) -> T:
    """Return what a program has sent. Raises: msgspec.DecodeError for what is not such a body."""
    return decode_json(await request.body(), body)


def parse_query(request: Request, kind: type[T]) -> T:
    """Return what stands behind the path of a request. Raises: msgspec.ValidationError."""
    return msgspec.convert(dict(request.query_params), kind, strict=False)


def decode_json(content: bytes, kind: type[T]) -> T:
    """Return what the JSON of a stranger says. Raises: msgspec.DecodeError, whatever it is."""
    try:
        value = msgspec.json.decode(content, type=kind)
        require_shallow(value)
    except RecursionError as error:
        raise msgspec.DecodeError(TOO_DEEP) from error
    except BadText as error:
        raise msgspec.DecodeError(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if why := why_not_text(content):
            raise msgspec.DecodeError(f"the JSON cannot be read: {why}") from error
        if why := half_letter(content):
            raise msgspec.DecodeError(why) from error
        raise
    return value


def half_letter(content: bytes) -> str:
    """Return in which text of a JSON, and in which line of it, half a letter is; '' for none.

    Browsers send one where a letter of two halves (a surrogate pair) was cut.
    """
    try:
        to_visit: list[tuple[str, object]] = [("", json.loads(content))]
    except (ValueError, RecursionError):
        return ""
    for where, value in to_visit:  # it grows meanwhile
        if isinstance(value, dict):
            # A file is an object with a name and a text.
            file = str(value.get("name", "text"))
            to_visit += [(file if key == "text" else key, inner) for key, inner in value.items()]
        elif isinstance(value, list):
            to_visit += [(where, inner) for inner in value]
        elif isinstance(value, str) and (half := HALF_LETTER.search(value)):
            line = value.count("\n", 0, half.start()) + 1
            return (
                f"{one_line(where)}: line {line} has half a letter (U+{ord(half[0]):04X}, a "
                "surrogate on its own): take it out, or type the letter anew"
            )
    return ""


MAX_TOPICS = 50
"""Topics of one stream; their names fit into 8 KB, which is what proxies let through."""

MAX_INT32 = 2**31 - 1
"""The largest number that is read; every database holds it."""
Team = Annotated[int, Meta(ge=1, le=MAX_INT32, description="The team; the first is 1.")]


class Problem(Struct, frozen=True):
    """Why a request was refused, in words."""

    error: str


class Empty(Struct, frozen=True):
    """Done; there is nothing to say of it."""


Topics = Annotated[
    list[str],
    Meta(
        min_length=1,
        max_length=MAX_TOPICS,
        description="`games/ID/events`, `games/ID/scene`, `matches/ID/scene`, `runs/ID/scene`, "
        "`ladders/ID/playing`, `tournaments/NAME/news` or `tournaments/NAME/matches/KEY/scene`, "
        "and `@` with the `last` of the last event that was seen of it. "
        "Several are `topic=...&topic=...`.",
    ),
]


class StreamQuery(Struct, frozen=True):
    """What a stream follows."""

    topic: Topics
