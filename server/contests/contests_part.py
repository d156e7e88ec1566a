"""The contests of a site: ladders, seasons and tournaments, their pages, and playing them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from starlette.routing import BaseRoute

from runners.contests.contests import Ladder
from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_ratings import Published
from runners.contests.ladders import Ladders
from runners.contests.open_tournaments import NextRound
from runners.contests.player import ContestObserver, ContestPlayer
from runners.match_request import RunOptions
from runners.storage.database import Database
from runners.storage.store import StoredResult
from server.bots.bots import Bots
from server.bots.built_in_bots import BuiltInBots
from server.contests.bot_pages import BotPages
from server.contests.contest_admin_pages import ContestAdminPages
from server.contests.contest_api import ContestApi
from server.contests.contest_heads import ContestHeads
from server.contests.contest_pages import ContestPages
from server.contests.export import Exports
from server.contests.ladder_tables import LadderTables
from server.contests.match_pages import MatchPages
from server.contests.notices import NoticePages, Notices
from server.contests.playing_now import PlayingNow
from server.contests.reporting import Reporter
from server.contests.sharing_pages import SharingPages
from server.contests.tournament_views import TournamentViews
from server.contests.tournaments import Tournaments
from server.games.recorded_matches import RecordedMatches
from server.http.event_streams import Follow
from server.http.openapi import Operation
from server.http.page_requests import Pages
from server.http.parts import Leaving, Part, Report
from server.watching.running_matches import RunningMatches


class ContestsPart(Part):
    """Shows contests, and plays them beside the pages."""

    leaving = Leaving.PASSES_ON

    def __init__(
        self,
        pages: Pages,
        database: Database,
        run: RunOptions,
        bots: Bots,
        built_in: BuiltInBots,
        matches: RecordedMatches,
        clean: Callable[[datetime], object],
        is_ready: Callable[[], bool],
        report: Report,
    ) -> None:
        """`run`: how matches are played, and where results are kept.

        Ladders wait where it has neither workers nor a cluster. `clean` is called now and then.
        `is_ready`: whether matches may begin now.
        """
        self._report = report
        self._built_in = built_in
        self.ladders = Ladders(database)
        self.notices = Notices(database)
        self.tables = tables = LadderTables(database)
        self.tournaments = Tournaments(database, run, report)
        observer = ServerContestObserver(
            Reporter(database, tables), self.tournaments, clean, is_ready, report
        )
        self.player = ContestPlayer(database, run, observer)
        self.running = RunningMatches(run.out)
        self.playing = PlayingNow(pages, database, tables, self.running)
        self.views = views = TournamentViews(
            database, self.tournaments, self.running, run.out, pages.public_path
        )
        self.heads = heads = ContestHeads(tables, views)
        self._sharing = SharingPages(pages, database, self.notices)
        self._pages: Sequence[Part] = [
            ContestAdminPages(
                pages, database, self.ladders, self.tournaments, heads, bots, built_in
            ),
            ContestPages(
                pages,
                database,
                tables,
                self.tournaments,
                views,
                heads,
                bots,
                self.playing,
            ),
            ContestApi(heads, views, self.running),
            NoticePages(pages, self.notices),
            self.playing,
            self._sharing,
            BotPages(pages, database, tables, bots, self.playing),
            Exports(pages, database, self.ladders, self.tournaments, views),
            MatchPages(pages, database, matches, self.running, views, run.out),
        ]

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [route for part in self._pages for route in part.routes]

    @property
    def operations(self) -> Sequence[Operation]:
        return [one for part in self._pages for one in part.operations]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {topic: follow for part in self._pages for topic, follow in part.topics.items()}

    def start(self) -> None:
        for ended, _ in self.ladders.replace_those_of_old_rules():
            self._report(
                f"{ended.game.title} has new rules: the ladder '{ended.name}' has ended, and its "
                "bots play on in a new one"
            )
        self._built_in.start()
        for ladder in self.ladders.ensure_usual():
            self._built_in.enter(ladder)
        self.player.start()
        self.tournaments.start()

    def before_leaving(self, person_id: str) -> Sequence[str]:
        """Return what becomes of the bots that somebody shares."""
        return self._sharing.before_leaving(person_id)

    def forget(self, person_id: str) -> None:
        """Pass the bots of a person who leaves on to those who share them."""
        self._sharing.forget(person_id)

    def close(self) -> None:
        self.player.close()
        self.tournaments.close()


class ServerContestObserver(ContestObserver):
    """Tells authors and the operator, has reports written, and cleans up."""

    def __init__(
        self,
        reporter: Reporter,
        tournaments: Tournaments,
        clean: Callable[[datetime], object],
        is_ready: Callable[[], bool],
        report: Report,
    ) -> None:
        """`clean` removes what nobody needs any more, and is given the present time.

        `is_ready`: whether matches may begin now.
        """
        self._report = report
        self._reporter = reporter
        self._tournaments = tournaments
        self._clean = clean
        self._is_ready = is_ready

    def is_ready(self) -> bool:
        return self._is_ready()

    def on_poll(self, at: datetime) -> None:
        self._clean(at)
        self._tournaments.begin_due(at)

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        self._reporter.on_match_played(match, result, quarantined)

    def on_ratings(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        self._reporter.on_ratings_published(ladder_id, ratings)

    def on_season_begin(self, season: Ladder) -> None:
        self._reporter.on_season_begin(season)

    def on_season_end(self, ladder_id: str) -> None:
        self._reporter.on_season_end(ladder_id)

    def on_next_round(self, upcoming: NextRound) -> None:
        self._tournaments.tell_of_round(upcoming)

    def on_tournament_end(self, tournament: str) -> None:
        self._tournaments.report_on(tournament)

    def has_seen_the_end(self, tournament: str) -> bool:
        return self._tournaments.has_report(tournament)

    def on_failure(self, message: str) -> None:
        self._report(message)
