"""Bots that were handed in: their rows, how far checks have come, who may be met.

Whether a version is accepted, and of which bot it becomes one: its name, its size, its files.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from engine.bots.finding import PREFIX
from engine.bots.own_files import SUFFIX, format_megabytes
from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.contests.contests import Contest, Ladder, describe_end, find_ladders
from runners.contests.entries import NotEntered, require_member
from runners.contests.ladder_ratings import find_latest_ratings
from runners.contests.visibility import is_met, visible_until
from runners.storage.database import Database, Stale, now, struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    CheckState,
    EntryState,
    VersionState,
    bots,
    checks,
    coauthors,
    entries,
    versions,
)
from runners.storage.tables import name_key
from runners.storage.together import AnyRow, Lookup, only_value, read_lookups
from server.games.new_games import OpenBot
from server.identity.names import (
    MAX_NAME_LENGTH,
    MIN_NAME_LENGTH,
    BadName,
    looks_like_one_of,
    validate_name,
)
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


HANDED_IN = "slime_mind_versions"
"""Where PostgreSQL tells that a version is to be checked."""
MAX_TEXT_LENGTH = 2_000
"""Letters of what is kept of a check, or of why a version was refused."""
AUTHOR_BANNED = "Its author was banned before it was checked."
NAME_MARKS = "-_. "
"""What a bot's name may hold besides letters and digits: it is part of the names of files."""


class Bots:
    """The bots of a server. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- bots ---------------------------------------------------------------------------------

    def bot(self, bot_id: str) -> Bot | None:
        return self._find_bot(bots.c.id == bot_id)

    def find_bot_by_name(self, game: str, name: str) -> Bot | None:
        """Return the bot of a game that has this name, or one that looks like it."""
        return self._find_bot(bots.c.game == game, bots.c.name_key == name_key(name))

    def set_open(self, bot_id: str, is_open: bool) -> None:
        """Let people play against a bot, or no longer."""
        self._database.write(update(bots).where(bots.c.id == bot_id).values(is_open=is_open))

    def forget(self, person_id: str) -> None:
        """Let the bots of a person who leaves play no more; their matches are kept.

        Those that others share have another owner by then: see server/contests/sharing_pages.py.
        """
        own = select(bots.c.id).where(bots.c.person == person_id)
        with self._database.transaction() as connection:
            connection.execute(
                update(versions)
                .where(versions.c.bot.in_(own), versions.c.state.in_(LIVING))
                .values(state=VersionState.FORMER)
            )
            connection.execute(update(bots).where(bots.c.person == person_id).values(is_open=False))

    # -- versions -----------------------------------------------------------------------------

    def require_acceptable(self, new: NewVersion) -> None:
        """See whether a version could be handed in now, before its copy is written.

        Raises: NotAccepted.
        """
        with self._database.reading() as connection:
            accepting_bot(connection, new, now())

    def new_version(self, new: NewVersion) -> Version:
        """Hand in a version, of which there is a copy; the first one makes the bot.

        Raises: NotAccepted, with a sentence for its author; Stale.
        """
        at = now()
        with self._database.transaction() as connection:
            bot_id = accepting_bot(connection, new, at)
            if bot_id is None:
                bot_id = add_bot(connection, new.person_id, new.game, new.name)
            newest = select(func.max(versions.c.number)).where(versions.c.bot == bot_id)
            row = {
                "id": secrets.token_hex(8),
                "bot": bot_id,
                "number": (connection.execute(newest).scalar() or 0) + 1,
                "digest": new.digest,
                "size": new.size,
                "state": VersionState.CHECKING,
                "ladder": None if new.ladder is None else new.ladder.id,
                "handed_in_at": at,
                "person": new.person_id,
            }
            connection.execute(insert(versions).values(row))
            self._database.notify(connection, HANDED_IN)
        found = self.version(str(row["id"]))
        assert found is not None
        return found

    def version(self, version_id: str) -> Version | None:
        found = self._find_versions(versions.c.id == version_id)
        return found[0] if found else None

    def find_version(self, bot_id: str, number: int) -> Version | None:
        return self._database.find(version_by_number(bot_id, number))

    def find_versions(self, bot_id: str) -> list[Version]:
        """Return the versions of a bot, the newest first."""
        return self._find_versions(versions.c.bot == bot_id)

    def find_bots_and_versions(self, person_id: str) -> list[tuple[Bot, list[Version]]]:
        """Return the bots that somebody has written or shares, the newest first, with versions."""
        own = select(bots.c.id).where(is_author(person_id))
        versions_shared = versions_where(versions.c.bot.in_(own))
        found, handed_in = self._database.read(authored_bots(person_id), versions_shared)
        by_bot: dict[str, list[Version]] = {bot.id: [] for bot in found}
        for version in handed_in:
            by_bot[version.bot_id].append(version)
        return [(bot, by_bot[bot.id]) for bot in found]

    def active_version(self, bot_id: str) -> Version | None:
        """Return the version that plays."""
        found = self._find_versions(
            versions.c.bot == bot_id, versions.c.state == VersionState.ACTIVE
        )
        return found[0] if found else None

    def refuse_banned(self) -> None:
        """Refuse the versions whose author was banned before their checks ended."""
        banned = select(people.c.id).where(people.c.is_banned.is_(True))
        condition = versions.c.person.in_(banned) | versions.c.bot.in_(
            select(bots.c.id).where(bots.c.person.in_(banned))
        )
        waiting = condition & (versions.c.state == VersionState.CHECKING)
        with self._database.reading() as connection:
            if connection.execute(select(versions.c.id).where(waiting).limit(1)).first() is None:
                return
        values = {"state": VersionState.REFUSED, "why": AUTHOR_BANNED}
        self._database.write(update(versions).where(waiting).values(values))

    def versions_to_check(self) -> list[Version]:
        """Return the versions whose checks have not ended, the oldest first."""
        found = self._find_versions(versions.c.state == VersionState.CHECKING)
        return sorted(found, key=lambda version: version.handed_in_at)

    def activate(self, version_id: str, first_match: str | None = None) -> None:
        """Let a version play that has passed its checks, in place of the one that does.

        Raises: Stale if it is not being checked.
        """
        found = {} if first_match is None else {"first_match": first_match}
        self._activate_version(version_id, VersionState.CHECKING, found)

    def activate_again(self, version_id: str) -> None:
        """Let a former version play in place of the one that does.

        Raises: Stale if it is not a former one.
        """
        self._activate_version(version_id, VersionState.FORMER)

    def refuse(self, version_id: str, why: str, first_match: str | None = None) -> None:
        """Refuse a version. Raises: Stale if it is not being checked."""
        self._change(version_id, VersionState.CHECKING, VersionState.REFUSED, why, first_match)

    def quarantine(self, version_id: str, why: str) -> None:
        """Take a version out that breaks in its matches. Raises: Stale if it is not active."""
        self._change(version_id, VersionState.ACTIVE, VersionState.QUARANTINED, why)

    # -- checks -------------------------------------------------------------------------------

    def find_checks(self, version_id: str) -> list[Check]:
        """Return the steps of the checks that have begun, in order."""
        return self._database.find(version_checks(version_id))

    def restart_checks(self, version_id: str, *, after: int = 0) -> None:
        """Forget the steps after a place of checks that were interrupted.

        Raises: Stale if they have ended.
        """
        begun = checks.c.version == version_id, checks.c.place > after
        with self._database.transaction() as connection:
            _require_state(connection, version_id, VersionState.CHECKING)
            connection.execute(delete(checks).where(*begun))

    def note_check(
        self, version_id: str, place: int, name: str, state: CheckState, text: str = ""
    ) -> None:
        """Write how a step stands. Raises: Stale if the version is no longer being checked."""
        where = (checks.c.version == version_id, checks.c.place == place)
        values = {"name": name, "state": state, "words": text[:MAX_TEXT_LENGTH], "at": now()}
        with self._database.transaction() as connection:
            _require_state(connection, version_id, VersionState.CHECKING)
            if connection.execute(update(checks).where(*where).values(values)).rowcount == 0:
                row = {"version": version_id, "place": place, **values}
                connection.execute(insert(checks).values(row))

    # -- what the above have in common --------------------------------------------------------

    def _activate_version(
        self, version_id: str, before: VersionState, found: Mapping[str, object] = {}
    ) -> None:
        with self._database.transaction() as connection:
            bot_id = _require_state(connection, version_id, before)
            connection.execute(
                update(versions)
                .where(versions.c.bot == bot_id, versions.c.state.in_(PLAYED_STATES))
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
        values = {"state": after, "why": why[:MAX_TEXT_LENGTH]}
        if first_match is not None:
            values["first_match"] = first_match
        with self._database.transaction() as connection:
            _require_state(connection, version_id, before)
            where = versions.c.id == version_id
            connection.execute(update(versions).where(where).values(values))

    def _find_bot(self, *conditions: ColumnElement[bool]) -> Bot | None:
        return self._database.find(bot_where(*conditions))

    def _find_versions(self, *conditions: ColumnElement[bool]) -> list[Version]:
        return self._database.find(versions_where(*conditions))


PLAYED_STATES = (VersionState.ACTIVE, VersionState.QUARANTINED)
LIVING = (VersionState.ACTIVE, VersionState.CHECKING)


def _require_state(connection: Connection, version_id: str, state: VersionState) -> str:
    """Return the bot of a version that is in this state. Raises: Stale if it is not."""
    row = connection.execute(select(versions).where(versions.c.id == version_id)).one_or_none()
    if row is None or row.state != state:
        raise Stale
    return str(row.bot)


def open_bots(database: Database, game: str) -> list[OpenBot]:
    """Return the bots of a game that people may play against, the strongest first.

    Those of authors who were banned, and those disqualified on any ladder, are not among them. No
    version is that was handed in under a seal: the newest from before it plays, if there is one.
    """
    disqualified = select(entries.c.bot).where(entries.c.state == EntryState.DISQUALIFIED)
    query = (
        select(
            bots.c.id, bots.c.name, people.c.name.label("author"), versions.c.digest, versions.c.id
        )
        .join(people, people.c.id == bots.c.person)
        .join(versions, versions.c.bot == bots.c.id)
        .where(bots.c.game == game, bots.c.is_open.is_(True))
        .where(is_met())
        .where(people.c.is_banned.is_(False), people.c.deleted_at.is_(None))
        .where(bots.c.id.not_in(disqualified))
        .order_by(versions.c.number)
    )
    with database.reading() as connection:
        elo = _find_public_elo(connection, game)
        found = {
            row[0]: OpenBot(
                id=row[0], name=row[1], author=row[2], digest=row[3], elo=elo.get(row[4])
            )
            for row in connection.execute(query)  # the last version stays
        }
    return sorted(found.values(), key=lambda bot: (bot.elo is None, -(bot.elo or 0.0), bot.title))


def _find_public_elo(connection: Connection, game: str) -> Mapping[str, float]:
    """Return the ratings of versions that everybody may know, the best of all ladders of a game."""
    at = now()
    found: dict[str, float] = {}
    (ladders,) = read_lookups(connection, find_ladders())
    for ladder in ladders:
        if ladder.spec.game == game:
            for version, rating in find_latest_ratings(
                connection, ladder.id, visible_until(ladder, None, at)
            ).items():
                if rating.elo is not None:
                    found[version] = max(rating.elo, found.get(version, rating.elo))
    return found


def validate_bot_name(typed: str) -> str:
    """Return the name of a bot as it is shown, fit for the name of a file. Raises: BadName."""
    name = validate_name(typed)
    for letter in name:
        if not (letter.isalnum() or letter in NAME_MARKS):
            raise BadName(
                f"a bot's name has letters, digits, blanks and {' '.join(NAME_MARKS.strip())} "
                f"only; this one has {letter!r}"
            )
    return name


def default_name(file: str, author: str = "") -> str:
    """Return what a bot is called whose author says nothing: as its file, and as its author."""
    file, after = _fit_for_name(file), f" {_fit_for_name(author)}" if author else ""
    name = f"{file[: max(0, MAX_NAME_LENGTH - len(after))]}{after}".strip()
    return name if len(name) >= MIN_NAME_LENGTH else f"bot {name}".strip()


def file_name(name: str) -> str:
    """Return the name of the file of a bot that is one."""
    letters = (letter if letter.isalnum() else "_" for letter in name.lower())
    return f"{PREFIX}{''.join(letters)}{SUFFIX}"


def _fit_for_name(text: str) -> str:
    """Return the letters that a bot's name may have."""
    return "".join(letter for letter in text if letter.isalnum() or letter in NAME_MARKS).strip()
