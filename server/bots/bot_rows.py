"""The rows of bots, of their versions and checks, and how they are looked up."""

from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, func, select

from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.storage.database import struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    CheckState,
    VersionState,
    bots,
    checks,
    coauthors,
    versions,
)
from runners.storage.together import AnyRow, Lookup, only_value
from server.identity.people import names_where


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a person, or of several who share it; its versions follow each other."""

    id: str
    person_id: str
    """The id of its owner."""
    game: str
    name: str
    is_open: bool
    """Whether its owner lets people play against it."""
    created_at: datetime
    authors: frozenset[str]
    """The ids of its owner and of those who share it."""

    def is_by(self, person_id: str) -> bool:
        """Return whether somebody is one of its authors."""
        return person_id in self.authors


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot."""

    id: str
    bot_id: str
    number: int
    """Versions are counted from 1."""
    digest: str
    """The digest of the copy in the folder of bots."""
    size: int
    """The size of all its files, bytes."""
    state: VersionState
    why: str
    """Why it was refused or quarantined."""
    first_match: str | None
    """The key of the match that it played while it was checked."""
    ladder_id: str | None
    """The ladder that its bot enters once it has passed its checks."""
    handed_in_at: datetime
    person_id: str | None
    """The id of who has handed it in; None of a built-in bot."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the checks of a version."""

    place: int
    name: str
    state: CheckState
    words: str
    at: datetime


def bot_of_id(bot_id: str) -> Lookup[Bot | None]:
    """Look up a bot."""
    return bot_where(bots.c.id == bot_id)


def version_by_number(bot_id: str, number: int) -> Lookup[Version | None]:
    """Look up the version of a bot that has a number."""
    query = select(versions).where(versions.c.bot == bot_id, versions.c.number == number)
    return Lookup(query, lambda rows: version_from(rows[0]) if rows else None)


def version_checks(version_id: str) -> Lookup[list[Check]]:
    """Look up the steps of the checks of a version that have begun, in order."""
    query = select(checks).where(checks.c.version == version_id).order_by(checks.c.place)
    return Lookup(query, lambda rows: [struct_from_row(Check, row) for row in rows])


def count_to_check() -> Lookup[int]:
    """Look up how many versions there are whose checks have not ended."""
    return Lookup(select(func.count()).where(versions.c.state == VersionState.CHECKING), only_value)


def authors_names(bot_id: str) -> Lookup[dict[str, str]]:
    """Look up the names of a bot's authors, by their ids; none of one who has left."""
    owner = select(bots.c.person).where(bots.c.id == bot_id)
    others = select(coauthors.c.person).where(
        coauthors.c.bot == bot_id, coauthors.c.accepted_at.is_not(None)
    )
    return names_where(people.c.id.in_(owner.union(others)))


def bot_versions(bot_id: str) -> Lookup[list[Version]]:
    """Look up the versions of a bot, the newest first."""
    return versions_where(versions.c.bot == bot_id)


def authored_bots(person_id: str) -> Lookup[list[Bot]]:
    """Look up the bots of which somebody is an author, the newest first."""
    query = select(bots, coauthor_ids()).where(is_author(person_id))
    newest_first = query.order_by(bots.c.created_at.desc(), bots.c.id)
    return Lookup(newest_first, lambda rows: [bot_from(row) for row in rows])


def bot_where(*conditions: ColumnElement[bool]) -> Lookup[Bot | None]:
    """Look up the first bot of which all conditions hold."""
    query = select(bots, coauthor_ids()).where(*conditions)
    return Lookup(query, lambda rows: bot_from(rows[0]) if rows else None)


def versions_where(*conditions: ColumnElement[bool]) -> Lookup[list[Version]]:
    """Look up the versions of which all conditions hold, the newest first."""
    query = select(versions).where(*conditions).order_by(versions.c.number.desc())
    return Lookup(query, lambda rows: [version_from(row) for row in rows])


def bot_from(row: AnyRow) -> Bot:
    """Return the bot of a row of `bots`."""
    return struct_from_row(Bot, row, person_id=row.person, authors=author_ids(row))


def version_from(row: AnyRow) -> Version:
    """Return the version of a row of `versions`."""
    ids = {"bot_id": row.bot, "ladder_id": row.ladder, "person_id": row.person}
    return struct_from_row(Version, row, **ids)
