"""What a server does with what happens in its contests."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_ratings import Published
from runners.contests.player import ContestObserver
from runners.contests.rounds import RoundAhead
from runners.storage.store import KeptResult
from server.contests.reporting import Reporter
from server.contests.scheduled_tournaments import ScheduledTournaments
from server.contests.tournaments import Tournaments
from server.http.parts import Report


class ServerContestObserver(ContestObserver):
    """Tells authors and the operator, has reports written, and cleans up."""

    def __init__(
        self,
        reporter: Reporter,
        tournaments: Tournaments,
        scheduled: ScheduledTournaments,
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
        self._scheduled = scheduled
        self._clean = clean
        self._is_ready = is_ready

    def is_ready(self) -> bool:
        return self._is_ready()

    def looked(self, at: datetime) -> None:
        self._clean(at)
        self._scheduled.begin_due(at)

    def played(self, match: LadderMatch, result: KeptResult, quarantined: Collection[str]) -> None:
        self._reporter.played(match, result, quarantined)

    def rated(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        self._reporter.rated(ladder_id, ratings)

    def round_ahead(self, ahead: RoundAhead) -> None:
        self._tournaments.tell_of_round(ahead)

    def ended(self, tournament: str) -> None:
        self._tournaments.report_on(tournament)

    def has_seen_the_end(self, tournament: str) -> bool:
        return self._tournaments.has_report(tournament)

    def failed(self, words: str) -> None:
        self._report(words)
