"""Built-in bots: starter bots that play on ladders, so that no first bot waits for opponents."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, func, insert, or_, select, update

from engine.bots.finding import PREFIX, Bot, BotReader, Copies, bot_path
from engine.bots.own_files import read_files
from engine.catalog import GAMES, OURS, describe_game
from engine.errors import BadBot
from runners.contests.contests import Ladder
from runners.contests.entries import entry_state
from runners.planning import bots_folder
from runners.storage.database import Database, Stale, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import EntryState, VersionState, bots, entries, versions
from runners.storage.tables import name_key
from server.bots.bots import add_bot
from server.identity.people import BUILT_IN_OWNER

BUILT_IN_NAME = "the house"
STARTER_FILES = ("player_one", "player_two", "player_three")
"""Files of starter bots, of each game of ours; of others it is their strongest."""


class BuiltInBots:
    """Bots that come with the server. They are of one author, and so never meet each other."""

    def __init__(self, database: Database, out: Path) -> None:
        """`out`: the folder of results and of bots' copies."""
        self._database = database
        self._copies = Copies(out / "bots")

    def start(self) -> None:
        """Bring the bots that play up to date, whose files a newer program may have changed."""
        query = select(bots.c.game).where(bots.c.person == BUILT_IN_OWNER).distinct()
        games = self._database.fetch_column(query)
        for game in filter(GAMES.__contains__, games):  # its package may have been uninstalled
            self._update_bots(game)

    def enter(self, ladder: Ladder) -> None:
        """Let the built-in bots play on a ladder, but those that an organizer took off it."""
        at = now()
        bot_ids = self._update_bots(ladder.spec.game)
        with self._database.transaction() as connection:
            for bot_id in bot_ids:
                state = entry_state(connection, ladder.id, bot_id)
                where = (entries.c.contest == ladder.id) & (entries.c.bot == bot_id)
                values = {"state": EntryState.PLAYING, "why": "", "changed_at": at}
                if state is None:
                    row = {"contest": ladder.id, "bot": bot_id, "entered_at": at, **values}
                    connection.execute(insert(entries).values(row))
                elif state is EntryState.WITHDRAWN:
                    connection.execute(update(entries).where(where).values(values))

    def leave(self, ladder_id: str) -> None:
        """Let the built-in bots play on a ladder no more; what they have played counts."""
        where = entries.c.bot.in_(select(bots.c.id).where(bots.c.person == BUILT_IN_OWNER))
        playing = (entries.c.contest == ladder_id) & (entries.c.state == EntryState.PLAYING)
        values = {"state": EntryState.WITHDRAWN, "changed_at": now()}
        self._database.write(update(entries).where(where, playing).values(values))

    def plays_on(self, ladder_id: str) -> bool:
        """Return whether some of the built-in bots play on a ladder."""
        query = (
            select(func.count())
            .select_from(entries.join(bots, bots.c.id == entries.c.bot))
            .where(
                bots.c.person == BUILT_IN_OWNER,
                entries.c.contest == ladder_id,
                entries.c.state == EntryState.PLAYING,
            )
        )
        return bool(self._database.fetch_value(query))

    def _update_bots(self, game: str) -> list[str]:
        """Keep the built-in bots of a game as they are now; return their ids."""
        found = list(_find_starter_bots(game))
        for starter in found:
            self._copies.save(starter)
        playing = self._playing_digests(game)
        if any(playing.get(_names(starter)[0]) != starter.digest for starter in found):
            with suppress(Stale), self._database.transaction() as connection:
                _ensure_person(connection)
                for starter in found:
                    _ensure_version(connection, _ensure_bot(connection, game, starter), starter)
        own = select(bots.c.id).where(bots.c.person == BUILT_IN_OWNER, bots.c.game == game)
        return self._database.fetch_column(own.order_by(bots.c.name))

    def _playing_digests(self, game: str) -> dict[str, str]:
        """Return the names of the built-in bots of a game, with the digests that play."""
        query = (
            select(bots.c.name, versions.c.digest)
            .select_from(bots.join(versions, versions.c.bot == bots.c.id))
            .where(
                bots.c.person == BUILT_IN_OWNER,
                bots.c.game == game,
                versions.c.state == VersionState.ACTIVE,
            )
        )
        return {row.name: row.digest for row in self._database.fetch_all(query)}


def _find_starter_bots(game: str) -> Iterator[Bot]:
    """Yield the starter bots of a game; whoever runs the server may have removed some."""
    with BotReader() as reader:
        names = STARTER_FILES if game in OURS else describe_game(game).starter_bots[-3:]
        for path in (bot_path(name, bots_folder(game)) for name in names):
            if path is not None:
                with suppress(BadBot):
                    yield reader.read(path)


def _ensure_person(connection: Connection) -> None:
    """Make the account to which the bots belong: nobody can sign in to it, or have its name."""
    key = name_key(BUILT_IN_NAME)
    same = people.c.id == BUILT_IN_OWNER, people.c.name_key == key
    known = {row.id for row in connection.execute(select(people.c.id).where(or_(*same)))}
    if BUILT_IN_OWNER not in known:
        row = {
            "id": BUILT_IN_OWNER,
            "name": BUILT_IN_NAME,
            "name_key": None if known else key,
            "is_organizer": False,
            "is_banned": False,
            "created_at": now(),
        }
        connection.execute(insert(people).values(row))


def _names(starter: Bot) -> tuple[str, str]:
    """Return what a starter bot is called, and what it is called where an author has that name."""
    stem = starter.path.stem.removeprefix(PREFIX)
    return starter.title or stem, f"house {stem}"


def _ensure_bot(connection: Connection, game: str, starter: Bot) -> str:
    """Return the id of the bot that a starter bot is; earlier versions named it otherwise."""
    name, other_name = _names(starter)
    same = bots.c.game == game, bots.c.name_key == name_key(name)
    owner = connection.execute(select(bots.c.person).where(*same)).scalar()
    name = name if owner in (None, BUILT_IN_OWNER) else other_name
    where = bots.c.person == BUILT_IN_OWNER, bots.c.game == game
    query = select(bots.c.id).where(*where, bots.c.name.in_(_names(starter)))
    found = connection.execute(query).scalar()
    if found is not None:
        renamed = {"name": name, "name_key": name_key(name)}
        connection.execute(update(bots).where(bots.c.id == found).values(renamed))
        return str(found)
    return add_bot(connection, BUILT_IN_OWNER, game, name)


def _ensure_version(connection: Connection, bot_id: str, starter: Bot) -> None:
    """Let a starter bot play as it is now."""
    where = versions.c.bot == bot_id
    active = where & (versions.c.state == VersionState.ACTIVE)
    if connection.execute(select(versions.c.digest).where(active)).scalar() == starter.digest:
        return
    number = connection.execute(select(func.max(versions.c.number)).where(where)).scalar() or 0
    connection.execute(
        update(versions)
        .where(where, versions.c.state.in_((VersionState.ACTIVE, VersionState.QUARANTINED)))
        .values(state=VersionState.FORMER)
    )
    row = {
        "id": secrets.token_hex(8),
        "bot": bot_id,
        "number": number + 1,
        "digest": starter.digest,
        "size": sum(map(len, read_files(starter.path).values())),
        "state": VersionState.ACTIVE,
        "handed_in_at": now(),
    }
    connection.execute(insert(versions).values(row))
