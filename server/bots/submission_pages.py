"""Handing in bots: the pages for people, and the API for programs that have a token."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.bots.finding import Copies
from engine.bots.programs.languages import are_named
from engine.bots.syntax_hints import THIS_PYTHON
from engine.catalog import GAMES
from engine.errors import BadBot
from runners.contests.contests import find_ladders, ladder_of_id
from runners.contests.entries import find_bot_entries, groups_of_person
from runners.contests.ladders import find_bot_ladders
from runners.contests.visibility import find_sealed_ladders, find_sealed_versions
from runners.storage.database import Stale, now
from runners.storage.ladder_tables import EntryState, versions
from server.bots.bodies import BotBody, CheckAnswer, VersionAnswer
from server.bots.bots import (
    Bot,
    Bots,
    NotAccepted,
    Version,
    authored_bots,
    bot_of_id,
    count_to_check,
    file_name,
    version_by_number,
    version_checks,
)
from server.bots.checking import STEPS, Checking
from server.bots.sharing import sharing_invitations
from server.bots.source_access import may_read
from server.bots.submissions import (
    Enrollment,
    SubmissionRefused,
    Submissions,
    Taken,
    filter_open_ladders,
)
from server.bots.uploads import Sent
from server.bots.zips import make_zip
from server.games.continuation import REFUSAL_STATUSES, ContinueBody, Continued
from server.games.recorded_matches import RecordedMatches
from server.http.errors import Denied
from server.http.multipart import BadForm, parse_parts
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission, require_caller
from server.http.responses import EVENTS, client_address, decode_json, json_response
from server.identity.people import Person
from server.identity.rate_limits import Asker
from server.identity.text_limits import BadText, parse_whole_number, validate_fields

BEARER = "bearer "
HANDING_IN = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
"""How a bot that is handed in may be refused at the door."""
LOOK_UP_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)


class SubmissionPages:
    """Takes bots in, and shows what becomes of them."""

    def __init__(
        self,
        pages: Pages,
        bots: Bots,
        enrollment: Enrollment,
        checking: Checking,
        matches: RecordedMatches,
        out: Path,
    ) -> None:
        self._pages = pages
        self._bots = bots
        self._matches = matches
        self._copies = Copies(out / "bots")
        self._enrollment = enrollment
        self.submissions = Submissions(pages, bots, self._copies, enrollment, checking.wake)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._pages.route
        version = "/bots/{bot}/versions/{number}"
        return [
            self._pages.upload_route(
                "/submit", self._submit, require=lambda request: request.count("hand_in")
            ),
            route("/submit", Permission.MEMBER, self._submission_form),
            route("/bots", Permission.MEMBER, self._send_own_bots),
            self._pages.reading_route(version, Permission.MEMBER, self._version_page),
            route(f"{version}/activate", Permission.MEMBER, self._activate_version, "POST"),
            route(f"{version}/source.zip", Permission.ANYBODY, self._send_source),
            route(f"{version}/watch", Permission.MEMBER, self._watch),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        version = "/bots/{bot}/versions/{number}"
        of_caller = partial(Operation, permission=Permission.CALLER, refusals=LOOK_UP_REFUSALS)
        return [
            of_caller(
                "POST", "/bots", self._hand_in_bot, VersionAnswer, BotBody, refusals=HANDING_IN
            ),
            of_caller("GET", version, self._version_state, VersionAnswer),
            of_caller("GET", f"{version}/scene", self._first_match_scene, str, media_type=EVENTS),
            of_caller(
                "POST",
                f"{version}/continue",
                self._play_on,
                Continued,
                ContinueBody,
                refusals=(HTTPStatus.UNAUTHORIZED, *REFUSAL_STATUSES),
            ),
        ]

    # -- pages --------------------------------------------------------------------------------

    def _submission_form(
        self, request: PageRequest, status: int = HTTPStatus.OK, why: str = ""
    ) -> Response:
        ladders, own, groups, sealed = request.read(
            find_ladders(),
            authored_bots(request.me.id),
            groups_of_person(request.me.id),
            find_sealed_ladders(),
        )
        return request.html(
            "submit.html",
            status,
            ladders=[one for one in filter_open_ladders(ladders) if one.is_for(groups)],
            bots=own,
            sealed=sealed,
            chosen=request.field("ladder") or request.query_params.get("ladder", ""),
            name=request.field("name") or request.query_params.get("name", ""),
            home=request.link("/"),
            takes_programs=are_named(),
            python=THIS_PYTHON,
            why=why,
        )

    def _submit(self, request: PageRequest) -> Response:
        me = request.me
        try:
            kind = request.headers.get("content-type", "")
            parts = parse_parts(kind, request.upload)
            fields = {
                one.field: one.content.decode(errors="replace") for one in parts if one.file is None
            }
            request.fields = validate_fields(fields)
            files = [Sent(one.file, one.content) for one in parts if one.file is not None]
            taken = self.submissions.take(me, files, request.fields, request.address)
        except (SubmissionRefused, BadForm, BadText) as error:
            request.note("bot refused", str(error))
            return self._submission_form(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        return redirect_to(_version_path(taken.version) + _submission_query(taken))

    def _send_own_bots(self, request: PageRequest) -> Response:
        bots = [
            {"bot": bot, "game": _name_game(bot.game), "versions": versions}
            for bot, versions in self._bots.find_bots_and_versions(request.me.id)
        ]
        (asked,) = request.read(sharing_invitations(request.me.id))
        return request.html("bots.html", bots=bots, asked=asked)

    def _version_page(self, request: PageRequest) -> Response:
        asked = self._find_bot_and_version(request)
        bot, version = _require_own(request.me, *asked)
        ladder, entered, checks, waiting, sealed, seals, entries, ladders = request.read(
            ladder_of_id(version.ladder_id or ""),
            ladder_of_id(request.query_params.get("entered", "")),
            version_checks(version.id),
            count_to_check(),
            find_sealed_versions(versions.c.id == version.id),
            find_sealed_ladders(),
            find_bot_entries(bot.id),
            find_bot_ladders(bot.id),
        )
        playing = {one.contest for one in entries if one.state is EntryState.PLAYING} - set(seals)
        begun = {check.name: check for check in checks}
        return request.html(
            "version.html",
            bot=bot,
            version=version,
            ladder=ladder,
            game=_name_game(bot.game),
            steps=[(step, begun.get(step)) for step in STEPS if ladder or step != STEPS[-1]],
            others=waiting - 1,
            is_mine=bot.is_by(request.me.id),
            is_identical="identical" in request.query_params,
            entered=entered,
            is_sealed=bool(sealed),
            elsewhere=[one for one in ladders if one.id in playing and not one.is_over(now())],
            address=_version_path(version),
        )

    def _activate_version(self, request: PageRequest) -> Response:
        """Let a former version of one's own play again."""
        bot, version = self._find(request, request.me)
        if not bot.is_by(request.me.id):
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
        try:
            self._enrollment.require_no_final(bot)
            self._bots.activate_again(version.id)
        except NotAccepted as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        except Stale as error:
            why = f"version {version.number} is {version.state}, and only a former one can be"
            raise Denied(HTTPStatus.CONFLICT, f"{why} made active again") from error
        request.note("version made active", f"{bot.name}, version {version.number}")
        return redirect_to(_version_path(version))

    def _send_source(self, request: PageRequest) -> Response:
        """Send the files of a version to whoever may read them."""
        bot, version = _require_existing(*self._find_bot_and_version(request))
        of_bot = find_sealed_versions(versions.c.bot == bot.id)
        entered, sealed = request.read(find_bot_ladders(bot.id), of_bot)
        if not may_read(entered, bot, version, request.person, sealed):
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
        try:
            content = self._zip_files(bot, version)
        except BadBot as error:
            raise Denied(HTTPStatus.NOT_FOUND, "the server has no copy of it any more") from error
        disposition = f'attachment; filename="version-{version.number}.zip"'
        return Response(
            content,
            media_type="application/zip",
            headers={"content-disposition": disposition, "cache-control": "no-store"},
        )

    def _watch(self, request: PageRequest) -> Response:
        """Show the first match of a version."""
        return self._matches.page(self._first_match(request, request.me))

    # -- API ----------------------------------------------------------------------------------

    async def _hand_in_bot(self, request: Request) -> Response:
        """Hand in a version of a bot; its checks go on after the answer."""
        me = require_caller(request.user)
        asked = PageRequest(self._pages, request)
        await run_in_threadpool(lambda: asked.count("hand_in", person=me))
        async with self._pages.long_bodies.read(request, me.id) as content:
            take = self._submit_version
            return json_response(
                await run_in_threadpool(take, me, content, client_address(request))
            )

    def _version_state(self, request: Request) -> VersionAnswer:
        """Return how far the checks of a version have come, to its author."""
        return self._version_answer(*self._find(*self._read_caller(request)))

    def _first_match_scene(self, request: Request) -> Response:
        """Send the first match of a version, as the replay page draws it."""
        asked, me = self._read_caller(request)
        bot, _ = self._find(asked, me)
        # Organizers look at it as everybody does who has not written the bot.
        teams = (1,) if bot.is_by(me.id) else ()
        return self._matches.scene_event(self._first_match(asked, me), teams)

    def _play_on(self, request: Request, body: ContinueBody) -> Response:
        """Begin a game from the middle of the first match of a version, for whoever asks."""
        asked, me = self._read_caller(request)
        asker = Asker(asked.address, me.id)
        return self._matches.play_on(request, self._first_match(asked, me), body, asker)

    def _read_caller(self, request: Request) -> tuple[PageRequest, Person]:
        return PageRequest(self._pages, request), require_caller(request.user)

    def _submit_version(self, me: Person, content: bytes, address: str) -> VersionAnswer:
        """Take in what a program sent. Raises: Denied, msgspec.DecodeError."""
        body = decode_json(content, BotBody)
        files = [Sent(name, text) for name, text in body.files.items()]
        form = {"name": body.name, "ladder": body.ladder, "game": body.game}
        try:
            taken = self.submissions.take(me, files, form, address)
        except SubmissionRefused as error:
            self._pages.audit.note("bot refused", str(error), address=address, person=me.id)
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
        bot = self._bots.bot(taken.version.bot_id)
        assert bot is not None
        entered = taken.entered.name if taken.entered else ""
        answer = self._version_answer(bot, taken.version)
        return replace(answer, is_identical=taken.is_identical, entered=entered)

    def _version_answer(self, bot: Bot, version: Version) -> VersionAnswer:
        path = _version_path(version)
        return VersionAnswer(
            bot=bot.id,
            name=bot.name,
            number=version.number,
            state=version.state,
            why=version.why,
            checks=[
                CheckAnswer(check.name, check.state, check.words)
                for check in self._bots.find_checks(version.id)
            ],
            path=path,
            first_match=f"{path}/watch" if version.first_match else "",
        )

    # -- what both have in common -------------------------------------------------------------

    def _find(self, request: PageRequest, me: Person) -> tuple[Bot, Version]:
        """Return a version of one's own, or any for an organizer. Raises: Denied."""
        return _require_own(me, *self._find_bot_and_version(request))

    def _find_bot_and_version(self, request: PageRequest) -> tuple[Bot | None, Version | None]:
        """Return the bot and the version that a path names, if they are there."""
        bot_id = request.part("bot")
        number = parse_whole_number(request.part("number")) or 0  # which no version has
        bot, version = request.read(bot_of_id(bot_id), version_by_number(bot_id, number))
        return bot, version

    def _first_match(self, request: PageRequest, me: Person) -> str:
        """Return the key of a version's first match. Raises: Denied."""
        _, version = self._find(request, me)
        if version.first_match is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no first match of this version")
        return version.first_match

    def _zip_files(self, bot: Bot, version: Version) -> bytes:
        """Return the files of a version as a zip. Raises: BadBot."""
        packed = self._copies.pack(version.digest)
        if packed.is_folder:
            return make_zip({f"{bot.name}/{name}": text for name, text in packed.files.items()})
        (text,) = packed.files.values()
        return make_zip({file_name(bot.name): text})


NOT_FOUND_TEXT = "there is nothing here"


def _name_game(name: str) -> str:
    game = GAMES.get(name)
    return f"{name}, which is not installed" if game is None else game.title


def _require_own(me: Person, bot: Bot | None, version: Version | None) -> tuple[Bot, Version]:
    """Return a version of one's own, or any for an organizer. Raises: Denied."""
    bot, version = _require_existing(bot, version)
    if not (bot.is_by(me.id) or me.is_organizer):
        raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
    return bot, version


def _require_existing(bot: Bot | None, version: Version | None) -> tuple[Bot, Version]:
    """Return a version that is there. Raises: Denied."""
    if bot is None or version is None:
        raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
    return bot, version


def _submission_query(taken: Taken) -> str:
    """Return what the page of a version is told of what was handed in."""
    entered = f"&entered={taken.entered.id}" if taken.entered else ""
    return f"?identical{entered}" if taken.is_identical else ""


def _version_path(version: Version) -> str:
    return f"/bots/{version.bot_id}/versions/{version.number}"
