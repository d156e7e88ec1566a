"""What the page /write sends and is answered about drafts, checks and runs."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from server.identity.text_limits import FIELDS, ID, NAME
from server.runs.run_pages import RunAnswer

MAX_FILES = 20
MAX_BYTES = 200_000
"""All files of a draft, bytes: the body of a request that has them is not too long."""
MAX_NOTE_LENGTH = 200
"""Letters of what an author notes of a version."""

Revision = Annotated[int, Meta(ge=0, description="How often the draft was changed.")]


class DraftFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a draft; its name may be a path."""

    name: Annotated[str, Meta(max_length=NAME)]
    text: Annotated[str, Meta(max_length=MAX_BYTES)]


Files = Annotated[list[DraftFile], Meta(max_length=MAX_FILES)]


class NewDraftBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a draft is begun from: a template of its game, by its name as offered."""

    game: Annotated[str, Meta(max_length=FIELDS["game"])]
    template: Annotated[str, Meta(max_length=NAME)]
    name: Annotated[str, Meta(max_length=NAME)]


class SaveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """All of a draft, as its author has changed the revision that is named."""

    revision: Revision
    name: Annotated[str, Meta(max_length=NAME)]
    files: Files


class NoteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept as a version: a note of its author's, which may be empty."""

    note: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""


class DraftVersion(Struct, frozen=True, kw_only=True):
    """A version of a draft that was kept."""

    number: int
    note: str
    made_at: datetime
    digest: str
    """The same for equal files; '' where they are no bot."""


class DraftAnswer(Struct, frozen=True, kw_only=True):
    """A draft with its files."""

    id: str
    name: str
    game: str
    main: str
    """The file that is loaded; '' where that cannot be said."""
    files: list[DraftFile]
    revision: int
    changed_at: datetime
    versions: list[DraftVersion]
    """The newest first."""


class DraftLine(Struct, frozen=True, kw_only=True):
    """A draft in a list."""

    id: str
    name: str
    game: str
    changed_at: datetime


class OfferedTemplate(Struct, frozen=True, kw_only=True):
    """What a draft can be begun from."""

    game: str
    name: str
    title: str
    summary: str
    files: list[str]
    """Their names; the main one gets that of the bot."""


class DraftList(Struct, frozen=True, kw_only=True):
    """The drafts of whoever asks, the newest first, and what there is to begin from."""

    drafts: list[DraftLine]
    templates: list[OfferedTemplate]
    can_write: bool
    why_not: str
    """Why nothing can be written or run by whoever asks; '' where it can."""
    is_guest: bool
    """Whether whoever asks has no account: drafts go with the cookie, and none is handed in."""


class Saved(Struct, frozen=True):
    """The revision that was made."""

    revision: int


class Changed(Struct, frozen=True):
    """Why nothing was saved: the draft was changed elsewhere, and has this revision now."""

    error: str
    revision: int


class KeptVersion(Struct, frozen=True):
    """The number of a version."""

    number: int


class VersionFiles(Struct, frozen=True):
    """The files of a version."""

    number: int
    files: list[DraftFile]


class Severity(StrEnum):
    """What a finding means for a bot."""

    ERROR = "error"
    """It loses decisions by it, or cannot play."""
    WARNING = "warning"
    NOTE = "note"


class DraftFinding(Struct, frozen=True, kw_only=True):
    """What was found in a draft, and where; lines are counted from 1."""

    file: str
    """'' where it is about no file."""
    line: int | None
    severity: Severity
    text: str
    hint: str


class CheckedDraft(Struct, frozen=True, kw_only=True):
    """What the check of a draft has found."""

    is_ok: bool
    """Whether it plays without losing a decision."""
    findings: list[DraftFinding]


class NotRun(Struct, frozen=True, kw_only=True):
    """Why a draft cannot be played as it is."""

    error: str
    findings: list[DraftFinding]


class OpponentKind(StrEnum):
    """What a draft can be played against."""

    STARTER = "starter"
    LADDER = "ladder"
    VERSION = "version"
    """An older version of the draft itself."""


class OfferedRival(Struct, frozen=True, kw_only=True):
    """Something to play a draft against; `id` is what a run names."""

    id: str
    name: str
    kind: OpponentKind
    strength: int | None
    """Of a starter bot its place by strength, from 1 for the weakest."""


class Rivals(Struct, frozen=True, kw_only=True):
    """What a draft can be played against, and on which boards."""

    opponents: list[OfferedRival]
    """Starter bots, the weakest first; bots of ladders, the strongest first; own versions, the
    newest first."""
    presets: list[str]
    """The first one is played where none is named; '' is the game's own."""


class AfterTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """The place in another run of the draft from which a run goes on."""

    run: Annotated[str, Meta(max_length=ID)]
    turn: Annotated[int, Meta(ge=1)]


class RunBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a draft is to play; with `after` again from a turn of another run, against the same."""

    opponent: Annotated[str, Meta(max_length=FIELDS["opponent"])] = ""
    seed: Annotated[str, Meta(max_length=100, description="'' for one that is drawn.")] = ""
    preset: Annotated[str, Meta(max_length=FIELDS["game"])] | None = None
    after: AfterTurn | None = None


class CourseTry(Struct, frozen=True):
    """A try of a step of a course: the match that was begun."""

    run: RunAnswer
    step: int


class NotesQuery(Struct, frozen=True):
    """Which notes are wanted; `start` is the `next` of the answer before."""

    start: Annotated[int, Meta(ge=0, description="The first note that is wanted.")] = 0
