"""From a draft to a ladder, by one click; and from a bot that was handed in back to a draft."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.bots.finding import Packed
from engine.errors import BadBot
from runners.contests.contests import Ladder
from runners.contests.tournament_request import tournament_title
from server.bots.bots import file_name
from server.bots.bots_part import BotsPart
from server.bots.submissions import SubmissionRefused
from server.bots.uploads import BadUpload, Sent
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import NOTHING_HERE, Permission
from server.http.responses import client_address
from server.identity.text_limits import FIELDS, parse_whole_number
from server.writing.bodies import DraftFile
from server.writing.draft_files import digest_or_none, validate_draft_files
from server.writing.drafts import Drafts, NotSaved, Owner
from server.writing.writers import CHANGE_REFUSALS, OWN_REFUSALS, DraftAccess, unprocessable_error

SIGN_IN = "sign in to hand in a bot: a ladder shows whose it is"
HANDED_IN = "handed in"


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


class HandingIn:
    """Hands drafts in by the same code as /submit."""

    def __init__(self, pages: Pages, access: DraftAccess, drafts: Drafts, bots: BotsPart) -> None:
        self._pages = pages
        self._access = access
        self._drafts = drafts
        self._bots = bots

    @property
    def routes(self) -> Sequence[BaseRoute]:
        write = self._pages.route("/bots/{bot}/write", Permission.MEMBER, self._write, "POST")
        return [write]

    @property
    def operations(self) -> Sequence[Operation]:
        own, changing = OWN_REFUSALS, CHANGE_REFUSALS
        ladders, hand_in = "/drafts/{draft}/ladders", "/drafts/{draft}/hand-in"
        return [
            Operation("GET", ladders, self._open_ladders, OpenLadders, refusals=own),
            Operation("POST", hand_in, self._hand_in, HandedIn, HandInBody, refusals=changing),
        ]

    # -- API ------------------------------------------------------------------------------------

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
        number = self._drafts.save_version(draft, HANDED_IN, digest_or_none(draft.files))
        return HandedIn(
            path=f"/bots/{taken.version.bot_id}/versions/{taken.version.number}",
            is_identical=taken.is_identical,
            version=number,
        )

    # -- pages ----------------------------------------------------------------------------------

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
            draft = self._drafts.add(Owner(request.me.id), bot.game, bot.name, files)
        except (BadBot, BadUpload, NotSaved) as error:
            raise unprocessable_error(f"version {version.number}: {error}") from error
        note = f"version {version.number} as it was {HANDED_IN}"
        self._drafts.save_version(draft, note, digest_or_none(files))
        return redirect_to(f"/write/{draft.id}")


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
