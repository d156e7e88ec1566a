"""How a bot enters a contest, whether that is a ladder, a season or a tournament to begin."""

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Connection, select, update

from engine.catalog import find_game
from engine.errors import UsageError
from runners.contests.contests import Contest, SavedTournament, contest_of_id, describe_end
from runners.storage.database import Database, Stale, now, struct_from_row
from runners.storage.game_tables import group_members, people_groups
from runners.storage.ladder_tables import EntryRule, EntryState, FieldRule, bots, entries
from runners.storage.tables import contests
from runners.storage.together import Lookup, read_lookups

ENTERED_STATES = (EntryState.PLAYING, EntryState.WAITING)


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


def find_entries(*where: ColumnElement[bool]) -> Lookup[list[Entry]]:
    """Look up entries, the first to enter first."""
    query = select(entries).where(*where).order_by(entries.c.entered_at, entries.c.bot)
    return Lookup(query, lambda rows: [struct_from_row(Entry, row) for row in rows])


def find_bot_entries(bot_id: str) -> Lookup[list[Entry]]:
    """Look up the entries of a bot."""
    return find_entries(entries.c.bot == bot_id)


def entry_condition(contest: str, bot_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the condition of a query for the entry of a bot in a contest."""
    return entries.c.contest == contest, entries.c.bot == bot_id


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


class NotEntered(UsageError):
    """Why a bot cannot enter a contest."""


def enter(
    database: Database, contest_id: str, bot_id: str, handed_in_at: datetime | None = None
) -> EntryState:
    """Let a bot in, or let it wait for the organizer; return which. Once in, it stays so.

    `handed_in_at`: when the version was handed in with which it enters a ladder; now if None.
    Raises: NotEntered.
    """
    at = now()
    with database.transaction() as connection:
        contest = _find_contest(connection, contest_id)
        _require_open(contest, at, handed_in_at or at)
        require_member(connection, contest, _find_author(connection, contest, bot_id))
        state = entry_state(connection, contest_id, bot_id)
        if state is EntryState.DISQUALIFIED:
            raise NotEntered(f"this bot was disqualified from {contest.title}")
        if state in ENTERED_STATES:
            return state
        is_open = contest.base.entry_rule is EntryRule.OPEN
        new = EntryState.PLAYING if is_open else EntryState.WAITING
        values = {"state": new, "why": "", "changed_at": at}
        if state is None:
            row = {"contest": contest_id, "bot": bot_id, "entered_at": at, **values}
            database.insert_new(connection, entries, row)  # somebody may click twice
        else:
            this = entry_condition(contest_id, bot_id)
            connection.execute(update(entries).where(*this).values(values))
    return new


def require_member(connection: Connection, contest: Contest, person_id: str) -> None:
    """Raises: NotEntered for who is not in the group that a contest is for."""
    group = contest.base.only_group
    if group is None:
        return
    where = group_members.c.person == person_id, group_members.c.group == group
    if connection.execute(select(group_members.c.group).where(*where)).first() is None:
        named = select(people_groups.c.name).where(people_groups.c.id == group)
        name = connection.execute(named).scalar()
        raise NotEntered(
            f"{contest.title} is for the members of the group {name} alone: join it with its code, "
            "which its organizer has"
        )


def require_entries_open(one: SavedTournament, title: str, at: datetime) -> None:
    """Raises: NotEntered once entries for a tournament are closed."""
    if not one.takes_entries(at):
        until = one.entries_until or one.created_at
        raise NotEntered(f"entries for {title} closed on {until:%Y-%m-%d at %H:%M} UTC")


def _find_contest(connection: Connection, contest_id: str) -> Contest:
    found: Contest | None
    (found,) = read_lookups(connection, contest_of_id(contest_id))
    if found is None:
        raise NotEntered("there is no such contest: it may have been called off")
    return found


def _require_open(contest: Contest, at: datetime, handed_in_at: datetime) -> None:
    ladder, tournament = contest.ladder, contest.tournament
    if tournament is not None:
        require_entries_open(tournament, contest.title, at)
        if tournament.field is not FieldRule.ENTERED:
            raise NotEntered(f"every bot of the ladder plays in {contest.title}")
    elif ladder.is_over(at) or ladder.is_closed(handed_in_at):
        raise NotEntered(f"{ladder.name} {describe_end(ladder)}")


def _find_author(connection: Connection, contest: Contest, bot_id: str) -> str:
    """Return whose bot that is. Raises: NotEntered for one of another game, or for none."""
    bot = connection.execute(select(bots).where(bots.c.id == bot_id)).one_or_none()
    if bot is None:
        raise NotEntered("there is no such bot")
    if bot.game != contest.ladder.spec.game:
        raise NotEntered(
            f"{contest.title} is a {contest.kind} of {contest.ladder.game.title}, and this bot "
            f"plays {find_game(bot.game).title}"
        )
    return str(bot.person)
