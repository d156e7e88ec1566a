"""What the page /write sends and is answered about checks and runs."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from server.identity.text_limits import FIELDS, ID
from server.runs.run_pages import RunAnswer


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
