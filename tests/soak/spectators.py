"""Who looks on: streams of games, and pages that are asked for all the time."""

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress

import httpx2

from tests.soak.league import HERE, League
from tests.soak.visitors import AGAIN_S, TIMEOUT_S, Player, Site, Visitor

PROBE_S = 0.25
PAGES = ("start", "ladder", "game")
"""The pages that are asked for all the time."""


class Crowd:
    """Spectators, each with a stream of the newest game of one of the players."""

    def __init__(self, site: Site, table: Sequence[Player], size: int) -> None:
        self._ports = site.ports[:2]
        self._table = table
        self._size = size
        self.reconnections = 0
        self.heard: dict[tuple[int, str], int] = {}
        """The last step that each spectator has heard of each game."""

    def watch(self, is_over: threading.Event) -> None:
        """Look on until it is over."""
        asyncio.run(self._watch(is_over))

    async def _watch(self, is_over: threading.Event) -> None:
        tasks = [asyncio.create_task(self._follow(number)) for number in range(self._size)]
        await asyncio.to_thread(is_over.wait)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, number: int) -> None:
        """Follow one game after the other, by the first server that answers."""
        tries = number
        while True:
            games = self._table[number % len(self._table)].games
            if games:
                with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                    await self._listen(number, games[-1], self._ports[tries % len(self._ports)])
                self.reconnections += 1
            tries += 1
            await asyncio.sleep(2 * AGAIN_S)

    async def _listen(self, number: int, game: str, port: int) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection(HERE, port)
        try:
            path = f"/api/v1/games/{game}/events"
            lines = (f"GET {path} HTTP/1.1", f"Host: {HERE}:{port}", "Accept: text/event-stream")
            writer.write("\r\n".join((*lines, "", "")).encode())
            while self._table[number % len(self._table)].games[-1] == game:
                async with asyncio.timeout(4 * TIMEOUT_S):  # a comment comes every few seconds
                    line = await reader.readline()
                if not line:
                    return
                if line.startswith(b"id: "):
                    self.hear(number, game, int(line[4:]))
        finally:
            writer.close()

    def hear(self, number: int, game: str, step: int) -> None:
        """Note which step a spectator has heard of."""
        self.heard[number, game] = step

    def behind(self, last: dict[str, int]) -> int:
        """Return how many have not heard of the last step of the game that they follow."""
        newest = [player.games[-1] for player in self._table]
        followed = [(number, newest[number % len(newest)]) for number in range(self._size)]
        return sum(self.heard.get((number, game), -1) < last[game] for number, game in followed)


class Prober:
    """Asks for pages all the time, and notes how long each is away."""

    def __init__(self, league: League, player: Player) -> None:
        self._visitor = Visitor(league)
        self._player = player
        self._ladder = league.ladder
        self.away_s: dict[str, float] = defaultdict(float)

    def probe(self, is_over: threading.Event) -> None:
        """Ask until it is over."""
        gone: dict[str, float] = {}
        while not is_over.wait(PROBE_S):
            for name, path in self._pages():
                began = time.monotonic()
                try:
                    is_there = self._visitor.ask("GET", path).status_code == 200
                except httpx2.HTTPError:
                    is_there = False
                if is_there:
                    since = gone.pop(name, began)
                    self.away_s[name] = max(self.away_s[name], time.monotonic() - since)
                else:
                    gone.setdefault(name, began)
        for name, since in gone.items():
            self.away_s[name] = max(self.away_s[name], time.monotonic() - since)

    def _pages(self) -> Iterator[tuple[str, str]]:
        start, ladder, game = PAGES
        yield start, "/"
        yield ladder, f"/contests/{self._ladder.id}"
        if self._player.games:
            yield game, f"/games/{self._player.games[0]}"
