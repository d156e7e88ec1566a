"""Send requests to a server's API with the token of a person."""

from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click
import msgspec

from engine.errors import UsageError
from engine.support.sanitizing import one_line
from server.bots.bodies import VersionAnswer
from server.http.bodies import Problem

TIMEOUT_S = 60
MOST_ANSWER = 1_000_000


class NoAnswer(Exception):
    """The server cannot be reached, or its answer is not that of such a server."""


class NoRedirects(HTTPRedirectHandler):
    """Follows no redirection: the token is for the server that was named, and for no other."""

    def redirect_request(self, *about: Any) -> None:
        return None


class Server:
    """A server, asked in the name of whose token it is."""

    def __init__(self, base: str, token: str) -> None:
        if not (token.isascii() and token.isprintable()):
            raise UsageError("--token: this is not a token; it begins with slime_")
        self._base = base
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._opener = build_opener(NoRedirects)

    def ask(self, path: str, body: bytes | None = None) -> VersionAnswer:
        """Return what the API answers. Raises: NoAnswer; click's exit 1 where it refuses."""
        request = Request(f"{self._base}/api/v1{path}", data=body, headers=self._headers)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return msgspec.json.decode(answer.read(MOST_ANSWER), type=VersionAnswer)
        except HTTPError as error:
            with error:
                words = _words(error)
            raise click.ClickException(f"refused: {words}") from error
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            raise NoAnswer(f"{self._base}: does not answer: {one_line(reason)}") from error
        except msgspec.MsgspecError as error:
            raise NoAnswer(f"{self._base}: is not a server of this version") from error


def _words(error: HTTPError) -> str:
    try:
        return one_line(msgspec.json.decode(error.read(MOST_ANSWER), type=Problem).error)
    except (msgspec.MsgspecError, OSError, HTTPException):
        return f"status {error.code}; is this a server of Slime Mind?"
