"""The bots of contests: who has entered, and who did not play in a season, and why not."""

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import Row, and_, or_, select

from runners.contests.authors import author_names
from runners.contests.ladders import Ladder
from runners.storage.database import now, struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.together import Lookup, Rows

WITHDRAWN = "its author has withdrawn it"
NOT_LET_IN = "no organizer has let it in"
REFUSED = "the checks have refused it"
CHECKING = "its checks have not ended yet"
LEFT = "no version of it was ready to play"
ALONE = "there was nobody whom it could meet"


class EnteredBot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that has entered a contest."""

    bot: str
    name: str
    author: str
    """The names of its authors."""
    person: str
    """The id of its owner."""
    state: EntryState
    why: str
    """Why it does not play."""
    entered_at: datetime
    changed_at: datetime


def entered_bots(
    contest: str, states: Collection[EntryState] = tuple(EntryState)
) -> Lookup[list[EnteredBot]]:
    """Look up the bots of a ladder or tournament, those that entered first first."""
    query = (
        select(entries, bots.c.name, bots.c.person, author_names())
        .join(bots, bots.c.id == entries.c.bot)
        .join(people, people.c.id == bots.c.person)
        .where(entries.c.contest == contest, entries.c.state.in_(states))
        .order_by(entries.c.entered_at, bots.c.name)
    )
    return Lookup(query, lambda rows: [struct_from_row(EnteredBot, row) for row in rows])


class Absentee(msgspec.Struct, frozen=True):
    """A bot without a match."""

    bot: str
    name: str
    author: str
    person: str
    """The id of its author."""
    why: str


def absentees(ladder: Ladder) -> Lookup[list[Absentee]]:
    """Look up the bots without a match in a season, by name, but those that were disqualified."""
    of_ladder = and_(entries.c.bot == bots.c.id, entries.c.contest == ladder.id)
    has_played = (
        select(players.c.seat)
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .join(versions, versions.c.id == players.c.version)
        .where(fixtures.c.ladder == ladder.id, fixtures.c.has_result, versions.c.bot == bots.c.id)
        .exists()
    )
    query = (
        select(
            bots.c.id,
            bots.c.name,
            author_names(),
            bots.c.person,
            entries.c.state.label("entry"),
            versions.c.state.label("version"),
        )
        .select_from(
            bots.join(people, people.c.id == bots.c.person)
            .join(versions, versions.c.bot == bots.c.id)
            .outerjoin(entries, of_ladder)
        )
        .where(
            or_(entries.c.contest.is_not(None), versions.c.ladder == ladder.id),
            versions.c.handed_in_at < (ladder.ends_at or now()),
            people.c.is_banned.is_(False),
            ~has_played,
        )
        .order_by(bots.c.name_key, bots.c.id, versions.c.number)
    )
    return Lookup(query, _absentees_from_rows)


def _absentees_from_rows(rows: Rows) -> list[Absentee]:
    newest = {row.id: row for row in rows}
    return [
        Absentee(row.id, row.name, row.author, row.person, _why_absent(row))
        for row in newest.values()
        if row.entry != EntryState.DISQUALIFIED
    ]


def _why_absent(row: Row[tuple[str, str, str, str | None, str]]) -> str:
    if row.entry == EntryState.WITHDRAWN:
        return WITHDRAWN
    if row.entry == EntryState.WAITING:
        return NOT_LET_IN
    if row.version == VersionState.REFUSED:
        return REFUSED
    if row.version == VersionState.CHECKING:
        return CHECKING
    return ALONE if row.entry == EntryState.PLAYING and row.version == VersionState.ACTIVE else LEFT
