"""Smack! in arrays: an agent per team, asked about one board after the other."""

from engine.game import AnyGame, Ask
from engine.games.smack.orders import Order
from engine.games.smack.settings import Settings
from engine.games.smack.squares import (
    SIDE,
    SQUARE_OF,
    SQUARES,
    column_of,
    row_of,
    squares_in,
)
from engine.games.smack.state import Boards, Half
from learning.encoding import Array, Choice, Encoding, ListedChoice, Observation, as_numbers

NUMBER_OF = {square: number for number, square in enumerate(SQUARES)}
"""The number of each of the 165 squares, row by row from the top."""
PAIRS = len(SQUARES) ** 2


class SmackEncoding(Encoding[Boards]):
    """Planes of 16 by 16 squares, A16 first and P1 last; a team that is not asked sees board 1.

    Action `(end * 165 + source) * 165 + target` moves from square to square, both by their number
    row by row from the top; with `end` 1 it offers to end the half, which is legal if `offers` are
    wanted: they are half of all orders, so whoever plays at random would end each half at once.
    """

    options = frozenset({"offers"})

    planes = (
        *("own pieces on the board asked about: 1", "the opponent's pieces there: 1"),
        *("own pieces on the other board: 1", "the opponent's pieces there: 1"),
        "squares of the board: 1",
    )
    numbers = (
        *("the board asked about, 1 or 2", "1 if the own side are nerds there"),
        *("plies there so far", "plies there since the last capture"),
        *("how often the position there came up", "1 if the opponent offers to end that half"),
        *("own points there", "the opponent's points there"),
        *("own points on the other board", "the opponent's points on the other board"),
        "1 if the other half is over",
    )
    actions = 2 * PAIRS
    rows = columns = SIDE

    def __init__(self, game: AnyGame, settings: Settings, teams: int, offers: bool = False) -> None:
        super().__init__(game, settings, teams)
        self._offers = offers
        self._squares = self.new_planes()[0]
        for square in SQUARES:
            self._squares[row_of(square), column_of(square)] = 1

    def choice(self, known: Boards, ask: Ask) -> Choice:
        orders: list[Order] = [*(self.game.legal_orders(known, ask) or ())]
        wanted = [order for order in orders if self._offers or not order.end]
        return ListedChoice({action_of(order): order for order in wanted})

    def observe(
        self, known: Boards, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        planes, team = self.new_planes(), self.team_of(agent)
        half = known.halves[ask.piece_id - 1 if ask else 0]
        other = known.halves[2 - half.number]
        _place(half, team, planes[0:2])
        _place(other, team, planes[2:4])
        planes[4] = self._squares
        numbers = as_numbers(
            *(half.number, half.nerds_team == team, half.ply, half.quiet),
            *(half.seen.get(half.text, 0), half.is_offered_by(3 - team)),
            *(half.points[team - 1], half.points[2 - team]),
            *(other.points[team - 1], other.points[2 - team], bool(other.ending)),
        )
        return Observation(planes, numbers)


def action_of(order: Order) -> int:
    """Return the number of an order."""
    source, target = (NUMBER_OF[SQUARE_OF[name]] for name in order.move.split("-"))
    return order.end * PAIRS + source * len(SQUARES) + target


def _place(half: Half, team: int, planes: Array) -> None:
    """Mark the pieces of a team on the first plane, those of its opponent on the second."""
    position = half.position
    pieces = position.nerds, position.bullies
    own, others = pieces if half.nerds_team == team else pieces[::-1]
    for plane, bits in zip(planes, (own, others), strict=True):
        for square in squares_in(bits):
            plane[row_of(square), column_of(square)] = 1
