"""Challenges that remote bots make, accept and decline, and the seats they have in games."""

import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple, TypeVar

import msgspec
from sqlalchemy import select

from engine.errors import BadBot, UsageError
from engine.game import AnyGame
from engine.support.wording import pluralize
from runners.storage.game_tables import games, owners
from runners.storage.together import Lookup, Rows
from server.games.boards import require_board
from server.games.game_rows import Participant
from server.games.lobby_pages import CLOCK_CHOICES
from server.games.new_games import Opponents
from server.games.open_games import (
    KEPT_FROM,
    NotPossible,
    NotWelcome,
    OpenGame,
    OpenGames,
    SeatKind,
    WaitingSeat,
)
from server.http.errors import ActionRefused, Denied
from server.identity.people import People, Person
from server.remote_bots.bodies import (
    Challenge,
    ChallengeBody,
    ChallengedSeat,
    ChallengeKind,
    Opponent,
)

T = TypeVar("T")

MAX_GAMES = 8
"""Games that the remote bots of one person play, or wait for, at a time."""


class NoSuchChallenge(Denied):
    """There is no such game, or none for whoever asks."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.NOT_FOUND, "there is no such challenge; was it canceled?")


class WaitingGames:
    """The waiting games of a server, as remote bots see them."""

    def __init__(
        self,
        open_games: OpenGames,
        opponents: Opponents,
        people: People,
        begin_game: Callable[[OpenGame], object],
    ) -> None:
        """`begin_game` begins a game of which all seats are taken."""
        self._open_games = open_games
        self._opponents = opponents
        self._people = people
        self._begin_game = begin_game
        self._taking = Lock()
        """Held while games are counted and one is begun: requests come side by side."""

    def make(self, me: Person, body: ChallengeBody) -> Challenge:
        """Make a game with a seat for a person's program. Raises: ActionRefused."""
        try:
            game = _validate_game(body)
            own_seat = WaitingSeat(kind=SeatKind.REMOTE, name=me.name, person=me.id)
            seats = [self._seat(game, me, one) for one in body.opponents]
            place = secrets.randbelow(len(seats) + 1) if body.team is None else body.team - 1
            seats.insert(place, own_seat)
            spec = self._opponents.spec(game.name)
            with self._reserve_seat(me):
                return self._start_if_full(self._open_games.add(spec, seats, me.id, body.clock), me)
        except (NotPossible, UsageError, BadBot) as error:
            raise ActionRefused(str(error)) from error

    def accept(self, me: Person, game_id: str) -> Challenge:
        """Let a person's program sit down. Raises: ActionRefused, Denied, NoSuchChallenge."""
        self._require_visible(me, game_id)
        take = self._open_games.take_as_remote_bot
        with self._reserve_seat(me):
            return self._start_if_full(self._apply_change(lambda: take(game_id, me)), me)

    def decline(self, me: Person, game_id: str) -> Challenge:
        """Raises: ActionRefused, NoSuchChallenge."""
        self._require_visible(me, game_id)
        return make_challenge(self._apply_change(lambda: self._open_games.decline(game_id, me)), me)

    def cancel(self, me: Person, game_id: str) -> None:
        """Cancel one's own game, or leave another one. Raises: ActionRefused, NoSuchChallenge."""
        game = self._require_visible(me, game_id)
        if game.made_by == me.id:
            self._apply_change(lambda: self._open_games.cancel(game_id, me.id))
        else:
            self._apply_change(lambda: self._open_games.leave(game_id, me))

    def find_games(self, me: Person) -> list[Challenge]:
        """Return the waiting games that concern a person's program."""
        waiting, apart = self._open_games.find_waiting(), self._open_games.blocked_with(me.id)
        return challenges_for(waiting, apart, me)

    def _require_visible(self, me: Person, game_id: str) -> OpenGame:
        """Raises: NoSuchChallenge."""
        game = self._open_games.find(game_id)
        if (
            game is None
            or classify_challenge(game, me) is None
            or self._open_games.is_kept_from(game, me.id)
        ):
            raise NoSuchChallenge
        return game

    @contextmanager
    def _reserve_seat(self, me: Person) -> Iterator[None]:
        """Have one seat more taken meanwhile, and no other one. Raises: ActionRefused."""
        with self._taking:
            seats = [seat for one in self._open_games.find_waiting() for seat in one.seats]
            taken = sum(seat.person == me.id and seat.kind is SeatKind.REMOTE for seat in seats)
            if taken + len(self._people.database.find(remote_seats(me.id))) >= MAX_GAMES:
                message = f"your remote bots play {MAX_GAMES} games, and may play no more"
                raise ActionRefused(message)
            yield

    def _apply_change(self, change: Callable[[], T]) -> T:
        """Raises: ActionRefused, Denied."""
        try:
            return change()
        except NotWelcome as error:
            raise Denied(HTTPStatus.FORBIDDEN, KEPT_FROM) from error
        except NotPossible as error:
            raise ActionRefused(str(error)) from error

    def _start_if_full(self, game: OpenGame, me: Person) -> Challenge:
        if game.is_full:
            self._begin_game(game)
        return make_challenge(game, me)

    def _seat(self, game: AnyGame, me: Person, opponent: Opponent) -> WaitingSeat:
        """Raises: NotPossible, BadBot, EngineFailure."""
        if opponent.bot is not None and opponent.player is not None:
            raise NotPossible("an opponent is a player or a bot, not both")
        if opponent.bot is not None:
            return self._opponents.seat(game.name, opponent.bot)
        if opponent.player is None:
            return WaitingSeat(kind=SeatKind.OPEN)
        named = self._people.find_person_by_name(opponent.player)
        other = self._open_games.require_challengeable(me.id, named, opponent.player)
        return WaitingSeat(kind=SeatKind.CHALLENGED, name=other.name, person=other.id)


def challenges_for(
    waiting: Sequence[OpenGame], apart: Collection[str], me: Person
) -> list[Challenge]:
    """Return those of some games that concern a person's program.

    `apart`: the people from whom a block keeps them.
    """
    return [
        make_challenge(game, me)
        for game in waiting
        if classify_challenge(game, me) is not None
        and not {game.made_by, *(one.person for one in game.seats if one.is_taken)} & set(apart)
    ]


def make_challenge(game: OpenGame, me: Person) -> Challenge:
    """Return a waiting game as the API shows it."""
    maker = next((seat.name for seat in game.seats if seat.person == game.made_by), "")
    return Challenge(
        id=game.id,
        kind=classify_challenge(game, me) or ChallengeKind.OPEN,
        game=game.spec.game,
        made_by=maker if game.made_by else "",
        clock=game.clock,
        is_rated=game.is_rated,
        seats=[
            ChallengedSeat(team=team, kind=seat.kind, name=seat.name)
            for team, seat in enumerate(game.seats, 1)
        ],
        settings=game.spec.settings,
        has_begun=game.has_begun or game.is_full,
    )


def classify_challenge(game: OpenGame, me: Person) -> ChallengeKind | None:
    """Return what a waiting game is to a person's program; None for nothing."""
    if game.made_by == me.id or game.find_team(me.id) is not None:
        return ChallengeKind.MADE
    if game.has_challenged(me.id):
        return ChallengeKind.RECEIVED
    is_free = any(seat.kind is SeatKind.OPEN for seat in game.seats)
    return ChallengeKind.OPEN if game.is_of_program and is_free else None


def _validate_game(body: ChallengeBody) -> AnyGame:
    """Return the game that is wanted. Raises: NotPossible."""
    try:
        game, seats = require_board(body.game), len(body.opponents) + 1
    except UsageError as error:
        raise NotPossible(str(error)) from None
    if seats not in game.team_counts:
        fewest, most = min(game.team_counts), max(game.team_counts)
        count = pluralize(fewest, "seat") if fewest == most else f"{fewest} to {most} seats"
        raise NotPossible(f"{game.title} has {count}, and this would have {seats}")
    if body.team is not None and body.team > seats:
        raise NotPossible(f"your seat is one of 1 to {seats}, or drawn by lot")
    if body.clock not in CLOCK_CHOICES:
        raise NotPossible(f"that clock is not available: choose one of {', '.join(CLOCK_CHOICES)}")
    return game


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

    def read_remote_seats(rows: Rows) -> list[RemoteSeat]:
        seated = msgspec.json.Decoder(tuple[Participant, ...])
        return [
            RemoteSeat(row.id, row.version, row.team)
            for row in rows
            if seated.decode(row.seats)[row.team - 1].is_remote
        ]

    return Lookup(query, read_remote_seats)
