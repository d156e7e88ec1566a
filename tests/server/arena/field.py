"""An arena for tests: people, bots with versions, and ladders in a real database."""

import secrets
from datetime import timedelta

import msgspec
from sqlalchemy import insert

from engine.catalogue import game_named
from server.arena.ladders import Ladder, Ladders, new_ladder_id, usual_spec
from server.arena.tables import VersionState, bots, versions
from server.database import Database
from server.people import Kind, People, now


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


def ladder_in(database: Database, game: str = "slime_mind", **fields: object) -> Ladder:
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
