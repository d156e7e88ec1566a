"""Bids as things to draw: a square for each team, with its score."""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from visualizer.scene import Annotation, EventStyle, Extent, Kind, Label, Panel, Scene, Thing, Tile
from visualizer.theme import GROUND, TEXT


class BidsScene(Scene[Any]):
    """Teams beside each other, from the left."""

    kinds: ClassVar = {"team": Kind("score of team", ("team",)), "place": Kind("place")}
    event_styles: ClassVar = {"bid": EventStyle("scored", timeline="bids")}

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, self.teams, 1)

    def backdrop(self) -> Sequence[Tile | Label]:
        return [Tile("place", x, 0, 1, 1, GROUND[x % 2]) for x in range(self.teams)]

    def ids(self, state: Any) -> Collection[int]:
        return range(1, self.teams + 1)

    def thing(self, state: Any, thing_id: int) -> Thing | None:
        score = f"{state.scores[thing_id - 1]:g}"
        return Label("team", thing_id - 0.5, 0.5, 0.5, score, TEXT, (thing_id,))

    def dirty_ids(self, event: Any) -> Collection[int]:
        return (event.team,) if hasattr(event, "team") else ()

    def annotations(self, state: Any, event: Any) -> Sequence[Annotation]:
        return (Annotation("bid", event.team),) if hasattr(event, "team") else ()

    def panel(self, state: Any, team: int) -> Panel:
        return (("bids", state.turn),)


SCENE = BidsScene
