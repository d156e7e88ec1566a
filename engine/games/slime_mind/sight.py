"""A bot's read-only view of its board, with the questions bots ask all the time.

Everything is measured in squares. Distances count steps: slimes do not move diagonally.
"""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from engine.games.slime_mind.paths import Square, find_path
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import AROUND, SIDES, Board


class Placed(Protocol):
    """Anything with a square: slimes, plants and rocks."""

    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...


P = TypeVar("P", Plant, Slime, Piece)


def distance(a: Placed, b: Placed) -> int:
    """Steps from one square to the other, obstacles not counted (Manhattan distance)."""
    return abs(a.x - b.x) + abs(a.y - b.y)


class Sight:
    """What a player sees. Nothing here can be changed; it is always up to date."""

    __slots__ = ("_board", "_names", "_team")

    def __init__(self, board: Board, team: int) -> None:
        self._board = board
        self._team = team
        self._names = _direction_names(board.settings)

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
        """The slimes of the own team, the asking one included."""
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
        """The piece of this id, None if it is gone: ids are never used again."""
        board = self._board
        return board.slimes.get(piece_id) or board.plants.get(piece_id) or board.rocks.get(piece_id)

    def at(self, x: int, y: int) -> Piece | None:
        """The piece on a square; None if it is empty or off the map."""
        return self._board.at.get((x, y))

    def is_on_map(self, x: int, y: int) -> bool:
        """Whether there is such a square."""
        return self._board.is_on_map(x, y)

    def is_empty(self, x: int, y: int) -> bool:
        """Whether a slime could stand there: on the map and free."""
        return self._board.is_empty(x, y)

    def neighbours(self, piece: Placed) -> list[Piece]:
        """The pieces on the four sides: what `piece` could bite, and rocks."""
        return self._pieces(piece, SIDES)

    def around(self, piece: Placed) -> list[Piece]:
        """The pieces on the eight squares around: where SPLIT, MERGE and seeds reach."""
        return self._pieces(piece, AROUND)

    def enemies_beside(self, square: Placed | Square) -> list[Slime]:
        """The slimes of the other team that could bite a piece on this square."""
        x, y = _square(square)
        found = (self._board.at.get((x + dx, y + dy)) for dx, dy in SIDES)
        return [piece for piece in found if type(piece) is Slime and piece.team != self._team]

    def empty_beside(self, piece: Placed) -> list[Square]:
        """The empty squares on the four sides: where `piece` could step."""
        x, y, is_empty = piece.x, piece.y, self._board.is_empty
        return [(x + dx, y + dy) for dx, dy in SIDES if is_empty(x + dx, y + dy)]

    def empty_around(self, piece: Placed) -> list[Square]:
        """The empty squares among the eight around: room for a child or a seed."""
        return self._board.empty_around(piece.x, piece.y)

    def distance(self, a: Placed, b: Placed) -> int:
        """Steps between two pieces, obstacles not counted."""
        return distance(a, b)

    def nearest(self, piece: Placed, among: Iterable[P]) -> P | None:
        """The nearest of `among`, not `piece` itself; the lowest id of several; None if none."""
        x, y = piece.x, piece.y
        own_id = getattr(piece, "id", None)  # it may be one remembered from an earlier turn
        best, shortest = None, 1 << 30
        for other in among:
            steps = abs(other.x - x) + abs(other.y - y)
            if steps < shortest and other.id != own_id:
                best, shortest = other, steps
        return best

    def nearest_plant(
        self, piece: Placed, wanted: Callable[[Plant], bool] | None = None
    ) -> Plant | None:
        """The nearest plant, or the nearest for which `wanted(plant)` is true."""
        plants = self._board.plants.values()
        return self.nearest(piece, plants if wanted is None else filter(wanted, plants))

    def nearest_enemy(
        self, piece: Placed, wanted: Callable[[Slime], bool] | None = None
    ) -> Slime | None:
        """The nearest slime of the other team (for which `wanted` is true)."""
        return self.nearest(piece, self.enemies if wanted is None else filter(wanted, self.enemies))

    def nearest_friend(
        self, piece: Placed, wanted: Callable[[Slime], bool] | None = None
    ) -> Slime | None:
        """The nearest other slime of the own team (for which `wanted` is true)."""
        return self.nearest(piece, self.friends if wanted is None else filter(wanted, self.friends))

    def count(self, among: Iterable[P], near: Placed, within: int) -> int:
        """How many of `among` are at most `within` steps from `near` (itself included)."""
        x, y = near.x, near.y
        return sum(abs(other.x - x) + abs(other.y - y) <= within for other in among)

    def path(self, piece: Placed, target: Placed) -> list[Square] | None:
        """The shortest way over empty squares to a square beside `target` (A*).

        The squares to step on, in order; [] if `piece` is beside it already; None if
        there is no way. Of ways as long, team 2 is told the mirror image of team 1's.
        """
        start, goal = (piece.x, piece.y), (target.x, target.y)
        return find_path(self._board, start, goal, is_turned=self._team == 2)

    def direction(self, piece: Placed, square: Placed | Square) -> str | None:
        """LEFT, RIGHT, UP or DOWN if `square` lies on one of the four sides, else None."""
        x, y = _square(square)
        return self._names.get((x - piece.x, y - piece.y))

    def step_towards(self, piece: Placed, target: Placed) -> str | None:
        """The first command of the shortest way to `target`; None if there is none to take."""
        path = self.path(piece, target)
        return self.direction(piece, path[0]) if path else None

    def bite(self, piece: Placed, target: Placed) -> str | None:
        """The command that bites `target`; None if it is not beside `piece`."""
        side = self.direction(piece, target)
        return None if side is None else f"BITE{side}"

    def _pieces(self, piece: Placed, offsets: Iterable[Square]) -> list[Piece]:
        x, y, at = piece.x, piece.y, self._board.at
        return [at[x + dx, y + dy] for dx, dy in offsets if (x + dx, y + dy) in at]


def _square(place: Placed | Square) -> Square:
    return place if isinstance(place, tuple) else (place.x, place.y)


def _direction_names(settings: Settings) -> dict[Square, str]:
    """Offset -> command; rows count downwards unless `y_up` (rules 2.2)."""
    up = 1 if settings.y_up else -1
    return {(-1, 0): "LEFT", (1, 0): "RIGHT", (0, up): "UP", (0, -up): "DOWN"}
