"""Who visits a league: people who play, authors who hand in, and what they ask with."""

import base64
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any, Protocol

import httpx2

import bootstrap
from engine.errors import EngineFailure
from runners.storage.database import Database
from server.identity.people import Kind, People
from server.identity.tokens import Tokens
from tests.server.playing import choose_orders
from tests.shell import PATIENCE_S
from tests.soak.league import HERE

TIMEOUT_S = 5.0
"""How long a browser waits for an answer before it asks again."""
AGAIN_S = 0.25
"""How long one waits who had no answer."""
THINKS_S = 0.5
HAND_IN_S = 10.0
PER_AUTHOR = 8
"""Bots that one author hands in before the next one does: ladders limit them."""
GOOD = (bootstrap.HOME / "playerCode" / "player_two.py").read_bytes()


class Site(Protocol):
    """What people visit."""

    url: str
    """Of its database."""
    ports: Sequence[int]
    """Of its processes; the first two have pages."""


class Visitor:
    """Somebody with a browser, behind a proxy that asks whichever web process answers."""

    def __init__(self, site: Site, first: int = 0, timeout_s: float = TIMEOUT_S) -> None:
        self._ports = site.ports[:2]
        self._first = first
        self.client = httpx2.Client(timeout=timeout_s, follow_redirects=False)

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


def join(site: Site, name: str, first: int = 0) -> Visitor:
    """Return somebody who has an account."""
    visitor = Visitor(site, first)
    use_invitation(site, visitor, name)
    return visitor


def use_invitation(site: Site, visitor: Visitor, name: str, password: str = "") -> None:
    """Give an account to a visitor."""
    fields = {"name": name, "password": password}
    answer = visitor.insist("POST", f"/welcome/{new_invitation(site)}", data=fields)
    assert answer.status_code in (200, 303), answer.text


def new_invitation(site: Site) -> str:
    """Return the key of a link that makes an account."""
    with closing(Database(site.url)) as database:
        return People(database).new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))


class Player:
    """Both people of one game after the other, or one person against a bot."""

    def __init__(self, people: Sequence[Visitor]) -> None:
        """`people`: those who have accounts and play each other; one alone plays a bot."""
        self._people = people
        self.games: list[str] = []
        self.acknowledged: list[tuple[str, int, int, str]] = []
        """Game, board, number of plies before, and the move."""

    def play(self, is_over: threading.Event) -> None:
        """Play until it is over."""
        while not is_over.is_set():
            with suppress(httpx2.HTTPError):
                if not self.games or not self.move(self.games[-1]):
                    self.start()
            is_over.wait(THINKS_S)

    def start(self) -> None:
        """Begin the next game."""
        is_alone = len(self._people) == 1
        other = "bot:player_one" if is_alone else "open"
        fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": other}
        answer = self._people[0].ask("POST", "/lobby/new", data=fields)
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"]
        if not is_alone:
            taken = self._people[1].ask("POST", f"{path}/take", data={"team": "2"})
            assert taken.status_code == 303, taken.text
            path = taken.headers["location"]
        self.games.append(path.rpartition("/")[2].partition("?")[0])

    def move(self, game: str) -> bool:
        """Move wherever somebody has to; return whether the game goes on."""
        for person in self._people:
            position = person.ask("GET", f"/api/v1/games/{game}").json()
            if position["outcome"] is not None:
                return False
            for half, order in choose_orders(position):
                answer = person.ask("POST", f"/api/v1/games/{game}/orders", json=order)
                if answer.status_code == 200:
                    made = (game, half["number"], half["ply"], order["order"])
                    self.acknowledged.append(made)
        return True


class Author:
    """Hands in one bot after the other by the API."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.accepted: list[str] = []
        """The paths of the versions."""

    def hand_in(self, is_over: threading.Event) -> None:
        """Hand in until it is over."""
        number = 0
        token, visitor = "", Visitor(self._site)
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
                visitor = join(self._site, name)
                with closing(Database(self._site.url)) as database:
                    person = People(database).find_person_by_name(name)
                    assert person is not None
                    return Tokens(database, People(database)).create_token(
                        person.id, "soak"
                    ), visitor
            except EngineFailure:
                if time.monotonic() > until:
                    raise
                time.sleep(AGAIN_S)
