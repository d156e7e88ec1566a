"""The numbers of the Game of Death, typed and validated (docs/rules/game_of_death.md 1)."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Length = Annotated[int, Meta(ge=2, le=1_000)]
Radius = Annotated[int, Meta(ge=0, le=2_000)]
Factor = Annotated[int, Meta(ge=1, le=1_000)]
MAX_CELLS = 50_000
"""The most cells of an army, so that every id fits into a place of the grid."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match's numbers; the defaults are the standard grid's. Lengths are in cells."""

    width: Annotated[Length, Meta(description="width of the grid, cells")] = 300
    height: Annotated[Length, Meta(description="height of the grid, cells")] = 200
    max_turns: Annotated[
        int, Meta(ge=1, le=1_000_000, description="the match ends after this turn")
    ] = 2_000
    max_cells: Annotated[
        int, Meta(ge=2, le=MAX_CELLS, description="cells of an army, all shapes together")
    ] = 500
    min_shape_size: Annotated[
        int, Meta(ge=2, le=MAX_CELLS, description="cells of the smallest shape allowed")
    ] = 2
    max_shape_size: Annotated[
        int, Meta(ge=2, le=MAX_CELLS, description="cells of the largest shape allowed")
    ] = 500
    zone_width: Annotated[
        Length, Meta(description="an army is placed in so many columns at its own edge")
    ] = 100
    home_u: Annotated[
        int, Meta(ge=0, le=1_000, description="columns between the own edge and the home")
    ] = 10
    home_v: Annotated[
        int, Meta(ge=0, le=1_000, description="first row of the home, unless it is drawn")
    ] = 98
    home_width: Annotated[int, Meta(ge=1, le=1_000, description="width of a home, cells")] = 4
    home_height: Annotated[int, Meta(ge=1, le=1_000, description="height of a home, cells")] = 4
    home_row_drawn: Annotated[
        bool, Meta(description="the homes' row is drawn in the middle three fifths of the height")
    ] = True
    sight: Annotated[Radius, Meta(description="how far a shape sees, cells")] = 50
    broadcast: Annotated[Radius, Meta(description="how far a broadcast is heard, cells")] = 200
    message_max: Annotated[
        int, Meta(ge=1, le=10_000, description="longest message, characters")
    ] = 32
    broadcasts_per_turn: Annotated[
        int, Meta(ge=0, le=100, description="broadcasts of a shape in a turn")
    ] = 1
    team_message_bytes_per_turn: Annotated[
        int, Meta(ge=0, le=1_000_000, description="what a team may broadcast in a turn, bytes")
    ] = 2_048
    capture_turns: Annotated[
        int, Meta(ge=1, le=10_000, description="turns it takes to capture a flag")
    ] = 3
    attack_gap: Annotated[
        int, Meta(ge=0, le=10_000, description="turns that pass between two attacks of a shape")
    ] = 1
    heal_every: Annotated[
        int, Meta(ge=1, le=10_000, description="calm turns after which a shape gains 1 hp")
    ] = 2
    hp_factor: Annotated[Factor, Meta(description="hp of a new shape, per cell")] = 2
    range_factor: Annotated[Factor, Meta(description="range of an attack, cells per cell")] = 2
    body_factor: Annotated[
        Factor, Meta(description="damage a body takes, per hp its shape had at most")
    ] = 10
    friendly_fire: Annotated[bool, Meta(description="attacks hit shapes of the own army")] = True
    disclosure_pct: Annotated[
        int, Meta(ge=0, le=100, description="a type is disclosed when more of it were killed")
    ] = 80
    isolated_shapes: Annotated[
        bool, Meta(description="each shape runs in a process of its own")
    ] = False
    kill_target: Annotated[
        int, Meta(ge=0, le=1_000_000, description="how much one must kill to win; 0: it does not")
    ] = 0
    kill_target_counts: Annotated[
        Literal["cells", "shapes"], Meta(description="what is counted of killed enemies")
    ] = "cells"
    groups: Annotated[
        tuple[tuple[int, ...], ...],
        Meta(description="teams that play together, as in [[1, 3], [2, 4]]; empty: each alone"),
    ] = ()

    def __post_init__(self) -> None:
        """Refuse grids that cannot be laid out (msgspec passes the sentence on)."""
        if 2 * self.zone_width > self.width:
            raise ValueError(
                f"zone_width = {self.zone_width}: two zones do not fit into width = {self.width}"
            )
        if 2 * (self.home_u + self.home_width) > self.width:
            raise ValueError(
                f"home_u + home_width = {self.home_u + self.home_width}: two homes do not fit "
                f"into width = {self.width}"
            )
        if self.home_row_drawn and not self.home_rows(2):
            raise ValueError(
                f"home_height = {self.home_height} does not fit into the middle three fifths of "
                f"height = {self.height}"
            )
        if self.home_v + self.home_height > self.height:
            raise ValueError(
                f"home_v + home_height = {self.home_v + self.home_height} is more than "
                f"height = {self.height}"
            )
        if self.groups and sorted(map(len, self.groups)) != [2, 2]:
            raise ValueError(f"{self._groups_text}: expected two pairs, as in [[1, 3], [2, 4]]")
        if self.groups and sorted(team for pair in self.groups for team in pair) != [1, 2, 3, 4]:
            raise ValueError(f"{self._groups_text}: expected each of the teams 1 to 4 once")
        if self.min_shape_size > min(self.max_shape_size, self.max_cells):
            raise ValueError(
                f"min_shape_size = {self.min_shape_size} is more than max_shape_size = "
                f"{self.max_shape_size} or max_cells = {self.max_cells}"
            )

    def kill_value(self, cells: int) -> int:
        """Return what the kill of a shape of so many cells counts (rules 8.7)."""
        return cells if self.kill_target_counts == "cells" else 1

    @property
    def _groups_text(self) -> str:
        return f"groups = {[[*group] for group in self.groups]}"

    def zone_rows(self, teams: int) -> range:
        """The rows in which armies are placed: among four, the corners are nobody's (8.2)."""
        if teams == 2:
            return range(self.height)
        return range(self.zone_width, self.height - self.zone_width)

    def home_rows(self, teams: int) -> range:
        """The first rows a drawn home can have: all of it in the middle three fifths (2.4, 8.1)."""
        rows = self.zone_rows(teams)
        count = len(rows)
        return range(rows.start - (-count // 5), rows.start + 4 * count // 5 - self.home_height + 1)

    def why_not_for(self, teams: int) -> str | None:
        """Return why so many teams cannot play with these numbers, None if they can (8.1, 8.2)."""
        if teams == 2:
            return f"{self._groups_text}: pairs need four teams" if self.groups else None
        if self.width != self.height:
            return (
                f"{teams} teams need a square grid, and it has width = {self.width} and "
                f"height = {self.height}"
            )
        rows = self.zone_rows(teams)
        if not rows:
            return (
                f"zone_width = {self.zone_width}: between two corners of this size no room is "
                f"left at an edge of {self.width} cells"
            )
        where = f"the zone of each team, rows {rows.start} to {rows.stop - 1} of its frame"
        if self.home_row_drawn:
            if not self.home_rows(teams):
                return (
                    f"home_height = {self.home_height} does not fit into the middle three fifths "
                    f"of {where}"
                )
        elif self.home_v < rows.start or self.home_v + self.home_height > rows.stop:
            return f"home_v = {self.home_v}: the home is not in {where}"
        return None
