"""The harness of the benchmarks of servers: what a server keeps, its process, and who asks it."""

import asyncio
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Table, insert
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from benchmarks.command_line import HOME
from benchmarks.web_program import HOST
from engine.bots.clock import process_cpu_clock
from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.games.slime_mind.settings import Settings
from engine.replays.writing import Contestant
from engine.result import CpuUse
from engine.streams import seed_text
from runners.contests.ladder_ratings import Published, publish
from runners.contests.contests import Ladder, new_ladder_id, usual_spec
from runners.contests.ladders import Ladders
from runners.contests.player import ContestObserver, ContestPlayer
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.schema import DATABASE
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.schema import ensure_schema
from runners.storage.store import StoredResult, StoredTeam
from runners.storage.tables import matches
from server.identity.people import Kind, People, Person
from server.identity.visitors import Visitor

BOT = """
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "LEFT"
"""
TINY = Settings(
    columns=6, rows=4, max_turns=3, slime_pairs=1, plant_pairs=0, rock_pairs=0, min_split_level=12
)
NO_BOT = "0" * 16
"""The digest of bots that are never played."""
AUTHORS = 10
SETS_OF_EACH = 10
MS_PER_S, US_PER_NS = 1e3, 1e-3


class Site:
    """The people, bots and ladders that a server keeps in a folder; as a context."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        self.database = Database(self.path)
        ensure_schema(self.database)

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *about: object) -> None:
        self.database.close()

    def join(self, name: str) -> Person:
        """Let somebody join."""
        people = People(self.database)
        return people.join(people.new_link(Kind.PERSON, made_by=None), name, None)

    def new_ladder(self, settings: Settings = TINY) -> Ladder:
        """Add a ladder of Slime Mind."""
        at, game = now(), find_game("slime_mind")
        limits = replace(game.limits, wall_ms=10_000, cpu_ms=1_000)
        spec = replace(usual_spec(game), settings=settings, limits=limits)
        ladder = Ladder(id=new_ladder_id(), name="Ladder", spec=spec, begins_at=at, created_at=at)
        Ladders(self.database).add(ladder)
        return ladder

    def add_bot(self) -> str:
        """Return the digest of a bot that can be played."""
        source = self.folder / "player_left.py"
        source.write_text(BOT)
        bot = read_bot(source)
        Copies(self.folder / "bots").save(bot)
        return bot.digest

    def add_bots(self, ladder: Ladder, count: int, digest: str = NO_BOT) -> list[str]:
        """Let bots with a version each into a ladder, and return the ids of the versions."""
        authors, at = [self.join(f"author {number}").id for number in range(AUTHORS)], now()
        ids = [(secrets.token_hex(8), secrets.token_hex(8)) for _ in range(count)]
        bot = {"game": ladder.spec.game, "is_open": False, "created_at": at}
        version = {"number": 1, "digest": digest, "size": 1, "state": VersionState.ACTIVE}
        entry = {"contest": ladder.id, "state": EntryState.PLAYING, "why": "", "entered_at": at}
        named = [
            {**bot, "id": own, "person": authors[number % AUTHORS], **_name(f"bot {number}")}
            for number, (own, _) in enumerate(ids)
        ]
        handed_in = [
            {**version, "id": first, "bot": own, "why": "", "handed_in_at": at}
            for own, first in ids
        ]
        entered = [{**entry, "bot": own, "changed_at": at} for own, _ in ids]
        self._insert((bots, named), (versions, handed_in), (entries, entered))
        return [first for _, first in ids]

    def add_matches(self, ladder: Ladder, version_ids: Sequence[str]) -> int:
        """Add matches that were played, of pairs by chance; the stronger one wins more often.

        Returns how many there are.
        """
        dice, at = Random(2), now()
        strength = {version: dice.gauss(0, 1) for version in version_ids}
        played: list[dict[str, object]] = []
        results: list[dict[str, object]] = []
        seats: list[dict[str, object]] = []
        for number in range(1, SETS_OF_EACH * len(version_ids) // 2 + 1):
            one, other = dice.sample(version_ids, 2)
            for pair in ((one, other), (other, one)):
                beats = strength[pair[0]] + dice.gauss(0, 1) > strength[pair[1]]
                scores = (1.0, 0.0) if beats else (0.0, 1.0)
                fixture = len(played) + 1
                key, when = f"{fixture:064x}", {"played_at": at}
                words = {"seats": _json(pair), "seed": seed_text(number), "has_result": True}
                about = {"id": fixture, "public_id": f"{fixture:012x}", "set_number": number}
                played.append({**about, **words, **when, "key": key, "created_at": at})
                result = _json(_make_result(key, scores))
                results.append({**when, "key": key, "game": ladder.spec.game, "result": result})
                seats += [
                    {"fixture": fixture, "seat": seat, "version": version, "score": score}
                    for seat, (version, score) in enumerate(zip(pair, scores, strict=True))
                ]
        of_ladder = [{"ladder": ladder.id, **row} for row in played]
        self._insert((fixtures, of_ladder), (matches, results), (players, seats))
        return len(played)

    def rate(self, ladder: Ladder, version_ids: Iterable[str]) -> None:
        """Publish ratings by chance, twice, so that there are older ones, too."""
        dice = Random(1)
        for at in (now() - timedelta(days=2), now()):
            elos = {version: dice.gauss(1_500, 300) for version in version_ids}
            usual = Published(version="", at=at, games=100, elo=0.0, low=0.0, high=0.0)
            found = {
                version: replace(usual, version=version, elo=elo, low=elo - 50, high=elo + 50)
                for version, elo in elos.items()
            }
            publish(self.database, ladder.id, found, at)

    @contextmanager
    def playing(self, observer: ContestObserver | None = None, workers: int = 1) -> Iterator[None]:
        """Play the ladders meanwhile."""
        options = RunOptions(out=self.folder, workers=workers)
        player = ContestPlayer(self.database, options, observer or ContestObserver())
        player.start()
        try:
            yield
        finally:
            player.close()

    def _insert(self, *rows_of: tuple[Table, list[dict[str, object]]]) -> None:
        with self.database.transaction() as connection:
            for table, rows in rows_of:
                connection.execute(insert(table), rows)


def _make_result(key: str, scores: Sequence[float]) -> StoredResult:
    """Return a result of a match without faults."""
    cpu = CpuUse(calls=0, median_us=0, p95_us=0, max_us=0, total_ms=0)
    team = StoredTeam(
        bot=Contestant(name="bot", digest=""),
        score=0.0,
        faults={},
        details={},
        restarts=0,
        out=None,
        cpu=cpu,
    )
    return StoredResult(
        key=key,
        winner=1 + scores.index(max(scores)),
        reason="turns",
        turns=TINY.max_turns,
        teams=tuple(replace(team, score=score) for score in scores),
        fingerprint="",
    )


def _name(name: str) -> dict[str, str]:
    return {"name": name, "name_key": name}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@contextmanager
def new_site() -> Iterator[Site]:
    """Make a site in a folder that goes with the block."""
    with TemporaryDirectory() as folder, Site(Path(folder)) as site:
        yield site


class Server:
    """A web server that runs in a process of its own."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def cpu_ns(self) -> int:
        """Return the CPU time that it has used."""
        clock = process_cpu_clock(self.pid)
        assert clock is not None
        return clock()

    def cpu_us(self, times: int, do: Callable[[], object]) -> float:
        """Return its CPU time for what is done so often, us each time."""
        before = self.cpu_ns()
        for _ in range(times):
            do()
        return (self.cpu_ns() - before) / times * US_PER_NS


@contextmanager
def serving(*arguments: object) -> Iterator[Server]:
    """Start a server as benchmarks/web_program.py says, and end it."""
    command = [sys.executable, "-m", "benchmarks.web_program", *map(str, arguments)]
    with subprocess.Popen(
        command, cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Server(process.pid, int(process.stdout.readline()))
        finally:
            process.stdin.close()


class Client:
    """Asks a server over a connection that stays open."""

    def __init__(self, server: Server, cookie: str = "") -> None:
        self._connection = HTTPConnection(HOST, server.port)
        self._headers = {"content-type": "application/json", "cookie": cookie}

    def get(self, path: str) -> Any:
        return self._request("GET", path)

    def post(self, path: str, content: object) -> Any:
        return self._request("POST", path, msgspec.json.encode(content))

    def _request(self, method: str, path: str, body: bytes | None = None) -> Any:
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return msgspec.json.decode(content)


def page_ms(routes: Iterable[BaseRoute], people: People, pattern: str, **parameters: str) -> float:
    """Return the CPU time of a page without a server, ms."""
    route = next(one for one in routes if isinstance(one, Route) and one.path == pattern)
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": pattern.format(**parameters),
        "path_params": parameters,
        "headers": [(b"host", b"localhost")],
        "query_string": b"",
    }
    scope["user"] = Visitor(Request(scope), people, None)
    before = time.process_time()
    response = asyncio.run(route.endpoint(Request(scope)))
    assert response.status_code == 200
    return MS_PER_S * (time.process_time() - before)
