"""The arena: what a server spends on a match and on a page, and how soon a bot has a result."""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Self

import msgspec
from sqlalchemy import insert, select
from starlette.requests import Request

from benchmarks.table import Effort, Figure, Of, Target
from engine.bots.finding import Copies, read_bot
from engine.bots.sandbox import Level
from engine.catalogue import game_named
from engine.errors import EngineFailure
from engine.games.slime_mind.settings import Settings
from engine.streams import seed_text
from runners.run_options import RunOptions
from server.arena.bots import Bots
from server.arena.checking import Checking
from runners.contests.player import ContestObserver, ContestPlayer
from runners.contests.ladder_contest import LadderMatch
from runners.storage.store import KeptResult
from runners.storage.tables import matches
from server.arena.entering import Entering
from server.arena.house import House
from server.arena.intake import Intake
from server.arena.ladder_pages import LadderPages
from server.arena.ladder_tables import LadderTables
from runners.contests.ladders import Ladder, Ladders, new_ladder_id, usual_spec
from server.arena.notices import Notices
from runners.contests.ladder_ratings import Published, publish, ratings_of
from server.arena.reporting import Reporter
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    fixtures,
    players,
    versions,
)
from server.arena.uploads import Sent
from server.audit import AuditLog
from runners.storage.database import Database
from runners.storage.database_files import DATABASE
from server.people import Kind, People
from runners.storage.database import now
from runners.storage.schema import ensure_schema
from server.visits import Desk

BOT = """
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "LEFT"
"""
TINY = Settings(
    columns=6, rows=4, max_turns=3, slime_pairs=1, plant_pairs=0, rock_pairs=0, min_split_level=12
)
FIELD, LISTED, AUTHORS = 60, 1_000, 10
SMALL = 1_000
"""A benchmark with fewer orders than this only shows that it runs."""
MATCHES, VISITS = 400, 50
SETS_OF_EACH = 10
SETTLED_S, PATIENCE_S = 3.0, 120.0
HOME = Path(__file__).resolve().parents[1]
Pair = tuple[str, str]
Scores = tuple[float, float]
MS_PER_S = 1_000


def measure(effort: Effort) -> list[Figure]:
    """Measure the dispatcher, ratings, the page of a ladder, and handing in."""
    is_small = effort.orders < SMALL
    return [
        match_overhead(4 if is_small else FIELD, 4 if is_small else MATCHES),
        match_overhead(20 if is_small else LISTED, 4 if is_small else MATCHES),
        measure_rating(20 if is_small else LISTED),
        *measure_pages(20 if is_small else LISTED),
        *_first_result(),
    ]


def match_overhead(bots: int, matches: int) -> Figure:
    """Return what a match costs this process, which plays none itself: CPU time of all threads.

    Notices are written, and ratings published; those are computed by another process.
    """
    with TemporaryDirectory() as folder, closing(new_database(Path(folder))) as database:
        ladder = new_ladder(database)
        add_bots(database, ladder, bots, kept_bot(Path(folder)))
        reporter = Reporter(database, LadderTables(database))
        count, has_warmed, is_done = 0, threading.Event(), threading.Event()

        class Counting(ContestObserver):
            def played(
                self, match: LadderMatch, result: KeptResult, quarantined: Collection[str]
            ) -> None:
                nonlocal count
                reporter.played(match, result, quarantined)
                count += 1
                if count == 2:
                    has_warmed.set()
                if count == matches + 2:
                    is_done.set()

            def rated(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
                reporter.rated(ladder_id, ratings)

        player = ContestPlayer(database, RunOptions(out=Path(folder)), Counting())
        player.begin()
        has_warmed.wait()
        before = time.process_time()
        is_done.wait()
        used_s = time.process_time() - before
        player.close()
    return Figure(
        name=f"arena, match of {bots}",
        what=f"CPU time of the server for a match of a ladder of {bots} bots",
        unit="ms",
        ours=MS_PER_S * used_s / matches,
        target=Target.at_most(5.0, Of.OURS),
    )


def measure_pages(size: int) -> Iterable[Figure]:
    """Yield what the table of a large ladder costs: unchanged, and with new ratings of all bots."""
    with TemporaryDirectory() as folder, closing(new_database(Path(folder))) as database:
        ladder = new_ladder(database)
        version_ids = add_bots(database, ladder, size, "0" * 16)
        add_played(database, ladder, version_ids)
        _rate(database, ladder, version_ids)
        desk, ladders = Desk(People(database), AuditLog(database)), Ladders(database)
        pages = LadderPages(
            desk, database, LadderTables(database), ladders, Bots(database), Notices(database)
        )
        route = next(one for one in pages.routes if one.path == "/ladders/{id}")

        def visit() -> float:
            scope = {
                "type": "http",
                "method": "GET",
                "path": f"/ladders/{ladder.id}",
                "path_params": {"id": ladder.id},
                "headers": [(b"host", b"localhost")],
                "query_string": b"",
            }
            before = time.process_time()
            response = asyncio.run(route.endpoint(Request(scope)))
            assert response.status_code == 200
            return MS_PER_S * (time.process_time() - before)

        visit()
        again = [visit() for _ in range(VISITS)]
        changed = []
        for _ in range(VISITS // 5):
            _rate(database, ladder, version_ids)
            changed.append(visit())
    yield Figure(
        name="arena, page",
        what=f"CPU time of the page of a ladder of {size} bots",
        unit="ms",
        ours=sorted(again)[len(again) // 2],
        target=Target.at_most(20.0, Of.OURS),
    )
    yield Figure(
        name="arena, page anew",
        what="the same, after all ratings have changed",
        unit="ms",
        ours=sorted(changed)[len(changed) // 2],
        target=Target.at_most(20.0, Of.OURS),
    )


def measure_rating(size: int) -> Figure:
    """Return how long the ratings of a large ladder take, in the process that computes them."""
    with TemporaryDirectory() as folder, closing(new_database(Path(folder))) as database:
        ladder = new_ladder(database)
        add_played(database, ladder, add_bots(database, ladder, size, "0" * 16))
        with database.reading() as connection:
            before = time.process_time()
            ratings_of(connection, ladder.id)
            used_s = time.process_time() - before
    return Figure(
        name="arena, ratings",
        what=f"CPU time of the ratings of {size} bots from {SETS_OF_EACH * size} matches",
        unit="s",
        ours=used_s,
        target=Target.at_most(2.0, Of.OURS),
    )


def _first_result() -> Iterable[Figure]:
    """Yield how long it takes until a bot that is handed in is accepted, and has a result."""
    with TemporaryDirectory() as folder, _Arena(Path(folder)) as arena:
        begun = time.monotonic()
        version = arena.hand_in()
        accepted_s = _seconds_until(lambda: arena.is_active(version), begun)
        result_s = _seconds_until(lambda: arena.has_result(version), begun)
    for name, words, seconds in (
        ("arena, accepted", "it is accepted and has played its first match", accepted_s),
        ("arena, first result", "its first result on the ladder", result_s),
    ):
        yield Figure(
            name=name,
            what=f"from handing in a bot of Slime Mind until {words}",
            unit="s",
            ours=seconds,
            target=Target.at_most(10.0, Of.OURS),
        )


def new_database(folder: Path) -> Database:
    """Return a new database of a server, with all tables."""
    database = Database(folder / DATABASE)
    ensure_schema(database)
    return database


def new_ladder(database: Database, settings: Settings = TINY) -> Ladder:
    """Add a ladder of Slime Mind."""
    at = now()
    game = game_named("slime_mind")
    limits = msgspec.structs.replace(game.limits, wall_ms=10_000, cpu_ms=1_000)
    spec = msgspec.structs.replace(usual_spec(game), settings=settings, limits=limits)
    ladder = Ladder(id=new_ladder_id(), name="Ladder", spec=spec, begins_at=at, created_at=at)
    Ladders(database).add(ladder)
    return ladder


def kept_bot(folder: Path) -> str:
    """Return the digest of a bot that can be played."""
    source = folder / "player_left.py"
    source.write_text(BOT)
    bot = read_bot(source)
    Copies(folder / "bots").keep(bot)
    return bot.digest


def add_bots(database: Database, ladder: Ladder, count: int, digest: str) -> list[str]:
    """Add bots with a version each, and return the ids of the versions."""
    people, at = People(database), now()
    authors = []
    for number in range(AUTHORS):
        key = people.new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))
        authors.append(people.join(key, f"author {number}", None).id)
    ids = [(secrets.token_hex(8), secrets.token_hex(8)) for _ in range(count)]
    with database.writing() as connection:
        connection.execute(
            insert(bots),
            [
                {
                    "id": bot,
                    "person": authors[number % AUTHORS],
                    "game": ladder.spec.game,
                    "name": f"bot {number}",
                    "name_key": f"bot {number}",
                    "is_open": False,
                    "created_at": at,
                }
                for number, (bot, _) in enumerate(ids)
            ],
        )
        connection.execute(
            insert(versions),
            [
                {
                    "id": version,
                    "bot": bot,
                    "number": 1,
                    "digest": digest,
                    "size": 1,
                    "state": VersionState.ACTIVE,
                    "why": "",
                    "handed_in_at": at,
                }
                for bot, version in ids
            ],
        )
        connection.execute(
            insert(entries),
            [
                {
                    "ladder": ladder.id,
                    "bot": bot,
                    "state": EntryState.PLAYING,
                    "why": "",
                    "entered_at": at,
                    "changed_at": at,
                }
                for bot, _ in ids
            ],
        )
    return [version for _, version in ids]


def _rate(database: Database, ladder: Ladder, version_ids: Iterable[str]) -> None:
    """Publish ratings twice, so that there are older ones, too."""
    dice = Random(1)
    for ago in (timedelta(days=2), timedelta()):
        at = now() - ago
        found = {
            version: Published(
                version=version,
                at=at,
                games=100,
                elo=(elo := dice.gauss(1_500, 300)),
                low=elo - 50,
                high=elo + 50,
            )
            for version in version_ids
        }
        publish(database, ladder.id, found, at)


def add_played(database: Database, ladder: Ladder, version_ids: Sequence[str]) -> int:
    """Add matches that were played, of pairs by chance; the stronger one wins more often.

    Returns how many there are.
    """
    dice, at = Random(2), now()
    strength = {version: dice.gauss(0, 1) for version in version_ids}
    played: list[dict[str, object]] = []
    results: list[dict[str, object]] = []
    seats: list[dict[str, object]] = []
    for number in range(SETS_OF_EACH * len(version_ids) // 2):
        one, other = dice.sample(version_ids, 2)
        for place in ((one, other), (other, one)):
            beats = strength[place[0]] + dice.gauss(0, 1) > strength[place[1]]
            scores = (1.0, 0.0) if beats else (0.0, 1.0)
            played.append(_played(ladder.id, len(played) + 1, number + 1, place, at))
            results.append(_result(played[-1], scores))
            seats += _players(len(played), place, scores)
    with database.writing() as connection:
        connection.execute(insert(fixtures), played)
        connection.execute(insert(matches), results)
        connection.execute(insert(players), seats)
    return len(played)


def _played(
    ladder_id: str, number: int, set_number: int, seats: Pair, at: datetime
) -> dict[str, object]:
    """Return the row of a fixture that was played."""
    return {
        "id": number,
        "public_id": f"{number:012x}",
        "ladder": ladder_id,
        "set_number": set_number,
        "seats": msgspec.json.encode(seats).decode(),
        "seed": seed_text(set_number),
        "key": f"{number:064x}",
        "has_result": True,
        "created_at": at,
        "played_at": at,
    }


def _result(fixture: Mapping[str, object], scores: Scores) -> dict[str, object]:
    """Return as much of a result as ratings need."""
    result = {"teams": [{"score": score} for score in scores]}
    return {
        "key": fixture["key"],
        "game": "slime_mind",
        "result": msgspec.json.encode(result).decode(),
        "played_at": fixture["played_at"],
    }


def _players(fixture: int, seats: Pair, scores: Scores) -> list[dict[str, object]]:
    return [
        {"fixture": fixture, "seat": seat, "version": version, "score": score}
        for seat, (version, score) in enumerate(zip(seats, scores, strict=True))
    ]


class _Arena:
    """An arena without its pages, in which the house plays, and somebody hands in a bot."""

    def __init__(self, folder: Path) -> None:
        self._database = new_database(folder)
        self._bots = Bots(self._database)
        ladders, copies = Ladders(self._database), Copies(folder / "bots")
        house = House(self._database, folder)
        for ladder in ladders.ensure_usual():
            house.enter(ladder)
        self._checking = Checking(self._database, folder, Level.DEFAULT)
        entering = Entering(self._bots, ladders, copies)
        people = People(self._database)
        self._me = people.join(people.new_link(Kind.PERSON, made_by=None), "Ann", None)
        desk = Desk(people, AuditLog(self._database))
        self._intake = Intake(desk, self._bots, copies, entering, self._checking.wake)
        self._player = ContestPlayer(self._database, RunOptions(out=folder), ContestObserver())

    def __enter__(self) -> Self:
        self._checking.begin()
        self._player.begin()
        time.sleep(SETTLED_S)  # not a server that has yet to begin
        return self

    def __exit__(self, *_: object) -> None:
        self._player.close()
        self._checking.close()
        self._database.close()

    def hand_in(self) -> str:
        """Hand in a starter bot; return the id of its version."""
        source = (HOME / "playerCode" / "player_two.py").read_bytes()
        form = {"game": "slime_mind", "name": "mine"}
        return self._intake.take(self._me, [Sent("player_mine.py", source)], form, "").version.id

    def is_active(self, version_id: str) -> bool:
        found = self._bots.version(version_id)
        return found is not None and found.state is VersionState.ACTIVE

    def has_result(self, version_id: str) -> bool:
        query = (
            select(players.c.fixture)
            .join(fixtures, fixtures.c.id == players.c.fixture)
            .where(players.c.version == version_id, fixtures.c.has_result)
        )
        with self._database.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None


def _seconds_until(holds: Callable[[], bool], begun: float) -> float:
    while not holds():
        if time.monotonic() - begun > PATIENCE_S:
            raise EngineFailure(f"nothing came of a bot within {PATIENCE_S} s")
        time.sleep(0.02)
    return time.monotonic() - begun
