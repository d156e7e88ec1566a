"""What is done with the ladders of a server, in its database."""

from collections.abc import Collection
from datetime import datetime

from msgspec.structs import replace
from sqlalchemy import insert, select, update

from engine.catalog import GAMES, find_game
from runners.contests.authors import is_author
from runners.contests.contests import (
    Ladder,
    contest_to_row,
    find_ladders,
    ladder_of_id,
    make_usual_ladder,
    new_ladder_id,
)
from runners.contests.entries import Entry, entry_condition, find_entries, set_entry_state
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import EntryState, SourceRule, bots, entries
from runners.storage.tables import IS_LADDER, contests, name_key
from runners.storage.together import Lookup, Rows, read_lookups


class Ladders:
    """The ladders of a server, and their entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- ladders ------------------------------------------------------------------------------

    def ensure_usual(self) -> list[Ladder]:
        """Make one ladder for each game, with the game's own settings, where there is none yet.

        Return those that were made.
        """
        with self._database.transaction() as connection:
            if connection.execute(select(contests.c.name).where(IS_LADDER)).first() is not None:
                return []
            made = [make_usual_ladder(find_game(name)) for name in GAMES]
            connection.execute(insert(contests), [contest_to_row(ladder) for ladder in made])
        return made

    def replace_those_of_old_rules(self) -> list[tuple[Ladder, Ladder]]:
        """End the ladders of older rules, and begin a new one in place of each, with its bots.

        A ladder rates matches of one version of the rules: what the old one has not played by now
        is not played any more. Return each ended ladder with the new one.
        """
        at = now()
        replaced = []
        with self._database.transaction() as connection:
            found = read_lookups(connection, find_ladders())[0]
            names = {name_key(one.name) for one in found}
            for old in found:
                if old.is_over(at) or old.spec.rules_version >= old.game.rules_version:
                    continue
                ended = _end_for_new_rules(old, at, names)
                renewed = _update_rules(old, at)
                changed = update(contests).where(contests.c.name == old.id)
                connection.execute(changed.values(contest_to_row(ended)))
                connection.execute(insert(contests).values(contest_to_row(renewed)))
                entered = select(entries).where(entries.c.contest == old.id)
                found_entries = connection.execute(entered).mappings()
                rows = [{**row, "contest": renewed.id} for row in found_entries]
                if rows:
                    connection.execute(insert(entries), rows)
                replaced.append((ended, renewed))
        return replaced

    def add(self, ladder: Ladder) -> None:
        """Keep a new ladder. Raises: Stale if another one has its name."""
        self._database.write(insert(contests).values(contest_to_row(ladder)))

    def change(self, ladder: Ladder) -> None:
        """Keep a ladder as it is now. Raises: Stale if there is none, or one of its new name."""
        changed = update(contests).where(contests.c.name == ladder.id)
        if self._database.write(changed.values(contest_to_row(ladder))) != 1:
            raise Stale

    def set_paused(self, contest: str, is_paused: bool) -> None:
        """Pause a ladder or a tournament, or let it go on. Raises: Stale if there is none."""
        changed = update(contests).where(contests.c.name == contest)
        if self._database.write(changed.values(is_paused=is_paused)) != 1:
            raise Stale

    def conclude(self, ladder_id: str) -> None:
        """Note that the final of a season was played."""
        unfinished = contests.c.name == ladder_id, contests.c.concluded_at.is_(None)
        self._database.write(update(contests).where(*unfinished).values(concluded_at=now()))

    def reopen(self, ladder_id: str) -> None:
        """Note that the final of a season is yet to be played, or more of it."""
        this = contests.c.name == ladder_id
        self._database.write(update(contests).where(this).values(concluded_at=None))

    def ladder(self, ladder_id: str) -> Ladder | None:
        return self._database.find(ladder_of_id(ladder_id))

    def all(self) -> list[Ladder]:
        """Return all ladders, in the order in which they were made."""
        return self._database.find(find_ladders())

    # -- entries ------------------------------------------------------------------------------

    def set_state(
        self,
        ladder_id: str,
        bot_id: str,
        state: EntryState,
        why: str = "",
        *,
        was: Collection[EntryState],
    ) -> None:
        """Change where a bot stands. Raises: Stale if it did not stand at one of `was`."""
        with self._database.transaction() as connection:
            set_entry_state(connection, ladder_id, bot_id, state, why, was=was)

    def entry(self, ladder_id: str, bot_id: str) -> Entry | None:
        found = self._database.find(find_entries(*entry_condition(ladder_id, bot_id)))
        return found[0] if found else None

    def entries(self, ladder_id: str) -> list[Entry]:
        """Return a ladder's entries, the first to enter first."""
        return self._database.find(find_entries(entries.c.contest == ladder_id))


def find_bot_ladders(bot_id: str) -> Lookup[list[Ladder]]:
    """Look up the ladders on which a bot plays, or did; those entered first first."""
    found = find_ladders(contests.c.name == entries.c.contest, entries.c.bot == bot_id)
    return found._replace(query=found.query.order_by(None).order_by(entries.c.entered_at))


def bots_on_ladders(person_id: str) -> Lookup[Rows]:
    """Look up the bots of somebody that are or were on ladders: id, name and game."""
    on_ladders = entries.join(contests, contests.c.name == entries.c.contest)
    entered = select(entries.c.bot).select_from(on_ladders).where(IS_LADDER)
    query = select(bots.c.id, bots.c.name, bots.c.game)
    return Lookup(
        query.where(is_author(person_id), bots.c.id.in_(entered)).order_by(bots.c.name),
        lambda rows: rows,
    )


def _end_for_new_rules(ladder: Ladder, at: datetime, names: Collection[str]) -> Ladder:
    """Return a ladder that ends now, and leaves its name to the one that comes after it."""
    name = f"{ladder.name} (rules {ladder.spec.rules_version})"
    if name_key(name) in names:
        name += f" {ladder.id[:6]}"
    # Its bots play on in the new ladder: their sources are not shown because this one has ended.
    is_shown = ladder.source_rule is not SourceRule.EVERYBODY_AFTER_END
    return replace(
        ladder,
        name=name,
        source_rule=ladder.source_rule if is_shown else SourceRule.NOBODY,
        begins_at=min(ladder.begins_at, at),
        freezes_at=None,
        ends_at=at,
        concluded_at=at,
    )


def _update_rules(ladder: Ladder, at: datetime) -> Ladder:
    spec = replace(ladder.spec, rules_version=ladder.game.rules_version)
    begins_at = max(ladder.begins_at, at)
    return replace(ladder, id=new_ladder_id(), spec=spec, begins_at=begins_at, created_at=at)
