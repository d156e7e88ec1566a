"""Playing at once, with or without an account: against a bot, or a friend who gets a link."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from engine.catalog import GAMES
from engine.errors import BadBot, UsageError
from engine.game import AnyGame
from runners.storage.database import now
from server.games.boards import require_board
from server.games.clocks import Kind
from server.games.lobby_pages import (
    CLOCK_CHOICES,
    NEW_ROOM_PATH,
    LobbyPages,
    friend_key,
    friend_path,
    read_guest_name,
)
from server.games.new_games import Opponents
from server.games.open_games import NotPossible, OpenGames, SeatKind, WaitingSeat
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.responses import seat_at
from server.identity.names import BadName
from server.identity.people import hash_key

FRIEND_WAITS = timedelta(days=1)
"""A friend is waited for so long."""
BOT_PREFIX = "bot:"


class GuestPages(Part):
    """Begins a game at once; before its first move another opponent can be chosen."""

    def __init__(
        self,
        pages: Pages,
        open_games: OpenGames,
        opponents: Opponents,
        lobby: LobbyPages,
        *,
        is_open: bool = True,
    ) -> None:
        """`is_open`: whether those without an account may play."""
        self._pages = pages
        self._open_games = open_games
        self._opponents = opponents
        self._lobby = lobby
        self._is_open = is_open

    @property
    def routes(self) -> Sequence[Route]:
        return [
            self._pages.route("/play/{board}", Permission.ANYBODY, self._play, "GET POST"),
            # An address that people type: the first page has the games.
            self._pages.route("/play", Permission.ANYBODY, lambda request: redirect_to("/")),
        ]

    def _play(self, request: PageRequest) -> Response:
        name = request.part("board")
        if name in GAMES and GAMES[name].has_designs:
            # A form goes on to where it makes a room.
            return RedirectResponse(NEW_ROOM_PATH, HTTPStatus.TEMPORARY_REDIRECT)
        try:
            game = require_board(name)
        except UsageError as error:
            raise Denied(HTTPStatus.NOT_FOUND, str(error)) from None
        is_member = request.person is not None
        if is_member and request.method != "POST" and not request.query_params.get("instead"):
            return redirect_to(f"/lobby/new?game={game.name}")
        if not (self._is_open or is_member):
            message = "this server is for people with accounts: sign in, or ask for an invitation"
            raise Denied(HTTPStatus.FORBIDDEN, message)
        answer = self._new_game_form if request.method != "POST" else self._new_game
        return answer(request, game)

    def _new_game(self, request: PageRequest, game: AnyGame) -> Response:
        """Begin a game; what the form leaves out is the usual."""
        person = request.person
        request.count("guest_game" if person is None else "new_game")
        token = secrets.token_urlsafe(24)
        key = friend_key(token)
        clock = request.field("clock") or Kind.NONE
        try:
            if clock not in CLOCK_CHOICES:
                raise NotPossible("that clock is not available: choose one of the list")
            me = self._own_seat(request, token)
            other = self._opponent_seat(request, game, key)
            seats = [other, me] if request.field("mine") == "2" else [me, other]
            spec = self._opponents.spec(game.name)
            self._open_games.remove_abandoned(now() - FRIEND_WAITS)
            made = self._open_games.add(spec, seats, None if person is None else person.id, clock)
        except (BadName, BadBot, NotPossible) as error:
            return self._new_game_form(request, game, str(error))
        self._lobby.remove_unplayed(request, request.field("instead"))
        if other.kind is SeatKind.FRIEND:
            team, path = 1 + seats.index(other), f"/lobby/{made.id}"
            if person is not None:
                request.show_once(path, request.link(friend_path(made.id, team, token)))
            response: Response = redirect_to(path)
        else:
            response = self._lobby.show_or_start_game(made)
        if person is None:
            seat_at(request, response, made.id, token)
        return response

    def _own_seat(self, request: PageRequest, token: str) -> WaitingSeat:
        """Raises: BadName."""
        if request.person is not None:
            me = request.person
            return WaitingSeat(kind=SeatKind.PERSON, name=me.name, person=me.id)
        return WaitingSeat(
            kind=SeatKind.GUEST, name=read_guest_name(request, "Guest"), token=hash_key(token)
        )

    def _opponent_seat(self, request: PageRequest, game: AnyGame, key: str) -> WaitingSeat:
        """Raises: BadBot."""
        wanted = request.field("opponent") or BOT_PREFIX + self._opponents.find_middle_bot(
            game.name
        )
        if wanted == SeatKind.FRIEND:
            return WaitingSeat(kind=SeatKind.FRIEND, key=hash_key(key))
        if wanted.startswith(BOT_PREFIX):
            name = wanted.removeprefix(BOT_PREFIX)
            return self._opponents.seat(game.name, name, shows_title=True)
        raise BadBot("choose a bot, or a friend")

    def _new_game_form(self, request: PageRequest, game: AnyGame, why: str = "") -> Response:
        return request.html(
            "play.html",
            game=game,
            bots=self._opponents.list_opponents(game.name)[::-1],
            usual=BOT_PREFIX + self._opponents.find_middle_bot(game.name),
            clocks=CLOCK_CHOICES,
            instead=request.field("instead") or request.query_params.get("instead", ""),
            why=why,
        )
