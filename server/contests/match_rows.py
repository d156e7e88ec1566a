"""The matches of bots in the database, as pages show them."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select

from engine.streams import parse_seed
from report.dossier import Dossier
from runners.contests.authors import author_ids, author_names, coauthor_ids
from runners.contests.contests import Ladder, find_ladder
from runners.contests.ladder_fixtures import WITH_RESULTS, Contender
from runners.contests.ledger import LedgerEntry, State
from runners.contests.visibility import is_visible, was_played_before
from runners.formats.pairing import Pairing
from runners.series import Fixture as Place
from runners.statistics.scores import compute_shares
from runners.storage.database import struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import bots, fixtures, players, versions
from runners.storage.store import StoredResult
from runners.storage.tables import contests, matches
from runners.storage.together import AnySelect, Lookup, Rows, only_value, read_lookups

MAX_SET_MATCHES = 100
"""Matches of a side-swapped set."""


class Seat(Contender, frozen=True, kw_only=True):
    """Who sits in a match."""

    author: str
    """The names of its authors."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a ladder as a page shows it."""

    id: int
    public_id: str
    """What stands in addresses."""
    ladder: str
    set_number: int
    seats: tuple[Seat, ...]
    seed: int
    key: str
    result: StoredResult | None
    """None for one that was not played, or of which the visitor may not know that yet."""
    why: str
    """Why it could not be played, or does not count."""
    is_void: bool
    created_at: datetime
    played_at: datetime | None

    @property
    def shares(self) -> tuple[float, ...]:
        """Return for each seat the share of the others it beat; () before it is over."""
        return () if self.result is None else compute_shares(self.result.scores, self.result.groups)

    def seat_of(self, bot_id: str) -> int:
        """Return where a bot sits, from 0. Raises: StopIteration if it does not play."""
        return next(seat for seat, one in enumerate(self.seats) if one.bot == bot_id)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that beat all their opponents, from 0: one, or those of a group."""
        return tuple(seat for seat, share in enumerate(self.shares) if share == 1.0)


def load_match(connection: Connection, public_id: str) -> Match | None:
    """Return a match by what stands in its address."""
    this = _newest_matches(fixtures.c.public_id == public_id, most=1)
    (found,) = read_lookups(connection, this)
    return found[0] if found else None


def set_matches(public_id: str) -> Lookup[list[Match]]:
    """Look up all matches of a match's side-swapped set."""
    asked = fixtures.alias("asked")
    ladder, number = (
        select(column).where(asked.c.public_id == public_id).scalar_subquery()
        for column in (asked.c.ladder, asked.c.set_number)
    )
    same = (fixtures.c.ladder == ladder) & (fixtures.c.set_number == number)
    return _newest_matches(same, most=MAX_SET_MATCHES)


def match_ladder(public_id: str) -> Lookup[Ladder | None]:
    """Look up the ladder of a match."""
    its = select(fixtures.c.ladder).where(fixtures.c.public_id == public_id)
    return find_ladder(contests.c.name.in_(its))


def visible_set_matches(found: Iterable[Match], until: datetime | None) -> list[Match]:
    """Return those matches of a set that may be seen, in their order.

    One that was made before the freeze and played after it is seen as one that is yet to be played.
    """
    seen = (hide_result(one, until) for one in found if is_visible(one.created_at, until))
    return sorted(seen, key=lambda one: one.id)


def bot_matches(
    ladder_id: str,
    bot_id: str,
    until: datetime | None,
    *,
    most: int,
    first: int = 0,
    other: str | None = None,
) -> Lookup[list[Match]]:
    """Look up the matches that a bot has played, or has against another; the newest first."""
    where = _is_match_of_bot(ladder_id, bot_id, until, other)
    return _newest_matches(where, most=most, first=first)


def newest_matches(
    ladder_id: str, most: int, until: datetime | None = None, *, first: int = 0
) -> Lookup[list[Match]]:
    """Look up the newest matches of a ladder that were played, and may be seen."""
    where = (fixtures.c.ladder == ladder_id) & fixtures.c.has_result & was_played_before(until)
    return _newest_matches(where, fixtures.c.played_at.desc(), most=most, first=first)


def any_matches(ladder_id: str, most: int) -> Lookup[list[Match]]:
    """Look up the matches of a ladder that were made last, whatever came of them."""
    return _newest_matches(fixtures.c.ladder == ladder_id, most=most)


def match_of_number(ladder_id: str, number: int) -> Lookup[list[Match]]:
    """Look up a match of a ladder by its number."""
    return _newest_matches((fixtures.c.ladder == ladder_id) & (fixtures.c.id == number), most=1)


def unfinished_matches(ladder_id: str, keys: Collection[str]) -> Lookup[list[Match]]:
    """Look up the matches of a ladder that have one of these keys and no result yet."""
    is_open = fixtures.c.played_at.is_(None) & fixtures.c.key.in_(sorted(keys))
    return _newest_matches((fixtures.c.ladder == ladder_id) & is_open, most=MAX_SET_MATCHES)


def count_bot_matches(
    ladder_id: str, bot_id: str, until: datetime | None, other: str | None = None
) -> Lookup[int]:
    """Look up how many of them there are."""
    where = _is_match_of_bot(ladder_id, bot_id, until, other)
    return Lookup(select(func.count()).where(where), only_value)


def has_lost_before(connection: Connection, match: Match, bot_id: str, other: str) -> bool:
    """Return whether a bot had lost to another one before a match."""
    where = _is_match_of_bot(match.ladder, bot_id, None, other) & (fixtures.c.id < match.id)
    (earlier,) = read_lookups(connection, _newest_matches(where, most=1_000))
    return any(one.shares[one.seat_of(bot_id)] < one.shares[one.seat_of(other)] for one in earlier)


def hide_result(match: Match, until: datetime | None) -> Match:
    """Return a match as whoever sees results before `until` may know it."""
    if until is None or match.played_at is None or match.played_at < until:
        return match
    return msgspec.structs.replace(match, result=None, played_at=None, why="", is_void=False)


def make_dossier(bot_id: str, matches: Sequence[Match]) -> tuple[Dossier, dict[int, Seat]]:
    """Return a bot's record over matches, and its opponents by their numbers in it."""
    numbers: dict[str, int] = {}
    seats: dict[int, Seat] = {}
    dossier = Dossier()
    for match in matches:
        if match.result is None or match.is_void:
            continue
        for one in match.seats:
            seats.setdefault(numbers.setdefault(one.bot, len(numbers)), one)
        dossier.add(
            make_ledger_entry(match, numbers), match.seat_of(bot_id), f"/matches/{match.public_id}"
        )
    return dossier, seats


def make_ledger_entry(match: Match, numbers: dict[str, int]) -> LedgerEntry:
    """Return a match that was played as reports take it; `numbers` are those of bots."""
    entrants = tuple(numbers[one.bot] for one in match.seats)
    assert match.result is not None
    return LedgerEntry(
        pairing=Pairing(match.set_number, 1, entrants, ""),
        fixture=Place(match.id, match.seed, entrants),
        key=match.key,
        state=State.PLAYED,
        shares=match.shares,
        result=match.result,
        broken=tuple(
            number
            for number, team in zip(entrants, match.result.teams, strict=True)
            if team.out is not None
        ),
    )


def by_map(matches: Sequence[Match]) -> list[list[Match]]:
    """Return matches, which are in order of time, map by map."""
    ordered = sorted(matches, key=lambda one: (-one.set_number, one.id))
    return [list(group) for _, group in groupby(ordered, lambda one: one.set_number)]


def select_fixtures_of_bot(bot_id: str) -> AnySelect:
    """Return the query of the fixtures in which any version of a bot plays."""
    return (
        select(players.c.fixture)
        .join(versions, versions.c.id == players.c.version)
        .where(versions.c.bot == bot_id)
    )


def _is_match_of_bot(
    ladder_id: str, bot_id: str, until: datetime | None, other: str | None
) -> ColumnElement[bool]:
    where = (fixtures.c.ladder == ladder_id) & fixtures.c.has_result & was_played_before(until)
    for one in filter(None, (bot_id, other)):
        where &= fixtures.c.id.in_(select_fixtures_of_bot(one))
    return where


def _newest_matches(
    where: ColumnElement[bool], *order: ColumnElement[object], most: int, first: int = 0
) -> Lookup[list[Match]]:
    """Look up matches with those who played them, the newest first.

    `order`: what comes before the order in which they were made. What an index of the fixtures
    gives in this order is read without the other matches of a ladder.
    """

    def limit(query: AnySelect) -> AnySelect:
        ordered = query.where(where).order_by(*order, fixtures.c.id.desc())
        return ordered.limit(most).offset(first)

    found = limit(select(fixtures, matches.c.result).select_from(WITH_RESULTS))
    playing = select(players.c.version).where(
        players.c.fixture.in_(select(limit(select(fixtures.c.id)).subquery().c.id))
    )
    seats = (
        select(versions.c.id.label("version"), versions.c.bot, versions.c.number, versions.c.digest)
        .add_columns(bots.c.name, bots.c.person, author_names(), coauthor_ids())
        .join(bots, bots.c.id == versions.c.bot)
        .join(people, people.c.id == bots.c.person)
        .where(versions.c.id.in_(playing))
    )
    return Lookup(found, _matches_from_rows, seats)


def _matches_from_rows(rows: Rows, seats: Rows) -> list[Match]:
    known = {row.version: struct_from_row(Seat, row, authors=author_ids(row)) for row in seats}
    return [
        struct_from_row(
            Match,
            row,
            seats=tuple(known[version] for version in _ids.decode(row.seats)),
            seed=parse_seed(row.seed),
            result=None if row.result is None else _result.decode(row.result),
        )
        for row in rows
    ]


_result = msgspec.json.Decoder(StoredResult)
_ids = msgspec.json.Decoder(tuple[str, ...])
