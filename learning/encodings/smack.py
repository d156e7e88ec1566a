"""Smack! in arrays: an agent per team, asked about one board after the other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.game import AnyGame, Ask
from engine.games.smack.orders import Order
from engine.games.smack.position import MOVE_TABLE, Move, Position
from engine.games.smack.settings import Settings
from engine.games.smack.squares import SIDE, SQUARES, WIDTH, column_of, row_of
from engine.games.smack.state import Boards, Half
from learning.encoding import Array, Choice, Encoding, Observation, as_numbers

NUMBER_OF = {square: number for number, square in enumerate(SQUARES)}
"""The number of each of the 165 squares, row by row from the top."""
PAIRS = len(SQUARES) ** 2
BITS = SIDE * WIDTH
"""The squares of a bitboard: rows of it are one column wider than the board."""


START_OF = {displacement: row * BITS for row, displacement in enumerate(MOVE_TABLE)}
PAIR_AT = np.zeros(len(MOVE_TABLE) * BITS, np.int32)
"""The number of each move, at the start of its displacement plus its target."""
for _displacement, _moves in MOVE_TABLE.items():
    for _target, (_from, _to) in _moves.items():
        _pair = NUMBER_OF[_from] * len(SQUARES) + NUMBER_OF[_to]
        PAIR_AT[START_OF[_displacement] + _target] = _pair
FIRST_BITS = np.arange(len(MOVE_TABLE)) * BITS
"""Where each of several bitboards begins, when they stand one after the other."""


class MoveChoice(Choice):
    """The moves on a board; texts are made of those alone that are taken."""

    def __init__(self, position: Position, *, offers: bool) -> None:
        pairs = legal_move_numbers(position)
        self._legal = np.concatenate((pairs, pairs + PAIRS)) if offers else pairs

    @property
    def legal(self) -> Array:
        return self._legal

    def allows(self, action: int) -> bool:
        return bool(np.count_nonzero(self._legal == action))

    def take(self, action: int) -> Order:
        end, pair = divmod(action, PAIRS)
        source, target = (SQUARES[number] for number in divmod(pair, len(SQUARES)))
        return Order(str(Move(source, target)), bool(end))


def legal_move_numbers(position: Position) -> Array:
    """Return the numbers of all legal moves, in the order of the move generator."""
    # This is most of what a step costs: hence one array for all displacements.
    groups = [*position.targets()]
    bits = np.flatnonzero(_bitboards_to_array([targets for _, targets in groups]))
    starts = np.array([START_OF[displacement] for displacement, _ in groups], np.intp)
    shifts = starts - FIRST_BITS[: len(groups)]
    pairs: Array = PAIR_AT.take(bits + shifts.take(bits // BITS))
    return pairs


def _bitboards_to_array(boards: Sequence[int]) -> NDArray[np.bool_]:
    """Return bitboards as an array, one after the other."""
    size = BITS // 8
    data = b"".join([board.to_bytes(size, "little") for board in boards])
    bits: NDArray[np.uint8] = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return bits.view(np.bool_)


class SmackEncoding(Encoding[Boards]):
    """Planes of 15 by 15 squares, A15 first and P1 last; a team that is not asked sees board 1.

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
        return MoveChoice(known.halves[ask.piece_id - 1].position, offers=self._offers)

    def observe(
        self, known: Boards, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        planes, team = self.new_planes(), self.agent_team(agent)
        half = known.halves[ask.piece_id - 1 if ask else 0]
        other = known.halves[2 - half.number]
        boards = _bitboards_to_array(
            (*_own_and_other_pieces(half, team), *_own_and_other_pieces(other, team))
        )
        planes[:4] = boards.reshape(-1, SIDE, WIDTH)[:, :, :SIDE]
        planes[4] = self._squares
        numbers = as_numbers(
            *(half.number, half.nerds_team == team, half.ply, half.quiet),
            *(half.seen.get(half.text, 0), half.is_offered_by(3 - team)),
            *(half.points[team - 1], half.points[2 - team]),
            *(other.points[team - 1], other.points[2 - team], bool(other.ending)),
        )
        return Observation(planes, numbers)


def _own_and_other_pieces(half: Half, team: int) -> tuple[int, int]:
    """Return the pieces of a team, and those of its opponent."""
    position = half.position
    pieces = position.nerds, position.bullies
    return pieces if half.nerds_team == team else pieces[::-1]
