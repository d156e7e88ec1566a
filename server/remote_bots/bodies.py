"""What programs send to challenge others, and what they are told."""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.bots.programs.protocol import Start, Wants
from server.games.positions import Result

MAX_NAME_LENGTH, MAX_WORD_LENGTH, MAX_SEATS = 100, 60, 6
"""Letters of a name and of the name of a game or bot; seats of a game."""

Name = Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
Word = Annotated[str, Meta(max_length=MAX_WORD_LENGTH)]


class Opponent(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to take a seat: nobody in particular, somebody with an account, or a bot."""

    player: Annotated[
        Name | None,
        Meta(description="The name of an account: they accept by their remote bot, or sit down."),
    ] = None
    bot: Annotated[
        Word | None,
        Meta(description="A bot of this server, such as `player_three`, which sits down at once."),
    ] = None


class ChallengeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that a remote bot wants to play. It begins when all seats are taken."""

    game: Annotated[Word, Meta(description="One that people play, by its name.")]
    opponents: Annotated[
        list[Opponent],
        Meta(
            min_length=1,
            max_length=MAX_SEATS,
            description="The other seats in their order. `{}` is open to all who see the lobby.",
        ),
    ]
    clock: Annotated[
        Word,
        Meta(description="`5+5`, `15+10`, `30+30` (minutes+seconds), `1d`, `3d`, `7d`, `none`."),
    ] = "15+10"
    team: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_SEATS)] | None,
        Meta(description="The remote bot's own seat; null: drawn by lot."),
    ] = None


class ChallengeKind(StrEnum):
    """What a waiting game is to who asks."""

    RECEIVED = "received"
    """One is challenged to it, and has not answered."""
    MADE = "made"
    """One has made it, or has taken a seat in it."""
    OPEN = "open"
    """A program has made it, and a seat is free."""


class ChallengedSeat(Struct, frozen=True, kw_only=True):
    """A seat of a waiting game."""

    team: int
    kind: str
    """`person`, `guest`, `bot`, `remote`: taken; `open`, `friend`, `challenged`, `declined`."""
    name: str
    """Who has it, or is challenged to take it; '' for none."""


class Challenge(Struct, frozen=True, kw_only=True):
    """A game that waits for players."""

    id: str
    """That of the game, also once it has begun."""
    kind: ChallengeKind
    game: str
    made_by: str
    """The name of who has made it; '' for somebody without an account."""
    clock: str
    is_rated: bool
    """Remote bots cannot accept those that are."""
    seats: list[ChallengedSeat]
    settings: object
    """Those that the game is played with."""
    has_begun: bool


class Challenges(Struct, frozen=True, kw_only=True):
    """The games that wait for who asks, or that wait for others and are theirs."""

    challenges: list[Challenge]


class PlayQuery(Struct, frozen=True):
    """How the stream tells what has happened."""

    wants: Annotated[
        Wants,
        Meta(
            description="`snapshots`: each ask has the whole `state`; `events`: the `events` since "
            "the last ask, or since the start."
        ),
    ] = Wants.SNAPSHOTS
    legal: Annotated[
        bool, Meta(description="Whether asks list the legal orders, where the game can.")
    ] = False


class GameStarted(Struct, frozen=True, kw_only=True):
    """A game in which the remote bot plays, as it stands; sent again where the past has changed."""

    game: str
    """The id of the game; `start.game` is what is played."""
    players: list[str]
    clock: str
    start: Start
    """As docs/protocol.md has it for programs in matches."""


class GameAsk(Struct, frozen=True, kw_only=True):
    """A decision is wanted: answered by an order that names team, piece and step."""

    game: str
    team: int
    piece: int
    step: int
    clock_s: float | None
    """How long the remote bot may think; null without a clock."""
    view: object = None
    legal: object = None
    state: object = None
    """The state as the team knows it, where snapshots are wanted."""
    events: list[Any] | None = None
    """What the team knows to have happened since the start or the last ask, where they are."""


class GameOver(Struct, frozen=True, kw_only=True):
    """A game has ended, or was removed."""

    game: str
    outcome: Result | None
