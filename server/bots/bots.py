"""Bots that were handed in: their names and versions, how far checks have come, who may be met."""

import secrets
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from engine.bots.finding import PREFIX
from engine.bots.own_files import SUFFIX
from runners.contests.authors import is_author
from runners.contests.contests import find_ladders
from runners.contests.ladder_ratings import find_latest_ratings
from runners.contests.visibility import is_met, visible_until
from runners.storage.database import Database, Stale, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    CheckState,
    EntryState,
    VersionState,
    bots,
    checks,
    entries,
    versions,
)
from runners.storage.tables import name_key
from runners.storage.together import read_lookups
from server.bots.acceptance import NewVersion, accepting_bot, add_bot
from server.bots.bot_rows import (
    Bot,
    Check,
    Version,
    authored_bots,
    bot_where,
    version_by_number,
    version_checks,
    versions_where,
)
from server.games.new_games import OpenBot
from server.identity.names import MAX_NAME_LENGTH, MIN_NAME_LENGTH, BadName, validate_name

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
