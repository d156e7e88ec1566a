"""The forms with which the owner of a bot shares it, and others say yes or leave."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from runners.storage.database import Database, Stale
from server.bots.bots import Bot, bot_of_id
from server.bots.sharing import NotShared, Sharing
from server.contests.notices import Notices
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.people import Person
from server.messages.block_list import BlockList

NO_SUCH_BOT = "there is no such bot of yours"


class SharingPages(Part):
    """Lets several people be the authors of a bot."""

    def __init__(self, pages: Pages, database: Database, notices: Notices) -> None:
        self._pages = pages
        self._sharing = Sharing(database)
        self._block_list = BlockList(database)
        self._notices = notices

    @property
    def routes(self) -> Sequence[Route]:
        route, member, bot = self._pages.route, Permission.MEMBER, "/bots/{bot}"
        return [
            route(f"{bot}/authors", member, self._invite_coauthor, "POST"),
            route(f"{bot}/authors/{{person}}/remove", member, self._remove, "POST"),
            route(f"{bot}/authors/accept", member, self._accept_invitation, "POST"),
            route(f"{bot}/authors/leave", member, self._leave, "POST"),
        ]

    def _invite_coauthor(self, request: PageRequest) -> Response:
        me, bot = request.me, self._requested_own_bot(request)
        request.count("invite_author")
        who = self._find_invitee(request)
        try:
            self._sharing.invite(bot.id, who.id, who.name)
        except NotShared as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        message = f"{me.name} asks you to share the bot {bot.name}, as one of its authors"
        self._notices.tell([who.id], message, "/bots")
        request.note("co-author invited", bot.name, about=who.id)
        return redirect_to(f"/bots/{bot.id}#authors")

    def _find_invitee(self, request: PageRequest) -> Person:
        """Return whom a form names. Raises: Denied."""
        name = " ".join(request.field("name").split())
        who = self._pages.people.find_person_by_name(name)
        if who is None or who.is_banned:
            raise Denied(HTTPStatus.NOT_FOUND, f"nobody here is called {name or 'so'}")
        if who.id == request.me.id:
            raise Denied(HTTPStatus.CONFLICT, "you own this bot already")
        if who.id in self._block_list.blocked_with(request.me.id):
            raise Denied(HTTPStatus.CONFLICT, "you and they have nothing to do with each other")
        return who

    def _accept_invitation(self, request: PageRequest) -> Response:
        me, bot = request.me, self._requested_bot(request)
        try:
            self._sharing.accept(bot.id, me.id)
        except Stale as error:
            raise Denied(HTTPStatus.NOT_FOUND, "nobody asks you to share this bot") from error
        self._notices.tell([bot.person_id], f"{me.name} shares {bot.name} now", f"/bots/{bot.id}")
        request.note("bot shared", bot.name)
        return redirect_to(f"/bots/{bot.id}")

    def _leave(self, request: PageRequest) -> Response:
        """Say no, or share a bot no more."""
        me, bot = request.me, self._requested_bot(request)
        if not self._sharing.remove(bot.id, me.id):
            raise Denied(HTTPStatus.NOT_FOUND, "you do not share this bot")
        message = f"{me.name} does not share {bot.name}"
        self._notices.tell([bot.person_id], message, f"/bots/{bot.id}")
        request.note("bot shared no more", bot.name)
        return redirect_to("/bots")

    def _remove(self, request: PageRequest) -> Response:
        bot, person_id = self._requested_own_bot(request), request.part("person")
        if not self._sharing.remove(bot.id, person_id):
            raise Denied(HTTPStatus.NOT_FOUND, "nobody of this name shares this bot")
        message = f"{request.me.name} shares {bot.name} with you no more"
        self._notices.tell([person_id], message, "/bots")
        request.note("co-author removed", bot.name, about=person_id)
        return redirect_to(f"/bots/{bot.id}#authors")

    # -- whoever leaves -----------------------------------------------------------------------

    def before_leaving(self, person_id: str) -> list[str]:
        """Return what becomes of the bots that somebody shares."""
        return [
            f"{one.name}, which you share, goes on: {one.owner_name} owns it from then on."
            for one in self._sharing.heirs(person_id)
        ]

    def forget(self, person_id: str) -> None:
        """Pass the bots of a person who leaves on to those who share them."""
        for one in self._sharing.forget(person_id):
            message = f"{one.name} is yours from now on: its owner has left"
            self._notices.tell([one.owner], message, f"/bots/{one.bot}")

    # -- what the above have in common --------------------------------------------------------

    def _requested_bot(self, request: PageRequest) -> Bot:
        """Raises: Denied."""
        (found,) = request.read(bot_of_id(request.part("bot")))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_BOT)
        bot: Bot = found
        return bot

    def _requested_own_bot(self, request: PageRequest) -> Bot:
        """Return the bot of a path, which the visitor owns. Raises: Denied."""
        bot = self._requested_bot(request)
        if bot.person_id != request.me.id:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_BOT)
        return bot
