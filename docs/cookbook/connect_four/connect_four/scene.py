"""How Connect Four looks: discs are squares, and those of the line have a border."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar

from slime_mind_arena.engine.game import Ask
from slime_mind_arena.visualizer.scene import (
    Annotation,
    EventStyle,
    Extent,
    Kind,
    Label,
    Mark,
    Panel,
    Scene,
    Square,
    Tile,
)
from slime_mind_arena.visualizer.theme import GROUND

from connect_four.game import Dropped, GaveUp, Grid, Won

GAP = 0.1


class ConnectFourScene(Scene[Grid]):
    kinds: ClassVar = {"disc": Kind("disc", ("team",)), "ground": Kind("ground")}
    event_styles: ClassVar = {
        "dropped": EventStyle("{words}", None, "moves", weight=1, tells="{words}"),
        "gave up": EventStyle("{words}", Mark.FAULT, "faults", weight=80, tells="{words}"),
        "won": EventStyle("{words}", None, "lines", weight=90, tells="{words}"),
    }

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, self.settings.columns, self.settings.rows)

    def backdrop(self) -> Sequence[Tile | Label]:
        return [
            Tile("ground", x, y, 1, 1, GROUND[(x + y) % 2])
            for x in range(self.settings.columns)
            for y in range(self.settings.rows)
        ]

    def order_squares(self, state: Grid, ask: Ask, order: int) -> list[list[Square]]:
        """Return the column: first the square to which the disc falls."""
        lowest = self.settings.rows - 1 - len(state.columns[order])
        rows = sorted(range(self.settings.rows), key=lambda row: row != lowest)
        return [[(order, row) for row in rows]]

    def disc_id(self, column: int, row: int) -> int:
        return 1 + row * self.settings.columns + column

    def ids(self, state: Grid) -> Iterable[int]:
        for column, discs in enumerate(state.columns):
            for row in range(len(discs)):
                yield self.disc_id(column, row)

    def thing(self, state: Grid, thing_id: int) -> Tile | None:
        row, column = divmod(thing_id - 1, self.settings.columns)
        team = state.team_at(column, row)
        if team == 0:
            return None
        border = "#ffffff" if (column, row) in state.line else ""
        x, y, size = column + GAP, self.settings.rows - 1 - row + GAP, 1 - 2 * GAP
        return Tile("disc", x, y, size, size, self.team_color(team), border, (team,))

    def dirty_ids(self, event: Any) -> Collection[int]:
        match event:
            case Dropped(_, column, row):
                return (self.disc_id(column, row),)
            case Won(_, squares):
                return [self.disc_id(column, row) for column, row in squares]
        return ()

    def annotations(self, state: Grid, event: Any) -> Sequence[Annotation]:
        match event:
            case Dropped(team, column, row):
                place, text = self.disc_id(column, row), f"column {column}"
                return [Annotation("dropped", place, words=f"team {team}: {text}")]
            case Won(team, squares):
                place = self.disc_id(*squares[0])
                return [Annotation("won", place, words=f"team {team}: four in a line")]
            case GaveUp(team):
                return [Annotation("gave up", None, words=f"team {team} gives up")]
        return ()

    def panel(self, state: Grid, team: int) -> Panel:
        return (("discs", sum(discs.count(team) for discs in state.columns)),)
