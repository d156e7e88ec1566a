"""Handing in bots: the pages for people, and the API for programs that have a token."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from pathlib import Path

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from engine.bots.finding import PREFIX, Copies
from engine.bots.own_files import SOURCE
from engine.bots.programs.languages import are_named
from engine.bots.syntax_hints import THIS_PYTHON
from engine.catalogue import game_named
from engine.errors import BadBot, BadReplay
from runners.contests.ladders import Ladders, every_ladder, ladder_of_id
from runners.storage.database import Stale
from server.bots.bodies import BotBody, CheckAnswer, VersionAnswer
from server.bots.bots import (
    Bot,
    Bots,
    Version,
    bot_of_id,
    bots_of,
    checks_of,
    count_to_check,
    version_numbered,
)
from server.bots.checking import STEPS, Checking
from server.bots.enrollment import Entering, not_over
from server.bots.source_access import may_read
from server.bots.submissions import Intake, NotTaken, Taken
from server.bots.uploads import Sent
from server.bots.zips import zip_of
from server.games.continuation import REFUSING, Asker, ContinueBody, Continued
from server.games.recorded_matches import RecordedMatches
from server.http.errors import Denied
from server.http.event_streams import STREAM_HEADERS
from server.http.long_bodies import NotRead
from server.http.multipart import BadForm, parts_of
from server.http.openapi import EVENTS, Operation
from server.http.page_requests import Desk, Visit, see
from server.http.responses import decoded, failed, read, sent
from server.identity.people import Person
from server.identity.text_limits import BadText, bounded_fields
from server.identity.tokens import Tokens

BEARER = "bearer "
HANDING_IN = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
"""How a bot that is handed in may be refused at the door."""
LOOKING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)


class HandingIn:
    """Takes bots in, and shows what becomes of them."""

    def __init__(
        self,
        desk: Desk,
        tokens: Tokens,
        bots: Bots,
        ladders: Ladders,
        entering: Entering,
        checking: Checking,
        matches: RecordedMatches,
        out: Path,
    ) -> None:
        self._desk = desk
        self._tokens = tokens
        self._bots = bots
        self._ladders = ladders
        self._matches = matches
        self._copies = Copies(out / "bots")
        self._intake = Intake(desk, bots, self._copies, entering, checking.wake)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._desk.route
        version = "/bots/{bot}/versions/{number}"
        return [
            self._desk.upload_route(
                "/submit",
                self._submit,
                require=lambda visit: self._intake.require_seldom(visit, visit.me),
            ),
            route("/submit", self._form),
            route("/bots", self._mine),
            route(version, self._version),
            route(f"{version}/activate", self._activate, "POST"),
            route(f"{version}/source.zip", self._source),
            route(f"{version}/watch", self._watch),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        version = "/bots/{bot}/versions/{number}"
        return [
            Operation(
                "POST", "/bots", self._hand_in_bot, VersionAnswer, BotBody, refusals=HANDING_IN
            ),
            Operation("GET", version, self._version_state, VersionAnswer, refusals=LOOKING),
            Operation(
                "GET",
                f"{version}/scene",
                self._first_match_scene,
                str,
                media_type=EVENTS,
                refusals=LOOKING,
            ),
            Operation(
                "POST",
                f"{version}/continue",
                self._play_on,
                Continued,
                ContinueBody,
                refusals=(HTTPStatus.UNAUTHORIZED, *REFUSING),
            ),
        ]

    # -- pages --------------------------------------------------------------------------------

    def _form(self, visit: Visit, status: int = HTTPStatus.OK, why: str = "") -> Response:
        ladders, mine = visit.read(every_ladder(), bots_of(visit.me.id))
        return visit.html(
            "submit.html",
            status,
            ladders=not_over(ladders),
            bots=mine,
            chosen=visit.typed("ladder") or visit.request.query_params.get("ladder", ""),
            name=visit.typed("name") or visit.request.query_params.get("name", ""),
            home=visit.link("/"),
            takes_programs=are_named(),
            python=THIS_PYTHON,
            why=why,
        )

    def _submit(self, visit: Visit) -> Response:
        me = visit.me
        try:
            kind = visit.request.headers.get("content-type", "")
            parts = parts_of(kind, visit.body)
            fields = {one.field: _text(one.content) for one in parts if one.file is None}
            visit.form = bounded_fields(fields)
            files = [Sent(one.file, one.content) for one in parts if one.file is not None]
            taken = self._intake.take(me, files, visit.form, visit.address)
        except (NotTaken, BadForm, BadText) as error:
            visit.note("bot refused", str(error))
            return self._form(visit, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        return see(_path(taken.version) + _query(taken))

    def _mine(self, visit: Visit) -> Response:
        bots = [
            {"bot": bot, "game": game_named(bot.game).title, "versions": versions}
            for bot, versions in self._bots.bots_and_versions_of(visit.me.id)
        ]
        return visit.html("bots.html", bots=bots)

    def _version(self, visit: Visit) -> Response:
        asked = self._asked(visit)
        bot, version = _own(visit.me, *asked)
        ladder, entered, checks, waiting = visit.read(
            ladder_of_id(version.ladder_id or ""),
            ladder_of_id(visit.request.query_params.get("entered", "")),
            checks_of(version.id),
            count_to_check(),
        )
        begun = {check.name: check for check in checks}
        return visit.html(
            "version.html",
            bot=bot,
            version=version,
            ladder=ladder,
            game=game_named(bot.game).title,
            steps=[(step, begun.get(step)) for step in STEPS if ladder or step != STEPS[-1]],
            others=waiting - 1,
            is_mine=bot.person_id == visit.me.id,
            is_identical="identical" in visit.request.query_params,
            entered=entered,
            address=_path(version),
        )

    def _activate(self, visit: Visit) -> Response:
        """Let a former version of one's own play again."""
        bot, version = self._find(visit, visit.me)
        if bot.person_id != visit.me.id:
            raise Denied(HTTPStatus.NOT_FOUND, NOTHING)
        try:
            self._bots.activate_again(version.id)
        except Stale as error:
            why = f"version {version.number} is {version.state}, and only a former one can be"
            raise Denied(HTTPStatus.CONFLICT, f"{why} made active again") from error
        visit.note("version made active", f"{bot.name}, version {version.number}")
        return see(_path(version))

    def _source(self, visit: Visit) -> Response:
        """Send the files of a version to whoever may read them."""
        bot, version = _existing(*self._asked(visit))
        if not may_read(self._ladders.entered_by(bot.id), bot, version, visit.person):
            raise Denied(HTTPStatus.NOT_FOUND, NOTHING)
        try:
            content = self._zip(bot, version)
        except BadBot as error:
            raise Denied(HTTPStatus.NOT_FOUND, "the server has no copy of it any more") from error
        disposition = f'attachment; filename="version-{version.number}.zip"'
        return Response(
            content,
            media_type="application/zip",
            headers={"content-disposition": disposition, "cache-control": "no-store"},
        )

    def _watch(self, visit: Visit) -> Response:
        """Show the first match of a version."""
        try:
            return HTMLResponse(self._matches.page(self._first_match(visit, visit.me)))
        except BadReplay as error:
            raise Denied(HTTPStatus.NOT_FOUND, "the replay is gone") from error

    # -- API ----------------------------------------------------------------------------------

    async def _hand_in_bot(self, request: Request) -> Response:
        """Hand in a version of a bot; its checks go on after the answer."""
        visit = Visit(self._desk, request)

        def allowed() -> Person:
            me = self._caller(visit)
            self._intake.require_seldom(visit, me)
            return me

        async def take() -> Response:
            me = await run_in_threadpool(allowed)  # before the body is read
            async with self._desk.long_bodies.read(request, me.id) as content:
                return sent(await run_in_threadpool(self._taken, me, content, visit.address))

        try:
            return await take()
        except NotRead as error:
            return failed(HTTPStatus.TOO_MANY_REQUESTS, str(error))
        except Denied as problem:
            return failed(problem.status, str(problem), problem.headers)

    async def _version_state(self, request: Request) -> Response:
        """Return how far the checks of a version have come, to its author."""
        return await self._told(
            request, lambda visit, me: sent(self._answer(*self._find(visit, me)))
        )

    async def _first_match_scene(self, request: Request) -> Response:
        """Send the first match of a version, as the replay page draws it."""

        def told(visit: Visit, me: Person) -> Response:
            bot, _ = self._find(visit, me)
            # Organizers look at it as everybody does who has not written the bot.
            teams = (1,) if bot.person_id == me.id else ()
            content = self._matches.scene(self._first_match(visit, me), teams)
            return Response(content, media_type=EVENTS, headers=STREAM_HEADERS)

        return await self._told(request, told)

    async def _play_on(self, request: Request) -> Response:
        """Begin a game from the middle of the first match of a version, for whoever asks."""
        body = await read(request, ContinueBody)

        def told(visit: Visit, me: Person) -> Response:
            asker = Asker(visit.address, me.id)
            return self._matches.play_on(request, self._first_match(visit, me), body, asker)

        return await self._told(request, told)

    async def _told(self, request: Request, tell: Callable[[Visit, Person], Response]) -> Response:
        def told() -> Response:
            visit = Visit(self._desk, request)
            try:
                return tell(visit, self._caller(visit))
            except Denied as problem:
                return failed(problem.status, str(problem))
            except BadReplay:
                return failed(HTTPStatus.NOT_FOUND, "the replay is gone")

        return await run_in_threadpool(told)

    def _taken(self, me: Person, content: bytes, address: str) -> VersionAnswer:
        """Take in what a program sent. Raises: Denied, msgspec.DecodeError."""
        body = decoded(content, BotBody)
        files = [Sent(name, text) for name, text in body.files.items()]
        form = {"name": body.name, "ladder": body.ladder, "game": body.game}
        try:
            taken = self._intake.take(me, files, form, address)
        except NotTaken as error:
            self._desk.audit.note("bot refused", str(error), address=address, person=me.id)
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
        bot = self._bots.bot(taken.version.bot_id)
        assert bot is not None
        entered = taken.entered.name if taken.entered else ""
        answer = self._answer(bot, taken.version)
        return replace(answer, is_identical=taken.is_identical, entered=entered)

    def _caller(self, visit: Visit) -> Person:
        """Return whose token or session a request has. Raises: Denied."""
        header = visit.request.headers.get("authorization", "")
        if header.lower().startswith(BEARER):
            person = self._tokens.person_of(header[len(BEARER) :].strip())
        else:
            person = visit.person
        if person is None:
            raise Denied(
                HTTPStatus.UNAUTHORIZED,
                "a token is needed: make one on your own page, and send it as "
                "`Authorization: Bearer TOKEN`",
            )
        return person

    def _answer(self, bot: Bot, version: Version) -> VersionAnswer:
        path = _path(version)
        return VersionAnswer(
            bot=bot.id,
            name=bot.name,
            number=version.number,
            state=version.state,
            why=version.why,
            checks=[
                CheckAnswer(check.name, check.state, check.words)
                for check in self._bots.checks_of(version.id)
            ],
            path=path,
            first_match=f"{path}/watch" if version.first_match else "",
        )

    # -- what both have in common -------------------------------------------------------------

    def _find(self, visit: Visit, me: Person) -> tuple[Bot, Version]:
        """Return a version of one's own, or any for an organizer. Raises: Denied."""
        return _own(me, *self._asked(visit))

    def _asked(self, visit: Visit) -> tuple[Bot | None, Version | None]:
        """Return the bot and the version that a path names, if they are there."""
        bot_id, said = visit.part("bot"), visit.part("number")
        is_number = said.isascii() and said.isdigit() and len(said) < MOST_DIGITS
        number = int(said) if is_number else 0  # which no version has
        bot, version = visit.read(bot_of_id(bot_id), version_numbered(bot_id, number))
        return bot, version

    def _first_match(self, visit: Visit, me: Person) -> str:
        """Return the key of a version's first match. Raises: Denied."""
        _, version = self._find(visit, me)
        if version.first_match is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no first match of this version")
        return version.first_match

    def _zip(self, bot: Bot, version: Version) -> bytes:
        """Return the files of a version as a zip. Raises: BadBot."""
        packed = self._copies.pack(version.digest)
        if packed.is_folder:
            return zip_of({f"{bot.name}/{name}": text for name, text in packed.files.items()})
        (text,) = packed.files.values()
        return zip_of({_file_of(bot.name): text})


NOTHING = "there is nothing here"
MOST_DIGITS = 8


def _own(me: Person, bot: Bot | None, version: Version | None) -> tuple[Bot, Version]:
    """Return a version of one's own, or any for an organizer. Raises: Denied."""
    bot, version = _existing(bot, version)
    if not (bot.person_id == me.id or me.is_organizer):
        raise Denied(HTTPStatus.NOT_FOUND, NOTHING)
    return bot, version


def _existing(bot: Bot | None, version: Version | None) -> tuple[Bot, Version]:
    """Return a version that is there. Raises: Denied."""
    if bot is None or version is None:
        raise Denied(HTTPStatus.NOT_FOUND, NOTHING)
    return bot, version


def _file_of(name: str) -> str:
    """Return the name of the file of a bot that is one."""
    letters = (letter if letter.isalnum() else "_" for letter in name.lower())
    return f"{PREFIX}{''.join(letters)}{SOURCE}"


def _query(taken: Taken) -> str:
    """Return what the page of a version is told of what was handed in."""
    entered = f"&entered={taken.entered.id}" if taken.entered else ""
    return f"?identical{entered}" if taken.is_identical else ""


def _path(version: Version) -> str:
    return f"/bots/{version.bot_id}/versions/{version.number}"


def _text(content: bytes) -> str:
    return content.decode(errors="replace")
