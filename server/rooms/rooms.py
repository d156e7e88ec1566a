"""Rooms in the database: who sits in one, what comes next in it, and its battles that are over."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, delete, insert, or_, select, update

from engine.games.game_of_death.drawn_armies import DrawnArmy, ready_made_armies
from engine.support.wording import pluralize
from runners.storage.database import Database, now
from runners.storage.game_tables import rooms
from runners.storage.together import AnyRow, Lookup
from server.designs.designs_part import grid_settings
from server.games.open_games import NotPossible, SeatKind
from server.identity.names import DELETED_NAME

OPEN_DAYS, GUEST_OPEN_DAYS = 7, 1
"""So long a room waits for players, and one that somebody without an account has made."""
DESIGN_TIMES = {5: "5 minutes", 15: "15 minutes", 60: "an hour", 1_440: "a day", 4_320: "3 days"}
"""How many minutes there are to design for a battle, and what that is in words."""
MAX_TRIES = 10
"""So often a battle is begun which the server does not bring to its end."""


class Phase(StrEnum):
    """What a room waits for: players, the armies of the next battle, or the end of one."""

    OPEN = "open"
    DESIGNING = "designing"
    BATTLE = "battle"
    OVER = "over"


class RoomTerms(Struct, frozen=True, kw_only=True):
    """What is played in a room."""

    grid: Literal["small", "standard"] = "small"
    best_of: Literal[1, 3, 5] = 3
    minutes: Literal[5, 15, 60, 1_440, 4_320] = 15
    """To design for a battle."""
    is_rated: bool = False


class RoomSeat(Struct, kw_only=True):
    """A seat in a room; `digest` is of a bot, and `is_late` where a ready army stands in."""

    kind: SeatKind
    name: str = ""
    person: str | None = None
    token: str = ""
    """The hash of what the browser of a guest has."""
    digest: str = ""
    army: DrawnArmy | None = None
    """What is sealed for the next battle."""
    last: DrawnArmy | None = None
    """What has fought in the last one."""
    is_late: bool = False

    @property
    def is_taken(self) -> bool:
        return self.kind in (SeatKind.PERSON, SeatKind.GUEST, SeatKind.BOT)

    @property
    def is_ready(self) -> bool:
        return self.army is not None or self.kind is SeatKind.BOT


class BattleResult(Struct, frozen=True, kw_only=True):
    """What came of a battle, by the key of its match.

    `people`: the ids of those who have fought, () where it is not rated; `late`: the teams of those
    in whose place a ready army has fought.
    """

    number: int
    key: str
    armies: tuple[str, ...]
    people: tuple[str, ...]
    late: tuple[int, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    reason: str
    ended_at: datetime


class Room(Struct, kw_only=True):
    """A room; its methods say what each step makes of it, and `ending` why it is over early."""

    id: str
    terms: RoomTerms
    seats: list[RoomSeat]
    """Of team 1 first; its player has made the room. Of four, teams 1 and 3 are partners."""
    phase: Phase = Phase.OPEN
    number: int = 1
    """Of the next battle, or of the one that is being played."""
    deadline: datetime | None = None
    seed: int = 0
    run: str = ""
    tries: int = 0
    results: list[BattleResult] = []
    ending: str = ""

    @property
    def is_paired(self) -> bool:
        return len(self.seats) > 2

    @property
    def sides(self) -> list[list[int]]:
        """Return the teams of each side."""
        return [[1, 3], [2, 4]] if self.is_paired else [[1], [2]]

    @property
    def wins(self) -> list[int]:
        """Return how many battles each side has won."""
        won = [one.winners for one in self.results]
        return [sum(side[0] in winners for winners in won) for side in self.sides]

    @property
    def free_teams(self) -> list[int]:
        return [team for team, seat in enumerate(self.seats, 1) if not seat.is_taken]

    @property
    def is_listed(self) -> bool:
        """Return whether strangers are led to it."""
        return any(seat.kind is SeatKind.OPEN for seat in self.seats)

    def find_team(self, person_id: str | None, token: str = "") -> int | None:
        """Return the team of a person, or of a guest by the hash of the browser's token."""
        for team, seat in enumerate(self.seats, 1):
            if (person_id and seat.person == person_id) or (token and seat.token == token):
                return team
        return None

    def take_seat(self, seat: RoomSeat, at: datetime) -> None:
        """Give somebody the first free seat. Raises: NotPossible."""
        if self.phase is not Phase.OPEN or not self.free_teams:
            raise NotPossible("all seats of this room are taken")
        self.seats[self.free_teams[0] - 1] = seat
        if not self.free_teams:
            self.begin_designing(at)

    def seal(self, team: int, army: DrawnArmy, at: datetime) -> None:
        """Take in an army for the next battle, in place of one before. Raises: NotPossible."""
        if self.phase is Phase.BATTLE:
            raise NotPossible("the battle has begun: the armies are sealed")
        if self.phase is Phase.OVER:
            raise NotPossible("this room is over: make another one")
        if self.phase is Phase.DESIGNING and self.deadline is not None and at >= self.deadline:
            raise NotPossible("the time to design for this battle is over")
        self.seats[team - 1].army = army
        self._go_on()

    def expire(self, at: datetime) -> None:
        """Let ready armies stand in for whoever is late."""
        if self.phase is not Phase.DESIGNING or self.deadline is None or at < self.deadline:
            return
        people = [seat for seat in self.seats if seat.kind is not SeatKind.BOT]
        if not any(seat.army for seat in people):
            self.close("nobody has sent an army in time")
            return
        for seat in self.seats:
            if not seat.is_ready:
                seat.army = seat.last or ready_armies(self.terms.grid)[0]
                seat.is_late = True
        self._go_on()

    def end_battle(self, result: BattleResult) -> None:
        """Count a battle, and go on to the next one, or end."""
        self.results.append(result)
        self.run = ""
        for seat in self.seats:
            seat.last, seat.army, seat.is_late = seat.army, None, False
        wins, best_of = self.wins, self.terms.best_of
        if max(wins) > best_of // 2 or len(self.results) >= best_of:
            self.phase, self.deadline = Phase.OVER, None
            return
        self.number += 1
        self.begin_designing(result.ended_at)

    def close(self, why: str) -> None:
        """End it before its time."""
        if self.phase is not Phase.OVER:
            self.phase, self.deadline, self.ending, self.run = Phase.OVER, None, why, ""

    def begin_designing(self, at: datetime) -> None:
        self.phase, self.deadline = Phase.DESIGNING, at + timedelta(minutes=self.terms.minutes)
        self._go_on()

    def _go_on(self) -> None:
        """Begin the battle once all armies are there."""
        if self.phase is Phase.DESIGNING and all(seat.is_ready for seat in self.seats):
            self.phase, self.deadline, self.run, self.tries = Phase.BATTLE, None, "", 0
            self.seed = secrets.randbits(63)

    def describe_status(self, reader: int | None = None) -> str:
        """Return what the room waits for, in a sentence; `reader`: the team of who reads it."""
        if self.phase is Phase.OPEN:
            return f"{pluralize(len(self.free_teams), 'seat')} free."
        if self.phase is Phase.BATTLE:
            return f"Battle {self.number} is being played."
        if self.phase is Phase.OVER:
            return f"Over: {self.ending}." if self.ending else "Over."
        late = [team for team, seat in enumerate(self.seats, 1) if not seat.is_ready]
        others = " and ".join(self.seats[team - 1].name for team in late if team != reader)
        if reader not in late:
            return f"Battle {self.number} waits for the army of {others}."
        return f"Battle {self.number} waits for your army{others and f' and that of {others}'}."


def ready_armies(grid: str) -> list[DrawnArmy]:
    """Return the armies that can be chosen at once."""
    return ready_made_armies(grid_settings(grid))


class Rooms:
    """The rooms of a server. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, terms: RoomTerms, seats: Sequence[RoomSeat]) -> Room:
        """Make a room; the first seat is of whoever makes it."""
        room = Room(id=secrets.token_hex(16), terms=terms, seats=list(seats))
        days = OPEN_DAYS if seats[0].person else GUEST_OPEN_DAYS
        room.deadline = now() + timedelta(days=days)
        if not room.free_teams:
            room.begin_designing(now())
        self.database.write(insert(rooms).values(id=room.id, **_columns(room)))
        return room

    def find(self, room_id: str) -> Room | None:
        query = select(rooms.c.content).where(rooms.c.id == room_id)
        content = self.database.fetch_value(query)
        return None if content is None else msgspec.json.decode(content, type=Room)

    @contextmanager
    def change_room(self, room_id: str) -> Iterator[Room]:
        """Yield a room to a block that changes it, in one transaction. Raises: NotPossible.

        What the block raises leaves the room as it was.
        """
        with self.database.transaction() as connection:
            room = self.find(room_id)
            if room is None:
                raise NotPossible("this room is gone")
            yield room
            connection.execute(update(rooms).where(rooms.c.id == room_id).values(_columns(room)))

    def find_due(self, at: datetime) -> list[Room]:
        """Return the rooms in which something is to be done now."""
        is_due = or_(rooms.c.phase == Phase.BATTLE, rooms.c.deadline <= at)
        return self.database.find(find_rooms(is_due))

    def remove(self, room_id: str) -> None:
        """Remove a room for which nobody came."""
        self.database.write(delete(rooms).where(rooms.c.id == room_id))

    def forget(self, person_id: str) -> None:
        """Take somebody who leaves out of all rooms, which end if they are not over."""
        for found in self.database.find(find_rooms(has_seat(person_id))):
            with self.change_room(found.id) as room:
                for seat in room.seats:
                    if seat.person == person_id:
                        seat.name = DELETED_NAME
                        seat.person = seat.army = seat.last = None
                room.close("somebody has left")


def has_seat(person_id: str) -> ColumnElement[bool]:
    """Return the condition for the rooms in which a member has a seat."""
    return rooms.c.people.contains(person_id)


def find_rooms(*conditions: ColumnElement[bool]) -> Lookup[list[Room]]:
    """Look up the rooms for which conditions hold, the newest first."""
    query = select(rooms.c.content).where(*conditions).order_by(rooms.c.changed_at.desc())
    return Lookup(query, lambda rows: [msgspec.json.decode(row.content, type=Room) for row in rows])


class _Battle(Struct):
    key: str
    ended_at: datetime


class _Battles(Struct):
    """What is read of a room whose armies nobody asks for."""

    results: list[_Battle] = []


def find_battles(*conditions: ColumnElement[bool]) -> Lookup[list[tuple[str, datetime]]]:
    """Look up the keys of battles, and when they ended, the newest first."""
    query = select(rooms.c.content).where(*conditions)

    def read(rows: Iterable[AnyRow]) -> list[tuple[str, datetime]]:
        decoder = msgspec.json.Decoder(_Battles)
        battles = [one for row in rows for one in decoder.decode(row.content).results]
        battles.sort(key=lambda one: one.ended_at, reverse=True)
        return [(one.key, one.ended_at) for one in battles]

    return Lookup(query, read)


def _columns(room: Room) -> dict[str, object]:
    return {
        "content": msgspec.json.encode(room).decode(),
        "phase": room.phase,
        "deadline": room.deadline,
        "people": " ".join(seat.person for seat in room.seats if seat.person),
        "has_ratings": any(one.people for one in room.results),
        "changed_at": now(),
    }
