"""With which ladders a bot plays, as its author decides it on the bot's page."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from runners.contests.ladders import Ladder, Ladders, NotEntered
from server.bots.bots import Bot, Bots
from server.bots.enrollment import Entering
from server.http.errors import Denied
from server.http.page_requests import Desk, Visit, see


class EntryForms:
    """Takes the forms with which a bot enters a ladder, or leaves it."""

    def __init__(self, desk: Desk, bots: Bots, ladders: Ladders, entering: Entering) -> None:
        self._desk = desk
        self._bots = bots
        self._ladders = ladders
        self._entering = entering

    @property
    def routes(self) -> Sequence[Route]:
        route = self._desk.route
        return [
            route("/bots/{bot}/enter", self._enter, "POST"),
            route("/bots/{bot}/leave", self._leave, "POST"),
        ]

    def _enter(self, visit: Visit) -> Response:
        return self._change(visit, "bot entered", self._entering.enter)

    def _leave(self, visit: Visit) -> Response:
        return self._change(visit, "bot withdrawn", self._entering.leave)

    def _change(self, visit: Visit, what: str, act: Callable[[Bot, str], object]) -> Response:
        bot, ladder = self._mine(visit), self._ladder(visit)
        try:
            act(bot, ladder.id)
        except NotEntered as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        visit.note(what, f"{bot.name}, {ladder.name}")
        return see(f"/bots/{bot.id}?ladder={ladder.id}")

    def _mine(self, visit: Visit) -> Bot:
        """Return the visitor's own bot of a path. Raises: Denied."""
        me, found = visit.me, self._bots.bot(visit.part("bot"))
        if found is None or found.person_id != me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        return found

    def _ladder(self, visit: Visit) -> Ladder:
        """Return the ladder that a form names. Raises: Denied."""
        found = self._ladders.ladder(visit.typed("ladder"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found
