"""An arena for tests: people, bots with versions, and ladders in a real database."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, select

from engine.bots.finding import Copies, read_bot
from engine.catalogue import game_named
from engine.record import Contestant
from engine.result import cpu_use
from runners.run_options import RunOptions
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState, bots, fixtures, versions
from runners.storage.store import KeptResult, KeptTeam
from server.arena.dispatcher import Dispatcher
from server.arena.fixtures import Fixture
from server.arena.ladders import Ladder, Ladders, new_ladder_id, usual_spec
from server.people import Kind, People, now
from tests.engine.bots.matches import DUEL, GAME, LENIENT, a_bot


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was made for a test, with one active version."""

    id: str
    name: str
    person: str
    version: str


def person_in(database: Database, name: str) -> str:
    """Return the id of a new person."""
    people = People(database)
    key = people.new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))
    return people.join(key, name, None).id


def bot_in(
    database: Database,
    person: str,
    name: str,
    *,
    game: str = "slime_mind",
    digest: str = "0" * 16,
) -> Made:
    """Add a bot with one version that is active."""
    made = Made(id=secrets.token_hex(8), name=name, person=person, version=secrets.token_hex(8))
    with database.writing() as connection:
        connection.execute(
            insert(bots).values(
                id=made.id,
                person=person,
                game=game,
                name=name,
                name_key=name,
                is_open=False,
                created_at=now(),
            )
        )
    version_in(database, made, made.version, digest=digest)
    return made


def version_in(
    database: Database,
    bot: Made,
    version: str,
    *,
    number: int = 1,
    digest: str = "0" * 16,
    state: VersionState = VersionState.ACTIVE,
) -> None:
    """Add a version of a bot."""
    with database.writing() as connection:
        connection.execute(
            insert(versions).values(
                id=version,
                bot=bot.id,
                number=number,
                digest=digest,
                size=100,
                state=state,
                why="",
                handed_in_at=now(),
            )
        )


def ladder_in(database: Database, game: str = "slime_mind", **fields: Any) -> Ladder:
    """Add a ladder that has begun."""
    at = now()
    usual = Ladder(
        id=new_ladder_id(),
        name=f"ladder {secrets.token_hex(2)}",
        spec=usual_spec(game_named(game)),
        begins_at=at,
        created_at=at,
    )
    ladder = msgspec.structs.replace(usual, **fields)
    Ladders(database).add(ladder)
    return ladder


def tiny_ladder_in(database: Database, **fields: Any) -> Ladder:
    """Add a ladder of matches of three turns, in which no honest bot is late."""
    limits = msgspec.structs.replace(LENIENT, max_restarts=1)
    spec = msgspec.structs.replace(usual_spec(GAME), settings=DUEL, limits=limits)
    return ladder_in(database, spec=spec, **fields)


def real_bot_in(
    database: Database, out: Path, name: str, decide: str = "return None", *, person: str = ""
) -> Made:
    """Add a bot that can be played, of an author of its own unless that is said."""
    bot = read_bot(a_bot(out / "sources" / name, f"name = {name!r}\n{decide}"))
    Copies(out / "bots").keep(bot)
    author = person or person_in(database, f"author of {name}")
    return bot_in(database, author, name, digest=bot.digest)


def enter_all(database: Database, ladder: Ladder, bots_made: Iterable[Made]) -> None:
    """Let bots into a ladder."""
    for bot in bots_made:
        Ladders(database).enter(ladder.id, bot.id)


@contextmanager
def dispatching(database: Database, out: Path, workers: int = 1) -> Iterator[Dispatcher]:
    """Yield a dispatcher that plays, and ends with the block; what fails in it fails the test."""
    failures: list[str] = []
    dispatcher = Dispatcher(database, RunOptions(out=out, workers=workers))
    dispatcher.on_failure = failures.append
    dispatcher.begin()
    try:
        yield dispatcher
    finally:
        dispatcher.close()
    assert failures == []


def made_up(
    fixture: Fixture, scores: Sequence[float] = (1.0, 0.0), outs: Mapping[str, str] | None = None
) -> KeptResult:
    """Return a result of a match that nobody played; `outs`: why versions broke in it."""
    teams = tuple(
        KeptTeam(
            bot=Contestant(name=version, digest="0" * 16),
            score=score,
            faults={},
            details={},
            restarts=0,
            out=(outs or {}).get(version) or None,
            cpu=cpu_use([1_000]),
        )
        for version, score in zip(fixture.seats, scores, strict=True)
    )
    return KeptResult(
        key=fixture.key, winner=1, reason="", turns=3, teams=teams, fingerprint=fixture.key
    )


def results_in(database: Database, ladder: Ladder) -> list[Any]:
    """Return the fixtures of a ladder that have a result, in their order."""
    query = select(fixtures).where(fixtures.c.ladder == ladder.id, fixtures.c.result.is_not(None))
    with database.reading() as connection:
        return list(connection.execute(query.order_by(fixtures.c.id)))
