"""Whether a version is accepted, and of which bot it becomes one: its name, its size, its files."""

import secrets
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, func, insert, select

from engine.bots.own_files import format_megabytes
from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.contests.contests import Contest, Ladder, describe_end
from runners.contests.entries import NotEntered, require_member
from runners.storage.database import now
from runners.storage.ladder_tables import VersionState, bots, versions
from runners.storage.tables import name_key
from server.bots.bot_rows import Version, version_from
from server.identity.look_alikes import looks_like_one_of

DAY = timedelta(days=1)
MAX_BOTS_PER_GAME = 20
"""Bots of one person in one game."""
MAX_BYTES_PER_DAY = 256_000_000
"""The files of all versions that a person may hand in within 24 hours: they are kept."""


class NewVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version that somebody hands in: of a new bot, or of one that they own or share."""

    person_id: str
    game: str
    name: str
    digest: str
    size: int
    """The size of all its files, bytes."""
    most_per_day: int
    """How many versions of this bot may be handed in within 24 hours."""
    ladder: Ladder | None
    """Where it is to play; None where that is left open."""


class NotAccepted(Exception):
    """Why a version cannot be handed in, in words."""


class TooManyVersions(NotAccepted):
    """A bot has had all the versions of a day."""


class Identical(NotAccepted):
    """The bot has a version of the same files."""

    def __init__(self, version: Version) -> None:
        super().__init__(
            f"these are the files of version {version.number}, which is {version.state}: nothing "
            "was changed"
        )
        self.version = version


def accepting_bot(connection: Connection, new: NewVersion, at: datetime) -> str | None:
    """Return the id of the bot that may have this version; None for a new bot.

    Raises: NotAccepted.
    """
    if new.ladder is not None and new.ladder.is_closed(at):
        raise NotAccepted(f"{new.ladder.name} {describe_end(new.ladder)}")
    if new.ladder is not None:
        try:
            require_member(connection, Contest(ladder=new.ladder), new.person_id)
        except NotEntered as error:
            raise NotAccepted(str(error)) from error
    since = at - DAY
    bot_id = _own_bot(connection, new.person_id, new.game, new.name)
    if bot_id is not None:
        _require_new(connection, bot_id, new.digest, since, new.most_per_day)
    _require_room(connection, new.person_id, new.size, since)
    return bot_id


def _own_bot(connection: Connection, person_id: str, game: str, name: str) -> str | None:
    """Return the id of the bot of this name that somebody owns or shares; None if they may make it.

    Raises: NotAccepted.
    """
    named = bots.c.game == game, bots.c.name_key == name_key(name)
    query = select(bots.c.id, bots.c.name, bots.c.person, coauthor_ids()).where(*named)
    found = connection.execute(query).one_or_none()
    if found is not None:
        if person_id not in author_ids(found):
            raise NotAccepted(f"somebody else's bot is called {found.name}: choose another name")
        return str(found.id)
    others = select(bots.c.name).where(bots.c.game == game, ~is_author(person_id))
    if looks_like_one_of(name, connection.execute(others).scalars()):
        raise NotAccepted("this name looks like that of somebody else's bot: choose another name")
    statement = select(func.count()).select_from(bots)
    count = connection.execute(statement.where(bots.c.person == person_id, bots.c.game == game))
    if count.scalar_one() >= MAX_BOTS_PER_GAME:
        raise NotAccepted(
            f"you have {MAX_BOTS_PER_GAME} bots in this game, and nobody may have more: hand in "
            "a new version of one of them"
        )
    return None


def add_bot(connection: Connection, person_id: str, game: str, name: str) -> str:
    """Make a bot without versions; return its id."""
    bot_id = secrets.token_hex(8)
    row = {
        "id": bot_id,
        "person": person_id,
        "game": game,
        "name": name,
        "name_key": name_key(name),
        "is_open": False,
        "created_at": now(),
    }
    connection.execute(insert(bots).values(row))
    return bot_id


def _require_new(
    connection: Connection, bot_id: str, digest: str, since: datetime, most: int
) -> None:
    """Raises: Identical, TooManyVersions."""
    where = versions.c.bot == bot_id
    same = select(versions).where(
        where, versions.c.digest == digest, versions.c.state != VersionState.REFUSED
    )
    found = connection.execute(same.order_by(versions.c.number.desc())).first()
    if found is not None:
        raise Identical(version_from(found))
    today = select(func.count()).select_from(versions).where(where, versions.c.handed_in_at > since)
    if connection.execute(today).scalar_one() >= most:
        raise TooManyVersions(
            f"this bot has had {most} versions within 24 hours, and more are not allowed: try "
            "again later"
        )


def _require_room(connection: Connection, person_id: str, size: int, since: datetime) -> None:
    """Raises: TooManyVersions."""
    where = versions.c.person == person_id, versions.c.handed_in_at > since
    today = select(func.sum(versions.c.size)).where(*where)
    if (connection.execute(today).scalar() or 0) + size > MAX_BYTES_PER_DAY:
        raise TooManyVersions(
            f"your versions of the last 24 hours would have more than "
            f"{format_megabytes(MAX_BYTES_PER_DAY)} with this one: try again later, or with fewer "
            "files"
        )
