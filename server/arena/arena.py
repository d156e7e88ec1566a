"""The arena of a server: its parts, joined."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from runners.run_options import RunOptions
from server.arena.bots import Bots
from server.arena.ladders import Ladders
from server.arena.organizing_ladders import OrganizingLadders
from server.arena.tournament_pages import TournamentPages
from server.arena.tournaments import Tournaments
from server.database import Database
from server.visits import Desk


class Arena:
    """Bots that are handed in, and the ladders on which they play."""

    def __init__(self, desk: Desk, database: Database, run: RunOptions) -> None:
        """`run`: how matches are played, and where results are kept."""
        self._ladders = Ladders(database)
        bots = Bots(database)
        self.tournaments = Tournaments(database, run)
        self._tournament_pages = TournamentPages(desk, self.tournaments, self._ladders)
        self._organizing = OrganizingLadders(desk, database, self._ladders, bots)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [*self._organizing.routes, *self._tournament_pages.routes]

    def begin(self) -> None:
        """Begin what is to be done."""
        self._ladders.ensure_usual()
        self.tournaments.begin()

    def close(self) -> None:
        """End what runs; what is not done is done after the next start."""
        self.tournaments.close()
