"""The API of messages: to write, to say what was read, and to decide whose messages one reads."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from server.http.openapi import PLAYING, TALKING, Operation
from server.http.permissions import Permission, read_seat
from server.http.responses import MAX_INT32, Empty, Team
from server.messages.block_list import Restriction
from server.messages.conversations import Conversations
from server.messages.mutes import Mutes

MAX_MESSAGE_LENGTH = 4_000
"""Letters; what a message may have is said by the game, and is less."""

KnownMessage = Annotated[
    Annotated[int, Meta(ge=0, le=MAX_INT32)] | None,
    Meta(
        description="For a message that is sent again, since no answer came: the id of the last "
        "message that was known before. It is kept only once after that."
    ),
]


class MessageBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody writes to the other players."""

    text: Annotated[str, Meta(max_length=MAX_MESSAGE_LENGTH)]
    after: KnownMessage = None


class ReadBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Up to which message somebody has read."""

    up_to: Annotated[
        int, Meta(ge=0, le=MAX_INT32, description="The `id` of the newest message that was shown.")
    ]


class RestrictBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose messages somebody reads, or whom somebody mutes or blocks."""

    team: Team
    kind: Annotated[
        Restriction | None,
        Meta(
            description="`mute`: their messages are not shown. `block`: besides, neither writes to "
            "the other or sits down with the other. Null: their messages are shown, and neither "
            "holds any more, here and everywhere."
        ),
    ]
    everywhere: Annotated[
        bool,
        Meta(description="In every game, where both have accounts; otherwise in this one."),
    ] = False


class MessageApi:
    """What programs, and the scripts of our pages, do about the messages of a game."""

    def __init__(self, conversations: Conversations, mutes: Mutes) -> None:
        self._conversations = conversations
        self._mutes = mutes

    @property
    def operations(self) -> Sequence[Operation]:
        """Return what can be done; who has a seat is asked before a body is read."""
        game = "/games/{game}"
        of_seat = partial(Operation, permission=Permission.SEAT)
        say, decide = f"{game}/messages", f"{game}/avoided"
        return [
            of_seat("POST", say, self._say, Empty, MessageBody, refusals=TALKING),
            of_seat("PUT", f"{say}/read", self._read, Empty, ReadBody, refusals=PLAYING),
            of_seat("PUT", decide, self._decide, Empty, RestrictBody, refusals=TALKING),
        ]

    def _say(self, request: Request, body: MessageBody) -> None:
        """Write to the other players."""
        game_id, teams = read_seat(request)
        self._conversations.say(game_id, min(teams), body.text, body.after)

    def _read(self, request: Request, body: ReadBody) -> None:
        """Say up to which message one has read: later ones are new on every device."""
        self._conversations.mark_read(*read_seat(request), body.up_to)

    def _decide(self, request: Request, body: RestrictBody) -> None:
        """Read, mute or block another player."""
        game_id, teams = read_seat(request)
        self._mutes.set_in_game(game_id, teams, body.team, body.kind, everywhere=body.everywhere)
