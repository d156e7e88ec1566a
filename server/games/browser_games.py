"""The games in which a browser has seats without an account, known by its cookies."""

from contextlib import suppress

import msgspec
from starlette.requests import Request

from server.games.errors import NoSuchGame, OtherRules
from server.games.game_service import GameService
from server.games.seats import Seats
from server.http.responses import seat_cookies


class BrowserGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one of its players is told of it."""

    id: str
    title: str
    names: list[str]
    is_over: bool
    is_your_move: bool
    new_messages: int


def browser_games(request: Request, seats: Seats, service: GameService) -> list[BrowserGame]:
    """Return the games in which this browser has a seat, those where it is to move first.

    Cookies that are good for no game mean nothing.
    """
    found = []
    for game_id, _ in seat_cookies(request):
        teams = seats.teams(request, game_id)
        with suppress(OtherRules, NoSuchGame):
            if teams:
                found.append(_shown(service, game_id, teams))
    return sorted(found, key=lambda game: (game.is_over, not game.is_your_move))


def _shown(service: GameService, game_id: str, teams: tuple[int, ...]) -> BrowserGame:
    with service.session(game_id) as session:
        return BrowserGame(
            id=game_id,
            title=session.game.title,
            names=[one.name for one in session.stored.seats],
            is_over=session.outcome is not None,
            is_your_move=any(
                ask.team in teams and ask not in session.waiting for ask in session.stepper.asks
            ),
            new_messages=service.count_new_messages(game_id, teams),
        )
