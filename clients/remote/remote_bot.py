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
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from slime_mind_arena import HostedBot, SlimeMindError, host

SILENCE_S = 60
"""A server says more often than that that it is there."""
LOST = (OSError, HTTPException)
"""What a connection that ends, and a server that is away, raise."""
NOT_FOUND, CONFLICT, UNPROCESSABLE, TOO_MANY, SERVER_ERROR = 404, 409, 422, 429, 500


class Refused(Exception):
    """The server refuses a request, and says why."""

    def __init__(self, error: urllib.error.HTTPError) -> None:
        super().__init__(f"{error.code}: {error.read(1_000).decode(errors='replace')}")
        self.status = error.code


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: the token is for one server."""

    def redirect_request(self, *about: Any) -> None:
        """Leave it to who asks, as an error."""


class Arena:
    """The API of a server, for whoever has a token."""

    def __init__(self, server: str, token: str) -> None:
        self._api = server.rstrip("/") + "/api/v1/"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._open = urllib.request.build_opener(NoRedirects).open

    def post(self, path: str, **body: Any) -> Any:
        """Return the answer, which may take several tries. Raises: Refused."""
        while True:
            try:
                with self._answer(path, json.dumps(body).encode()) as answer:
                    return json.load(answer)
            except LOST:
                time.sleep(1)

    def events(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield what the server tells, for ever; after a loss, what came behind the last event."""
        last: dict[str, str] = {}
        while True:
            try:
                with self._answer(path, None, last) as stream:
                    fields: dict[str, str] = {}
                    for line in stream:
                        name, _, value = line.decode().rstrip("\n").partition(": ")
                        fields[name] = value
                        if line == b"\n" and "data" in fields:
                            yield fields["event"], json.loads(fields["data"])
                            last = {"Last-Event-ID": fields["id"]}
                        if line == b"\n":
                            fields = {}
            except LOST as error:
                print(f"the connection was lost: {error}")
            time.sleep(1)

    def _answer(self, path: str, body: bytes | None, headers: Any = ()) -> Any:
        """Send a request until somebody answers. Raises: Refused."""
        request = urllib.request.Request(self._api + path, body, self._headers | dict(headers))
        waits = chain((1, 2, 4, 8, 16), repeat(30))
        while True:
            wait_s = next(waits)
            try:
                return self._open(request, timeout=SILENCE_S)
            except urllib.error.HTTPError as error:
                if error.code != TOO_MANY and error.code < SERVER_ERROR:
                    raise Refused(error) from error
                why, wait_s = str(error), int(error.headers.get("Retry-After") or wait_s)
            except LOST as error:
                why = str(error)
            print(f"{path}: {why}; again in {wait_s} s")
            time.sleep(wait_s)


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
