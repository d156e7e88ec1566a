"""The page /write, what it asks about drafts, and how one is handed in or taken back."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.bots.finding import Packed
from engine.catalog import DEFAULT_GAME, GAMES
from engine.errors import BadBot
from engine.support.sanitizing import one_line
from engine.support.wording import did_you_mean
from runners.contests.contests import Ladder
from runners.contests.tournament_request import tournament_title
from runners.storage.database import Database
from server.bots.bots import file_name, validate_bot_name
from server.bots.bots_part import BotsPart
from server.bots.submissions import SubmissionRefused
from server.bots.uploads import BadUpload, Sent, main_file
from server.games.new_games import Opponents
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import NOTHING_HERE, Permission
from server.http.responses import JSON, Empty, client_address, encode, json_response
from server.identity.names import BadName
from server.identity.people import hash_key
from server.identity.text_limits import FIELDS, parse_whole_number
from server.runs.runs import Runs
from server.writing.bodies import (
    Changed,
    DraftAnswer,
    DraftFile,
    DraftList,
    KeptVersion,
    NewDraftBody,
    NoteBody,
    SaveBody,
    Saved,
    VersionFiles,
)
from server.writing.courses import CourseProgress, games_with_courses
from server.writing.draft_files import as_files, digest_or_none, validate_draft_files
from server.writing.draft_series import DraftSeries
from server.writing.drafts import (
    MAIN_FILE,
    ChangedElsewhere,
    Draft,
    Drafts,
    NotSaved,
    Owner,
    fill_template,
    list_templates,
    load_templates,
)
from server.writing.reference import Reference, make_reference
from server.writing.running import DraftOpponents, Running
from server.writing.writers import (
    CHANGE_REFUSALS,
    COOKIE,
    OWN_REFUSALS,
    DraftAccess,
    make_asker,
    remember,
    unprocessable_error,
)


class OpenLadder(Struct, frozen=True):
    """A ladder that a draft can be handed in to."""

    id: str
    name: str
    """What it is called; and of a sealed one until when."""


class OpenLadders(Struct, frozen=True):
    """The ladders that a draft can be handed in to."""

    ladders: list[OpenLadder]


class HandInBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The ladder that a draft is handed in to."""

    ladder: Annotated[str, Meta(max_length=FIELDS["ladder"])]


class HandedIn(Struct, frozen=True, kw_only=True):
    """What became of a draft that was handed in."""

    path: str
    """The page of the version, with its checks as they go on."""
    is_identical: bool
    """Whether the same files had been handed in before."""
    version: int
    """The draft's own version that was kept of it."""


class WritingPart(Part):
    """The page on which bots are written, and the drafts."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        bots: BotsPart,
        opponents: Opponents,
        runs: Runs,
        *,
        has_guests: bool,
    ) -> None:
        """`has_guests`: whether those without an account may write."""
        self._pages = pages
        self.drafts = Drafts(database)
        self._access = DraftAccess(self.drafts, pages.limits, has_guests=has_guests)
        self._series = DraftSeries(database, runs)
        rivals = DraftOpponents(self.drafts, opponents)
        self._progress = CourseProgress(database)
        self._running = Running(self._access, rivals, runs, self._series, self._progress)
        self._bots = bots

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [
            self._pages.route("/write", Permission.ANYBODY, self._editor_page),
            self._pages.route("/write/{draft}", Permission.ANYBODY, self._page_of_draft),
            self._pages.route("/bots/{bot}/write", Permission.MEMBER, self._write, "POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        own = partial(Operation, refusals=OWN_REFUSALS)
        changing = partial(Operation, refusals=CHANGE_REFUSALS)
        saving = partial(Operation, refusals=(*CHANGE_REFUSALS, HTTPStatus.CONFLICT))
        draft = "/drafts/{draft}"
        return [
            Operation("GET", "/drafts", self._all_drafts, DraftList, refusals=()),
            changing("POST", "/drafts", self._new_draft, DraftAnswer, NewDraftBody),
            own("GET", draft, self._draft, DraftAnswer),
            saving("PUT", draft, self._save_draft, Saved, SaveBody),
            own("DELETE", draft, self._delete_draft, Empty),
            changing("POST", f"{draft}/versions", self._keep_version, KeptVersion, NoteBody),
            own("GET", f"{draft}/versions/{{number}}", self._draft_version, VersionFiles),
            *self._running.operations,
            own("GET", f"{draft}/ladders", self._open_ladders, OpenLadders),
            changing("POST", f"{draft}/hand-in", self._hand_in, HandedIn, HandInBody),
            Operation("GET", "/writing/{board}", self._reference, Reference),
        ]

    def start(self) -> None:
        self._series.fail_unfinished()
        list_templates()  # kept from now on: all who come back after a start ask for them

    # -- people ---------------------------------------------------------------------------------

    def adopt(self, request: Request, person_id: str) -> None:
        token = request.cookies.get(COOKIE, "")
        if token:
            self.drafts.adopt(hash_key(token), person_id)
            self._progress.adopt(hash_key(token), person_id)

    def personal_data(self, person_id: str) -> dict[str, object]:
        saved = {
            "drafts": self.drafts.export_drafts(person_id),
            "courses": self._progress.export_steps(person_id),
        }
        return {name: rows for name, rows in saved.items() if rows}

    def forget(self, person_id: str) -> None:
        self.drafts.forget(person_id)

    # -- pages ----------------------------------------------------------------------------------

    def _editor_page(self, request: PageRequest) -> Response:
        return _editor_html(request, None, self._access.why_not(request))

    def _page_of_draft(self, request: PageRequest) -> Response:
        draft = self._access.find_draft(request, request.part("draft"))
        return _editor_html(request, draft)

    def _write(self, request: PageRequest) -> Response:
        """Begin a draft from a version of one's own that was handed in."""
        bot = self._bots.bots.bot(request.part("bot"))
        if bot is None or not bot.is_by(request.me.id):
            raise Denied(HTTPStatus.NOT_FOUND, NOTHING_HERE)
        number, bots = parse_whole_number(request.field("version")), self._bots.bots
        version = (
            bots.active_version(bot.id) if number is None else bots.find_version(bot.id, number)
        )
        if version is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such version of this bot")
        try:
            files = _bot_to_draft(self._bots.copies.pack(version.digest), bot.name)
            draft = self.drafts.add(Owner(request.me.id), bot.game, bot.name, files)
        except (BadBot, BadUpload, NotSaved) as error:
            raise unprocessable_error(f"version {version.number}: {error}") from error
        note = f"version {version.number} as it was {HANDED_IN}"
        self.drafts.save_version(draft, note, digest_or_none(files))
        return redirect_to(f"/write/{draft.id}")

    # -- API ------------------------------------------------------------------------------------

    def _all_drafts(self, request: Request) -> DraftList:
        """Return the drafts of whoever asks, and what there is to begin from."""
        owner, why_not = self._access.find_owner(request), self._access.why_not(request)
        return DraftList(
            drafts=[] if owner is None else self.drafts.find_drafts(owner),
            templates=list_templates(),
            can_write=not why_not,
            why_not=why_not,
            is_guest=request.user.caller is None,
        )

    def _new_draft(self, request: Request, body: NewDraftBody) -> Response:
        """Begin a draft from a template."""
        owner, token = self._access.new_writer(request)
        self._access.limits.count("new_draft", make_asker(request, owner))
        response = json_response(self._create_draft(body, owner))
        remember(request, response, token)
        return response

    def _draft(self, request: Request) -> DraftAnswer:
        """Return a draft of one's own."""
        return self._draft_answer(self._access.require_draft(request))

    def _save_draft(self, request: Request, body: SaveBody) -> Saved | Response:
        """Keep what somebody has made of a draft; refused where it was changed elsewhere."""
        draft = self._access.require_draft(request)
        try:
            name, files = validate_bot_name(body.name), validate_draft_files(body.files)
            return Saved(self.drafts.save(draft, body.revision, name, files))
        except (BadName, BadUpload) as error:
            raise unprocessable_error(str(error)) from error
        except ChangedElsewhere as error:
            content = encode(Changed(str(error), error.revision))
            return Response(content, HTTPStatus.CONFLICT, media_type=JSON)

    def _delete_draft(self, request: Request) -> None:
        """Delete a draft of one's own, with its versions."""
        self.drafts.remove(self._access.require_draft(request).id)

    def _keep_version(self, request: Request, body: NoteBody) -> KeptVersion:
        """Keep the files of a draft as a version."""
        draft = self._access.require_draft(request)
        digest = digest_or_none(draft.files)
        return KeptVersion(self.drafts.save_version(draft, one_line(body.note), digest))

    def _draft_version(self, request: Request) -> VersionFiles:
        """Return the files of a version."""
        number = parse_whole_number(request.path_params["number"]) or 0  # which no version has
        files = self.drafts.load_version(self._access.require_draft(request).id, number)
        if files is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such version of this draft")
        return VersionFiles(number, as_files(files))

    def _open_ladders(self, request: Request) -> OpenLadders:
        """Return the ladders that a draft can be handed in to."""
        draft, person = self._access.require_draft(request), request.user.caller
        ladders = [] if person is None else self._bots.open_ladders(person.id, draft.game)
        return OpenLadders([_open_ladder(*one) for one in ladders])

    def _hand_in(self, request: Request, body: HandInBody) -> HandedIn:
        """Hand a draft in, and keep it as a version; its checks go on after the answer."""
        draft, me = self._access.require_draft(request), request.user.caller
        if me is None:
            raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)
        submissions = self._bots.submissions
        PageRequest(self._pages, request).count("hand_in", person=me)
        files = [Sent(name, text.encode()) for name, text in draft.files.items()]
        form = {"name": draft.name, "ladder": body.ladder, "game": draft.game}
        address = client_address(request)
        try:
            taken = submissions.take(me, files, form, address)
        except SubmissionRefused as error:
            self._pages.audit.note("bot refused", str(error), address=address, person=me.id)
            raise unprocessable_error(str(error)) from error
        number = self.drafts.save_version(draft, HANDED_IN, digest_or_none(draft.files))
        return HandedIn(
            path=f"/bots/{taken.version.bot_id}/versions/{taken.version.number}",
            is_identical=taken.is_identical,
            version=number,
        )

    def _reference(self, request: Request) -> Reference:
        """Return the API of a game's bots, for completion and hover, and examples."""
        name = request.path_params["board"]
        if name not in GAMES:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no game {name!r:.40}")
        return make_reference(name)

    # -- details --------------------------------------------------------------------------------

    def _create_draft(self, body: NewDraftBody, owner: Owner) -> DraftAnswer:
        """Raises: Denied."""
        if body.game not in GAMES:
            raise unprocessable_error(
                f"there is no game {body.game!r:.40}{did_you_mean(body.game, GAMES)}"
            )
        template = load_templates(body.game).get(body.template)
        if template is None:
            names = ", ".join(load_templates(body.game))
            raise unprocessable_error(
                f"there is no template {body.template!r:.40}; expected one of: {names}"
            )
        try:
            name = validate_bot_name(body.name)
            draft = self.drafts.add(owner, body.game, name, fill_template(template, name))
        except (BadName, NotSaved) as error:
            raise unprocessable_error(str(error)) from error
        return self._draft_answer(draft)

    def _draft_answer(self, draft: Draft) -> DraftAnswer:
        return DraftAnswer(
            id=draft.id,
            name=draft.name,
            game=draft.game,
            main=main_file(draft.files),
            files=as_files(draft.files),
            revision=draft.revision,
            changed_at=draft.changed_at,
            versions=self.drafts.find_versions(draft.id),
        )


def _editor_html(request: PageRequest, draft: Draft | None, why_not: str = "") -> Response:
    """Return the page; who can write nothing is shown the simplest bot, and what asks them in."""
    first, *_ = load_templates(DEFAULT_GAME).values()
    return request.html(
        "write.html",
        draft=draft,
        why_not=why_not,
        courses=games_with_courses(),
        code=first.files[MAIN_FILE] if why_not else "",
        is_open=request.pages.is_open,
    )


SIGN_IN = "sign in to hand in a bot: a ladder shows whose it is"
HANDED_IN = "handed in"


def _bot_to_draft(packed: Packed, name: str) -> dict[str, str]:
    """Return the files of a bot as those of a draft. Raises: BadUpload."""
    try:
        files = {path: content.decode() for path, content in packed.files.items()}
    except UnicodeDecodeError as error:
        raise BadUpload("has a file that is no text, which cannot be written here") from error
    if not packed.is_folder:
        files = {file_name(name): text for text in files.values()}
    return validate_draft_files([DraftFile(path, text) for path, text in files.items()])


def _open_ladder(ladder: Ladder, sealed_until: str | None) -> OpenLadder:
    until = (
        "" if sealed_until is None else f" (sealed until {tournament_title(sealed_until)} begins)"
    )
    return OpenLadder(ladder.id, ladder.name + until)
