"""The frames of the players: the world, turned by quarters (docs/rules/game_of_death.md 2.2, 8.1).

A frame is turned and never mirrored, so that clockwise is clockwise for everybody.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from engine.games.game_of_death.geometry import Cell
from engine.games.game_of_death.settings import Settings

N = TypeVar("N", int, float)

QUARTERS: dict[int, tuple[int, ...]] = {2: (0, 2), 4: (0, 1, 2, 3)}
"""By the number of teams: how many quarters clockwise each one's frame is turned in the world.

It is also what its shapes face in the world at the start."""
ANY_SIDE = 1_000
"""A turn changes a corner by as much on every grid, so it is computed on this one."""


class Rectangle(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


class Frame(NamedTuple):
    """A player's coordinates. A grid that is turned by an odd number of quarters is square."""

    quarters: int
    right: int
    """The last column of the grid."""
    bottom: int
    """The last row of the grid."""

    def turn_cell(self, cell: tuple[N, N]) -> tuple[N, N]:
        """Return a cell of the world, or a place that is no whole cell, in the frame."""
        x, y = cell
        match self.quarters:
            case 0:
                return cell
            case 1:
                return y, self.right - x
            case 2:
                return self.right - x, self.bottom - y
            case _:
                return self.bottom - y, x

    def turn_places(self, places: Iterable[int], width: int) -> list[Cell]:
        """Return the cells of the frame of places on a grid of this width (row by row)."""
        right, bottom = self.right, self.bottom
        match self.quarters:
            case 0:
                return [(cell % width, cell // width) for cell in places]
            case 1:
                return [(cell // width, right - cell % width) for cell in places]
            case 2:
                return [(right - cell % width, bottom - cell // width) for cell in places]
            case _:
                return [(bottom - cell // width, cell % width) for cell in places]

    def box(self, box: Rectangle) -> Rectangle:
        """Return a rectangle of the world in the frame."""
        if not self.quarters:
            return box
        u, v = self.turn_cell((box.x, box.y))
        other_u, other_v = self.turn_cell((box.x + box.width - 1, box.y + box.height - 1))
        width, height = (box.height, box.width) if self.quarters % 2 else (box.width, box.height)
        return Rectangle(min(u, other_u), min(v, other_v), width, height)

    @property
    def inverse(self) -> "Frame":
        """The way back: it turns what is in the frame into what is in the world."""
        return Frame(-self.quarters % 4, self.right, self.bottom)


def make_frames(settings: Settings, teams: int) -> tuple[Frame, ...]:
    """Return the frame of each team, team 1 first."""
    return tuple(
        Frame(quarters, settings.width - 1, settings.height - 1) for quarters in QUARTERS[teams]
    )


@lru_cache(maxsize=10_000)
def anchor_offset(width: int, height: int, quarters: int) -> Cell:
    """Return the middle cell of a bounding box, from its upper left corner (rules 5.7).

    It is rounded up and left in the owner's frame, which is turned by `quarters`.
    """
    frame = Frame(quarters, ANY_SIDE, ANY_SIDE)
    u, v, across, down = frame.box(Rectangle(0, 0, width, height))
    return frame.inverse.turn_cell((u + (across - 1) // 2, v + (down - 1) // 2))


@lru_cache(maxsize=10_000)
def turning_shift(width: int, height: int, quarters: int) -> Cell:
    """Return how far the upper left corner of a box goes in a quarter turn (rules 6.11)."""
    frame = Frame(quarters, ANY_SIDE, ANY_SIDE)
    u, v, across, down = frame.box(Rectangle(0, 0, width, height))
    # int() cuts towards zero, as the rule says; `//` would round down.
    shift = int((across - down) / 2)
    after = frame.inverse.box(Rectangle(u + shift, v - shift, down, across))
    return after.x, after.y
