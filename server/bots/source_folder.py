"""Who may read sources beside their authors, and a folder of them for programs such as JPlag."""

from collections.abc import Collection, Iterable
from pathlib import Path

from sqlalchemy import func, select

from engine.bots.finding import Copies
from engine.errors import EngineFailure, UsageError
from engine.support.staging import StagingFolder
from runners.contests.contests import Ladder
from runners.contests.visibility import is_visible, visible_until
from runners.storage.database import Database, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import SourceRule, VersionState, bots, entries, versions
from runners.storage.together import AnyRow
from server.bots.bots import Bot, Version
from server.identity.people import BUILT_IN_OWNER, Person


def write_sources(database: Database, copies: Copies, folder: Path, ladder: Ladder | None) -> int:
    """Write the newest version of each bot, or of each on a ladder; return how many there are.

    Each author has a folder, and each of their bots one in it. A bot that several share is in its
    owner's. Versions are those that passed their checks, also under a seal: the folder is private.
    Raises: UsageError, BadBot, EngineFailure.
    """
    folder = folder.resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: is not empty; name another folder")
    found = _newest_versions(database, ladder)
    if not found:
        raise UsageError(f"nobody has handed in a bot{f' to {ladder.name}' if ladder else ''}")
    beside = StagingFolder(folder)
    try:
        beside.make(is_private=True)
        for row in found:
            author = _folder_name(row.author, row.person)
            home = beside.path / author / _folder_name(row.name, row.bot)
            for name, content in copies.pack(row.digest).files.items():
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_bytes(content)
        if folder.exists():
            folder.rmdir()
        beside.path.rename(folder)
    except OSError as error:
        raise EngineFailure(f"{folder}: cannot be written: {error.strerror or error}") from error
    finally:
        beside.drop()
    return len(found)


def _newest_versions(database: Database, ladder: Ladder | None) -> list[AnyRow]:
    newest = (
        select(versions.c.bot, func.max(versions.c.number).label("number"))
        .where(versions.c.state.not_in(NEVER_SHOWN))
        .group_by(versions.c.bot)
        .subquery()
    )
    query = (
        select(versions.c.bot, versions.c.digest, bots.c.name, bots.c.person)
        .add_columns(people.c.name.label("author"))
        .join(newest, (newest.c.bot == versions.c.bot) & (newest.c.number == versions.c.number))
        .join(bots, bots.c.id == versions.c.bot)
        .join(people, people.c.id == bots.c.person)
        .where(bots.c.person != BUILT_IN_OWNER)
    )
    if ladder is not None:
        entered = select(entries.c.bot).where(entries.c.contest == ladder.id)
        query = query.where(bots.c.id.in_(entered))
    return list(database.fetch_all(query))


def _folder_name(name: str, id_: str) -> str:
    """Return a name that no other has, of letters that any file system takes."""
    letters = (letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
    return f"{''.join(letters)}-{id_}"


NEVER_SHOWN = (VersionState.CHECKING, VersionState.REFUSED)
"""Versions that have not played are nobody's but their authors'."""


def may_read(
    entered: Iterable[Ladder],
    bot: Bot,
    version: Version,
    who: Person | None,
    sealed: Collection[str],
) -> bool:
    """Return whether somebody may read a version's source; `who`: None for who is not signed in.

    `entered`: the ladders on which the bot plays, or did. `sealed`: the ids of versions under a
    seal, which no rule of another ladder opens.
    """
    if who is not None and bot.is_by(who.id):
        return True
    if version.state in NEVER_SHOWN or version.id in sealed:
        return False
    return any(_opens_source_to(ladder, version, who) for ladder in entered)


def _opens_source_to(ladder: Ladder, version: Version, who: Person | None) -> bool:
    """Return whether a ladder lets others than the author read the source of a version."""
    at = now()
    if not is_visible(version.handed_in_at, visible_until(ladder, who, at)):
        return False
    match ladder.source_rule:
        case SourceRule.NOBODY:
            return False
        case SourceRule.ORGANIZERS:
            return who is not None and who.is_organizer
        case SourceRule.EVERYBODY_AFTER_END:
            return ladder.is_over(at)
        case SourceRule.EVERYBODY:
            return True
