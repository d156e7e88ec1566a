"""The games of one browser at home, on a server without accounts."""

from collections.abc import Mapping, Sequence

from starlette.routing import BaseRoute

from server.games.game_pages import GamePages
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.http.limits import RateLimits
from server.http.openapi import Operation
from server.http.shared_stream import Follow
from server.identity.visitors import Authentication
from server.messages.mutes import Mutes


class GamesAtHome:
    """What stands in place of a `Site`: a first page with the games, and nobody with a name."""

    pages = None
    results = None
    """Nobody has to be told when the folder vanishes: the one who plays notices."""
    public_path = ""
    links: Sequence[tuple[str, str]] = ()
    operations: Sequence[Operation] = ()
    topics: Mapping[str, Follow] = {}

    def __init__(self, game_service: GameService, limits: RateLimits | None = None) -> None:
        self.limits = limits or RateLimits()
        self.authentication = Authentication()
        self.open_games = OpenGames(game_service.database)
        self.mutes = Mutes(game_service, self.open_games.free_shared_seats, self.limits)

    def find_routes(self, game_pages: GamePages) -> Sequence[BaseRoute]:
        """Return the routes besides those of games."""
        return [game_pages.home]

    def log_refusal(self, address: str, message: str) -> None:
        """Ignore a request that was refused: nobody reads an audit log at home."""

    def end_streams(self) -> None:
        """Do nothing: there are no streams but those of games."""
