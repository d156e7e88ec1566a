"""What a person may order ahead for a slime: a command, or an errand that lasts several turns.

A bot has code that says what each slime does; a person with twenty slimes has errands. They are no
rules: what comes of one is always one of the ten commands.
"""

from typing import NamedTuple

from engine.game import Ask, Refusal
from engine.games.slime_mind.board_view import BoardView, distance
from engine.games.slime_mind.orders import COMMANDS, Command
from engine.games.slime_mind.pieces import Rock, Slime
from engine.games.slime_mind.state import Board

WAIT, EAT, GO = "WAIT", "EAT", "GO"
PLANTS_TRIED = 8
"""The plants to which a way is looked for: the nearest."""


class Going(NamedTuple):
    """Go to a square, and bite what stands there: `["GO", x, y]`."""

    x: int
    y: int


Premove = Command | str | Going
"""One of the ten commands, WAIT for nothing, EAT for the nearest plant, or where to go."""


def parse_premove(board: Board, answer: object) -> Premove | Refusal:
    """Return what is meant by untrusted plain data."""
    match answer:
        case str() if answer in COMMANDS:
            return COMMANDS[answer]
        case "WAIT" | "EAT":
            return answer
        case ["GO", int() as x, int() as y]:
            if board.is_on_map(x, y):
                return Going(x, y)
            return Refusal(f"there is no square {x}, {y}")
    expected = ", ".join((*COMMANDS, WAIT, EAT))
    return Refusal(f"{answer!r:.60} is none of {expected} and ['GO', x, y]")


def resolve_premove(board: Board, ask: Ask, premove: Premove) -> Command | Refusal:
    """Return the command by which a slime does now what was ordered ahead."""
    slime = board.slimes.get(ask.piece_id)
    if slime is None or slime.team != ask.team:
        return Refusal(f"team {ask.team} has no slime {ask.piece_id}")
    if isinstance(premove, Command):
        return premove
    view = BoardView(board, ask.team)
    if isinstance(premove, Going):
        step = _step_towards(view, slime, premove)
    else:
        step = _to_food(view, slime) if premove == EAT else None
    return _command_without_effect(view, slime) if step is None else COMMANDS[step]


def lasts_next_turn(board: Board, ask: Ask, premove: Premove) -> bool:
    """Return whether something ordered ahead is still to be done in the next turn."""
    slime = board.slimes.get(ask.piece_id)
    if slime is None or slime.team != ask.team:
        return False
    if isinstance(premove, Going):
        target, steps = board.at.get((premove.x, premove.y)), distance(slime, premove)
        return steps > 1 or (steps == 1 and (target is None or _is_food(target, slime)))
    return premove == EAT


def _step_towards(view: BoardView, slime: Slime, going: Going) -> str | None:
    there = view.at(going.x, going.y)
    if distance(slime, going) != 1:
        return view.step_towards(slime, going)
    if there is None:
        return view.direction(slime, going)
    return view.bite(slime, going) if _is_food(there, slime) else None


def _to_food(view: BoardView, slime: Slime) -> str | None:
    """Return what bites the nearest plant, or goes there; None where no way leads to one."""
    nearest = sorted(view.plants, key=lambda plant: distance(slime, plant))[:PLANTS_TRIED]
    for plant in nearest:
        step = view.bite(slime, plant) or view.step_towards(slime, plant)
        if step is not None:
            return step
    return None


def _is_food(piece: object, slime: Slime) -> bool:
    """Return whether a slime on an errand bites a piece: plants, and slimes of the other team."""
    if isinstance(piece, Slime):
        return piece.team != slime.team
    return piece is not None and not isinstance(piece, Rock)


def _command_without_effect(view: BoardView, slime: Slime) -> Command:
    """Return a command without effect (rules 6.1, 6.2): there is none that says so."""
    return Command.BITELEFT if view.is_empty(slime.x - 1, slime.y) else Command.LEFT
