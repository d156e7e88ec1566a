"""What the members of a group have handed in, and how it stands in its contests."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.contests.contests import Ladder
from runners.contests.entries import Entry, find_entries
from runners.contests.standings import StandingsRow
from runners.storage.database import now, struct_from_row, with_time_zone
from runners.storage.game_tables import group_members, people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    coauthors,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.tables import contests
from runners.storage.together import AnyRow, Lookup
from server.bots.source_access import NEVER_SHOWN
from server.contests.ladder_tables import LadderTable, Standing
from server.contests.tournament_views import TournamentView
from server.identity.people import Person


class HandIn(msgspec.Struct, frozen=True, kw_only=True):
    """The version of a bot that was handed in last."""

    authors: frozenset[str]
    """The ids of its authors."""
    by: str
    """The name of who has handed it in."""
    bot: str
    name: str
    game: str
    number: int
    state: VersionState
    why: str
    """Why it was refused or quarantined."""
    at: datetime


class HandInEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was handed in, in a contest that it has entered."""

    hand_in: HandIn
    contest: str | None = None
    """The id of a ladder, or the name of a tournament; None where it has entered none."""
    title: str | None = None
    entry: EntryState | None = None
    rank: int | None = None
    rating: float | None = None
    games: int = 0
    faults: int = 0
    is_final: bool = False
    """Whether the place is that of a final table."""

    @property
    def checks(self) -> str:
        """Return what came of the checks of the version, in words."""
        match self.hand_in.state:
            case VersionState.CHECKING:
                return "being checked"
            case VersionState.REFUSED:
                return f"refused: {self.hand_in.why}"
            case VersionState.QUARANTINED:
                return f"passed, then quarantined: {self.hand_in.why}"
            case _:
                return "passed"


def group_hand_ins(group_id: str, viewer: Person) -> Lookup[list[HandIn]]:
    """Look up what the members of a group have handed in last, as somebody may know it.

    Who is no organizer knows of others' versions what the pages of bots tell: none that have not
    passed their checks, and none of the time in which a ladder is frozen.
    """
    shown: ColumnElement[bool] = versions.c.number > 0
    if not viewer.is_organizer:
        shown = or_(
            is_author(viewer.id),
            and_(versions.c.state.not_in(NEVER_SHOWN), ~_is_hidden_by_freeze()),
        )
    newest = (
        select(versions.c.bot, func.max(versions.c.number).label("number"))
        .join(bots, bots.c.id == versions.c.bot)
        .where(bots.c.id.in_(_group_bots_query(group_id)), shown)
        .group_by(versions.c.bot)
        .subquery()
    )
    query = (
        select(
            *(versions.c.bot, versions.c.number, versions.c.state, versions.c.why),
            *(versions.c.handed_in_at, bots.c.person, bots.c.name, bots.c.game),
            *(coauthor_ids(), people.c.name.label("by")),
        )
        .join(newest, (newest.c.bot == versions.c.bot) & (newest.c.number == versions.c.number))
        .join(bots, bots.c.id == versions.c.bot)
        .outerjoin(people, people.c.id == func.coalesce(versions.c.person, bots.c.person))
        .order_by(versions.c.handed_in_at.desc(), bots.c.name)
    )
    return Lookup(query, lambda rows: [_hand_in(row) for row in rows])


def entries_of_group(group_id: str) -> Lookup[list[Entry]]:
    """Look up where the bots of a group's members stand, the first to enter first."""
    return find_entries(entries.c.bot.in_(_group_bots_query(group_id)))


def faults_of_group(group_id: str) -> Lookup[Mapping[tuple[str, str], int]]:
    """Look up the faults in matches that count, by the ids of bot and ladder."""
    query = (
        select(versions.c.bot, fixtures.c.ladder, func.sum(players.c.faults).label("faults"))
        .select_from(
            players.join(fixtures, fixtures.c.id == players.c.fixture).join(
                versions, versions.c.id == players.c.version
            )
        )
        .where(
            versions.c.bot.in_(_group_bots_query(group_id)),
            fixtures.c.has_result,
            fixtures.c.is_void.is_(False),
        )
        .group_by(versions.c.bot, fixtures.c.ladder)
    )
    return Lookup(query, lambda rows: {(row.bot, row.ladder): row.faults or 0 for row in rows})


def place_hand_ins(
    hand_ins: Sequence[HandIn],
    entered: Sequence[Entry],
    tables: Mapping[str, tuple[Ladder, LadderTable]],
    faults: Mapping[tuple[str, str], int],
    views: Sequence[TournamentView],
) -> list[HandInEntry]:
    """Return each hand-in in each contest that its bot has entered, or once where it is in none.

    `tables`: by the ids of ladders, the ladder and how it stands; `faults`: by bot and ladder.
    `views`: how tournaments stand, where a bot is known by its name.
    """
    by_bot: dict[str, list[Entry]] = {}
    for entry in entered:
        by_bot.setdefault(entry.bot, []).append(entry)
    standings = {
        (one.bot, ladder_id): one
        for ladder_id, (_, table) in tables.items()
        for one in table.standings
    }
    played = _group_rows(views)
    found = []
    for hand_in in hand_ins:
        in_tournaments = played.get((hand_in.game, hand_in.name), [])
        on = [entry for entry in by_bot.get(hand_in.bot, []) if entry.contest in tables]
        if not on and not in_tournaments:
            found.append(HandInEntry(hand_in=hand_in))
        for entry in on:
            key, (ladder, _) = (hand_in.bot, entry.contest), tables[entry.contest]
            found.append(
                _make_ladder_entry(hand_in, ladder, entry, standings.get(key), faults.get(key, 0))
            )
        found += [_make_tournament_entry(hand_in, view, row) for view, row in in_tournaments]
    return found


def _group_rows(
    views: Sequence[TournamentView],
) -> dict[tuple[str, str], list[tuple[TournamentView, StandingsRow]]]:
    """Return the rows of tournaments by the game and the name of the bot."""
    played: dict[tuple[str, str], list[tuple[TournamentView, StandingsRow]]] = {}
    for view in views:
        for row in view.shown.standings.rows:
            key = view.tournament.field.plan.game, row.bot.name
            played.setdefault(key, []).append((view, row))
    return played


def _make_ladder_entry(
    hand_in: HandIn, ladder: Ladder, entry: Entry, standing: Standing | None, faults: int
) -> HandInEntry:
    return HandInEntry(
        hand_in=hand_in,
        contest=ladder.id,
        title=ladder.name,
        entry=entry.state,
        rank=None if standing is None else standing.rank,
        rating=None if standing is None else standing.elo,
        games=0 if standing is None else standing.games,
        faults=faults,
        is_final=ladder.is_over(now()),
    )


def _make_tournament_entry(hand_in: HandIn, view: TournamentView, row: StandingsRow) -> HandInEntry:
    return HandInEntry(
        hand_in=hand_in,
        contest=view.contest.id,
        title=view.contest.title,
        entry=EntryState.PLAYING,
        rank=row.rank,
        games=row.games,
        faults=row.faults.total(),
        is_final=view.shown.standings.is_over,
    )


def by_author(found: Sequence[HandInEntry]) -> dict[str, list[HandInEntry]]:
    """Return places by the ids of authors; those of a bot that several share stand at each."""
    of_person: dict[str, list[HandInEntry]] = {}
    for place in found:
        for author in place.hand_in.authors:
            of_person.setdefault(author, []).append(place)
    return of_person


def _group_bots_query(group_id: str) -> Select[tuple[str]]:
    """Return the query of the ids of the bots that members of a group have written or share."""
    members = select(group_members.c.person).where(group_members.c.group == group_id)
    shared = select(coauthors.c.bot).where(
        coauthors.c.person.in_(members), coauthors.c.accepted_at.is_not(None)
    )
    return select(bots.c.id).where(bots.c.person.in_(members) | bots.c.id.in_(shared))


def _is_hidden_by_freeze() -> ColumnElement[bool]:
    """Return the condition of versions that came while a ladder of their bot is frozen."""
    frozen = (
        select(contests.c.name)
        .join(entries, entries.c.contest == contests.c.name)
        .where(
            entries.c.bot == versions.c.bot,
            contests.c.freezes_at <= now(),
            contests.c.concluded_at.is_(None),
            versions.c.handed_in_at >= contests.c.freezes_at,
        )
    )
    return frozen.correlate(versions).exists()


def _hand_in(row: AnyRow) -> HandIn:
    at, by = with_time_zone(row.handed_in_at), row.by or ""
    return struct_from_row(HandIn, row, authors=author_ids(row), by=by, at=at)
