"""The seats of games: which teams whoever sends a request plays."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from server.games.game_service import GameService
from server.games.open_games import person_teams, teams_in_session
from server.http.errors import NotYourSeat
from server.http.limits import RateLimits
from server.http.permissions import NO_SEAT, SEAT, require_player
from server.http.responses import client_address, game_cookie_name
from server.identity.rate_limits import Asker
from server.identity.visitors import Visitor


class Seats:
    """Known by the cookie of a seat, by the session of its owner, and by a program's token."""

    def __init__(self, game_service: GameService, limits: RateLimits) -> None:
        self._game_service = game_service
        self._limits = limits

    def own_teams(self, request: Request, game_id: str) -> tuple[int, ...]:
        """Return the teams that a visitor plays in a game."""
        return self._held_teams(request, request.user, game_id)

    async def teams_now(self, request: Request, game_id: str) -> tuple[int, ...]:
        """Return them for a request that lasts: a seat, or a session, may have ended meanwhile."""
        # A spectator is not looked for in the database, nor by a thread.
        visitor, seat = request.user, game_cookie_name(game_id) in request.cookies
        if not (seat or visitor.session_token or visitor.has_token):
            return ()
        return await run_in_threadpool(self._held_teams, request, visitor.reload(), game_id)

    def require(self, request: Request) -> None:
        """Find the game of a path and the visitor's teams, for `read_seat`.

        Raises: NotYourSeat, NoSuchGame.
        """
        game_id = self.require_game(request)
        self._remember(request, game_id, self._find_teams(request, request.user, game_id))

    def require_or_token(self, request: Request) -> None:
        """Do the same also for a program with a token.

        Raises: NotYourSeat, NoSuchGame; Denied for a token that may not play; TooMany.
        """
        visitor: Visitor = request.user
        if not visitor.has_token:
            self.require(request)
            return
        game_id, player = self.require_game(request), require_player(visitor)
        self._remember(request, game_id, self._teams_of_program(visitor, game_id))
        self._limits.count("order", Asker(client_address(request), player.id))

    def _remember(self, request: Request, game_id: str, teams: tuple[int, ...]) -> None:
        """Raises: NotYourSeat."""
        if not teams:
            raise NotYourSeat(NO_SEAT)
        request.scope[SEAT] = game_id, teams

    def require_game(self, request: Request) -> str:
        """Return the id of the game of a path. Raises: NoSuchGame."""
        game_id: str = request.path_params["game"]
        with self._game_service.open_session(game_id):
            return game_id

    def _held_teams(self, request: Request, visitor: Visitor, game_id: str) -> tuple[int, ...]:
        held = self._find_teams(request, visitor, game_id)
        return tuple(sorted({*held, *self._teams_of_program(visitor, game_id)}))

    def _teams_of_program(self, visitor: Visitor, game_id: str) -> tuple[int, ...]:
        """Return the teams that a program plays: those of its owner that it has sat down for."""
        if visitor.player is None:
            return ()
        (owned,) = visitor.read(person_teams(visitor.player.id, game_id))
        with self._game_service.open_session(game_id) as session:
            return tuple(team for team in owned if session.stored.seats[team - 1].is_remote)

    def _find_teams(self, request: Request, visitor: Visitor, game_id: str) -> tuple[int, ...]:
        held = self._game_service.keys.find_teams(
            request.cookies.get(game_cookie_name(game_id), ""), game_id
        )
        return tuple(sorted({*held, *_find_owned_teams(visitor, game_id)}))


def require_own(team: int, teams: tuple[int, ...]) -> None:
    """Raises: NotYourSeat for a team that is not among those of whoever asks."""
    if team not in teams:
        raise NotYourSeat(f"team {team} is not yours to play")


def _find_owned_teams(visitor: Visitor, game_id: str) -> tuple[int, ...]:
    if not visitor.session_token or not visitor.has_accounts:
        return ()
    (teams,) = visitor.read(teams_in_session(visitor.session_token, game_id))
    return () if visitor.person is None else tuple(teams)
