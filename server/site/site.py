"""A server with accounts, put together: every service is made here, once, and handed on."""

from collections.abc import Sequence
from datetime import UTC, tzinfo

from starlette.routing import BaseRoute

from runners.run_options import RunOptions
from server.accounts.accounts_part import AccountsPart
from server.bots.bots_part import BotsPart
from server.contests.contests_part import ContestsPart
from server.designs.designs_part import DesignsPart
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.guest_pages import GuestPages
from server.games.lobby_pages import LobbyPages
from server.games.new_games import Opponents
from server.games.open_games import OpenGames
from server.games.player_pages import PlayerPages
from server.games.recorded_matches import RecordedMatches
from server.games.report_pages import ReportPages
from server.games.reports import Reports
from server.games.shunning import Shunning
from server.groups.groups_part import GroupsPart
from server.http.openapi import Operation
from server.http.page_requests import Pages
from server.http.parts import Part
from server.identity.account_requests import Registration
from server.identity.audit_log import AuditLog
from server.identity.people import Kind, People
from server.identity.rate_limits import AddressLimits
from server.identity.tokens import Tokens
from server.identity.visitors import Authentication
from server.operations.cleaning import Cleaning
from server.operations.health import HealthPages
from server.operations.results_folder import ResultsFolder
from server.remote_bots.remote_bots_part import RemoteBotsPart
from server.runs.exhibitions import Exhibitions
from server.runs.run_pages import RunsPart
from server.site.documents import Documents
from server.site.front_page import FrontPage
from server.site.home_pages import HomePages
from server.site.starter_kit import StarterKit
from server.writing.writers import Writers, require_strict
from server.writing.writing_part import WritingPart


class Site:
    """The parts of a server with accounts; the boards themselves are the application's."""

    def __init__(
        self,
        game_service: GameService,
        storage: GameStorage,
        opponents: Opponents,
        run: RunOptions,
        address_limits: AddressLimits | None = None,
        public_path: str = "",
        *,
        zone: tzinfo = UTC,
        has_guests: bool = True,
        guests_write: bool = False,
        has_exhibitions: bool = False,
        has_remote_bots: bool = True,
        home_bot: str = "",
        registration: Registration = Registration.INVITATION,
    ) -> None:
        """`run`: how the matches of bots are played, and where their results are kept.

        `public_path`: see server/http/public_path.py. `zone`: whose clocks forms show.
        `has_guests`: whether those without an account may play; `guests_write`: whether they may
        write bots, too. `has_exhibitions`: whether bots play for who looks on, when nobody does.
        `has_remote_bots`: whether bots play from their authors' machines. `home_bot`: the bot of a
        server that is there to write it at home. `registration`: how accounts are made. Raises:
        UsageError where guests may write, and the sandbox is not strict.
        """
        if guests_write:
            require_strict(run.play.sandbox)
        database, report = storage.database, game_service.report
        self.people = People(database)
        self.tokens = Tokens(database, self.people, has_remote_bots=has_remote_bots)
        self.authentication = Authentication(self.people, self.tokens)
        self.address_limits = address_limits or AddressLimits()
        self.audit = AuditLog(database, self.address_limits)
        self.public_path = public_path
        self.pages = Pages(
            self.people,
            self.audit,
            self.address_limits,
            public_path,
            zone=zone,
            is_open=registration is Registration.OPEN,
            home_bot=home_bot,
        )
        self.open_games = OpenGames(database)
        game_service.add_observer(self.open_games)
        self._storage = storage
        self._out = run.out
        self.results = ResultsFolder(run.out, report)
        matches = RecordedMatches(
            run.out, game_service, self.open_games, self.address_limits, public_path
        )
        self.lobby_pages = LobbyPages(self.pages, game_service, storage, self.open_games, opponents)
        self.bots = BotsPart(self.pages, database, run, matches, report, self.results.is_there)
        self.shunning = Shunning(database, game_service, self.open_games)
        reports = Reports(database)
        players = PlayerPages(self.pages, game_service, self.shunning, reports)
        self.contests = ContestsPart(
            self.pages,
            database,
            run,
            self.bots.bots,
            self.bots.built_in,
            matches,
            Cleaning(database, run.out, run.kept_replays).look,
            self.results.is_there,
            report,
        )
        self.runs = RunsPart(self.pages, database, run, report)
        self.health = HealthPages(
            self.pages, database, run.out, self.contests.player, self.results, report
        )
        designs = DesignsPart(self.pages, database, opponents, self.runs.runs)
        self.writing = WritingPart(
            self.pages,
            database,
            Writers(has_guests=guests_write),
            self.bots,
            opponents,
            self.runs.runs,
        )
        self.remote_bots = RemoteBotsPart(
            self.pages, game_service, self.open_games, opponents, self.lobby_pages
        )
        groups = GroupsPart(self.pages, database, self.contests.tables)
        self.accounts = AccountsPart(
            self.pages,
            self.tokens,
            # The contests pass shared bots on before the others of who leaves play no more.
            [self.lobby_pages, players, self.contests, self.bots, designs, self.writing, groups],
        )
        self.exhibitions = Exhibitions(database, opponents, run, report, is_on=has_exhibitions)
        self._parts: Sequence[Part] = [
            HomePages(
                self.pages,
                game_service,
                self.open_games,
                self.contests.notices,
                FrontPage(database, self.contests, self.exhibitions),
                has_guests=has_guests,
            ),
            self.accounts,
            players,
            ReportPages(self.pages, game_service, reports, self.accounts.banning.ban),
            self.lobby_pages,
            self.remote_bots,
            GuestPages(
                self.pages, self.open_games, opponents, self.lobby_pages, is_open=has_guests
            ),
            self.bots,
            self.runs,
            self.exhibitions,
            designs,
            self.writing,
            StarterKit(self.pages),
            Documents(self.pages),
            self.contests,
            groups,
            self.health,
        ]

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Return the pages of all parts."""
        return [route for part in self._parts for route in part.routes]

    @property
    def operations(self) -> Sequence[Operation]:
        """Return the operations of the API of all parts."""
        return [operation for part in self._parts for operation in part.operations]

    def begin(self, *, is_web_only: bool = False) -> str | None:
        """Begin what waits; return the key of the organizer's link while there is no organizer.

        `is_web_only`: another server of the database plays the bots, and shows that link.
        """
        self.results.begin()
        if is_web_only:
            return None
        for part in self._parts:
            part.begin()
        if self.people.has_organizer():
            return None
        return self.people.new_link(Kind.ORGANIZER, made_by=None)

    def end_streams(self) -> None:
        """End all streams of matches that bots play, and of remote bots; on the event loop."""
        self.contests.running.close()
        self.remote_bots.end_streams()

    def close(self) -> None:
        """End what runs beside the pages."""
        for part in reversed(self._parts):
            part.close()

    def refused(self, address: str, words: str) -> None:
        """Note in the audit log what was refused before anybody looked at it."""
        self.audit.note("request refused", words, address=address)
