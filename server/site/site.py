"""A server with accounts, put together: every service is made here, once, and handed on."""

from collections.abc import Mapping, Sequence
from functools import partial

from starlette.routing import BaseRoute

from runners.match_request import RunOptions
from server.accounts.account_pages import AccountsPart
from server.bots.bots_part import BotsPart
from server.contests.contests_part import ContestsPart
from server.designs.designs_part import DesignsPart
from server.games.game_pages import GamePages
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.guest_pages import GuestPages
from server.games.lobby_pages import LobbyPages
from server.games.new_games import Opponents
from server.games.open_games import OpenGames
from server.games.recorded_matches import RecordedMatches
from server.games.seats import Seats
from server.groups.group_admin_pages import GroupsPart
from server.http.event_streams import Follow
from server.http.limits import RateLimits
from server.http.openapi import Operation
from server.http.page_requests import Pages
from server.http.parts import Part
from server.identity.account_requests import RegistrationMode
from server.identity.audit_log import AuditLog
from server.identity.people import Kind, People
from server.identity.tokens import Tokens
from server.identity.visitors import Authentication
from server.messages.mutes import Mutes
from server.messages.player_pages import PlayerPages
from server.messages.reports import ReportPages, Reports
from server.operations.cleaning import Cleaning
from server.operations.health import HealthPages
from server.operations.results_folder import ResultsFolder
from server.remote_bots.remote_bots_part import RemoteBotsPart
from server.rooms.room_pages import RoomsPart
from server.runs.exhibitions import Exhibitions
from server.runs.run_pages import RunsPart
from server.site.documents import Documents
from server.site.home_pages import FrontPage, HomePages
from server.site.site_options import SiteOptions
from server.site.starter_kit import StarterKit
from server.writing.writers import require_strict
from server.writing.writing_part import WritingPart


class Site:
    """The parts of a server with accounts; the boards themselves are the application's."""

    links = (("Lobby", "/lobby"), ("Documents", "/docs"))
    """The pages to which each board leads."""

    def __init__(
        self,
        game_service: GameService,
        storage: GameStorage,
        opponents: Opponents,
        run: RunOptions,
        options: SiteOptions | None = None,
        limits: RateLimits | None = None,
    ) -> None:
        """`run`: how the matches of bots are played, and where their results are kept.

        Raises: UsageError where guests may write, and the sandbox is not strict.
        """
        options = options or SiteOptions()
        if options.guests_write:
            require_strict(run.play.sandbox)
        self._database, self._run, self._report = storage.database, run, game_service.report
        self._game_service, self._opponents = game_service, opponents
        self.public_path = options.public_path
        self.limits = limits or RateLimits()
        self._make_accounts(options)
        self.open_games = OpenGames(self._database)
        game_service.add_observer(self.open_games)
        self.results = ResultsFolder(run.out, self._report)
        self.mutes = Mutes(game_service, self.open_games.free_shared_seats, self.limits)
        self.lobby_pages = LobbyPages(self.pages, game_service, storage, self.open_games, opponents)
        self._make_bot_parts(options)
        self._parts = self._make_parts(options)

    def _make_accounts(self, options: SiteOptions) -> None:
        """Make what knows people, and what their pages share."""
        self.people = People(self._database)
        self.tokens = Tokens(self._database, self.people, has_remote_bots=options.has_remote_bots)
        self.authentication = Authentication(self.people, self.tokens)
        self.audit = AuditLog(self._database, partial(self.limits.count_try, "audit"))
        self.pages = Pages(
            self.people,
            self.audit,
            self.limits,
            self.public_path,
            zone=options.timezone,
            is_open=RegistrationMode(options.registration) is RegistrationMode.OPEN,
            home_bot=options.home_bot,
        )

    def _make_bot_parts(self, options: SiteOptions) -> None:
        """Make the parts in which bots are handed in, written and played."""
        pages, database, run, report = self.pages, self._database, self._run, self._report
        matches = RecordedMatches(
            run.out, self._game_service, self.open_games, self.limits, self.public_path
        )
        self.bots = BotsPart(pages, database, run, matches, report, self.results.is_there)
        self.contests = ContestsPart(
            pages,
            database,
            run,
            self.bots.bots,
            self.bots.built_in,
            matches,
            Cleaning(database, run.out, run.kept_replays).run_daily,
            self.results.is_there,
            report,
        )
        self.runs = RunsPart(pages, database, run, report)
        runs, opponents = self.runs.runs, self._opponents
        self.designs = DesignsPart(pages, database, opponents, runs)
        has_guests = options.has_guests
        self.rooms = RoomsPart(
            pages, database, opponents, runs, matches, run.out, report, has_guests=has_guests
        )
        self.lobby_pages.list_rooms = self.rooms.list_open
        self.writing = WritingPart(
            pages, database, self.bots, opponents, runs, has_guests=options.guests_write
        )
        self.exhibitions = Exhibitions(
            database, opponents, run, report, is_on=options.has_exhibitions
        )

    def _make_parts(self, options: SiteOptions) -> Sequence[Part]:
        """Return all parts, in the order in which their routes are looked at."""
        pages, game_service, opponents = self.pages, self._game_service, self._opponents
        reports = Reports(game_service, self.limits)
        seats = Seats(game_service, self.limits)
        players = PlayerPages(pages, game_service, seats, self.mutes, reports)
        groups = GroupsPart(pages, self._database, self.contests.tables, self.contests.views)
        self.remote_bots = RemoteBotsPart(
            pages, game_service, self.open_games, opponents, self.lobby_pages
        )
        self.health = HealthPages(
            pages, self._database, self._run.out, self.contests.player, self.results, self._report
        )
        keep_people = (self.lobby_pages, players, self.contests, self.bots)
        self.accounts = AccountsPart(
            pages, self.tokens, [*keep_people, self.rooms, self.designs, self.writing, groups]
        )
        front_page = FrontPage(self._database, self.contests, self.exhibitions)
        notices, has_guests = self.contests.notices, options.has_guests
        return [
            HomePages(
                pages,
                game_service,
                self.open_games,
                notices,
                front_page,
                has_guests=has_guests,
            ),
            self.accounts,
            players,
            ReportPages(pages, game_service, reports, self.accounts.banning.ban),
            self.lobby_pages,
            self.remote_bots,
            GuestPages(pages, self.open_games, opponents, self.lobby_pages, is_open=has_guests),
            self.bots,
            self.runs,
            self.exhibitions,
            self.designs,
            self.rooms,
            self.writing,
            StarterKit(pages),
            Documents(pages),
            self.contests,
            groups,
            self.health,
        ]

    def find_routes(self, game_pages: GamePages) -> Sequence[BaseRoute]:
        """Return the pages of all parts; those of games are the application's."""
        return [route for part in self._parts for route in part.routes]

    @property
    def operations(self) -> Sequence[Operation]:
        """Return the operations of the API of all parts."""
        return [operation for part in self._parts for operation in part.operations]

    @property
    def topics(self) -> Mapping[str, Follow]:
        """Return what the pages of all parts follow by the shared stream."""
        return {name: follow for part in self._parts for name, follow in part.topics.items()}

    def start(self, *, is_web_only: bool = False) -> str | None:
        """Begin what waits; return the key of the organizer's link while there is no organizer.

        `is_web_only`: another server of the database plays the bots, and shows that link.
        """
        self.results.start()
        if is_web_only:
            return None
        for part in self._parts:
            part.start()
        if self.people.has_organizer():
            return None
        return self.people.new_link(Kind.ORGANIZER, made_by=None)

    def end_streams(self) -> None:
        """End all streams but those of games; on the event loop."""
        self.contests.running.topics.followers.close_all_streams()
        self.remote_bots.end_streams()

    def close(self) -> None:
        """End what runs beside the pages."""
        for part in reversed(self._parts):
            part.close()

    def log_refusal(self, address: str, message: str) -> None:
        """Note in the audit log what was refused before anybody looked at it."""
        self.audit.note("request refused", message, address=address)
