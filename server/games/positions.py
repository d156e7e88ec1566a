"""What a page or a program is sent of a game, as far as whoever asks may know it."""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from itertools import chain

import msgspec

from engine.game import AnyGame, Event, Outcome
from engine.streams import seed_text
from server.games.boards import BoardPage, describe_order, load_board
from server.games.game_rows import Participant, PremoveOrders
from server.games.game_service import GameService
from server.games.game_sessions import AGREE, GameSession
from server.games.history import Viewer
from server.messages.conversations import NO_TALK, ConversationView, Message, Talk


class SeatKind(StrEnum):
    """Who plays a seat."""

    PERSON = "person"
    BOT = "bot"
    """A bot on the server."""
    REMOTE = "remote"
    """A program on its author's machine, with a token."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays a team."""

    team: int
    name: str
    kind: SeatKind
    is_yours: bool
    substitute: str | None = None
    """Who plays instead while this person is away."""


class ShownClock(msgspec.Struct, frozen=True, kw_only=True):
    """How long a person may think, when this was sent."""

    team: int
    piece: int
    """0 where a team has one clock."""
    remaining_s: float
    is_running: bool
    is_overdue: bool


class OpenAsk(msgspec.Struct, frozen=True, kw_only=True):
    """Who must decide now. An order names the ask by team, piece and step."""

    team: int
    piece: int
    step: int
    is_answered: bool


class PossibleAct(msgspec.Struct, frozen=True, kw_only=True):
    """What may be done besides ordering."""

    team: int
    piece: int
    name: str
    words: str = ""
    """The move that an opponent asks to take back."""


class ShownPremoves(msgspec.Struct, frozen=True, kw_only=True):
    """What the pieces of a team are to do in the present turn, ordered before they are asked."""

    team: int
    turn: int
    orders: PremoveOrders
    is_sent: bool


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    scores: tuple[float, ...]
    reason: str
    winner: int | None


class EventText(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, in words."""

    words: str
    team: int = 0
    piece: int = 0


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one viewer may see it."""

    id: str
    game: str
    title: str
    step: int
    """How many decisions there were."""
    turn: int
    scores: tuple[float, ...]
    seats: tuple[Seat, ...]
    asks: tuple[OpenAsk, ...]
    acts: tuple[PossibleAct, ...]
    """The acts of the viewer's teams."""
    outcome: Result | None
    seed_hash: str
    seed: str | None
    """The seed once the game is over: whoever noted the hash can check it."""
    board: object
    is_rated: bool
    clock: str
    """How time is counted: `10+5`, `3d` or `none`."""
    clocks: tuple[ShownClock, ...]
    messages: tuple[Message, ...]
    """What people have written: for those who have a seat."""
    read_up_to: int
    """The id of the newest message that was shown in a seat of the viewer's; 0 before the first."""
    talk: Talk | None
    """For those who have a seat in a game of several people."""
    rematch: str | None
    """The game in which they play again: for those who have a seat."""
    rematch_wishes: tuple[int, ...]
    """The teams whose players want to play again: for those who have a seat."""
    rematch_refusals: tuple[int, ...] = ()
    """The teams whose players do not want to: for those who have a seat."""
    premoves: tuple[ShownPremoves, ...] = ()
    """What was ordered ahead for the viewer's teams, in games where that is possible."""
    happened: tuple[EventText, ...] = ()
    """What has happened since the step that was asked for."""


MAX_SILENT_DECISIONS = 5
"""Decisions in a row of which there may be nothing to say."""


def load_position(
    game_service: GameService, game_id: str, teams: tuple[int, ...], since: int | None = None
) -> Position:
    """Return a game as whoever plays these teams may see it. Raises: NoSuchGame."""
    with game_service.open_session(game_id) as session:
        conversation = game_service.conversations.view(game_id, teams) if teams else NO_TALK
        return make_position(session, teams, since, conversation)


def make_position(
    session: GameSession,
    teams: Collection[int],
    since: int | None = None,
    conversation: ConversationView = NO_TALK,
) -> Position:
    """Return the game as whoever plays these teams sees it.

    Two teams of a game with secrets see no more than the public: their players share a screen.
    """
    stepper, viewer = session.stepper, choose_viewer(session.game, teams)
    page, observed = load_board(session.game), session.observed[viewer]
    known = stepper.known[viewer]
    standing = session.game.standing(known)
    answers = session.rematch_answers if teams else ()
    new = () if since is None else chain.from_iterable(observed[since + 1 :])
    return Position(
        id=session.stored.id,
        game=session.game.name,
        title=session.game.title,
        step=len(session.log),
        turn=standing.turn,
        scores=standing.scores,
        seats=_shown_seats(session, teams),
        asks=tuple(
            OpenAsk(
                team=ask.team,
                piece=ask.piece_id,
                step=session.ask_step(ask),
                is_answered=ask in session.waiting,
            )
            for ask in stepper.asks
        ),
        acts=tuple(_shown_acts(session, teams)),
        outcome=make_result(session.outcome),
        seed_hash=session.seed_hash,
        seed=None if session.outcome is None else seed_text(session.stored.spec.seed),
        board=page.view(known, viewer, teams, observed),
        is_rated=session.stored.terms.is_rated,
        clock=str(session.stored.terms.clock),
        clocks=_shown_clocks(session),
        messages=conversation.messages,
        read_up_to=conversation.read_up_to,
        talk=conversation.talk,
        rematch=session.rematch if teams else None,
        rematch_wishes=tuple(sorted(one for one in answers if one > 0)),
        rematch_refusals=tuple(sorted(-one for one in answers if one < 0)),
        premoves=_shown_premoves(session, teams),
        happened=_event_texts(page, new),
    )


def _shown_acts(session: GameSession, teams: Collection[int]) -> Iterator[PossibleAct]:
    for team in sorted(teams):
        for act in session.open_acts(team):
            is_takeback = act.name == AGREE
            text = describe_order(session.find_takeback(act.piece_id)) if is_takeback else ""
            yield PossibleAct(team=act.team, piece=act.piece_id, name=act.name, words=text)


def _shown_premoves(session: GameSession, teams: Collection[int]) -> tuple[ShownPremoves, ...]:
    if not session.game.has_premoves or session.outcome is not None:
        return ()
    return tuple(
        ShownPremoves(team=team, **msgspec.structs.asdict(session.list_premoves(team)))
        for team in sorted(teams)
    )


def _shown_seats(session: GameSession, teams: Collection[int]) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            team=team,
            name=one.name,
            kind=_seat_kind(one),
            is_yours=team in teams,
            substitute=session.sitting[team - 1].name if session.is_away(team) else None,
        )
        for team, one in enumerate(session.stored.seats, 1)
    )


def _seat_kind(one: Participant) -> SeatKind:
    if one.is_remote:
        return SeatKind.REMOTE
    return SeatKind.PERSON if one.is_person else SeatKind.BOT


def make_result(outcome: Outcome | None) -> Result | None:
    if outcome is None:
        return None
    return Result(scores=outcome.scores, reason=outcome.reason, winner=outcome.winner)


def _event_texts(page: BoardPage, events: Iterable[Event]) -> tuple[EventText, ...]:
    return tuple(
        EventText(words=text, team=getattr(event, "team", 0), piece=getattr(event, "half", 0))
        for event in events
        if (text := page.words(event))
    )


def last_words(session: GameSession, teams: Collection[int]) -> tuple[EventText, ...]:
    """Return what whoever plays these teams has seen last of what others and they did."""
    page, observed = load_board(session.game), session.observed[choose_viewer(session.game, teams)]
    for events in observed[: -MAX_SILENT_DECISIONS - 1 : -1]:
        if text := _event_texts(page, events):
            return text
    return ()


def _shown_clocks(session: GameSession) -> tuple[ShownClock, ...]:
    now = session.now()
    return tuple(
        ShownClock(
            team=team,
            piece=piece,
            remaining_s=round(clock.remaining_at(now), 3),
            is_running=clock.since is not None,
            is_overdue=clock.is_overdue(now),
        )
        for (team, piece), clock in session.all_clocks().items()
    )


def choose_viewer(game: AnyGame, teams: Collection[int]) -> Viewer:
    """Return whose knowledge the player of these teams is shown."""
    if game.open_information or len(teams) != 1:
        return None
    return next(iter(teams))
