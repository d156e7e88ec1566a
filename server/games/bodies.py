"""What programs send to the API, and what they are answered besides positions."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from server.identity.avoided import Avoiding

MAX_ACT_LENGTH, MAX_MESSAGE_LENGTH = 40, 4_000
"""Letters; what a message may have is said by the game, and is less."""
MAX_ERROR_LENGTH = 200
"""Letters of why a program has no order."""
MAX_INT32 = 2**31 - 1
"""The largest number that is read; every database holds it."""

AskStep = Annotated[
    int, Meta(ge=0, le=MAX_INT32, description="The `step` of the ask in the position.")
]
Team = Annotated[int, Meta(ge=1, le=MAX_INT32, description="The team; the first is 1.")]
Piece = Annotated[
    int,
    Meta(ge=0, le=MAX_INT32, description="The piece of the ask, such as a board; 0 where none is."),
]
Order = Annotated[Any, Meta(description="What is ordered, in the words of the game's rules.")]
Lines = Annotated[list[Any], Meta(description="A line for each thing that was clicked.")]


KnownStep = Annotated[
    Annotated[int, Meta(ge=0, le=MAX_INT32)] | None,
    Meta(
        description="The `step` of an ask of that piece: the act is refused with 409 once that "
        "has been answered, so that it can be sent again where no answer came."
    ),
]
KnownMessage = Annotated[
    Annotated[int, Meta(ge=0, le=MAX_INT32)] | None,
    Meta(
        description="For a message that is sent again, since no answer came: the id of the last "
        "message that was known before. It is kept only once after that."
    ),
]


class Decisions(Struct, frozen=True):
    """How many decisions the game has by now."""

    step: int


class OrderBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An order, or what takes it back."""

    step: AskStep
    team: Team
    piece: Piece = 0
    order: Order = None


class ActBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Something done besides ordering, as `acts` of the position has it."""

    team: Team
    piece: Piece
    name: Annotated[str, Meta(max_length=MAX_ACT_LENGTH)]
    step: KnownStep = None


class FailureBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why there is no order: the decision is forfeited, as that of a bot in a match."""

    step: AskStep
    team: Team
    error: Annotated[
        str, Meta(max_length=MAX_ERROR_LENGTH, description="What went wrong, in one line.")
    ]
    piece: Piece = 0


class MessageBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody writes to the other players."""

    text: Annotated[str, Meta(max_length=MAX_MESSAGE_LENGTH)]
    after: KnownMessage = None


class ReadBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Up to which message somebody has read."""

    up_to: Annotated[
        int, Meta(ge=0, le=MAX_INT32, description="The `id` of the newest message that was shown.")
    ]


class WantedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether somebody wants messages, in a game in which somebody has no account."""

    is_on: bool


class AvoidBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom somebody mutes or blocks, or does no more."""

    team: Team
    kind: Annotated[
        Avoiding | None,
        Meta(
            description="`mute`: their messages are not shown. `block`: besides, neither writes to "
            "the other or sits down with the other. Null: neither, here and everywhere."
        ),
    ]
    everywhere: Annotated[
        bool,
        Meta(description="In every game, where both have accounts; otherwise in this one."),
    ] = False


class Rematch(Struct, frozen=True):
    """The game in which the same players meet again."""

    rematch: str | None
    """Its id; null while other people have yet to agree."""


class DraftBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What was clicked so far."""

    step: AskStep
    team: Team
    lines: Lines
    piece: Piece = 0


class PremovesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the pieces of a team are to do in a turn, ordered before they are asked."""

    team: Team
    turn: Annotated[int, Meta(ge=0, le=MAX_INT32, description="The `turn` of the position.")]
    orders: Annotated[
        list[tuple[Piece, Order]], Meta(description="Pieces, each with what it is to do.")
    ]
    is_sent: Annotated[
        bool, Meta(description="Whether it is played as the pieces are asked; else it is a draft.")
    ]


class DraftQuery(Struct, frozen=True):
    """Whose draft is asked for."""

    team: Team
    piece: Piece = 0


class DraftAnswer(Struct, frozen=True, kw_only=True):
    """What a draft comes to: `refused` has the place of a line, from 0, and the reason."""

    lines: list[Any]
    refused: list[tuple[int, str]]
    answer: object
    """The order that the other lines make."""
    shows: object
    """What a page draws of it."""
