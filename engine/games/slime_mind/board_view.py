"""A bot's read-only view of its board, with the queries that most bots need.

Distances are in steps of one square: slimes do not move diagonally (rules 2.3).
"""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from engine.game import Event, Game
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pathfinding import Square, find_path
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import AROUND, SIDES, Board
from engine.simulation import Simulation, Simulator
from engine.support.plain_values import from_numpy


class Placed(Protocol):
    """Anything with a square: slimes, plants and rocks."""

    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...


P = TypeVar("P", Plant, Slime, Piece)
FEW_PLANTS = 20
"""So many plants are looked at one after the other."""
CLOSE = 4
RINGS = tuple(
    tuple((dx, dy) for dx in range(-steps, steps + 1) for dy in {abs(dx) - steps, steps - abs(dx)})
    for steps in range(CLOSE + 1)
)
"""The offsets of squares at 0, 1, 2 ... steps."""


def distance(a: Placed, b: Placed) -> int:
    """Return the steps between two squares, obstacles ignored (Manhattan distance)."""
    return abs(a.x - b.x) + abs(a.y - b.y)


class BoardView:
    """The board as a player sees it: read-only and always up to date."""

    __slots__ = ("_board", "_names", "_simulator", "_team")

    def __init__(
        self, board: Board, team: int, game: Game[Board, Event, Command] | None = None
    ) -> None:
        """`game` is what `simulate` plays by."""
        self._board = board
        self._team = team
        self._simulator = Simulator(game, board, team)
        self._names = _direction_names(board.settings)

    def simulate(self, seed: int | None = None) -> Simulation[Board, Event, Command]:
        """Return a copy of the match that you can play on, to look ahead: see `Simulation`.

        Its chance is its own: from the same `seed` the same, without one drawn by `random`.
        """
        return self._simulator(seed)

    @property
    def turn(self) -> int:
        """The turn being played, from 1."""
        return self._board.turn

    @property
    def columns(self) -> int:
        """Width of the map."""
        return self._board.settings.columns

    @property
    def rows(self) -> int:
        """Height of the map."""
        return self._board.settings.rows

    @property
    def settings(self) -> Settings:
        """The numbers of this match's rules."""
        return self._board.settings

    @property
    def slimes(self) -> tuple[Slime, ...]:
        """All slimes of both teams, in ascending order of ids (so are the lists below)."""
        return tuple(self._board.slimes.values())

    @property
    def friends(self) -> tuple[Slime, ...]:
        """The slimes of your own team, the acting one included."""
        team = self._team
        return tuple([slime for slime in self._board.slimes.values() if slime.team == team])

    @property
    def enemies(self) -> tuple[Slime, ...]:
        """The slimes of the other team."""
        team = self._team
        return tuple([slime for slime in self._board.slimes.values() if slime.team != team])

    @property
    def plants(self) -> tuple[Plant, ...]:
        """All plants."""
        return tuple(self._board.plants.values())

    @property
    def rocks(self) -> tuple[Rock, ...]:
        """All rocks."""
        return tuple(self._board.rocks.values())

    def piece(self, piece_id: int) -> Piece | None:
        """Return the piece with this id, None if it is gone: ids are never reused (rules 3.6)."""
        board = self._board
        return board.slimes.get(piece_id) or board.plants.get(piece_id) or board.rocks.get(piece_id)

    def at(self, x: int, y: int) -> Piece | None:
        """Return the piece on a square; None if it is empty or off the map."""
        return self._board.at.get((x, y))

    def is_on_map(self, x: int, y: int) -> bool:
        """Return whether there is such a square."""
        return self._board.is_on_map(x, y)

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether a slime could stand there: on the map and free."""
        return self._board.is_empty(x, y)

    def neighbors(self, piece: Placed) -> list[Piece]:
        """Return the pieces on the four sides: what `piece` could bite, and rocks."""
        return self._pieces_at_offsets(piece, SIDES)

    neighbours = neighbors  # as bots written before 1.0.0 call it

    def around(self, piece: Placed) -> list[Piece]:
        """Return the pieces on the eight squares around: where SPLIT, MERGE and seeds reach."""
        return self._pieces_at_offsets(piece, AROUND)

    def enemies_beside(self, square: Placed | Square) -> list[Slime]:
        """Return the slimes of the other team that could bite a piece on this square."""
        x, y = _to_square(square)
        found = (self._board.at.get((x + dx, y + dy)) for dx, dy in SIDES)
        return [piece for piece in found if type(piece) is Slime and piece.team != self._team]

    def empty_beside(self, piece: Placed) -> list[Square]:
        """Return the empty squares on the four sides: where `piece` could move."""
        x, y, is_empty = piece.x, piece.y, self._board.is_empty
        return [(x + dx, y + dy) for dx, dy in SIDES if is_empty(x + dx, y + dy)]

    def empty_around(self, piece: Placed) -> list[Square]:
        """Return the empty squares among the eight around: room for a child or a seed."""
        return self._board.empty_around(piece.x, piece.y)

    def distance(self, a: Placed, b: Placed) -> int:
        """Return the steps between two pieces, obstacles ignored (Manhattan distance)."""
        return distance(a, b)

    def nearest(self, piece: Placed, among: Iterable[P]) -> P | None:
        """Return the nearest of `among` except `piece` itself; None if there is none.

        Of several at the same distance it is the first, so of the board's lists the lowest id.
        """
        return _nearest(piece, among, None)

    def nearest_plant(
        self, piece: Placed, wanted: Callable[[Plant], bool] | None = None
    ) -> Plant | None:
        """Return the nearest plant, or the nearest for which `wanted(plant)` is true."""
        board = self._board
        if len(board.plants) > FEW_PLANTS:
            close = self._close_plant(piece, wanted)
            if close is not None:
                return close
        return _nearest(piece, board.plants.values(), wanted)

    def _close_plant(self, piece: Placed, wanted: Callable[[Plant], bool] | None) -> Plant | None:
        """Return the nearest plant if it is close by; most are, where there are many."""
        x, y, at = piece.x, piece.y, self._board.at
        own_id = getattr(piece, "id", None)
        for ring in RINGS:
            best = None
            for dx, dy in ring:
                other = at.get((x + dx, y + dy))
                if (
                    type(other) is Plant
                    and (best is None or other.id < best.id)
                    and other.id != own_id
                    and (wanted is None or wanted(other))
                ):
                    best = other
            if best is not None:
                return best
        return None

    def nearest_enemy(
        self, piece: Placed, wanted: Callable[[Slime], bool] | None = None
    ) -> Slime | None:
        """Return the nearest slime of the other team (for which `wanted` is true)."""
        return _nearest(piece, self.enemies, wanted)

    def nearest_friend(
        self, piece: Placed, wanted: Callable[[Slime], bool] | None = None
    ) -> Slime | None:
        """Return the nearest other slime of your own team (for which `wanted` is true)."""
        return _nearest(piece, self.friends, wanted)

    def count(self, among: Iterable[P], near: Placed, within: int) -> int:
        """Return how many of `among` are at most `within` steps from `near` (itself included)."""
        x, y = near.x, near.y
        return sum(abs(other.x - x) + abs(other.y - y) <= within for other in among)

    def path(self, piece: Placed, target: Placed) -> list[Square] | None:
        """Return the shortest path over empty squares to a square beside `target` (A*).

        The squares to step on, in order; [] if `piece` is beside it already; None if there is no
        path. Of several shortest paths, team 2 gets the mirror image of team 1's.
        """
        start, goal = (piece.x, piece.y), (target.x, target.y)
        return find_path(self._board, start, goal, is_turned=self._team == 2)

    def direction(self, piece: Placed, square: Placed | Square) -> str | None:
        """Return LEFT, RIGHT, UP or DOWN if `square` is on one of the four sides, else None."""
        x, y = _to_square(square)
        return self._names.get((x - piece.x, y - piece.y))

    def step_towards(self, piece: Placed, target: Placed | None) -> str | None:
        """Return the first command of the shortest path to `target`.

        None if there is no path, if `piece` is beside `target` already, or without a target.
        """
        path = self.path(piece, target) if target is not None else None
        return self.direction(piece, path[0]) if path else None

    def bite(self, piece: Placed, target: Placed | None) -> str | None:
        """Return the command that bites `target`; None if it is not beside `piece`, or is None."""
        side = self.direction(piece, target) if target is not None else None
        return None if side is None else f"BITE{side}"

    def _pieces_at_offsets(self, piece: Placed, offsets: Iterable[Square]) -> list[Piece]:
        x, y, at = piece.x, piece.y, self._board.at
        return [at[x + dx, y + dy] for dx, dy in offsets if (x + dx, y + dy) in at]


def _nearest(piece: Placed, among: Iterable[P], wanted: Callable[[P], bool] | None) -> P | None:
    """Return the nearest of `among` that is wanted, except the piece itself, or None.

    Whether one is wanted takes longer to find out than where it is, so that is asked last.
    """
    x, y = piece.x, piece.y
    own_id = getattr(piece, "id", None)  # it may be one remembered from an earlier turn
    best, shortest = None, 1 << 30
    for other in among:
        steps = abs(other.x - x) + abs(other.y - y)
        if steps < shortest and other.id != own_id and (wanted is None or wanted(other)):
            best, shortest = other, steps
    return best


def _to_square(target: Placed | Square) -> Square:
    """Return the square of a piece, or of two numbers in a tuple, a list or an array."""
    if isinstance(target, tuple):
        return target
    if isinstance(own := from_numpy(target), list):
        x, y = own
        return x, y
    return target.x, target.y


def _direction_names(settings: Settings) -> dict[Square, str]:
    """Return the command of each offset; rows count downwards unless `y_up` (rules 2.2)."""
    up = 1 if settings.y_up else -1
    return {(-1, 0): "LEFT", (1, 0): "RIGHT", (0, up): "UP", (0, -up): "DOWN"}
