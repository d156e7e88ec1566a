"""The seats that remote bots have in games that are not over."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, select

from runners.storage.game_tables import games, owners
from runners.storage.together import Lookup
from server.games.game_rows import Participant


class RemoteSeat(NamedTuple):
    """A seat of a running game."""

    game_id: str
    version: int
    """How often the game was changed."""
    team: int


def remote_seats(person_id: str) -> Lookup[list[RemoteSeat]]:
    """Look up the seats that the program of a person plays, the oldest games first."""
    query = (
        select(games.c.id, games.c.version, games.c.seats, owners.c.team)
        .join(owners, owners.c.game == games.c.id)
        .where(owners.c.person == person_id, games.c.is_over.is_(False))
        .order_by(games.c.created_at, games.c.id)
    )
    return Lookup(query, lambda rows: [_seat(row) for row in rows if _is_remote(row)])


def _is_remote(row: Row[Any]) -> bool:
    seats = msgspec.json.decode(row.seats, type=tuple[Participant, ...])
    is_remote: bool = seats[row.team - 1].is_remote
    return is_remote


def _seat(row: Row[Any]) -> RemoteSeat:
    return RemoteSeat(row.id, row.version, row.team)
