"""Who visits a league: people who play, authors who hand in, and what they ask with."""

import base64
import secrets
import threading
import time
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any

import httpx2

import bootstrap
from engine.errors import EngineFailure
from server.arena.tokens import Tokens
from server.database import Database
from server.people import Kind, People
from tests.server.playing import orders_of
from tests.shell import PATIENCE_S
from tests.soak.league import HERE, League

TIMEOUT_S = 5.0
"""How long a browser waits for an answer before it asks again."""
AGAIN_S = 0.25
"""How long one waits who had no answer."""
THINKS_S = 0.5
HAND_IN_S = 10.0
PER_AUTHOR = 8
"""Bots that one author hands in before the next one does: ladders limit them."""
GOOD = (bootstrap.HOME / "playerCode" / "player_two.py").read_bytes()


class Visitor:
    """Somebody with a browser, behind a proxy that asks whichever web process answers."""

    def __init__(self, league: League, first: int = 0) -> None:
        self._ports = league.ports[:2]
        self._first = first
        self.client = httpx2.Client(timeout=TIMEOUT_S, follow_redirects=False)

    def ask(self, method: str, path: str, **words: Any) -> Any:
        """Return the answer of one of the servers. Raises: httpx2.HTTPError."""
        headers = words.pop("headers", {})
        for number in range(len(self._ports)):
            port = self._ports[(self._first + number) % len(self._ports)]
            base = f"http://{HERE}:{port}"
            try:
                sent = {"origin": base, **headers}
                answer = self.client.request(method, f"{base}{path}", headers=sent, **words)
            except httpx2.ConnectError:
                continue
            if answer.status_code < 500:
                return answer
        raise httpx2.ConnectError("no server answers")

    def insist(self, method: str, path: str, **words: Any) -> Any:
        """Ask until somebody answers, as long as our patience lasts."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.ask(method, path, **words)
            except httpx2.HTTPError:
                if time.monotonic() > until:
                    raise
                time.sleep(AGAIN_S)


def join(league: League, name: str, first: int = 0) -> Visitor:
    """Return somebody who has an account."""
    with closing(Database(league.url)) as database:
        key = People(database).new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))
    visitor = Visitor(league, first)
    answer = visitor.insist("POST", f"/welcome/{key}", data={"name": name})
    assert answer.status_code in (200, 303), answer.text
    return visitor


class Player:
    """Both people of one game after the other, or one person against a bot."""

    def __init__(self, league: League, number: int, *, against_bot: bool) -> None:
        self._league = league
        self._number = number
        self._against_bot = against_bot
        names = (f"Player {number} {letter}" for letter in "ab"[: 1 if against_bot else 2])
        self._people = [join(league, name, place) for place, name in enumerate(names)]
        self.games: list[str] = []
        self.acknowledged: list[tuple[str, int, int, str]] = []
        """Game, board, number of plies before, and the move."""

    def play(self, is_over: threading.Event) -> None:
        """Play until it is over."""
        while not is_over.is_set():
            with suppress(httpx2.HTTPError):
                if not self.games or not self._move(self.games[-1]):
                    self._begin()
            is_over.wait(THINKS_S)

    def _begin(self) -> None:
        """Begin the next game."""
        other = "bot:player_one" if self._against_bot else "open"
        fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": other}
        answer = self._people[0].ask("POST", "/lobby/new", data=fields)
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"]
        if not self._against_bot:
            taken = self._people[1].ask("POST", f"{path}/take", data={"team": "2"})
            assert taken.status_code == 303, taken.text
            path = taken.headers["location"]
        self.games.append(path.rpartition("/")[2].partition("?")[0])

    def _move(self, game: str) -> bool:
        """Move wherever somebody has to; return whether the game goes on."""
        for person in self._people:
            position = person.ask("GET", f"/api/v1/games/{game}").json()
            if position["outcome"] is not None:
                return False
            for half, order in orders_of(position):
                answer = person.ask("POST", f"/api/v1/games/{game}/orders", json=order)
                if answer.status_code == 200:
                    made = (game, half["number"], half["ply"], order["order"])
                    self.acknowledged.append(made)
        return True


class Author:
    """Hands in one bot after the other by the API."""

    def __init__(self, league: League) -> None:
        self._league = league
        self.accepted: list[str] = []
        """The paths of the versions."""

    def hand_in(self, is_over: threading.Event) -> None:
        """Hand in until it is over."""
        number = 0
        token, visitor = "", Visitor(self._league)
        while not is_over.wait(HAND_IN_S):
            if number % PER_AUTHOR == 0:
                token, visitor = self._join(number)
            number += 1
            source = GOOD + f"\n# {number}\n".encode()
            body = {
                "files": {"player_mine.py": base64.b64encode(source).decode()},
                "game": "slime_mind",
                "name": f"Handed in {number}",
            }
            bearer = {"authorization": f"Bearer {token}"}
            with suppress(httpx2.HTTPError):
                answer = visitor.insist("POST", "/api/v1/bots", json=body, headers=bearer)
                assert answer.status_code < 300, answer.text
                self.accepted.append(answer.json()["path"])

    def _join(self, number: int) -> tuple[str, Visitor]:
        """Return another author and their token; the database may be away."""
        until = time.monotonic() + PATIENCE_S
        name = f"Author {number} {secrets.token_hex(2)}"
        while True:
            try:
                visitor = join(self._league, name)
                with closing(Database(self._league.url)) as database:
                    person = People(database).person_named(name)
                    assert person is not None
                    return Tokens(database, People(database)).new(person.id, "soak"), visitor
            except EngineFailure:
                if time.monotonic() > until:
                    raise
                time.sleep(AGAIN_S)
