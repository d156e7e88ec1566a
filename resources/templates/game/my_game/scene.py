"""How it looks: rows of stones."""

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

from my_game.game import Heap, Laid, Passed, Took

ROW = 12


class MyGameScene(Scene[Heap]):
    kinds: ClassVar = {"stone": Kind("stone"), "ground": Kind("ground")}
    event_styles: ClassVar = {
        # What weighs most in a turn is its caption.
        "took": EventStyle("{words}", None, "moves", weight=1, tells="{words}"),
        "passed": EventStyle("{words}", Mark.FAULT, "passes", weight=2, tells="{words}"),
    }

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, ROW, 1 + (self.settings.stones + 2) // ROW)

    def backdrop(self) -> Sequence[Tile | Label]:
        width, height = self.extent.right, self.extent.bottom
        return [Tile("ground", 0, 0, width, height, GROUND[0])]

    def order_squares(self, state: Heap, ask: Ask, order: int) -> list[list[Square]]:
        """Return the first of the stones that are taken."""
        row, column = divmod(state.stones - order, ROW)
        return [[(column, row)]]

    def ids(self, state: Heap) -> Iterable[int]:
        return range(1, state.stones + 1)

    def thing(self, state: Heap, thing_id: int) -> Tile | None:
        if thing_id > state.stones:
            return None
        row, column = divmod(thing_id - 1, ROW)
        return Tile("stone", column + 0.2, row + 0.2, 0.6, 0.6, "#8b95a1", "#4b5560")

    def dirty_ids(self, event: Any) -> Collection[int]:
        if isinstance(event, Laid):
            return range(1, event.stones + 1)
        if isinstance(event, Took):
            return range(event.left + 1, event.left + self.settings.most + 1)
        return ()

    def annotations(self, state: Heap, event: Any) -> Sequence[Annotation]:
        if isinstance(event, Took):
            text = f"team {event.team} takes {state.stones - event.left}"
            return [Annotation("took", event.left + 1, words=text)]
        if isinstance(event, Passed):
            return [Annotation("passed", state.stones, words=f"team {event.team} takes none")]
        return ()

    def panel(self, state: Heap, team: int) -> Panel:
        return (("stones left", state.stones),)
