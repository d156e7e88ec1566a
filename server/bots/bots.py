"""Bots that were handed in: their versions, and how far the checks of each have come."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from engine.bots.own_files import megabytes
from runners.storage.database import Database, Stale, aware, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import CheckState, VersionState, bots, checks, versions
from runners.storage.name_keys import name_key
from runners.storage.together import Lookup, only_value
from server.identity.look_alikes import looks_like_one_of
from server.identity.names import FEWEST, MOST, BadName, checked_name
from server.identity.people import names_where

DAY = timedelta(days=1)
HANDED_IN = "slime_mind_versions"
"""Where PostgreSQL tells that a version is to be checked."""
MOST_BOTS = 20
"""Bots of one person in one game."""
MOST_BYTES_PER_DAY = 256_000_000
"""The files of all versions that a person may hand in within 24 hours: they are kept."""
MARKS = "-_. "
"""What a bot's name may hold besides letters and digits: it is part of the names of files."""
MOST_WORDS = 2_000
BANNED = "Its author was banned before it was checked."
"""Letters of what is kept of a check, or of why a version was refused."""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a person, whose versions follow each other."""

    id: str
    person_id: str
    game: str
    name: str
    is_open: bool
    """Whether its author lets people play against it."""
    created_at: datetime


class NewVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version that somebody hands in: of a new bot, or of one of theirs."""

    person_id: str
    game: str
    name: str
    digest: str
    size: int
    """The size of all its files, bytes."""
    most_per_day: int
    """How many versions of this bot may be handed in within 24 hours."""
    ladder_id: str | None


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


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the checks of a version."""

    place: int
    name: str
    state: CheckState
    words: str
    at: datetime


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


class Bots:
    """The bots of a server. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- bots ---------------------------------------------------------------------------------

    def bot(self, bot_id: str) -> Bot | None:
        return self._bot(bots.c.id == bot_id)

    def bot_named(self, game: str, name: str) -> Bot | None:
        """Return the bot of a game that has this name, or one that looks like it."""
        return self._bot(bots.c.game == game, bots.c.name_key == name_key(name))

    def names(self, bot_ids: Iterable[str]) -> dict[str, str]:
        """Return the names of bots by their ids."""
        wanted = sorted(set(bot_ids))
        if not wanted:
            return {}
        query = select(bots.c.id, bots.c.name).where(bots.c.id.in_(wanted))
        with self._database.reading() as connection:
            return {row.id: row.name for row in connection.execute(query)}

    def names_of_versions(self, version_ids: Iterable[str]) -> dict[str, str]:
        """Return the names of the bots of versions, by the versions' ids."""
        wanted = sorted(set(version_ids))
        if not wanted:
            return {}
        query = select(versions.c.id, bots.c.name).join(bots, bots.c.id == versions.c.bot)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(versions.c.id.in_(wanted)))
            return {row.id: row.name for row in rows}

    def set_open(self, bot_id: str, is_open: bool) -> None:
        """Let people play against a bot, or no longer."""
        with self._database.writing() as connection:
            connection.execute(update(bots).where(bots.c.id == bot_id).values(is_open=is_open))

    def forget(self, person_id: str) -> None:
        """Let the bots of a person who leaves play no more; their matches are kept."""
        mine = select(bots.c.id).where(bots.c.person == person_id)
        with self._database.writing() as connection:
            connection.execute(
                update(versions)
                .where(versions.c.bot.in_(mine), versions.c.state.in_(LIVING))
                .values(state=VersionState.FORMER)
            )
            connection.execute(update(bots).where(bots.c.person == person_id).values(is_open=False))

    # -- versions -----------------------------------------------------------------------------

    def require_acceptable(self, new: NewVersion) -> None:
        """See whether a version could be handed in now, before its copy is written.

        Raises: NotAccepted.
        """
        with self._database.reading() as connection:
            _accepting(connection, new)

    def new_version(self, new: NewVersion) -> Version:
        """Hand in a version, of which there is a copy; the first one makes the bot.

        Raises: NotAccepted, with a sentence for its author; Stale.
        """
        at = now()
        with self._database.writing() as connection:
            bot_id = _accepting(connection, new) or _new_bot(connection, new, at)
            newest = select(func.max(versions.c.number)).where(versions.c.bot == bot_id)
            row = {
                "id": secrets.token_hex(8),
                "bot": bot_id,
                "number": (connection.execute(newest).scalar() or 0) + 1,
                "digest": new.digest,
                "size": new.size,
                "state": VersionState.CHECKING,
                "ladder": new.ladder_id,
                "handed_in_at": at,
            }
            connection.execute(insert(versions).values(row))
            self._database.announce(connection, HANDED_IN)
        found = self.version(str(row["id"]))
        assert found is not None
        return found

    def version(self, version_id: str) -> Version | None:
        found = self._versions(versions.c.id == version_id)
        return found[0] if found else None

    def version_numbered(self, bot_id: str, number: int) -> Version | None:
        return self._database.find(version_numbered(bot_id, number))

    def versions_of(self, bot_id: str) -> list[Version]:
        """Return the versions of a bot, the newest first."""
        return self._versions(versions.c.bot == bot_id)

    def bots_and_versions_of(self, person_id: str) -> list[tuple[Bot, list[Version]]]:
        """Return somebody's bots, the newest first, and the versions of each, too."""
        mine = select(bots.c.id).where(bots.c.person == person_id)
        theirs = _versions_where(versions.c.bot.in_(mine))
        found, handed_in = self._database.read(bots_of(person_id), theirs)
        by_bot: dict[str, list[Version]] = {bot.id: [] for bot in found}
        for version in handed_in:
            by_bot[version.bot_id].append(version)
        return [(bot, by_bot[bot.id]) for bot in found]

    def active_version(self, bot_id: str) -> Version | None:
        """Return the version that plays."""
        found = self._versions(versions.c.bot == bot_id, versions.c.state == VersionState.ACTIVE)
        return found[0] if found else None

    def refuse_banned(self) -> None:
        """Refuse the versions whose author was banned before their checks ended."""
        banned = select(bots.c.id).join(people, people.c.id == bots.c.person)
        theirs = versions.c.bot.in_(banned.where(people.c.is_banned.is_(True)))
        waiting = theirs & (versions.c.state == VersionState.CHECKING)
        with self._database.reading() as connection:
            if connection.execute(select(versions.c.id).where(waiting).limit(1)).first() is None:
                return
        values = {"state": VersionState.REFUSED, "why": BANNED}
        with self._database.writing() as connection:
            connection.execute(update(versions).where(waiting).values(values))

    def versions_to_check(self) -> list[Version]:
        """Return the versions whose checks have not ended, the oldest first."""
        found = self._versions(versions.c.state == VersionState.CHECKING)
        return sorted(found, key=lambda version: version.handed_in_at)

    def activate(self, version_id: str, first_match: str | None = None) -> None:
        """Let a version play that has passed its checks, in place of the one that does.

        Raises: Stale if it is not being checked.
        """
        found = {} if first_match is None else {"first_match": first_match}
        self._activate(version_id, VersionState.CHECKING, found)

    def activate_again(self, version_id: str) -> None:
        """Let a former version play in place of the one that does.

        Raises: Stale if it is not a former one.
        """
        self._activate(version_id, VersionState.FORMER)

    def refuse(self, version_id: str, why: str, first_match: str | None = None) -> None:
        """Refuse a version. Raises: Stale if it is not being checked."""
        self._change(version_id, VersionState.CHECKING, VersionState.REFUSED, why, first_match)

    def quarantine(self, version_id: str, why: str) -> None:
        """Take a version out that breaks in its matches. Raises: Stale if it is not active."""
        self._change(version_id, VersionState.ACTIVE, VersionState.QUARANTINED, why)

    # -- checks -------------------------------------------------------------------------------

    def checks_of(self, version_id: str) -> list[Check]:
        """Return the steps of the checks that have begun, in order."""
        return self._database.find(checks_of(version_id))

    def restart_checks(self, version_id: str, *, after: int = 0) -> None:
        """Forget the steps after a place of checks that were interrupted.

        Raises: Stale if they have ended.
        """
        begun = checks.c.version == version_id, checks.c.place > after
        with self._database.writing() as connection:
            _require_state(connection, version_id, VersionState.CHECKING)
            connection.execute(delete(checks).where(*begun))

    def note_check(
        self, version_id: str, place: int, name: str, state: CheckState, words: str = ""
    ) -> None:
        """Write how a step stands. Raises: Stale if the version is no longer being checked."""
        mine = (checks.c.version == version_id, checks.c.place == place)
        values = {"name": name, "state": state, "words": words[:MOST_WORDS], "at": now()}
        with self._database.writing() as connection:
            _require_state(connection, version_id, VersionState.CHECKING)
            if connection.execute(update(checks).where(*mine).values(values)).rowcount == 0:
                row = {"version": version_id, "place": place, **values}
                connection.execute(insert(checks).values(row))

    # -- what the above have in common --------------------------------------------------------

    def _activate(
        self, version_id: str, before: VersionState, found: Mapping[str, object] = {}
    ) -> None:
        with self._database.writing() as connection:
            bot_id = _require_state(connection, version_id, before)
            connection.execute(
                update(versions)
                .where(versions.c.bot == bot_id, versions.c.state.in_(PLAYED))
                .values(state=VersionState.FORMER)
            )
            connection.execute(
                update(versions)
                .where(versions.c.id == version_id)
                .values(state=VersionState.ACTIVE, why="", **found)
            )

    def _change(
        self,
        version_id: str,
        before: VersionState,
        after: VersionState,
        why: str,
        first_match: str | None = None,
    ) -> None:
        values = {"state": after, "why": why[:MOST_WORDS]}
        if first_match is not None:
            values["first_match"] = first_match
        with self._database.writing() as connection:
            _require_state(connection, version_id, before)
            mine = versions.c.id == version_id
            connection.execute(update(versions).where(mine).values(values))

    def _bot(self, *conditions: ColumnElement[bool]) -> Bot | None:
        return self._database.find(_bot_where(*conditions))

    def _versions(self, *conditions: ColumnElement[bool]) -> list[Version]:
        return self._database.find(_versions_where(*conditions))


def bot_of_id(bot_id: str) -> Lookup[Bot | None]:
    """Look up a bot."""
    return _bot_where(bots.c.id == bot_id)


def version_numbered(bot_id: str, number: int) -> Lookup[Version | None]:
    """Look up the version of a bot that has a number."""
    query = select(versions).where(versions.c.bot == bot_id, versions.c.number == number)
    return Lookup(query, lambda rows: _version(rows[0]) if rows else None)


def checks_of(version_id: str) -> Lookup[list[Check]]:
    """Look up the steps of the checks of a version that have begun, in order."""
    query = select(checks).where(checks.c.version == version_id).order_by(checks.c.place)
    return Lookup(query, lambda rows: [_check(row) for row in rows])


def count_to_check() -> Lookup[int]:
    """Look up how many versions there are whose checks have not ended."""
    return Lookup(select(func.count()).where(versions.c.state == VersionState.CHECKING), only_value)


def author_of(bot_id: str) -> Lookup[dict[str, str]]:
    """Look up the name of a bot's author, by the author's id; none of one who has left."""
    return names_where(people.c.id.in_(select(bots.c.person).where(bots.c.id == bot_id)))


def versions_of(bot_id: str) -> Lookup[list[Version]]:
    """Look up the versions of a bot, the newest first."""
    return _versions_where(versions.c.bot == bot_id)


def bots_of(person_id: str) -> Lookup[list[Bot]]:
    """Look up somebody's bots, the newest first."""
    query = select(bots).where(bots.c.person == person_id)
    newest_first = query.order_by(bots.c.created_at.desc(), bots.c.id)
    return Lookup(newest_first, lambda rows: [_bot(row) for row in rows])


def _bot_where(*conditions: ColumnElement[bool]) -> Lookup[Bot | None]:
    query = select(bots).where(*conditions)
    return Lookup(query, lambda rows: _bot(rows[0]) if rows else None)


def _versions_where(*conditions: ColumnElement[bool]) -> Lookup[list[Version]]:
    query = select(versions).where(*conditions).order_by(versions.c.number.desc())
    return Lookup(query, lambda rows: [_version(row) for row in rows])


PLAYED = (VersionState.ACTIVE, VersionState.QUARANTINED)
LIVING = (VersionState.ACTIVE, VersionState.CHECKING)


def checked_bot_name(typed: str) -> str:
    """Return the name of a bot as it is shown, fit for the name of a file. Raises: BadName."""
    name = checked_name(typed)
    for letter in name:
        if not (letter.isalnum() or letter in MARKS):
            raise BadName(
                f"a bot's name has letters, digits, blanks and {' '.join(MARKS.strip())} only; "
                f"this one has {letter!r}"
            )
    return name


def default_name(file: str, author: str = "") -> str:
    """Return what a bot is called whose author says nothing: as its file, and as its author."""
    file, after = _fit(file), f" {_fit(author)}" if author else ""
    name = f"{file[: max(0, MOST - len(after))]}{after}".strip()
    return name if len(name) >= FEWEST else f"bot {name}".strip()


def _fit(words: str) -> str:
    """Return the letters that a bot's name may have."""
    return "".join(letter for letter in words if letter.isalnum() or letter in MARKS).strip()


def _accepting(connection: Connection, new: NewVersion) -> str | None:
    """Return the id of the bot that may have this version; None for a new bot.

    Raises: NotAccepted.
    """
    since = now() - DAY
    bot_id = _own_bot(connection, new.person_id, new.game, new.name)
    if bot_id is not None:
        _require_new(connection, bot_id, new.digest, since, new.most_per_day)
    _require_room(connection, new.person_id, new.size, since)
    return bot_id


def _own_bot(connection: Connection, person_id: str, game: str, name: str) -> str | None:
    """Return the id of somebody's bot of this name; None if they may make it.

    Raises: NotAccepted.
    """
    named = bots.c.game == game, bots.c.name_key == name_key(name)
    found = connection.execute(select(bots).where(*named)).one_or_none()
    if found is not None:
        if found.person != person_id:
            raise NotAccepted(f"somebody else's bot is called {found.name}: choose another name")
        return str(found.id)
    others = select(bots.c.name).where(bots.c.game == game, bots.c.person != person_id)
    if looks_like_one_of(name, connection.execute(others).scalars()):
        raise NotAccepted("this name looks like that of somebody else's bot: choose another name")
    mine = select(func.count()).select_from(bots)
    count = connection.execute(mine.where(bots.c.person == person_id, bots.c.game == game))
    if count.scalar_one() >= MOST_BOTS:
        raise NotAccepted(
            f"you have {MOST_BOTS} bots in this game, and nobody may have more: hand in a new "
            "version of one of them"
        )
    return None


def _new_bot(connection: Connection, new: NewVersion, at: datetime) -> str:
    """Make a bot without versions; return its id."""
    bot_id = secrets.token_hex(8)
    row = {
        "id": bot_id,
        "person": new.person_id,
        "game": new.game,
        "name": new.name,
        "name_key": name_key(new.name),
        "is_open": False,
        "created_at": at,
    }
    connection.execute(insert(bots).values(row))
    return bot_id


def _require_new(
    connection: Connection, bot_id: str, digest: str, since: datetime, most: int
) -> None:
    """Raises: Identical, TooManyVersions."""
    mine = versions.c.bot == bot_id
    same = select(versions).where(
        mine, versions.c.digest == digest, versions.c.state != VersionState.REFUSED
    )
    found = connection.execute(same.order_by(versions.c.number.desc())).first()
    if found is not None:
        raise Identical(_version(found))
    today = select(func.count()).select_from(versions).where(mine, versions.c.handed_in_at > since)
    if connection.execute(today).scalar_one() >= most:
        raise TooManyVersions(
            f"this bot has had {most} versions within 24 hours, and more are not allowed: try "
            "again later"
        )


def _require_room(connection: Connection, person_id: str, size: int, since: datetime) -> None:
    """Raises: TooManyVersions."""
    mine = versions.join(bots, versions.c.bot == bots.c.id)
    today = select(func.sum(versions.c.size)).select_from(mine)
    today = today.where(bots.c.person == person_id, versions.c.handed_in_at > since)
    if (connection.execute(today).scalar() or 0) + size > MOST_BYTES_PER_DAY:
        raise TooManyVersions(
            f"your versions of the last 24 hours would have more than "
            f"{megabytes(MOST_BYTES_PER_DAY)} with this one: try again later, or with fewer files"
        )


def _require_state(connection: Connection, version_id: str, state: VersionState) -> str:
    """Return the bot of a version that is in this state. Raises: Stale if it is not."""
    row = connection.execute(select(versions).where(versions.c.id == version_id)).one_or_none()
    if row is None or row.state != state:
        raise Stale
    return str(row.bot)


def _bot(row: Row[Any]) -> Bot:
    return Bot(
        id=row.id,
        person_id=row.person,
        game=row.game,
        name=row.name,
        is_open=row.is_open,
        created_at=aware(row.created_at),
    )


def _version(row: Row[Any]) -> Version:
    return Version(
        id=row.id,
        bot_id=row.bot,
        number=row.number,
        digest=row.digest,
        size=row.size,
        state=VersionState(row.state),
        why=row.why,
        first_match=row.first_match,
        ladder_id=row.ladder,
        handed_in_at=aware(row.handed_in_at),
    )


def _check(row: Row[Any]) -> Check:
    return Check(
        place=row.place,
        name=row.name,
        state=CheckState(row.state),
        words=row.words,
        at=aware(row.at),
    )
