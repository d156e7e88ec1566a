"""What programs send to the API, and what they are answered besides positions."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from server.http.bodies import MAX_INT32, Team

MAX_ACT_LENGTH = 40
"""Letters."""
MAX_ERROR_LENGTH = 200
"""Letters of why a program has no order."""

AskStep = Annotated[
    int, Meta(ge=0, le=MAX_INT32, description="The `step` of the ask in the position.")
]
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


class DraftedOrder(Struct, frozen=True, kw_only=True):
    """What a draft comes to: `refused` has the place of a line, from 0, and the reason."""

    lines: list[Any]
    refused: list[tuple[int, str]]
    answer: object
    """The order that the other lines make."""
    shows: object
    """What a page draws of it."""
