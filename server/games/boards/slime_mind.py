"""The map of Slime Mind as a page is told of it; the page knows no rule."""

from collections.abc import Collection, Sequence

import msgspec

from engine.game import Event, MatchEnded
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.events import Died, Levelled, Merged, Nothing, Split
from engine.games.slime_mind.orders import COMMANDS, Command
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.rules import ACTIONS, scores
from engine.games.slime_mind.state import SIDES, Board
from engine.streams import Streams


class ShownSlime(msgspec.Struct, frozen=True):
    """A slime of the viewer's teams. Squares are named as on the board, such as `12, 3`."""

    id: int
    team: int
    square: str
    level: int
    xp: int
    hp: int
    max_hp: int
    is_waiting: bool
    """Whether it has yet to act in this turn."""
    is_ready: bool
    """Whether it can be taken in by a slime that merges."""
    sides: dict[str, Command]
    """What an order to a square beside it is: a bite of what stands there, or a move."""
    no_effect: dict[Command, str]
    """The commands that would do nothing as the board is now, each with the reason."""


class ShownMap(msgspec.Struct, frozen=True):
    """The map of one match, and what the viewer's slimes can do."""

    turn: int
    last_turn: int
    acting: int
    """The slime that is asked now; 0 after the end."""
    slimes: list[ShownSlime]
    others: dict[str, str]
    """What else stands on the squares, in words."""
    scores: tuple[float, ...]


def view(
    known: Board, viewer: int | None, teams: Collection[int], observed: Sequence[Sequence[Event]]
) -> ShownMap:
    """Return the map as the player of these teams sees it."""
    others: tuple[Piece, ...] = (
        *known.plants.values(),
        *known.rocks.values(),
        *(slime for slime in known.slimes.values() if slime.team not in teams),
    )
    return ShownMap(
        turn=known.turn,
        last_turn=known.settings.max_turns,
        acting=known.queue[0] if known.queue else 0,
        slimes=[
            _make_shown_slime(known, slime)
            for slime in known.slimes.values()
            if slime.team in teams
        ],
        others={_name(piece.x, piece.y): _describe_piece(piece) for piece in others},
        scores=scores(known),
    )


def words(event: Event) -> str | None:
    """Return in words what happened, or None where a reader need not know."""
    match event:
        case MatchEnded():
            first, second = event.scores
            return f"the match is over: {first:g} : {second:g}"
        case Died():
            return f"slime {event.by} has bitten piece {event.piece} away"
        case Split():
            return f"slime {event.slime} split off slime {event.child.id}"
        case Merged():
            return f"slime {event.slime} merged with slime {event.absorbed}"
        case Levelled():
            return f"slime {event.slime} has level {event.level}"
    return None


def _make_shown_slime(board: Board, slime: Slime) -> ShownSlime:
    no_effect = _no_effect(board, slime)
    return ShownSlime(
        id=slime.id,
        team=slime.team,
        square=_name(slime.x, slime.y),
        level=slime.level,
        xp=slime.xp,
        hp=slime.current_hp,
        max_hp=slime.max_hp,
        is_waiting=slime.id in board.queue,
        is_ready=slime.ready_to_merge,
        sides=_click_orders(board, slime, no_effect),
        no_effect=no_effect,
    )


def _no_effect(board: Board, slime: Slime) -> dict[Command, str]:
    """Return the commands that would do nothing, as the rules themselves say."""
    chance = Streams(0)  # where a child of SPLIT would stand: it is not looked at
    found = {}
    for command, act in ACTIONS.items():
        first = act(board, slime, chance)[0]
        if isinstance(first, Nothing):
            found[command] = str(first.reason)
    return found


def _click_orders(board: Board, slime: Slime, no_effect: Collection[Command]) -> dict[str, Command]:
    """Return what a click on a square beside a slime orders: never to bite one's own."""
    view, found = BoardView(board, slime.team), {}
    for dx, dy in SIDES:
        square = slime.x + dx, slime.y + dy
        there = view.at(*square)
        if isinstance(there, Slime) and there.team == slime.team:
            continue
        side = view.direction(slime, square)
        for command in (COMMANDS[f"BITE{side}"], COMMANDS[str(side)]):
            if command not in no_effect:
                found[_name(*square)] = command
                break
    return found


def _describe_piece(piece: Piece) -> str:
    match piece:
        case Rock():
            return "a rock"
        case Plant():
            return f"a plant of level {piece.level}, {piece.current_hp} hp"
    return f"a slime of team {piece.team}, level {piece.level}, {piece.current_hp} hp"


def _name(x: int, y: int) -> str:
    return f"{x}, {y}"
