"""The seats of games: which teams whoever sends a request plays."""

from starlette.requests import Request

from server.games.errors import NotYourSeat
from server.games.game_service import GameService
from server.games.open_games import teams_in_session
from server.http.responses import cookie_of
from server.identity.visitors import Visitor

SEAT = "slime_mind.seat"
"""Where a request has its game, and the teams of whoever sends it."""


class Seats:
    """Known by the cookie of a seat, and by the session of its owner."""

    def __init__(self, game_service: GameService) -> None:
        self._game_service = game_service

    def teams(self, request: Request, game_id: str) -> tuple[int, ...]:
        """Return the teams that a visitor plays in a game."""
        return self._teams(request, request.user, game_id)

    def teams_now(self, request: Request, game_id: str) -> tuple[int, ...]:
        """Return them for a request that lasts: a seat, or a session, may have ended meanwhile."""
        # A spectator has no cookie, and is not looked for in the database.
        return self._teams(request, request.user.anew(), game_id) if request.cookies else ()

    def require(self, request: Request) -> None:
        """Find the game of a path and the visitor's teams, for `seat_of`.

        Raises: NotYourSeat, NoSuchGame.
        """
        game_id = self.existing(request)
        teams = self.teams(request, game_id)
        if not teams:
            raise NotYourSeat("only who has a seat in this game may do that")
        request.scope[SEAT] = game_id, teams

    def existing(self, request: Request) -> str:
        """Return the id of the game of a path. Raises: NoSuchGame."""
        game_id: str = request.path_params["game"]
        with self._game_service.session(game_id):
            return game_id

    def _teams(self, request: Request, visitor: Visitor, game_id: str) -> tuple[int, ...]:
        held = self._game_service.keys.teams_of(
            request.cookies.get(cookie_of(game_id), ""), game_id
        )
        return tuple(sorted({*held, *_owned(visitor, game_id)}))


def seat_of(request: Request) -> tuple[str, tuple[int, ...]]:
    """Return the game and the teams of a request whose route is for `Permission.SEAT`."""
    seat: tuple[str, tuple[int, ...]] = request.scope[SEAT]
    return seat


def require_own(team: int, teams: tuple[int, ...]) -> None:
    """Raises: NotYourSeat for a team that is not among those of whoever asks."""
    if team not in teams:
        raise NotYourSeat(f"team {team} is not yours to play")


def _owned(visitor: Visitor, game_id: str) -> tuple[int, ...]:
    if not visitor.session_token or not visitor.has_accounts:
        return ()
    (teams,) = visitor.read(teams_in_session(visitor.session_token, game_id))
    return () if visitor.person is None else tuple(teams)
