"""Honest people, who visit a server while it is attacked, and how long each of them waits."""

import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import httpx2

from tests.hostile_clients.attacked_server import AttackedServer
from tests.hostile_clients.waits import NEWS, WaitingTimes, request_kind
from tests.shell import eventually
from tests.soak.spectators import Crowd
from tests.soak.visitors import Player, Site, Visitor, use_invitation

PATIENCE_S = 60.0
"""An honest person waits so long for an answer, so that it is seen how long that takes."""
PLAYING, RETURNING = ("Ann", "Ben"), "Cora"
"""Two who play, and one who signs in again and again."""
ONLOOKERS = 2
ROUNDS = 10
"""Times that both move in the game that is over before the attack."""
VISIT_S = 0.5
SIGN_IN_S = 15.0
PASSWORD = "correct horse battery"


class Refused(httpx2.HTTPError):
    """An honest request was refused: as bad as if there were no answer."""


class TimedVisitor(Visitor):
    """Notes how long each of its requests takes."""

    def __init__(self, site: Site, times: WaitingTimes) -> None:
        super().__init__(site, timeout_s=PATIENCE_S)
        self._times = times
        self.orders: list[tuple[str, int, float]] = []
        """Acknowledged orders: the game, its decisions after that, and when it was sent."""

    def ask(self, method: str, path: str, **words: Any) -> Any:
        """Return the answer. Raises: httpx2.HTTPError."""
        kind, began = request_kind(method, path), time.monotonic()
        try:
            answer = super().ask(method, path, **words)
        except httpx2.HTTPError as error:
            self._times.refused[f"{kind}: {type(error).__name__}"] += 1
            raise
        finally:
            self._times.note(kind, time.monotonic() - began)
        if answer.status_code >= 400:
            self._times.refused[f"{kind}: {answer.status_code}"] += 1
            raise Refused(f"{method} {path}: {answer.status_code}")
        if kind == "order":
            self.orders.append((path.split("/")[-2], answer.json()["step"], began))
        return answer


class Stranger:
    """Looks at pages all the time, each with a connection of its own."""

    def __init__(self, server: AttackedServer, times: WaitingTimes) -> None:
        self._server = server
        self._times = times

    def visit(self, is_over: threading.Event) -> None:
        """Visit until it is over."""
        while not is_over.is_set():
            for path in ("/", f"/contests/{self._server.ladder.id}"):
                visitor = TimedVisitor(self._server, self._times)
                with suppress(httpx2.HTTPError), visitor.client:
                    visitor.ask("GET", path)
                is_over.wait(VISIT_S)


class Returning:
    """Signs out and in again, in a browser in which they have been before."""

    def __init__(self, visitor: Visitor, name: str) -> None:
        self._visitor = visitor
        self._name = name
        self.times = 0
        """How often that went well."""

    def sign_in_once(self) -> None:
        """Raises: httpx2.HTTPError."""
        self._visitor.ask("POST", "/sign-out")
        fields = {"name": self._name, "password": PASSWORD}
        self._visitor.ask("POST", "/sign-in", data=fields)
        self.times += 1

    def sign_in(self, is_over: threading.Event) -> None:
        """Sign in until it is over."""
        while not is_over.is_set():
            with suppress(httpx2.HTTPError):
                self.sign_in_once()
            is_over.wait(SIGN_IN_S)


class Author:
    """Runs a bot of theirs, again and again."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.runs = 0
        """How many were played to their end."""

    def write(self, is_over: threading.Event) -> None:
        """Run it until it is over."""
        body = {"game": "smack", "template": "simple", "name": "Mine"}
        draft = self._visitor.insist("POST", "/api/v1/drafts", json=body).json()["id"]
        while not is_over.is_set():
            with suppress(httpx2.HTTPError):
                runs, opponent = f"/api/v1/drafts/{draft}/runs", {"opponent": "player_one"}
                run = self._visitor.ask("POST", runs, json=opponent).json()["id"]
                self.runs += self._is_played(run, is_over)

    def _is_played(self, run: str, is_over: threading.Event) -> bool:
        while not is_over.wait(VISIT_S):
            state = self._visitor.ask("GET", f"/api/v1/runs/{run}").json()["state"]
            if state not in ("waiting", "playing"):
                return bool(state == "over")
        return False


class Onlookers(Crowd):
    """Follow a game by streams, and note when they hear of what."""

    def __init__(self, site: Site, table: Sequence[Player], size: int) -> None:
        super().__init__(site, table, size)
        self._steps: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        self._times: defaultdict[tuple[int, str], list[float]] = defaultdict(list)

    def hear(self, number: int, game: str, step: int) -> None:
        """Note which step a spectator has heard of, and when."""
        super().hear(number, game, step)
        self._steps[number, game].append(step)
        self._times[number, game].append(time.monotonic())

    def delays_after(self, game: str, step: int, sent_at: float) -> Iterator[float]:
        """Yield after how many seconds each spectator of a game has heard of an order.

        Those who began to follow it later, when the one before was quiet, are left out.
        """
        for (number, followed), steps in self._steps.items():
            times = self._times[number, followed]
            if game == followed and times[0] <= sent_at and step <= steps[-1]:
                yield max(0.0, times[bisect_left(steps, step)] - sent_at)


class HonestPeople:
    """All of them: two play, one signs in, some look on, and a stranger looks at pages."""

    def __init__(self, server: AttackedServer) -> None:
        """Join, and play a game to its end."""
        self.times = WaitingTimes()
        self.names = (*PLAYING, RETURNING)
        *players, returning = self._browsers = [self._join(server, name) for name in self.names]
        self.author = Author(self._join(server, "Dora"))
        self.finished = _finish_game(players)
        self.player = Player(players)
        self.player.start()
        self.returning = Returning(returning, RETURNING)
        self.onlookers = Onlookers(server, [self.player], ONLOOKERS)
        self._stranger = Stranger(server, self.times)
        self._counts_since = 0.0
        self.behind = 0
        """Those who have not heard of the last order, although they were given the time."""

    @property
    def bodies(self) -> Sequence[Callable[[threading.Event], None]]:
        """Return what they do, each until it is over."""
        return self.player.play, self.returning.sign_in, self.author.write, self._stranger.visit

    def begin_to_count(self) -> None:
        """Forget how long they waited until now."""
        self.times.clear()
        self.returning.times = self.author.runs = 0
        self._counts_since = time.monotonic()

    def hear_the_last(self) -> None:
        """Wait until those who look on have heard of every order, and note how long that took."""
        orders = [order for browser in self._browsers for order in browser.orders]
        newest = self.player.games[-1]
        last = max((step for game, step, _ in orders if game == newest), default=0)
        eventually(lambda: self.onlookers.behind({newest: last}) == 0)
        self.behind = self.onlookers.behind({newest: last})
        for game, step, sent_at in orders:
            if sent_at >= self._counts_since:
                for seconds in self.onlookers.delays_after(game, step, sent_at):
                    self.times.note(NEWS, seconds)

    def _join(self, server: AttackedServer, name: str) -> TimedVisitor:
        visitor = TimedVisitor(server, self.times)
        use_invitation(server, visitor, name, PASSWORD)
        return visitor


def _finish_game(people: Sequence[Visitor]) -> str:
    """Return the id of a game that two people have played and given up."""
    player = Player(people)
    player.start()
    [game] = player.games
    for _ in range(ROUNDS):
        player.move(game)
    path = f"/api/v1/games/{game}"
    while acts := people[0].ask("GET", path).json()["acts"]:
        resigning = next(act for act in acts if act["name"] == "resign")
        people[0].ask("POST", f"{path}/acts", json=resigning)
    return game
