"""Handing in bots: the pages for people, the API for programs that have a token, and the checks."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus

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
from runners.contests.contests import Ladder, find_ladders, ladder_of_id
from runners.contests.entries import NotEntered, find_bot_entries, groups_of_person
from runners.contests.ladders import Ladders, find_bot_ladders
from runners.contests.visibility import find_sealed_ladders, find_sealed_versions
from runners.match_request import RunOptions
from runners.storage.database import Database, Stale, now
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
from server.bots.built_in_bots import BuiltInBots
from server.bots.checking import STEPS, Checking
from server.bots.sharing import sharing_invitations
from server.bots.source_folder import may_read
from server.bots.submissions import (
    Enrollment,
    SubmissionRefused,
    Submissions,
    Taken,
    filter_open_ladders,
)
from server.bots.uploads import Sent
from server.bots.zips import make_zip
from server.games.recorded_matches import REFUSAL_STATUSES, ContinueBody, Continued, RecordedMatches
from server.http.errors import Denied
from server.http.multipart import BadForm, parse_parts
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part, Report
from server.http.permissions import Permission, require_caller
from server.http.responses import EVENTS, client_address, decode_json, json_response
from server.identity.people import Person
from server.identity.rate_limits import Asker
from server.identity.text_limits import BadText, parse_whole_number, validate_fields

CHECKED_AT_ONCE = 2
"""Versions; the first match of a bot that thinks long takes minutes, and others need not wait."""

HANDING_IN = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
"""How a bot that is handed in may be refused at the door."""
LOOK_UP_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)


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
        self._pages = pages
        self._ladders = Ladders(database)
        self.copies = Copies(run.out / "bots")
        self._enrollment = Enrollment(database, self.bots, self.copies)
        self._matches = matches
        self.submissions = Submissions(
            pages, self.bots, self.copies, self._enrollment, self.checking.wake
        )

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
            route("/bots/{bot}/enter", Permission.MEMBER, self._enter, "POST"),
            route("/bots/{bot}/leave", Permission.MEMBER, self._leave, "POST"),
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

    # -- forms with which a bot enters a ladder, or leaves it -----------------------------------

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
        ladder = self._ladders.ladder(request.field("ladder"))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        try:
            act(bot, ladder.id)
        except NotEntered as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        request.note(what, f"{bot.name}, {ladder.name}")
        return redirect_to(f"/bots/{bot.id}?ladder={ladder.id}")

    def _find_own_bot(self, request: PageRequest) -> Bot:
        """Return the bot of a path, of which the visitor is an author. Raises: Denied."""
        me, found = request.me, self.bots.bot(request.part("bot"))
        if found is None or not found.is_by(me.id):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        return found

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
            for bot, versions in self.bots.find_bots_and_versions(request.me.id)
        ]
        (asked,) = request.read(sharing_invitations(request.me.id))
        return request.html("bots.html", bots=bots, asked=asked)

    def _version_page(self, request: PageRequest) -> Response:
        bot, version = self._find(request)
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
        bot, version = self._find(request)
        if not bot.is_by(request.me.id):
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
        try:
            self._enrollment.require_no_final(bot)
            self.bots.activate_again(version.id)
        except NotAccepted as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        except Stale as error:
            why = f"version {version.number} is {version.state}, and only a former one can be"
            raise Denied(HTTPStatus.CONFLICT, f"{why} made active again") from error
        request.note("version made active", f"{bot.name}, version {version.number}")
        return redirect_to(_version_path(version))

    def _send_source(self, request: PageRequest) -> Response:
        """Send the files of a version to whoever may read them."""
        bot, version = self._find_version(request)
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
        bot = self.bots.bot(taken.version.bot_id)
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
                for check in self.bots.find_checks(version.id)
            ],
            path=path,
            first_match=f"{path}/watch" if version.first_match else "",
        )

    # -- what both have in common -------------------------------------------------------------

    def _find(self, request: PageRequest, me: Person | None = None) -> tuple[Bot, Version]:
        """Return a version of one's own, or any for an organizer. Raises: Denied."""
        bot, version = self._find_version(request)
        me = me or request.me  # after that: both are read in one round trip
        if not (bot.is_by(me.id) or me.is_organizer):
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
        return bot, version

    def _find_version(self, request: PageRequest) -> tuple[Bot, Version]:
        """Return the bot and the version that a path names. Raises: Denied."""
        bot_id = request.part("bot")
        number = parse_whole_number(request.part("number")) or 0  # which no version has
        bot, version = request.read(bot_of_id(bot_id), version_by_number(bot_id, number))
        if bot is None or version is None:
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND_TEXT)
        return bot, version

    def _first_match(self, request: PageRequest, me: Person) -> str:
        """Return the key of a version's first match. Raises: Denied."""
        _, version = self._find(request, me)
        if version.first_match is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no first match of this version")
        return version.first_match

    def _zip_files(self, bot: Bot, version: Version) -> bytes:
        """Return the files of a version as a zip. Raises: BadBot."""
        packed = self.copies.pack(version.digest)
        if packed.is_folder:
            return make_zip({f"{bot.name}/{name}": text for name, text in packed.files.items()})
        (text,) = packed.files.values()
        return make_zip({file_name(bot.name): text})


NOT_FOUND_TEXT = "there is nothing here"


def _name_game(name: str) -> str:
    game = GAMES.get(name)
    return f"{name}, which is not installed" if game is None else game.title


def _submission_query(taken: Taken) -> str:
    """Return what the page of a version is told of what was handed in."""
    entered = f"&entered={taken.entered.id}" if taken.entered else ""
    return f"?identical{entered}" if taken.is_identical else ""


def _version_path(version: Version) -> str:
    return f"/bots/{version.bot_id}/versions/{version.number}"
