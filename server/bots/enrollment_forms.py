"""With which ladders a bot plays, as its author decides it on the bot's page."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from runners.contests.ladders import Ladder, Ladders, NotEntered
from server.bots.bot_rows import Bot
from server.bots.bots import Bots
from server.bots.enrollment import Enrollment
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission


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
        return self._change(request, self._mine(request), "bot entered", self._enrollment.enter)

    def _leave(self, request: PageRequest) -> Response:
        bot = self._mine(request)
        if bot.person_id != request.me.id:
            raise Denied(HTTPStatus.FORBIDDEN, "only its owner withdraws a bot that several share")
        return self._change(request, bot, "bot withdrawn", self._enrollment.leave)

    def _change(
        self, request: PageRequest, bot: Bot, what: str, act: Callable[[Bot, str], object]
    ) -> Response:
        ladder = self._ladder(request)
        try:
            act(bot, ladder.id)
        except NotEntered as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        request.note(what, f"{bot.name}, {ladder.name}")
        return redirect_to(f"/bots/{bot.id}?ladder={ladder.id}")

    def _mine(self, request: PageRequest) -> Bot:
        """Return the bot of a path, of which the visitor is an author. Raises: Denied."""
        me, found = request.me, self._bots.bot(request.part("bot"))
        if found is None or not found.is_by(me.id):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        return found

    def _ladder(self, request: PageRequest) -> Ladder:
        """Return the ladder that a form names. Raises: Denied."""
        found = self._ladders.ladder(request.field("ladder"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found
