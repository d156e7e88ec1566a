"""Ladders of a server and who has entered them, in the database."""

import secrets
from collections.abc import Collection, Iterable
from datetime import datetime

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Select, insert, select, update

from engine.bots.own_files import MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from engine.catalog import GAMES, find_game, find_publisher, leave_out_missing_games
from engine.game import AnyGame
from engine.spec import MatchSpec, decode_spec, encode_spec
from runners.contests.authors import is_author
from runners.storage.database import Database, Stale, now, struct_from_row, with_time_zone
from runners.storage.game_tables import group_members, people_groups
from runners.storage.ladder_tables import EntryRule, EntryState, SourceRule, bots, entries
from runners.storage.tables import IS_LADDER, contests, name_key
from runners.storage.together import AnyRow, AnySelect, Lookup, Rows

VERSIONS_PER_DAY = 20
CPU_S_PER_DAY = 3_600.0
"""What the bots of one person may use of a ladder's matches in a day, unless it says otherwise."""
LADDER = "ladder"
"""What stands for the format of a ladder or a season."""
MATCHES_PER_DAY = 400
"""A bot plays no more than this in a day after its placement, unless its ladder says otherwise."""


class ContestBase(msgspec.Struct, frozen=True, kw_only=True):
    """What ladders and tournaments have in common."""

    entry_rule: EntryRule = EntryRule.OPEN
    only_group: str | None = None
    """The id of the group whose members alone enter it."""
    is_paused: bool = False
    created_at: datetime


class Ladder(ContestBase, frozen=True, kw_only=True):
    """A ladder; one with an end is a season."""

    id: str
    name: str
    spec: MatchSpec
    """Without bots, and with seed 0."""
    source_rule: SourceRule = SourceRule.NOBODY
    versions_per_day: int = VERSIONS_PER_DAY
    """How many versions of a bot may be handed in, in a day."""
    cpu_s_per_day: float = CPU_S_PER_DAY
    matches_per_day: int = MATCHES_PER_DAY
    """A bot plays no more than this after its placement: what is known well costs no more time."""
    most_source_bytes: int = MAX_SOURCE_BYTES
    """The size of all .py files of a bot."""
    most_bytes: int = MAX_TOTAL_BYTES
    """The size of all its files."""
    begins_at: datetime
    freezes_at: datetime | None = None
    ends_at: datetime | None = None
    """When handing in closes, and the final begins; None for a ladder without an end."""
    concluded_at: datetime | None = None
    """When the final was played, so that the table is final."""

    @property
    def game(self) -> AnyGame:
        return find_game(self.spec.game)

    def is_for(self, groups: Collection[str]) -> bool:
        """Return whether somebody in these groups may enter it."""
        return self.only_group is None or self.only_group in groups

    @property
    def is_season(self) -> bool:
        return self.ends_at is not None

    def has_begun(self, at: datetime) -> bool:
        return self.begins_at <= at

    def is_closed(self, at: datetime) -> bool:
        """Return whether nobody enters it any more, and no new versions play on it."""
        return self.ends_at is not None and self.ends_at <= at

    def is_over(self, at: datetime) -> bool:
        """Return whether its table is final. Where the rules have changed no final is played."""
        is_concluded = self.concluded_at is not None or not self.has_present_rules
        return self.is_closed(at) and is_concluded

    def final_time(self, at: datetime) -> datetime | None:
        """Return when the table of a season became final; None as long as it may change."""
        return self.concluded_at if self.is_over(at) else None

    def is_in_final(self, at: datetime) -> bool:
        return self.is_closed(at) and not self.is_over(at)

    def is_frozen(self, at: datetime) -> bool:
        """Return whether its table is not shown as it changes."""
        return self.freezes_at is not None and self.freezes_at <= at and not self.is_over(at)

    @property
    def has_present_rules(self) -> bool:
        return self.spec.rules_version == self.game.rules_version

    def is_running(self, at: datetime) -> bool:
        """Return whether its matches are played; under other rules none are."""
        return (
            self.has_begun(at)
            and not self.is_paused
            and not self.is_over(at)
            and self.has_present_rules
        )


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in a contest."""

    contest: str
    """The id of a ladder, or the name of a tournament."""
    bot: str
    state: EntryState
    why: str
    """Why it does not play."""
    entered_at: datetime
    changed_at: datetime


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
            made = [_default_ladder(find_game(name), now()) for name in GAMES]
            connection.execute(insert(contests), [_ladder_to_row(ladder) for ladder in made])
        return made

    def replace_those_of_old_rules(self) -> list[tuple[Ladder, Ladder]]:
        """End the ladders of older rules, and begin a new one in place of each, with its bots.

        A ladder rates matches of one version of the rules: what the old one has not played by now
        is not played any more. Return each ended ladder with the new one.
        """
        at = now()
        replaced = []
        with self._database.transaction() as connection:
            found = all_ladders(connection)
            names = {name_key(one.name) for one in found}
            for old in found:
                if old.is_over(at) or old.spec.rules_version >= old.game.rules_version:
                    continue
                ended = _end_for_new_rules(old, at, names)
                renewed = _update_rules(old, at)
                changed = update(contests).where(contests.c.name == old.id)
                connection.execute(changed.values(_ladder_to_row(ended)))
                connection.execute(insert(contests).values(_ladder_to_row(renewed)))
                entered = select(entries).where(entries.c.contest == old.id)
                found_entries = connection.execute(entered).mappings()
                rows = [{**row, "contest": renewed.id} for row in found_entries]
                if rows:
                    connection.execute(insert(entries), rows)
                replaced.append((ended, renewed))
        return replaced

    def add(self, ladder: Ladder) -> None:
        """Keep a new ladder. Raises: Stale if another one has its name."""
        self._database.write(insert(contests).values(_ladder_to_row(ladder)))

    def change(self, ladder: Ladder) -> None:
        """Keep a ladder as it is now. Raises: Stale if there is none, or one of its new name."""
        changed = update(contests).where(contests.c.name == ladder.id)
        if self._database.write(changed.values(_ladder_to_row(ladder))) != 1:
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

    def ladder(self, ladder_id: str) -> Ladder | None:
        return self._database.find(ladder_of_id(ladder_id))

    def all(self) -> list[Ladder]:
        """Return all ladders, in the order in which they were made."""
        return self._database.find(every_ladder())

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
        found = self._database.find(_find_entries(*entry_condition(ladder_id, bot_id)))
        return found[0] if found else None

    def entries(self, ladder_id: str) -> list[Entry]:
        """Return a ladder's entries, the first to enter first."""
        return self._database.find(entries_on(ladder_id))


def describe_end(ladder: Ladder) -> str:
    """Return when handing in for a season closed, in words that follow its name."""
    assert ladder.ends_at is not None
    return f"ended on {ladder.ends_at:%Y-%m-%d at %H:%M} UTC"


def groups_of_person(person_id: str) -> Lookup[frozenset[str]]:
    """Look up the ids of the groups that somebody is in."""
    query = select(group_members.c.group).where(group_members.c.person == person_id)
    return Lookup(query, lambda rows: frozenset(row.group for row in rows))


def groups_of_author(bot_id: str) -> Lookup[frozenset[str]]:
    """Look up the ids of the groups that a bot's author is in."""
    author = select(bots.c.person).where(bots.c.id == bot_id)
    query = select(group_members.c.group).where(group_members.c.person.in_(author))
    return Lookup(query, lambda rows: frozenset(row.group for row in rows))


def group_of_contest(contest: str) -> Lookup[str]:
    """Look up the name of the group that a contest is for; '' for one that is for everybody."""
    own = select(contests.c.only_group).where(contests.c.name == contest)
    query = select(people_groups.c.name).where(people_groups.c.id.in_(own))
    return Lookup(query, lambda rows: rows[0].name if rows else "")


def all_ladders(connection: Connection) -> list[Ladder]:
    """Return all ladders, in the order in which they were made."""
    return _ladders_from_rows(connection.execute(_ladders_query()).all())


def every_ladder() -> Lookup[list[Ladder]]:
    """Look up all ladders, in the order in which they were made."""
    return Lookup(_ladders_query(), _ladders_from_rows)


def ladder_of_id(ladder_id: str) -> Lookup[Ladder | None]:
    """Look up a ladder."""
    return _ladder_where(contests.c.name == ladder_id)


def ladder_in(ids: Select[tuple[str]]) -> Lookup[Ladder | None]:
    """Look up the ladder whose id another query finds."""
    return _ladder_where(contests.c.name.in_(ids))


def _ladder_where(condition: ColumnElement[bool]) -> Lookup[Ladder | None]:
    query = select(contests).where(IS_LADDER, condition)
    return Lookup(query, lambda rows: ladder_from_row(rows[0]) if rows else None)


def find_bot_ladders(bot_id: str) -> Lookup[list[Ladder]]:
    """Look up the ladders on which a bot plays, or did; those entered first first."""
    entered = entries.join(contests, contests.c.name == entries.c.contest)
    query = select(contests).select_from(entered).where(IS_LADDER, entries.c.bot == bot_id)
    return Lookup(query.order_by(entries.c.entered_at), _ladders_from_rows)


def find_bot_entries(bot_id: str) -> Lookup[list[Entry]]:
    """Look up the entries of a bot."""
    return _find_entries(entries.c.bot == bot_id)


def bots_on_ladders(person_id: str) -> Lookup[Rows]:
    """Look up the bots of somebody that are or were on ladders: id, name and game."""
    on_ladders = entries.join(contests, contests.c.name == entries.c.contest)
    entered = select(entries.c.bot).select_from(on_ladders).where(IS_LADDER)
    query = select(bots.c.id, bots.c.name, bots.c.game)
    return Lookup(
        query.where(is_author(person_id), bots.c.id.in_(entered)).order_by(bots.c.name),
        lambda rows: rows,
    )


def entries_on(ladder_id: str) -> Lookup[list[Entry]]:
    """Look up a ladder's entries, the first to enter first."""
    return _find_entries(entries.c.contest == ladder_id)


def every_entry() -> Lookup[list[Entry]]:
    """Look up the entries of all ladders, the first to enter first."""
    return _find_entries()


def entries_of_bots(bot_ids: Select[tuple[str]]) -> Lookup[list[Entry]]:
    """Look up the entries of the bots whose ids another query finds, the first to enter first."""
    return _find_entries(entries.c.bot.in_(bot_ids))


def _find_entries(*where: ColumnElement[bool]) -> Lookup[list[Entry]]:
    query = select(entries).where(*where).order_by(entries.c.entered_at, entries.c.bot)
    return Lookup(query, lambda rows: [struct_from_row(Entry, row) for row in rows])


def by_ladder(found: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return entries by their ladders, in their order."""
    of_ladders: dict[str, list[Entry]] = {}
    for entry in found:
        of_ladders.setdefault(entry.contest, []).append(entry)
    return of_ladders


def new_ladder_id() -> str:
    """Return an id that no other ladder has."""
    return secrets.token_hex(8)


def usual_spec(game: AnyGame) -> MatchSpec:
    """Return the spec of a ladder with a game's own settings."""
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=game.settings(),
        limits=game.limits,
        bots=(),
        seed=0,
        publisher=find_publisher(game.name),
    )


def entry_state(connection: Connection, ladder_id: str, bot_id: str) -> EntryState | None:
    """Return where a bot stands on a ladder; None if it never entered it."""
    query = select(entries.c.state).where(*entry_condition(ladder_id, bot_id))
    state = connection.execute(query).scalar()
    return None if state is None else EntryState(state)


def set_entry_state(
    connection: Connection,
    contest: str,
    bot_id: str,
    state: EntryState,
    why: str = "",
    *,
    was: Collection[EntryState],
) -> None:
    """Change where a bot stands. Raises: Stale if it did not stand at one of `was`."""
    query = update(entries).where(*entry_condition(contest, bot_id), entries.c.state.in_(was))
    values = {"state": state, "why": why, "changed_at": now()}
    if connection.execute(query.values(values)).rowcount != 1:
        raise Stale


def _default_ladder(game: AnyGame, at: datetime) -> Ladder:
    return Ladder(
        id=new_ladder_id(), name=game.title, spec=usual_spec(game), begins_at=at, created_at=at
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


def _ladders_query() -> AnySelect:
    return select(contests).where(IS_LADDER).order_by(contests.c.begun_at, contests.c.name_key)


def entry_condition(ladder_id: str, bot_id: str) -> tuple[ColumnElement[bool], ...]:
    return entries.c.contest == ladder_id, entries.c.bot == bot_id


def _ladder_to_row(ladder: Ladder) -> dict[str, object]:
    row = msgspec.structs.asdict(ladder)
    row |= {"name": row.pop("id"), "title": ladder.name, "name_key": name_key(ladder.name)}
    row |= {"spec": encode_spec(ladder.spec).decode(), "begun_at": row.pop("created_at")}
    return {**row, "plan": "", "format": LADDER}


def _ladders_from_rows(rows: Rows) -> list[Ladder]:
    return leave_out_missing_games(ladder_from_row, rows)


def ladder_from_row(row: AnyRow) -> Ladder:
    """Return a ladder as its row says it."""
    return struct_from_row(
        Ladder,
        row,
        id=row.name,
        name=row.title,
        spec=decode_spec(row.spec.encode()),
        created_at=with_time_zone(row.begun_at),
    )
