"""The rows of games: who plays, on which terms, how they stand; and how they are looked up."""

from datetime import datetime

import msgspec
from sqlalchemy import select

from engine.catalog import leave_out_missing_games
from engine.replays.writing import Contestant
from engine.spec import MatchSpec, decode_spec
from runners.storage.database import struct_from_row
from runners.storage.game_tables import games, owners
from runners.storage.together import AnyRow, AnySelect, Lookup, Rows
from server.games.clocks import NO_CLOCK, TimeControl


class Participant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who sits in a seat: a person, or the bot of this digest."""

    name: str
    digest: str
    is_person: bool
    is_remote: bool = False
    """Whether a program plays for this person, with a token: it has the clock of a person."""

    @property
    def is_at_board(self) -> bool:
        """Return whether somebody looks at the board, and answers what is asked there."""
        return self.is_person and not self.is_remote

    @property
    def contestant(self) -> Contestant:
        """Return who sits there as a record names it."""
        return Contestant(name=self.name, digest=self.digest)


def person_digest(game_id: str, team: int) -> str:
    """Return what stands in a record in place of a bot's digest: it names nobody."""
    return f"person:{game_id}-{team}"


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen when a game was created, and the rules do not see."""

    clock: TimeControl = NO_CLOCK
    absent_turns: int = 3
    """Somebody else plays for whoever is away after so many late turns in a row."""
    substitute: Participant | None = None
    """The bot that does; without one the team gives no orders."""
    is_rated: bool = False
    """Whether the result counts for the ratings of people; no move is taken back then."""
    is_strangers: bool = False
    """Whether it was begun by somebody without an account, on a server with accounts: it is removed
    when nobody has played it for a while."""
    asks_consent: bool = msgspec.field(default=False, name="has_guests")
    """Whether the first message of who was not accepted is announced, and not shown at once. Where
    people with accounts played each other in games of older versions, it is not: they did read each
    other. It is stored under the name that it had when it was asked for guests alone."""


class Takeback(msgspec.Struct, frozen=True, kw_only=True):
    """A team has asked to take back its last move."""

    team: int
    step: int


PremoveOrders = tuple[tuple[int, object], ...]
"""Pieces, each with what it is to do."""


class Premoves(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has ordered ahead for the pieces of a team in one turn."""

    turn: int
    orders: PremoveOrders = ()
    is_sent: bool = False
    """Whether it is played as the asks of the pieces come; otherwise it is a draft."""


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as its row says it."""

    id: str
    spec: MatchSpec
    seats: tuple[Participant, ...]
    """Those who sat first."""
    terms: Terms
    decisions: int
    is_over: bool
    created_at: datetime
    rematch: str | None
    """The id of the game in which they play again."""


def running_games(most: int | None = None, *, game: str | None = None) -> Lookup[list[StoredGame]]:
    """Look up the newest games that are not over, at most so many, of one game or of all."""
    running = select(games).where(games.c.is_over.is_(False))
    if game is not None:
        running = running.where(games.c.game == game)
    return Lookup(running.order_by(games.c.created_at.desc()).limit(most), stored_games)


def finished_games(person_id: str, most: int) -> Lookup[list[StoredGame]]:
    """Look up the newest games that somebody has played and that are over."""
    return Lookup(finished_query(person_id, most), stored_games)


def finished_query(person_id: str, most: int) -> AnySelect:
    played = select(owners.c.game).where(owners.c.person == person_id)
    over = games.c.id.in_(played) & games.c.is_over.is_(True)
    return select(games).where(over).order_by(games.c.created_at.desc()).limit(most)


def terms_from(content: str) -> Terms:
    return msgspec.json.decode(content, type=Terms)


def stored_games(rows: Rows) -> list[StoredGame]:
    return leave_out_missing_games(stored_game, rows)


def stored_game(row: AnyRow) -> StoredGame:
    return struct_from_row(
        StoredGame,
        row,
        spec=decode_spec(row.spec.encode()),
        seats=msgspec.json.decode(row.seats, type=tuple[Participant, ...]),
        terms=terms_from(row.terms),
    )
