"""Games that wait for players in the database, and whose the seats of begun games are."""

import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, delete, func, insert, select, update

from engine.catalog import find_game, leave_out_missing_games
from engine.spec import MatchSpec, decode_spec, encode_spec
from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.game_tables import (
    decisions,
    drafts,
    games,
    messages_read,
    open_games,
    orders,
    owners,
    people,
    premoves,
    sessions,
)
from runners.storage.together import AnyRow, Lookup, Rows, read_lookups
from server.games.clocks import Kind
from server.games.game_rows import Participant
from server.games.game_service import rematch_team
from server.games.game_sessions import GameObserver
from server.identity.names import DELETED_NAME
from server.identity.people import BUILT_IN_OWNER, Person, hash_key, names_where
from server.messages.block_list import BlockList

KEPT_FROM = "you cannot sit down in this game: choose another one"
FOR_PEOPLE = "this seat is for people: a remote bot plays where it is challenged, or where one asks"
MAX_WAITING_GAMES = 10
"""Games of one person that wait for players."""
NOT_RATED = "this game is rated, and remote bots play casual games only"


class SeatKind(StrEnum):
    """How a seat stands."""

    PERSON = "person"
    GUEST = "guest"
    """Taken by somebody who has a friend's link and no account."""
    BOT = "bot"
    OPEN = "open"
    FRIEND = "friend"
    """The seat is for whoever has its link."""
    REMOTE = "remote"
    """Taken by a program with the token of a person."""
    CHALLENGED = "challenged"
    """The seat is for one person, or their remote bot."""
    DECLINED = "declined"
    """The same, and they do not want it."""


class WaitingSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a game that has not begun."""

    kind: SeatKind
    name: str = ""
    person: str | None = None
    digest: str = ""
    """The digest of a bot."""
    key: str = ""
    """The hash of a friend's key."""
    token: str = ""
    """The hash of a guest's token."""
    is_by_link: bool = False
    """Whether a member has taken it by a private link; guests always do."""

    @property
    def is_taken(self) -> bool:
        return self.kind in (SeatKind.PERSON, SeatKind.GUEST, SeatKind.BOT, SeatKind.REMOTE)

    def is_for(self, person_id: str) -> bool:
        """Return whether this person is challenged to take the seat."""
        return self.kind is SeatKind.CHALLENGED and self.person == person_id


class OpenGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that waits for players, or did."""

    id: str
    spec: MatchSpec
    seats: tuple[WaitingSeat, ...]
    clock: str
    """The clock as `--clock` takes it; none without one."""
    is_rated: bool
    made_by: str | None
    """The id of who made it; None for somebody without an account."""
    created_at: datetime
    has_begun: bool

    @property
    def is_full(self) -> bool:
        return all(seat.is_taken for seat in self.seats)

    def find_team(self, person_id: str) -> int | None:
        """Return the seat that a person has taken."""
        return next(
            (
                team
                for team, seat in enumerate(self.seats, 1)
                if seat.person == person_id and seat.is_taken
            ),
            None,
        )

    @property
    def linked_teams(self) -> list[int]:
        """Return the teams of those who came by a private link, and of who gave it to them."""
        return [
            team
            for team, seat in enumerate(self.seats, 1)
            if seat.kind is SeatKind.GUEST
            or seat.is_by_link
            or (seat.is_taken and seat.person is not None and seat.person == self.made_by)
        ]

    def has_challenged(self, person_id: str) -> bool:
        """Return whether a seat is for this person, who has not answered."""
        return any(seat.is_for(person_id) for seat in self.seats)

    def is_offered_to(self, person_id: str) -> bool:
        """Return whether a person finds something to take or to manage in this game."""
        is_participant = self.made_by == person_id or self.find_team(person_id) is not None
        reserved = (SeatKind.CHALLENGED, SeatKind.DECLINED)
        is_open = any(not (seat.is_taken or seat.kind in reserved) for seat in self.seats)
        return is_participant or is_open or self.has_challenged(person_id)

    @property
    def is_of_program(self) -> bool:
        """Return whether a program has made it."""
        return any(
            seat.kind is SeatKind.REMOTE and seat.person == self.made_by for seat in self.seats
        )

    def is_for_friend(self, team: int, key: str) -> bool:
        """Return whether a key is that of a friend's seat."""
        return 1 <= team <= len(self.seats) and _has_key(self.seats[team - 1], key)

    def is_guest(self, token: str) -> bool:
        """Return whether a token is that of a guest's seat."""
        return bool(token) and hash_key(token) in {seat.token for seat in self.seats}


class OwnSeats(NamedTuple):
    """The seats of a person in a game that has begun."""

    game_id: str
    version: int
    """How often the game was changed."""
    teams: tuple[int, ...]
    read_up_to: tuple[int, ...]
    """Up to which message each of them has read."""


class NotPossible(Exception):
    """Why a seat cannot be taken, or a game not be changed."""


class NotWelcome(NotPossible):
    """Somebody in a game has blocked whoever wants to sit down there, or the other way round."""


class OpenGames(GameObserver):
    """The games of a server that wait for players."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._block_list = BlockList(database)
        self._on_change: list[Callable[[OpenGame], object]] = []

    def add_listener(self, on_change: Callable[[OpenGame], object]) -> None:
        """Have this called, from any thread, with each game made, changed, begun or canceled."""
        self._on_change.append(on_change)

    def _notify_change(self, game: OpenGame) -> OpenGame:
        for on_change in self._on_change:
            on_change(game)
        return game

    def blocked_with(self, person_id: str) -> frozenset[str]:
        """Return the people from whom a block keeps a person."""
        return self._block_list.blocked_with(person_id)

    def add(
        self,
        spec: MatchSpec,
        seats: Sequence[WaitingSeat],
        made_by: str | None,
        clock: str = Kind.NONE,
        *,
        is_rated: bool = False,
    ) -> OpenGame:
        """Make a game that waits for players.

        Raises: NotPossible for a rated game with a seat for a friend or with settings with which
        nothing is rated, and for one game too many.
        """
        why = find_game(spec.game).why_not_rated(spec.settings) if is_rated else None
        if why is not None:
            raise NotPossible(why)
        if is_rated and any(seat.kind is SeatKind.FRIEND for seat in seats):
            raise NotPossible(
                "a rated game is for people with accounts: leave the seat open, or play casually"
            )
        game_id = secrets.token_hex(8)
        row = {
            "id": game_id,
            "spec": encode_spec(spec).decode(),
            "seats": msgspec.json.encode(seats).decode(),
            "made_by": made_by,
            "clock": clock,
            "is_rated": is_rated,
            "created_at": now(),
        }
        where = open_games.c.made_by == made_by, open_games.c.begun_at.is_(None)
        with self._database.transaction() as connection:
            # Nobody writes meanwhile, so of games that are made at once all are counted.
            count = connection.execute(select(func.count()).where(*where)).scalar_one()
            if made_by is not None and count >= MAX_WAITING_GAMES:
                raise NotPossible(
                    f"{MAX_WAITING_GAMES} games of yours wait already: cancel one of them"
                )
            connection.execute(insert(open_games).values(row))
        found = self.find(game_id)
        assert found is not None
        return self._notify_change(found)

    def find(self, game_id: str) -> OpenGame | None:
        return self._database.find(open_game(game_id))

    def find_waiting(self) -> list[OpenGame]:
        """Return the games that have not begun, the oldest first."""
        return self._database.find(waiting_games())

    def find_waiting_among(self, game_ids: Collection[str]) -> list[OpenGame]:
        """Return those of some games that have not begun, the oldest first."""
        among = open_games.c.id.in_(game_ids)
        return self._database.find(waiting_games(among)) if game_ids else []

    def take(self, game_id: str, team: int, person: Person, key: str = "") -> OpenGame:
        """Give a person a seat that is open or theirs to take, or a friend's by its key.

        Raises: NotPossible.
        """

        def take_seat(game: OpenGame) -> list[WaitingSeat]:
            self._require_may_sit(game, person)
            seat = _seat(game, team)
            is_free = seat.kind is SeatKind.OPEN or seat.is_for(person.id)
            if not (is_free or _has_key(seat, key)):
                raise NotPossible("this seat is not free")
            own_seat = WaitingSeat(
                kind=SeatKind.PERSON, name=person.name, person=person.id, is_by_link=not is_free
            )
            return _replace_seat(game, team, own_seat)

        return self._change(game_id, take_seat)

    def take_as_remote_bot(self, game_id: str, person: Person) -> OpenGame:
        """Give a person's program the seat that is for it, or an open one of another program.

        Raises: NotPossible.
        """

        def take_seat(game: OpenGame) -> list[WaitingSeat]:
            self._require_may_sit(game, person)
            if game.is_rated:
                raise NotPossible(NOT_RATED)
            own_seat = WaitingSeat(kind=SeatKind.REMOTE, name=person.name, person=person.id)
            return _replace_seat(game, _team_for(game, person.id), own_seat)

        return self._change(game_id, take_seat)

    def decline(self, game_id: str, person: Person) -> OpenGame:
        """Keep that somebody does not want to play. Raises: NotPossible."""

        def decline_seat(game: OpenGame) -> list[WaitingSeat]:
            if not game.has_challenged(person.id):
                raise NotPossible("you are not challenged there, or have answered")
            return [
                replace(seat, kind=SeatKind.DECLINED) if seat.is_for(person.id) else seat
                for seat in game.seats
            ]

        return self._change(game_id, decline_seat)

    def require_challengeable(self, person_id: str, other: Person | None, name: str) -> Person:
        """Return somebody whom a person may challenge. Raises: NotPossible.

        Whether there is no such person, or a block is between them, is not said.
        """
        is_there = (
            other is not None
            and not other.is_banned
            and other.id not in (BUILT_IN_OWNER, person_id)
        )
        if other is None or not is_there or other.id in self._block_list.blocked_with(person_id):
            raise NotPossible(f"{name!r:.60} cannot be challenged: choose somebody else")
        return other

    def _require_may_sit(self, game: OpenGame, person: Person) -> None:
        """Raises: NotPossible."""
        self._require_welcome(game, person.id)
        if game.find_team(person.id) is not None:
            raise NotPossible("you have a seat in this game already")

    def is_kept_from(self, game: OpenGame, person_id: str) -> bool:
        """Return whether a block is between a person and whoever made a game, or sits there."""
        there = {game.made_by, *(seat.person for seat in game.seats)}
        return not self._block_list.blocked_with(person_id).isdisjoint(there)

    def _require_welcome(self, game: OpenGame, person_id: str) -> None:
        """Raises: NotWelcome."""
        if self.is_kept_from(game, person_id):
            raise NotWelcome(KEPT_FROM)

    def free_shared_seats(self, person_id: str, other_id: str) -> None:
        """Free the seats of two people in the games of each other that wait."""
        for me, other in ((person_id, other_id), (other_id, person_id)):
            for game in self.find_waiting():
                has_seat = game.find_team(other) is not None or game.has_challenged(other)
                if game.made_by == me and has_seat:
                    with suppress(NotPossible):  # it has begun just now
                        self._change(game.id, partial(_remove_person, person_id=other))

    def take_as_guest(self, game_id: str, team: int, name: str, key: str, token: str) -> OpenGame:
        """Give a friend's seat to somebody without an account. Raises: NotPossible."""

        def take_seat(game: OpenGame) -> list[WaitingSeat]:
            if not _has_key(_seat(game, team), key):
                raise NotPossible("this link was used already, or there is a newer one")
            guest = WaitingSeat(kind=SeatKind.GUEST, name=name, token=hash_key(token))
            return _replace_seat(game, team, guest)

        return self._change(game_id, take_seat)

    def leave(self, game_id: str, person: Person) -> OpenGame:
        """Leave a seat, which is open then. Raises: NotPossible."""

        def leave_seat(game: OpenGame) -> list[WaitingSeat]:
            seats = [
                WaitingSeat(kind=SeatKind.OPEN) if seat.person == person.id else seat
                for seat in game.seats
            ]
            if game.made_by == person.id or seats == list(game.seats):
                raise NotPossible("there is no seat that you could leave")
            return seats

        return self._change(game_id, leave_seat)

    def new_friend_key(self, game_id: str, team: int, person: Person) -> str:
        """Return the key of a new link to a friend's seat; an older link is good no more.

        Raises: NotPossible.
        """
        key = secrets.token_urlsafe(24)

        def change_key(game: OpenGame) -> list[WaitingSeat]:
            seat = _seat(game, team)
            if game.made_by != person.id or seat.kind is not SeatKind.FRIEND:
                raise NotPossible("only who made the game gives away its friends' seats")
            return _replace_seat(game, team, replace(seat, key=hash_key(key)))

        self._change(game_id, change_key)
        return key

    def cancel(self, game_id: str, person_id: str) -> None:
        """Take back one's own game that has not begun. Raises: NotPossible."""
        where = (
            open_games.c.id == game_id,
            open_games.c.made_by == person_id,
            open_games.c.begun_at.is_(None),
        )
        game = self.find(game_id)
        if self._database.write(delete(open_games).where(*where)) != 1 or game is None:
            raise NotPossible("only who made a game can cancel it, before it begins")
        self._notify_change(game)

    def remove_abandoned(self, before: datetime) -> None:
        """Remove the games of those without an account that have waited since before a moment."""
        abandoned = (
            open_games.c.made_by.is_(None),
            open_games.c.begun_at.is_(None),
            open_games.c.created_at < before,
        )
        self._database.write(delete(open_games).where(*abandoned))

    def adopt(self, game_id: str, teams: Sequence[int], person_id: str) -> None:
        """Make seats that somebody has played without an account theirs, but those of others."""
        taken = self.find_owners(game_id)
        rows = [
            {"game": game_id, "team": team, "person": person_id}
            for team in teams
            if team not in taken
        ]
        if rows:
            self._database.write(insert(owners), rows)

    def record_start(self, game: OpenGame) -> None:
        """Note that a game has begun, and whose its seats are."""
        rows = [
            {"game": game.id, "team": team, "person": seat.person}
            for team, seat in enumerate(game.seats, 1)
            if seat.kind in (SeatKind.PERSON, SeatKind.REMOTE)
        ]
        where = open_games.c.id == game.id, open_games.c.begun_at.is_(None)
        with self._database.transaction() as connection:
            done = connection.execute(update(open_games).where(*where).values(begun_at=now()))
            if done.rowcount == 1 and rows:
                connection.execute(insert(owners), rows)
        self._notify_change(game)

    def on_rematch(self, game_id: str, rematch: str) -> None:
        """Make the seats of a rematch theirs who had the seats of the game; once or more often."""
        before, known = self.find_owners(game_id), self.find_owners(rematch)
        with self._database.transaction() as connection:
            seats = select(games.c.seats).where(games.c.id == game_id)
            text = connection.execute(seats).scalar_one()
            count = len(msgspec.json.decode(text, type=list[Participant]))
            for team, person in before.items():
                new_team = rematch_team(team, count)
                if new_team not in known:
                    row = {"game": rematch, "team": new_team, "person": person}
                    connection.execute(insert(owners).values(row))

    def own(self, game_id: str, team: int, person_id: str) -> None:
        """Make a seat of a game that has just begun somebody's."""
        self._database.write(insert(owners).values(game=game_id, team=team, person=person_id))

    def find_teams(self, person_id: str, game_id: str) -> tuple[int, ...]:
        """Return the teams that a person plays in a game."""
        return self._database.find(person_teams(person_id, game_id))

    def find_owners(self, game_id: str) -> dict[int, str]:
        """Return the ids of the people who play a game, by team."""
        query = select(owners.c.team, owners.c.person).where(owners.c.game == game_id)
        return {row.team: row.person for row in self._database.fetch_all(query)}

    def find_seats(self, person_id: str, *, are_over: bool) -> list[OwnSeats]:
        """Return the seats of a person in games that run or are over, the newest games first."""
        return self._database.find(own_seats(person_id, are_over=are_over))

    def find_last_change(self, game_id: str) -> datetime:
        """Return when a game that has begun was last changed."""
        newest = select(func.max(decisions.c.decided_at)).where(decisions.c.game == game_id)
        began = select(games.c.created_at).where(games.c.id == game_id)
        last = func.coalesce(newest.scalar_subquery(), began.scalar_subquery())
        return with_time_zone(self._database.fetch_value(select(last)))

    def find_unplayed_orders(self, game_id: str, team: int) -> dict[str, object]:
        """Return what a seat has not played yet: drafts, and orders that wait for the others'."""
        of_team = [
            Lookup(
                select(table).where(table.c.game == game_id, table.c.team == team),
                lambda rows: rows,
            )
            for table in (orders, drafts, premoves)
        ]
        sealed, drafted, with_premoves = self._database.read(*of_team)
        return {
            "orders": [{"piece": row.piece, "order": row.content} for row in sealed],
            "drafts": [{"step": row.step, "lines": row.lines} for row in drafted],
            "ordered_ahead": [{"turn": row.turn, "orders": row.orders} for row in with_premoves],
        }

    def withdraw(self, person_id: str) -> None:
        """Cancel the games that a person has made, and free their seats in others that wait."""
        for game in self.find_waiting():
            with suppress(NotPossible):  # it has begun just now
                if game.made_by == person_id:
                    self.cancel(game.id, person_id)
                else:
                    self._change(game.id, lambda waiting: _remove_person(waiting, person_id))

    def forget(self, person_id: str) -> list[str]:
        """Take a person's name off all seats; return the ids of the games."""
        self.withdraw(person_id)
        with self._database.transaction() as connection:
            own = select(owners.c.game, owners.c.team).where(owners.c.person == person_id)
            seats = connection.execute(own).all()
            for row in seats:
                stored = select(games.c.seats).where(games.c.id == row.game)
                text = connection.execute(stored).scalar_one()
                seated = msgspec.json.decode(text, type=list[Participant])
                seated[row.team - 1] = replace(seated[row.team - 1], name=DELETED_NAME)
                connection.execute(
                    update(games)
                    .where(games.c.id == row.game)
                    .values(seats=msgspec.json.encode(seated).decode())
                )
        return [row.game for row in seats]

    def _change(
        self, game_id: str, change: Callable[[OpenGame], Sequence[WaitingSeat]]
    ) -> OpenGame:
        """Change the seats of a game that has not begun. Raises: NotPossible."""
        with self._database.transaction() as connection:
            (game,) = read_lookups(connection, open_game(game_id))
            if game is None:
                raise NotPossible("this game was canceled")
            if game.has_begun or game.is_full:
                raise NotPossible("this game has begun")
            game = replace(game, seats=tuple(change(game)))
            text = msgspec.json.encode(game.seats).decode()
            same = open_games.c.id == game_id
            connection.execute(update(open_games).where(same).values(seats=text))
        return self._notify_change(game)


def waiting_games(*among: ColumnElement[bool]) -> Lookup[list[OpenGame]]:
    """Look up the games that have not begun, the oldest first; `among`: of which."""
    waiting = select(open_games).where(open_games.c.begun_at.is_(None), *among)
    return Lookup(
        waiting.order_by(open_games.c.created_at), partial(leave_out_missing_games, _open_game)
    )


def open_game(game_id: str) -> Lookup[OpenGame | None]:
    """Look up a game that waits for players, or did."""
    query = select(open_games).where(open_games.c.id == game_id)
    return Lookup(query, lambda rows: _open_game(rows[0]) if rows else None)


def makers_of_waiting_games() -> Lookup[dict[str, str]]:
    """Look up the names of those who made the games that have not begun, by their ids."""
    makers = select(open_games.c.made_by).where(open_games.c.begun_at.is_(None))
    return names_where(people.c.id.in_(makers))


def game_maker(game_id: str) -> Lookup[dict[str, str]]:
    """Look up the name of who made a game, by the id."""
    maker = select(open_games.c.made_by).where(open_games.c.id == game_id)
    return names_where(people.c.id.in_(maker))


def own_seats(person_id: str, *, are_over: bool) -> Lookup[list[OwnSeats]]:
    """Look up the seats of a person in games that run or are over, the newest games first."""
    query = (
        select(games.c.id, games.c.version, owners.c.team, messages_read.c.up_to)
        .join(owners, owners.c.game == games.c.id)
        .outerjoin(
            messages_read,
            (messages_read.c.game == owners.c.game) & (messages_read.c.team == owners.c.team),
        )
        .where(owners.c.person == person_id, games.c.is_over.is_(are_over))
        .order_by(games.c.created_at.desc(), games.c.id, owners.c.team)
    )
    return Lookup(query, _own_seats)


def teams_in_session(token: str, game_id: str) -> Lookup[tuple[int, ...]]:
    """Look up the teams that whoever has a session plays in a game."""
    query = (
        select(owners.c.team)
        .join(sessions, sessions.c.person == owners.c.person)
        .where(sessions.c.hash == hash_key(token), owners.c.game == game_id)
        .order_by(owners.c.team)
    )
    return Lookup(query, lambda rows: tuple(row.team for row in rows))


def person_teams(person_id: str, game_id: str) -> Lookup[tuple[int, ...]]:
    """Look up the teams that a person plays in a game."""
    query = select(owners.c.team).where(owners.c.person == person_id, owners.c.game == game_id)
    return Lookup(query.order_by(owners.c.team), lambda rows: tuple(row.team for row in rows))


def _own_seats(rows: Rows) -> list[OwnSeats]:
    found = list[OwnSeats]()
    for (game_id, version), seats in groupby(rows, lambda row: (row.id, row.version)):
        teams, read_up_to = zip(*((row.team, row.up_to or 0) for row in seats), strict=True)
        found.append(OwnSeats(game_id, version, teams, read_up_to))
    return found


def _seat(game: OpenGame, team: int) -> WaitingSeat:
    """Raises: NotPossible."""
    if not 1 <= team <= len(game.seats):
        raise NotPossible(f"this game has no seat {team}")
    return game.seats[team - 1]


def _has_key(seat: WaitingSeat, key: str) -> bool:
    is_same = bool(key) and secrets.compare_digest(seat.key, hash_key(key))
    return seat.kind is SeatKind.FRIEND and is_same


def _replace_seat(game: OpenGame, team: int, seat: WaitingSeat) -> list[WaitingSeat]:
    return [*game.seats[: team - 1], seat, *game.seats[team:]]


def _remove_person(game: OpenGame, person_id: str) -> list[WaitingSeat]:
    return [_clear_seat(seat) if seat.person == person_id else seat for seat in game.seats]


def _clear_seat(seat: WaitingSeat) -> WaitingSeat:
    """Return a seat without the person who has it, or is challenged to take it."""
    is_kept = seat.kind in (SeatKind.CHALLENGED, SeatKind.DECLINED)
    return WaitingSeat(kind=SeatKind.DECLINED if is_kept else SeatKind.OPEN)


def _team_for(game: OpenGame, person_id: str) -> int:
    """Return the seat that a person's program may take. Raises: NotPossible."""
    seats = list(enumerate(game.seats, 1))
    own_teams = [team for team, seat in seats if seat.is_for(person_id)]
    free = [team for team, seat in seats if seat.kind is SeatKind.OPEN]
    if not own_teams and free and not game.is_of_program:
        raise NotPossible(FOR_PEOPLE)
    if not (own_teams or free):
        raise NotPossible("no seat of this game is free")
    return (own_teams or free)[0]


def _open_game(row: AnyRow) -> OpenGame:
    return struct_from_row(
        OpenGame,
        row,
        spec=decode_spec(row.spec.encode()),
        seats=msgspec.json.decode(row.seats, type=tuple[WaitingSeat, ...]),
        has_begun=row.begun_at is not None,
    )
