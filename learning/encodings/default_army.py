"""An army for whoever gives no design of the Game of Death: some shapes in a column at the front.

Drawings and the number of shapes follow from the settings; only the rows that the home leaves
free are known later, when its row was drawn.
"""

from collections.abc import Iterator
from typing import Any

from engine.games.game_of_death.settings import Settings

SHAPES = 10
"""As many as the template's army has, if there is room."""
SIZE = 4
"""The cells of a shape, if that is allowed: 2 by 2 like the template's."""
HEIGHT = 2
STRIDE = HEIGHT + 1
"""A row stays free between two shapes, so that each can move by itself."""


class DefaultArmy:
    """The same army for each team, which can be placed wherever the home is."""

    def __init__(self, settings: Settings, teams: int) -> None:
        """Raises: ValueError if there is no room for a single shape."""
        self._settings = settings
        self._size = min(max(SIZE, settings.min_shape_size), settings.max_shape_size)
        self._width = -(-self._size // HEIGHT)
        self._left = max(0, settings.zone_width - self._width - 1)  # as the template's: a step back
        rows = settings.zone_rows(teams)
        middle = (rows.start + rows.stop - HEIGHT) // 2
        tops = range(rows.start + (middle - rows.start) % STRIDE, rows.stop - HEIGHT + 1, STRIDE)
        self._tops = sorted(tops, key=lambda top: (abs(top - middle), top))
        room = len(self._tops) - self._most_taken_by_a_home()
        self.shapes = min(SHAPES, settings.max_cells // self._size, room)
        """How many there are in each team."""
        if self.shapes < 1 or self._width > settings.zone_width:
            raise ValueError(
                "designs: these settings leave no room for the default army; expected the design "
                "of each team"
            )

    def design(self, home_v: int) -> dict[str, Any]:
        """Return the design, as a bot would answer it, where the home begins in this row."""
        first = "#" * self._width
        second = "#" * (self._size - self._width)
        tops = sorted([*self._free_tops(home_v)][: self.shapes])
        return {
            "types": [["Soldier", [first, second]]],
            "placements": [[0, self._left, top] for top in tops],
        }

    def _free_tops(self, home_v: int) -> Iterator[int]:
        """Yield the upper rows of shapes that are not on the home, from the middle outwards."""
        last = home_v + self._settings.home_height
        for top in self._tops:
            if not self._is_in_columns_of_home() or top + HEIGHT <= home_v or top >= last:
                yield top

    def _is_in_columns_of_home(self) -> bool:
        first = self._settings.home_u
        right = self._left + self._width
        return self._left < first + self._settings.home_width and right > first

    def _most_taken_by_a_home(self) -> int:
        """Return how many of the places a home can be on, in the worst row."""
        if not self._is_in_columns_of_home():
            return 0
        return -(-(self._settings.home_height + HEIGHT - 1) // STRIDE)
