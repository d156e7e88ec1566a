"""Runs a league on loopback, kills its processes one by one, and looks up what is lost.

`python3 -m tests.soak --minutes 30` starts PostgreSQL, two web processes, a server that plays the
ladders on a cluster (a scheduler and three workers), and lets people play, spectators look on and
authors hand in bots, while one of those processes after the other is killed. Whoever supervises a
real one starts a killed process again; so does this. At the end every acknowledged order, result
and bot is looked up, and a table says how long which page was away.
"""

import asyncio
import base64
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import click
import httpx2
import msgspec
from sqlalchemy import func, select

import bootstrap
from engine.errors import EngineFailure
from engine.replay import Replay
from engine.result_folder import RESULT, ResultFolder
from engine.verifying import verify
from server.arena.bots import Bots
from server.arena.ladders import Ladder
from server.arena.tables import VersionState, fixtures, players
from server.arena.tokens import Tokens
from server.database import Database
from server.people import Kind, People
from server.rooms import Room
from server.schema import ensure_schema
from server.storage import Storage
from tests.postgresql import PostgreSQL, running
from tests.runners.machines import Machines
from tests.server.arena.field import enter_all, real_bot_in, tiny_ladder_in
from tests.shell import ENVIRONMENT, PATIENCE_S

HERE = "127.0.0.1"
TIMEOUT_S = 5.0
"""How long a browser waits for an answer before it asks again."""
RESTART_S = 1.0
"""How long a supervisor waits before it starts a process again."""
PROBE_S = 0.25
PAGES = ("start", "ladder", "game")
"""The pages that are asked for all the time."""
LADDER_BOTS = 4
WORKERS = 3
GAMES = 3
"""Games of people that go on at once; the last one is against a bot."""
THINKS_S = 0.5
HAND_IN_S = 10.0
PER_AUTHOR = 8
"""Bots that one author hands in before the next one does: ladders limit them."""
GOOD = (bootstrap.HOME / "playerCode" / "player_two.py").read_bytes()


class Figures(msgspec.Struct):
    """What happened, and what was lost."""

    minutes: float
    kills: dict[str, int]
    orders: int = 0
    """Acknowledged orders of people."""
    games: int = 0
    handed_in: int = 0
    """Acknowledged versions."""
    matches: int = 0
    """Results of the ladder."""
    streams: int = 0
    reconnections: int = 0
    away_s: dict[str, float] = {}
    """The longest time for which no server sent a page."""
    behind: int = 0
    """Spectators who had not heard of the last change when their time was over."""
    lost: list[str] = []
    """What was acknowledged and is not there, or is there twice."""

    def table(self) -> str:
        """Return them as lines."""
        rows = [
            ("minutes", f"{self.minutes:.1f}"),
            ("killed", ", ".join(f"{name} {count}" for name, count in self.kills.items())),
            ("orders acknowledged", f"{self.orders} in {self.games} games"),
            ("bots handed in", str(self.handed_in)),
            ("ladder results", str(self.matches)),
            ("streams", f"{self.streams}, reconnected {self.reconnections} times"),
            ("spectators behind at the end", str(self.behind)),
            *((f"longest away: {page}", f"{away:.1f} s") for page, away in self.away_s.items()),
            ("lost or doubled", "; ".join(self.lost) or "nothing"),
        ]
        return "\n".join(f"{name:<32} {value}" for name, value in rows)


class Process:
    """A process that is started again whenever it has ended."""

    def __init__(self, start: "Callable[[], subprocess.Popen[Any]]") -> None:
        self._start = start
        self._popen = start()
        self._ended_at: float | None = None

    def kill(self) -> None:
        """End it and all it has started; nobody says farewell."""
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def look(self, now: float) -> None:
        """Start it again if it ended a while ago."""
        if self._popen.poll() is None:
            return
        if self._ended_at is None:
            self._ended_at = now
        elif now - self._ended_at >= RESTART_S:
            self._ended_at = None
            self._popen = self._start()


class League:
    """All processes, and the database that they share."""

    def __init__(self, folder: Path, postgresql: PostgreSQL, chance: Random) -> None:
        self.out = folder / "results"
        self.url = postgresql.new_url()
        self.ports = [_free_port() for _ in range(3)]
        self.kills: Counter[str] = Counter()
        self._chance = chance
        self._postgresql = postgresql
        self._machines = Machines(folder / "machines", is_grouped=True)
        with closing(Database(self.url)) as database:
            ensure_schema(database)
            self.ladder = self._new_ladder(database)
        self._log = (folder / "servers.log").open("wb")
        cluster = ("--cluster", self._machines.address)
        web = ("--role", "web")
        self._processes = {
            "scheduler": Process(self._machines.start_scheduler),
            **{f"worker {n}": Process(self._machines.start_worker) for n in range(WORKERS)},
            "web 1": Process(lambda: self._serve(self.ports[0], *web)),
            "web 2": Process(lambda: self._serve(self.ports[1], *web)),
            "arena": Process(lambda: self._serve(self.ports[2], *cluster)),
        }
        self._is_over = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise)
        self._supervisor.start()

    def close(self) -> None:
        """End everything but PostgreSQL."""
        self._is_over.set()
        self._supervisor.join()
        for process in self._processes.values():
            process.kill()
        self._log.close()

    def kill_one(self, what: str) -> None:
        """Kill a process of a kind."""
        self.kills[what] += 1
        if what == "postgresql":
            self._postgresql.restart()
            return
        alike = [name for name in self._processes if name.partition(" ")[0] == what]
        self._processes[self._chance.choice(alike)].kill()

    def _new_ladder(self, database: Database) -> Ladder:
        ladder = tiny_ladder_in(database, name="Soak", versions_per_day=100)
        moves = ("UP", "DOWN", "LEFT", "RIGHT")
        names = [f"bot {number}" for number in range(LADDER_BOTS)]
        enter_all(
            database,
            ladder,
            [
                real_bot_in(database, self.out, name, f"return {move!r}")
                for name, move in zip(names, moves, strict=True)
            ],
        )
        return ladder

    def _serve(self, port: int, *words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, str(bootstrap.HOME / "main.py"), "--out", str(self.out)]
        return subprocess.Popen(
            [*command, "serve", "--port", str(port), *words],
            cwd=bootstrap.HOME,
            env={**ENVIRONMENT, "SLIME_MIND_DATABASE": self.url},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def _supervise(self) -> None:
        while not self._is_over.wait(PROBE_S):
            for process in self._processes.values():
                process.look(time.monotonic())


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
                time.sleep(PROBE_S)


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
            dice = Random(position["step"])
            for ask in position["asks"]:
                half = position["board"]["halves"][ask["piece"] - 1]
                moves = [f"{s}-{t}" for s, targets in half["moves"].items() for t in targets]
                if not moves:
                    continue
                body = {name: ask[name] for name in ("step", "team", "piece")}
                order = {**body, "order": dice.choice(moves)}
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
                time.sleep(PROBE_S)


class Crowd:
    """Spectators, each with a stream of the newest game of one of the players."""

    def __init__(self, league: League, table: Sequence[Player], size: int) -> None:
        self._ports = league.ports[:2]
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
            await asyncio.sleep(2 * PROBE_S)

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
                    self.heard[number, game] = int(line[4:])
        finally:
            writer.close()

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
        yield ladder, f"/ladders/{self._ladder.id}"
        if self._player.games:
            yield game, f"/games/{self._player.games[0]}"


KINDS = ("web", "worker", "arena", "postgresql", "scheduler")
"""What is killed, in turn."""


def soak(
    folder: Path, *, minutes: float, spectators: int, kill_every_s: float, seed: int
) -> Figures:
    """Run it for so long; return what came of it."""
    chance = Random(seed)
    with running() as postgresql:
        with closing(League(folder, postgresql, chance)) as league:
            visitor = Visitor(league)
            visitor.insist("GET", "/healthz/ready")
            table = [
                Player(league, number, against_bot=number == GAMES - 1) for number in range(GAMES)
            ]
            author, crowd = Author(league), Crowd(league, table, spectators)
            prober = Prober(league, table[0])
            with (
                _threads(*[one.play for one in table], author.hand_in) as ends_work,
                _threads(crowd.watch, prober.probe),
            ):
                _kill(league, minutes, kill_every_s)
                ends_work()
                last = {player.games[-1]: _step_of(visitor, player.games[-1]) for player in table}
                _wait_until(lambda: crowd.behind(last) == 0, PATIENCE_S)
                behind = crowd.behind(last)
            _wait_until(lambda: not _unchecked(league), 4 * PATIENCE_S)
        figures = Figures(minutes=minutes, kills=dict(league.kills), away_s=dict(prober.away_s))
        figures.orders = sum(len(player.acknowledged) for player in table)
        figures.games = sum(len(player.games) for player in table)
        figures.handed_in = len(author.accepted)
        figures.streams, figures.reconnections = spectators, crowd.reconnections
        figures.behind = behind
        figures.lost = [
            *_lost_orders(league, table, folder),
            *_lost_results(league, figures),
            *_lost_bots(league, author),
        ]
        return figures


@contextmanager
def _threads(*bodies: Callable[[threading.Event], None]) -> Iterator[Callable[[], None]]:
    """Run functions in threads of their own; yields what ends them. What fails there fails here."""
    is_over, failures = threading.Event(), list[BaseException]()

    def run(body: Callable[[threading.Event], None]) -> None:
        try:
            body(is_over)
        except BaseException as failure:  # noqa: BLE001 - it is raised where it is seen
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]

    def end() -> None:
        is_over.set()
        for thread in threads:
            thread.join()

    with ExitStack() as stack:
        stack.callback(end)
        for thread in threads:
            thread.start()
        yield end
    if failures:
        raise failures[0]


def _kill(league: League, minutes: float, every_s: float) -> None:
    """Kill one kind after the other until the time is over; the last is given time to be back."""
    until = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() + 2 * every_s < until:
        time.sleep(every_s)
        league.kill_one(KINDS[number % len(KINDS)])
        number += 1
    time.sleep(max(0.0, until - time.monotonic()))


def _wait_until(is_so: Callable[[], bool], most_s: float) -> None:
    until = time.monotonic() + most_s
    while time.monotonic() < until and not is_so():
        time.sleep(PROBE_S)


def _step_of(visitor: Visitor, game: str) -> int:
    step: int = visitor.insist("GET", f"/api/v1/games/{game}").json()["step"]
    return step


def _unchecked(league: League) -> bool:
    """Return whether bots are still being checked."""
    with closing(Database(league.url)) as database:
        return bool(Bots(database).versions_to_check())


def _lost_orders(league: League, table: Sequence[Player], folder: Path) -> Iterator[str]:
    """Yield the acknowledged orders that are not in the games, and games that are not whole."""
    with closing(Storage(league.url)) as storage:
        for player in table:
            made = defaultdict(list)
            for game, board, ply, move in player.acknowledged:
                made[game].append((board, ply, move))
            for game, orders in made.items():
                stored = storage.game(game)
                if stored is None:
                    yield f"game {game}"
                    continue
                room = Room(stored, storage)
                played: dict[int, list[str]] = {1: [], 2: []}
                for decision in room.decisions:
                    assert decision.ask is not None
                    played[decision.ask.piece_id].append(decision.orders[0].move)
                for board, ply, move in orders:
                    if played[board][ply : ply + 1] != [move]:
                        yield f"order {move} of game {game}"
                room.record(folder / f"{game}.replay")
                if (wrong := verify(Replay(folder / f"{game}.replay"))) is not None:
                    yield f"game {game}: {wrong}"


def _lost_results(league: League, figures: Figures) -> Iterator[str]:
    """Yield the results that count twice, or that are without their match."""
    with closing(Database(league.url)) as database, database.reading() as connection:
        rows = connection.execute(select(fixtures).where(fixtures.c.result.is_not(None))).all()
        counted = select(players.c.fixture, func.count()).group_by(players.c.fixture)
        seats = {row[0]: row[1] for row in connection.execute(counted)}
    figures.matches = len(rows)
    doubled = len(rows) - len({row.key for row in rows})
    if doubled:
        yield f"{doubled} results counted twice"
    for row in rows:
        if seats.get(row.id) != len(json.loads(row.seats)):
            yield f"fixture {row.id} counts for {seats.get(row.id)} seats"
        if not (league.out / ResultFolder.MATCHES / row.key / RESULT).is_file():
            yield f"the match of fixture {row.id}"


def _lost_bots(league: League, author: Author) -> Iterator[str]:
    """Yield the bots that were accepted, and are not there or were never checked."""
    with closing(Database(league.url)) as database:
        bots = Bots(database)
        for path in author.accepted:
            bot_id, _, number = path.partition("/bots/")[2].partition("/versions/")
            version = bots.version_numbered(bot_id, int(number))
            if version is None:
                yield f"bot {path}"
            elif version.state is not VersionState.ACTIVE:
                yield f"bot {path} is {version.state.value}: {version.why}"


def _free_port() -> int:
    with socket.socket() as finder:
        finder.bind((HERE, 0))
        port: int = finder.getsockname()[1]
        return port


@click.command()
@click.option("--minutes", default=30.0, show_default=True)
@click.option("--spectators", default=200, show_default=True)
@click.option("--kill-every", default=20.0, show_default=True, help="Seconds.")
@click.option("--seed", default=1, show_default=True)
def main(minutes: float, spectators: int, kill_every: float, seed: int) -> None:
    """Run a league for a while, and kill its processes meanwhile."""
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        Path(folder).chmod(0o711)
        figures = soak(
            Path(folder),
            minutes=minutes,
            spectators=spectators,
            kill_every_s=kill_every,
            seed=seed,
        )
    click.echo(figures.table())
    sys.exit(bool(figures.lost or figures.behind))


if __name__ == "__main__":
    main()
