"""The arena of a server: its parts, joined."""

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute

from engine.bots.finding import Copies
from runners.contests.ladders import Ladders
from runners.contests.player import ContestPlayer
from runners.run_options import RunOptions
from runners.storage.database import Database
from server.accounts.token_pages import TokenPages
from server.bots.bots import Bot, Bots, Version
from server.bots.built_in_bots import House
from server.bots.checking import Checking
from server.bots.enrollment import Entering
from server.bots.enrollment_forms import EntryForms
from server.bots.submission_pages import HandingIn
from server.contests.bot_pages import BotPages
from server.contests.contest_observer import ContestNews
from server.contests.export import Exports
from server.contests.ladder_admin_pages import OrganizingLadders
from server.contests.ladder_pages import LadderPages
from server.contests.ladder_tables import LadderTables
from server.contests.match_pages import MatchPages
from server.contests.notices import Notices
from server.contests.reporting import Reporter
from server.contests.tournament_pages import TournamentPages
from server.contests.tournaments import Tournaments
from server.games.game_service import Lobby
from server.games.open_games import OpenGames
from server.games.recorded_matches import RecordedMatches
from server.http.openapi import Operation
from server.http.page_requests import Desk
from server.identity.tokens import Tokens
from server.operations.cleaning import Cleaning
from server.operations.health import HealthPages
from server.site.documents import Documents
from server.site.starter_kit import Kit

CHECKED_AT_ONCE = 2
"""Versions; the first match of a bot that thinks long takes minutes, and others need not wait."""


class Arena:
    """Bots that are handed in, and the ladders on which they play."""

    def __init__(
        self,
        desk: Desk,
        database: Database,
        run: RunOptions,
        lobby: Lobby,
        open_games: OpenGames,
    ) -> None:
        """`run`: how matches are played, and where results are kept.

        Ladders wait where it has neither workers nor a cluster.
        `lobby` and `open_games` take the games that people play on from matches.
        """
        self.bots = Bots(database)
        self.ladders = Ladders(database)
        self.house = House(database, run.out)
        self.tokens = Tokens(database, desk.people)
        self.checking = Checking(database, run.out, run.play.sandbox, processes=CHECKED_AT_ONCE)
        self._audit = desk.audit
        self.checking.on_refusal = self._note_refusal
        self.notices = Notices(database)
        tables = LadderTables(database)
        self.tournaments = Tournaments(database, run)
        self._news = ContestNews(
            Reporter(database, tables), self.tournaments, Cleaning(database, run.out).look
        )
        self._player = ContestPlayer(database, run, self._news)
        self._token_pages = TokenPages(desk, self.tokens)
        matches = RecordedMatches(run.out, lobby, open_games, desk.address_limits, desk.public_path)
        entering = Entering(self.bots, self.ladders, Copies(run.out / "bots"))
        self._handing_in = HandingIn(
            desk,
            self.tokens,
            self.bots,
            self.ladders,
            entering,
            self.checking,
            matches,
            run.out,
        )
        self._entry_forms = EntryForms(desk, self.bots, self.ladders, entering)
        self._kit = Kit(desk)
        self._documents = Documents(desk)
        self._ladder_pages = LadderPages(desk, database, tables, self.bots, self.notices)
        self._bot_pages = BotPages(desk, database, tables, self.bots)
        self._match_pages = MatchPages(desk, database, matches, run.out)
        self._organizing = OrganizingLadders(desk, database, self.ladders, self.bots, self.house)
        self._tournament_pages = TournamentPages(desk, self.tournaments, self.ladders)
        self._exports = Exports(desk, database, self.ladders, self.tournaments)
        self._health = HealthPages(desk, database, run.out, self._player)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [
            *self._token_pages.routes,
            *self._handing_in.routes,
            *self._kit.routes,
            *self._documents.routes,
            *self._organizing.routes,
            *self._ladder_pages.routes,
            *self._bot_pages.routes,
            *self._entry_forms.routes,
            *self._match_pages.routes,
            *self._tournament_pages.routes,
            *self._exports.routes,
            *self._health.routes,
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        """Return the part of the API that is the arena's."""
        return [*self._handing_in.operations, *self._match_pages.operations]

    def begin(self, on_failure: Callable[[str], object]) -> None:
        """Begin what is to be done; `on_failure` is called with a sentence for the operator."""
        for ended, _ in self.ladders.replace_those_of_old_rules():
            on_failure(
                f"{ended.game.title} has new rules: the ladder '{ended.name}' has ended, and its "
                "bots play on in a new one"
            )
        self.house.begin()
        for ladder in self.ladders.ensure_usual():
            self.house.enter(ladder)
        self.checking.on_failure = on_failure
        self.checking.begin()
        self._news.on_failure = on_failure
        self._player.begin()
        self.tournaments.on_failure = on_failure
        self.tournaments.begin()
        self._health.begin()

    def close(self) -> None:
        """End what runs; what is not done is done after the next start."""
        self._player.close()
        self.checking.close()
        self.tournaments.close()

    def export(self, person_id: str) -> dict[str, object]:
        """Return what is kept of a person's bots; their source is had from their pages."""
        bots = self.bots.bots_and_versions_of(person_id)
        return {
            "bots": [
                {"name": bot.name, "game": bot.game, "versions": versions} for bot, versions in bots
            ],
            "tokens": self.tokens.of(person_id),
        }

    def forget(self, person_id: str) -> None:
        """Let the bots of a person who leaves play no more."""
        self.tokens.forget(person_id)
        self.bots.forget(person_id)

    def _note_refusal(self, bot: Bot, version: Version, why: str) -> None:
        """Put it into the audit log that a version did not pass its checks."""
        words = f"{bot.name}, version {version.number}: {why}"
        self._audit.note("version refused", words, address="", person=bot.person_id)
