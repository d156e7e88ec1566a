"""Let a bot of yours play on a server of Slime Mind, from your machine.

    python3 remote_bot.py playerCode/player_mine.py --game smack \
        --server https://example.org --token-file token.txt

The token is one that may play: make it on your own page of the server, and keep it in a file that
only you can read. The bot accepts challenges to its game, and goes on after the network was lost,
after the server was started again, and after you have ended and started this program. Ctrl-C ends
it; who is away loses time, as people do. It needs an installed copy of Slime Mind.
"""

import argparse
import json
import sys
import time
import urllib.request
from calendar import timegm
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from email.utils import parsedate
from http.client import HTTPException
from pathlib import Path
from typing import Any

from slime_mind_arena import HostedBot, SlimeMindError, host

SILENCE_S = 60
"""A server says more often than that that it is there."""
MAX_WAIT_S = 120
"""The longest wait before the next try, whatever is asked for."""
MAX_ANSWER = 1_000_000
LOST = (OSError, HTTPException, ValueError, RecursionError)
"""What is raised by a connection that ends, a server that is away, and by a garbled answer."""
JSON, EVENTS = "application/json", "text/event-stream"
NOT_FOUND, CONFLICT, UNPROCESSABLE, TOO_MANY, SERVER_ERROR = 404, 409, 422, 429, 500


class Refused(Exception):
    """The server refuses a request, and says why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status}: {why}")
        self.status = status


class AsAnswered(urllib.request.HTTPErrorProcessor):
    """Hands over every answer, and follows no redirection: the token is for one server."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class Arena:
    """The API of a server, for whoever has a token."""

    def __init__(self, server: str, token: str) -> None:
        self._api = server.rstrip("/") + "/api/v1/"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": JSON}
        self._open = urllib.request.build_opener(AsAnswered).open
        self._has_answered = False

    def post(self, path: str, **body: Any) -> Any:
        """Return the answer, which may take several tries. Raises: Refused."""
        sent = json.dumps(body).encode()
        return next(self._read(path, JSON, sent, lambda a: iter([json.loads(a.read(MAX_ANSWER))])))

    def events(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield what the server tells, for ever; after a loss, what came behind the last event."""
        return self._read(path, EVENTS, None, self._read_events)

    def _read_events(self, stream: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
        fields: dict[str, str] = {}
        for line in stream:
            if text := line.decode().strip():
                name, _, fields[name] = text.partition(": ")
            else:
                if {"event", "data", "id"} <= fields.keys():
                    yield fields["event"], json.loads(fields["data"])
                    self._headers["Last-Event-ID"] = fields["id"]
                fields = {}

    def _read(
        self, path: str, kind: str, body: bytes | None, read: Callable[[Any], Iterator[Any]]
    ) -> Iterator[Any]:
        """Yield what is read of one answer after the other of the server. Raises: Refused.

        What a proxy answers in its place is waited out, whatever that is.
        """
        next_s = 1.0
        while True:
            wait_s, next_s = next_s, min(2 * next_s, 32)
            request = urllib.request.Request(self._api + path, body, self._headers)
            try:
                with self._open(request, timeout=SILENCE_S) as answer:
                    if answer.status < 300 and answer.headers.get_content_type() == kind:
                        self._has_answered, next_s, why = True, 1, "the connection was lost"
                        yield from read(answer)
                    else:
                        why = self._why_not(answer)
                        wait_s = asked_wait_s(answer.headers.get("Retry-After", ""), wait_s)
            except LOST as error:
                why = f"{error!r:.200}"
            print(f"{path}: {why}; again in {wait_s:.0f} s")
            time.sleep(wait_s)

    def _why_not(self, answer: Any) -> str:
        """Return why somebody is to wait. Raises: Refused, where waiting would not help."""
        status, moved = answer.status, answer.headers.get("Location")
        if 300 <= status < 400 and moved and not self._has_answered:
            address = moved[:200].partition("/api/")[0]
            raise Refused(status, f"the address is another one; say --server {address!r}")
        said = None
        with suppress(*LOST):
            said = json.loads(answer.read(MAX_ANSWER))
        if not isinstance(said, dict) or said.keys() != {"error"}:
            return f"{status} from something before the server"
        if status != TOO_MANY and status < SERVER_ERROR:
            raise Refused(status, said["error"])
        return f"{status}: {said['error']}"


def asked_wait_s(header: str, usual_s: float) -> float:
    """Return the wait that `Retry-After` asks for, by seconds or by an HTTP date (RFC 9110)."""
    try:
        is_number = header.isdecimal()
        asked_s = int(header) if is_number else timegm(parsedate(header) or ()) - time.time()
    except (ValueError, OverflowError):
        return usual_s
    return min(max(asked_s, 1), MAX_WAIT_S)


def answer(arena: Arena, bot: HostedBot, ask: Any) -> None:
    """Order what a bot wants; without a legal order it forfeits the decision."""
    game, place = f"games/{ask['game']}", {key: ask[key] for key in ("team", "piece", "step")}
    try:
        try:
            arena.post(f"{game}/orders", **place, order=bot.answer(ask))
        except (SlimeMindError, Refused) as error:
            if isinstance(error, Refused) and error.status != UNPROCESSABLE:
                raise
            print(f"{game}: {error}")
            arena.post(f"{game}/failures", **place, error=str(error)[:200])
    except Refused as error:
        if error.status not in (NOT_FOUND, CONFLICT):  # the game has gone on, or is over
            raise


def accept(arena: Arena, challenge: Any, game: str) -> None:
    """Accept a challenge to a game, and decline all others."""
    fits = challenge["game"] == game and not challenge["is_rated"]
    try:
        arena.post(f"challenges/{challenge['id']}/{'accept' if fits else 'decline'}")
    except Refused as error:  # it was canceled, or too many games are played
        print(f"challenge of {challenge['made_by']}: {error}")


def play(arena: Arena, path: str, game: str, most: int | None) -> None:
    """Accept challenges, and play until so many games are over; None: for ever."""
    bots: dict[str, HostedBot] = {}
    over = 0
    for kind, told in arena.events("me/events?wants=events"):
        if kind == "challenge" and told["kind"] == "received":
            accept(arena, told, game)
        elif kind == "start" and told["start"]["game"] == game:
            print(f"game {told['game']}: {' against '.join(told['players'])}")
            bots[told["game"]] = host(path, told["start"])
        elif kind == "ask" and told["game"] in bots:
            answer(arena, bots[told["game"]], told)
        elif kind == "over":
            print(f"game {told['game']} is over: {told['outcome']}")
            bots.pop(told["game"], None)
            over += 1
            if over == most:
                return


def seat(name: str) -> dict[str, str]:
    """Return who is to take a seat, as the API says it."""
    kind, colon, bot = name.partition(":")
    if kind == "bot" and colon:
        return {"bot": bot}
    return {} if name == "open" else {"player": name}


def main() -> None:
    """Play until Ctrl-C, or until the server wants no more."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("bot", help="the file of the bot")
    parser.add_argument("--server", required=True, help="such as https://example.org")
    parser.add_argument("--token-file", required=True, help="a file with the token, and no more")
    parser.add_argument("--game", required=True, choices=("smack", "smac", "slime_mind"))
    parser.add_argument(
        "--challenge",
        action="append",
        default=[],
        metavar="NAME",
        help="begin a game against this player, bot:NAME for a bot of the server, or open for all",
    )
    parser.add_argument("--clock", default="15+10", help="the clock of that game")
    parser.add_argument("--games", type=int, help="end when so many games are over")
    said = parser.parse_args()
    try:
        token = Path(said.token_file).read_text(encoding="utf-8").strip()
    except OSError as error:
        parser.error(f"--token-file {said.token_file}: {error.strerror}")
    if not said.server.startswith(("https://", "http://")):
        parser.error(f"--server {said.server}: expected an address such as https://example.org")
    if not token.isascii() or not token.isprintable():
        parser.error(f"--token-file {said.token_file}: expected a token, and no more")
    arena = Arena(said.server, token)
    try:
        if said.challenge:
            opponents = [seat(name) for name in said.challenge]
            arena.post("challenges", game=said.game, opponents=opponents, clock=said.clock)
        play(arena, said.bot, said.game, said.games)
    except (SlimeMindError, Refused) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
