"""Copies that were noticed: files that are alike, in bots without an author in common."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, Select, insert, select, update

from engine.bots.finding import Packed
from runners.contests.authors import author_names, authors_of, coauthor_ids
from runners.storage.database import Database, aware, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import bots, copies, fingerprints, versions
from runners.storage.together import Lookup
from server.bots.bot_rows import Bot, Version
from server.bots.likeness import Likeness, LikenessReader
from server.identity.people import HOUSE

MOST_OTHERS = 5
"""Of a file that many have, the bots that had it first."""
MOST_SHOWN = 100


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of two files that are alike."""

    bot: str
    name: str
    authors: str
    """Their names."""
    number: int
    """That of the version."""
    digest: str
    """That of all files of the version."""
    file: str
    handed_in_at: datetime


class NoticedCopy(msgspec.Struct, frozen=True, kw_only=True):
    """Two files that are alike."""

    id: int
    earlier: Side
    later: Side
    is_exact: bool
    """Whether they are the same, byte for byte."""
    is_seen: bool
    """Whether an organizer has looked at it."""


class _Other(NamedTuple):
    bot: str
    version: str
    file: str
    exact: str


class NoticedCopies:
    """The copies that were noticed on a server. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def look_at(self, version: Version, bot: Bot, packed: Packed) -> None:
        """Compare the files of a version that is accepted with those of everybody else.

        It does no harm if it was done before. Raises: EngineFailure.
        """
        with LikenessReader() as reader:
            found = dict(reader.files_of(packed))
        if not found:
            return
        exact = {file: sha256(packed.files[file]).hexdigest() for file in found}
        with self._database.writing() as connection:
            known = select(fingerprints.c.file).where(fingerprints.c.version == version.id)
            if connection.execute(known.limit(1)).first() is not None:
                return
            for file, likeness in found.items():
                self._note(connection, version, bot, file, likeness, exact)
            rows = [
                {
                    "version": version.id,
                    "file": file,
                    "likeness": likeness.digest,
                    "exact": exact[file],
                }
                for file, likeness in found.items()
            ]
            connection.execute(insert(fingerprints), rows)

    def mark_seen(self, number: int) -> bool:
        """Note that an organizer has looked at a pair; return whether there is one."""
        mine = update(copies).where(copies.c.id == number)
        with self._database.writing() as connection:
            return connection.execute(mine.values(seen_at=now())).rowcount == 1

    def _note(
        self,
        connection: Connection,
        version: Version,
        bot: Bot,
        file: str,
        likeness: Likeness,
        exact: Mapping[str, str],
    ) -> None:
        for other in _others(connection, bot, likeness.digest):
            pair = {copies.c.bot: bot.id, copies.c.other_bot: other.bot}
            same = [column == value for column, value in pair.items()]
            before = select(copies.c.id).where(*same, copies.c.likeness == likeness.digest)
            if connection.execute(before).first() is not None:
                continue
            row = {
                "bot": bot.id,
                "other_bot": other.bot,
                "likeness": likeness.digest,
                "version": version.id,
                "file": file,
                "other_version": other.version,
                "other_file": other.file,
                "is_exact": other.exact == exact[file],
                "noticed_at": now(),
            }
            connection.execute(insert(copies).values(row))


def newest_copies() -> Lookup[list[NoticedCopy]]:
    """Look up the copies that were noticed: first those that nobody has seen, the newest first."""
    query = _pairs().order_by(copies.c.seen_at.is_not(None), copies.c.id.desc())
    return Lookup(query.limit(MOST_SHOWN), lambda rows: [_copy(row) for row in rows])


def copy_numbered(number: int) -> Lookup[NoticedCopy | None]:
    """Look up two files that are alike."""
    query = _pairs().where(copies.c.id == number)
    return Lookup(query, lambda rows: _copy(rows[0]) if rows else None)


def _others(connection: Connection, bot: Bot, digest: str) -> list[_Other]:
    """Return the bots of others that had such a file first, each with its first version so."""
    query = (
        select(
            *(fingerprints.c.version, fingerprints.c.file, fingerprints.c.exact),
            *(versions.c.bot, bots.c.person, coauthor_ids()),
        )
        .join(versions, versions.c.id == fingerprints.c.version)
        .join(bots, bots.c.id == versions.c.bot)
        .where(fingerprints.c.likeness == digest, bots.c.id != bot.id, bots.c.person != HOUSE)
        .order_by(versions.c.handed_in_at, versions.c.id)
    )
    first: dict[str, _Other] = {}
    for row in connection.execute(query):
        if bot.authors.isdisjoint(authors_of(row)) and len(first) < MOST_OTHERS:
            first.setdefault(row.bot, _Other(row.bot, row.version, row.file, row.exact))
    return list(first.values())


def _pairs() -> Select[Any]:
    """Return the query of pairs, with what is said of both sides."""
    columns: list[Any] = []
    joined = copies
    for side, version in (("later", copies.c.version), ("earlier", copies.c.other_version)):
        about = _sides().subquery(side)
        joined = joined.join(about, about.c.id == version)  # type: ignore[assignment]
        columns += [column.label(f"{side}_{column.name}") for column in about.c]
    return select(copies, *columns).select_from(joined)


def _sides() -> Select[Any]:
    return (
        select(
            *(versions.c.id, versions.c.bot, versions.c.number, versions.c.digest),
            *(versions.c.handed_in_at, bots.c.name, author_names()),
        )
        .join(bots, bots.c.id == versions.c.bot)
        .join(people, people.c.id == bots.c.person)
    )


def _copy(row: Row[Any]) -> NoticedCopy:
    return NoticedCopy(
        id=row.id,
        earlier=_side(row, "earlier", row.other_file),
        later=_side(row, "later", row.file),
        is_exact=row.is_exact,
        is_seen=row.seen_at is not None,
    )


def _side(row: Row[Any], side: str, file: str) -> Side:
    return Side(
        bot=getattr(row, f"{side}_bot"),
        name=getattr(row, f"{side}_name"),
        authors=getattr(row, f"{side}_author"),
        number=getattr(row, f"{side}_number"),
        digest=getattr(row, f"{side}_digest"),
        file=file,
        handed_in_at=aware(getattr(row, f"{side}_handed_in_at")),
    )
