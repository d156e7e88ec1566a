"""What a Smack! bot may answer: a move, and whether it offers to end the half."""

import msgspec

from engine.game import Refusal
from engine.games.smack.notation import BadNotation, parse_move
from engine.games.smack.position import Position


class Order(msgspec.Struct, frozen=True):
    """A legal move as text; with `end` its side offers to end the half (rules 6.1)."""

    move: str
    end: bool = False


def legal_orders(position: Position) -> list[Order]:
    """Return all orders of the side to move: each move without and with the offer to end."""
    moves = [str(move) for move in position.moves()]
    return [Order(move, end) for end in (False, True) for move in moves]


def parse(position: Position, answer: object) -> Order | Refusal:
    """Return the order of an answer: `F1-G2`, or `{"move": "F1-G2", "end": true}`."""
    text: object = answer
    end: object = False
    if isinstance(answer, dict):
        if set(answer) - {"move", "end"} or "move" not in answer:
            return Refusal(f"an answer has a 'move' and may have an 'end', not {answer!r:.60}")
        text, end = answer["move"], answer.get("end", False)
    if type(text) is not str:
        why = " (a way through decide ends without return)" if answer is None else ""
        return Refusal(f"a move must be a string such as 'F1-G2', not {text!r:.60}{why}")
    if type(end) is not bool:
        return Refusal(f"'end' must be true or false, not {end!r:.60}")
    try:
        return Order(str(parse_move(position, text)), end)
    except BadNotation as problem:
        return Refusal(str(problem))
