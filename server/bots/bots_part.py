"""The bots of a site: handed in, checked, entered, and those that play from the start."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.bots.finding import Copies
from runners.contests.contests import Ladder, find_ladders
from runners.contests.entries import NotEntered, groups_of_person
from runners.contests.ladders import Ladders
from runners.contests.visibility import find_sealed_ladders
from runners.match_request import RunOptions
from runners.storage.database import Database
from server.bots.bots import Bot, Bots
from server.bots.built_in_bots import BuiltInBots
from server.bots.checking import Checking
from server.bots.sharing import sharing_invitations
from server.bots.submission_pages import SubmissionPages
from server.bots.submissions import Enrollment, filter_open_ladders
from server.games.recorded_matches import RecordedMatches
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part, Report
from server.http.permissions import Permission

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
            database, run.out, run.play.sandbox, report, is_ready, processes=CHECKED_AT_ONCE
        )
        ladders = Ladders(database)
        self.copies = Copies(run.out / "bots")
        enrollment = Enrollment(database, self.bots, self.copies)
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

    def open_ladders(self, person_id: str, game: str) -> list[tuple[Ladder, str | None]]:
        """Return the ladders of a game that somebody can hand a bot in to.

        Each has the name of the tournament until which it is sealed, if it is.
        """
        ladders, groups, sealed = self._database.read(
            find_ladders(), groups_of_person(person_id), find_sealed_ladders()
        )
        open_ones = [one for one in filter_open_ladders(ladders) if one.is_for(groups)]
        return [(one, sealed.get(one.id)) for one in open_ones if one.spec.game == game]

    def start(self) -> None:
        self.checking.start()

    def close(self) -> None:
        self.checking.close()

    def personal_data(self, person_id: str) -> dict[str, object]:
        """Return what is kept of a person's bots; their source is had from their pages.

        Of those that others share, the versions that the person has handed in.
        """
        bots = self.bots.find_bots_and_versions(person_id)
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
            "asked_to_share": [
                one.name for one in self._database.find(sharing_invitations(person_id))
            ],
        }

    def forget(self, person_id: str) -> None:
        """Let the bots of a person who leaves play no more."""
        self.bots.forget(person_id)


class EnrollmentForms:
    """Takes the forms with which a bot enters a ladder, or leaves it."""

    def __init__(self, pages: Pages, bots: Bots, ladders: Ladders, enrollment: Enrollment) -> None:
        self._pages = pages
        self._bots = bots
        self._ladders = ladders
        self._enrollment = enrollment

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/bots/{bot}/enter", Permission.MEMBER, self._enter, "POST"),
            route("/bots/{bot}/leave", Permission.MEMBER, self._leave, "POST"),
        ]

    def _enter(self, request: PageRequest) -> Response:
        return self._change(
            request, self._find_own_bot(request), "bot entered", self._enrollment.enter
        )

    def _leave(self, request: PageRequest) -> Response:
        bot = self._find_own_bot(request)
        if bot.person_id != request.me.id:
            raise Denied(HTTPStatus.FORBIDDEN, "only its owner withdraws a bot that several share")
        return self._change(request, bot, "bot withdrawn", self._enrollment.leave)

    def _change(
        self, request: PageRequest, bot: Bot, what: str, act: Callable[[Bot, str], object]
    ) -> Response:
        ladder = self._requested_ladder(request)
        try:
            act(bot, ladder.id)
        except NotEntered as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        request.note(what, f"{bot.name}, {ladder.name}")
        return redirect_to(f"/bots/{bot.id}?ladder={ladder.id}")

    def _find_own_bot(self, request: PageRequest) -> Bot:
        """Return the bot of a path, of which the visitor is an author. Raises: Denied."""
        me, found = request.me, self._bots.bot(request.part("bot"))
        if found is None or not found.is_by(me.id):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        return found

    def _requested_ladder(self, request: PageRequest) -> Ladder:
        """Return the ladder that a form names. Raises: Denied."""
        found = self._ladders.ladder(request.field("ladder"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found
