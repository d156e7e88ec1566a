"""The bots of a site: handed in, checked, entered, and those that play from the start."""

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute

from engine.bots.finding import Copies
from runners.contests.ladders import Ladder, Ladders, every_ladder, groups_of_person
from runners.contests.visibility import sealed_ladders
from runners.run_options import RunOptions
from runners.storage.database import Database
from server.bots.bots import Bots
from server.bots.built_in_bots import BuiltInBots
from server.bots.checking import Checking
from server.bots.enrollment import Enrollment, not_closed
from server.bots.enrollment_forms import EnrollmentForms
from server.bots.sharing import asked_to_share
from server.bots.submission_pages import SubmissionPages
from server.games.recorded_matches import RecordedMatches
from server.http.openapi import Operation
from server.http.page_requests import Pages
from server.http.parts import Part, Report

CHECKED_AT_ONCE = 2
"""Versions; the first match of a bot that thinks long takes minutes, and others need not wait."""


class BotsPart(Part):
    """Takes bots in, and checks them beside the pages."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        run: RunOptions,
        matches: RecordedMatches,
        report: Report,
        is_ready: Callable[[], bool],
    ) -> None:
        """`run`: in which sandbox bots are checked, and the folder of results.

        `is_ready`: whether checks may begin now.
        """
        self._database = database
        self.bots = Bots(database)
        self.built_in = BuiltInBots(database, run.out)
        self.checking = Checking(
            database,
            run.out,
            run.play.sandbox,
            report,
            is_ready,
            processes=CHECKED_AT_ONCE,
        )
        ladders = Ladders(database)
        self.copies = Copies(run.out / "bots")
        enrollment = Enrollment(self.bots, ladders, self.copies)
        self._submissions = SubmissionPages(
            pages, self.bots, enrollment, self.checking, matches, run.out
        )
        self.submissions = self._submissions.submissions
        self._entries = EnrollmentForms(pages, self.bots, ladders, enrollment)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [*self._submissions.routes, *self._entries.routes]

    @property
    def operations(self) -> Sequence[Operation]:
        return self._submissions.operations

    def ladders_for(self, person_id: str, game: str) -> list[tuple[Ladder, str | None]]:
        """Return the ladders of a game that somebody can hand a bot in to.

        Each has the name of the tournament until which it is sealed, if it is.
        """
        ladders, groups, sealed = self._database.read(
            every_ladder(), groups_of_person(person_id), sealed_ladders()
        )
        open_ones = [one for one in not_closed(ladders) if one.is_for(groups)]
        return [(one, sealed.get(one.id)) for one in open_ones if one.spec.game == game]

    def begin(self) -> None:
        self.checking.begin()

    def close(self) -> None:
        self.checking.close()

    def personal_data(self, person_id: str) -> dict[str, object]:
        """Return what is kept of a person's bots; their source is had from their pages.

        Of those that others share, the versions that the person has handed in.
        """
        bots = self.bots.bots_and_versions_of(person_id)
        return {
            "bots": [
                {
                    "name": bot.name,
                    "game": bot.game,
                    "is_owner": bot.person_id == person_id,
                    "authors": len(bot.authors),
                    "versions": [one for one in versions if one.person_id in (person_id, None)],
                }
                for bot, versions in bots
            ],
            "asked_to_share": [one.name for one in self._database.find(asked_to_share(person_id))],
        }

    def forget(self, person_id: str) -> None:
        """Let the bots of a person who leaves play no more."""
        self.bots.forget(person_id)
