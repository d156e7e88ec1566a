"""The arena: what the server itself spends on a match of a ladder, and on a ladder's page."""

import asyncio
import secrets
import threading
import time
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from sqlalchemy import insert
from starlette.requests import Request

from benchmarks.table import Effort, Figure, Of, Target
from engine.bots.finding import Copies, read_bot
from engine.bots.sandbox import Level
from engine.catalogue import game_named
from engine.games.slime_mind.settings import Settings
from server.arena.bots import Bots
from server.arena.dispatcher import Dispatcher
from server.arena.ladder_pages import LadderPages
from server.arena.ladders import Ladder, Ladders, new_ladder_id, usual_spec
from server.arena.notices import Notices
from server.arena.rating import Published, publish
from server.arena.tables import EntryState, VersionState, bots, entries, versions
from server.database import DATABASE, Database
from server.people import Kind, People, now
from server.schema import ensure_schema
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
MS_PER_S = 1_000


def measure(effort: Effort) -> list[Figure]:
    """Measure the dispatcher and the page of a ladder."""
    is_small = effort.orders < SMALL
    return [_overhead(4 if is_small else MATCHES), *_pages(20 if is_small else LISTED)]


def _overhead(matches: int) -> Figure:
    """Return what a match costs this process, which plays none itself: CPU time of all threads."""
    with TemporaryDirectory() as folder, closing(_database(Path(folder))) as database:
        ladder = _ladder(database)
        _add_bots(database, ladder, FIELD, _kept(Path(folder)))
        count, has_warmed, is_done = 0, threading.Event(), threading.Event()

        def played(*about: object) -> None:
            nonlocal count
            count += 1
            if count == 2:
                has_warmed.set()
            if count == matches + 2:
                is_done.set()

        dispatcher = Dispatcher(database, Path(folder), Level.DEFAULT, workers=1)
        dispatcher.on_played = played
        dispatcher.begin()
        has_warmed.wait()
        before = time.process_time()
        is_done.wait()
        used_s = time.process_time() - before
        dispatcher.close()
    return Figure(
        name="arena, match",
        what=f"CPU time of the server for a match of a ladder of {FIELD} bots",
        unit="ms",
        ours=MS_PER_S * used_s / matches,
        target=Target.at_most(5.0, Of.OURS),
    )


def _pages(size: int) -> Iterable[Figure]:
    """Yield what the table of a large ladder costs, at first and unchanged."""
    with TemporaryDirectory() as folder, closing(_database(Path(folder))) as database:
        ladder = _ladder(database)
        version_ids = _add_bots(database, ladder, size, "0" * 16)
        _rate(database, ladder, version_ids)
        desk, ladders = Desk(People(database)), Ladders(database)
        pages = LadderPages(desk, database, ladders, Bots(database), Notices(database))
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

        first = visit()
        again = [visit() for _ in range(VISITS)]
    yield Figure(
        name="arena, page",
        what=f"CPU time of the page of a ladder of {size} bots",
        unit="ms",
        ours=sorted(again)[len(again) // 2],
        target=Target.at_most(20.0, Of.OURS),
    )
    yield Figure(
        name="arena, page anew",
        what="the same, at first or after a change",
        unit="ms",
        ours=first,
    )


def _database(folder: Path) -> Database:
    database = Database(folder / DATABASE)
    ensure_schema(database)
    return database


def _ladder(database: Database) -> Ladder:
    at = now()
    game = game_named("slime_mind")
    limits = msgspec.structs.replace(game.limits, wall_ms=10_000, cpu_ms=1_000)
    spec = msgspec.structs.replace(usual_spec(game), settings=TINY, limits=limits)
    ladder = Ladder(id=new_ladder_id(), name="Ladder", spec=spec, begins_at=at, created_at=at)
    Ladders(database).add(ladder)
    return ladder


def _kept(folder: Path) -> str:
    """Return the digest of a bot that can be played."""
    source = folder / "player_left.py"
    source.write_text(BOT)
    bot = read_bot(source)
    Copies(folder / "bots").keep(bot)
    return bot.digest


def _add_bots(database: Database, ladder: Ladder, count: int, digest: str) -> list[str]:
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
