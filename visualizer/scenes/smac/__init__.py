"""The scene of SMAC: a dish of cells with round stacks, and the shares of production."""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from engine.game import Stage
from engine.games.smac import events as ev
from engine.games.smac.orders import Order
from engine.games.smac.rules import LAST_TURN, PRODUCTION, SOLE_SURVIVOR
from engine.games.smac.settings import MILLI, Characteristics, Settings
from engine.games.smac.state import Dish
from visualizer.scene import (
    MARK_NAMES,
    EndWords,
    Extent,
    Grid,
    KeyEntry,
    Label,
    Mark,
    Panel,
    Scene,
    Thing,
    Tile,
    coordinate_label,
)
from visualizer.scenes.smac import cells, narration, shares, terrain_key, themes
from visualizer.theme import TEAM_COLORS

MARGIN, EDGE, BELOW = 0.9, 0.15, 2.0
"""The margins: coordinates on the left and at the top, the right edge, and the shares."""
NEW_TURN = "allocation"
"""The stage from which on the effects of the last turn are no longer marked."""


class SmacScene(Scene[Dish]):
    """The scene of SMAC: cells stay, what lies in them comes and goes."""

    kinds: ClassVar = cells.KINDS | shares.KINDS | terrain_key.KINDS
    event_styles: ClassVar = narration.EVENT_STYLES
    dirty_ids_by_type: ClassVar = {
        Stage: lambda scene, event: scene.ids_of_stage(event),
        ev.TerrainLaid: lambda scene, event: scene.in_cells(event.cells),
        ev.Settled: lambda scene, event: scene.in_cells(event.cells),
        ev.Rose: lambda scene, event: [themes.TEAM + event.team, *scene.everywhere(themes.CELL)],
        ev.Placed: lambda scene, event: scene.in_cells(event.cells),
        ev.Grown: lambda scene, event: scene.in_cells(event.cells),
        ev.SpecialUsed: lambda scene, event: [
            *scene.everywhere(themes.CELL),
            *scene.in_cells(event.cells),
        ],
        ev.Cleared: lambda scene, event: scene.in_cells(event.cells),
        ev.Fought: lambda scene, event: scene.in_cells((event.fight.cell,)),
        ev.Claimed: lambda scene, event: scene.in_cells(event.cells),
        ev.Died: lambda scene, event: scene.in_cells(event.cells),
        ev.Reduced: lambda scene, event: scene.in_cells(event.cells),
        ev.Produced: lambda scene, event: scene.of_teams(),
    }
    annotations_by_type: ClassVar = narration.ANNOTATIONS
    mark_names: ClassVar = {**MARK_NAMES, Mark.DEATH: "died: no support"}
    letters: ClassVar = {
        themes.picture_of_terrain(terrain): themes.terrain_signs(terrain)
        for terrain in themes.PLATES
    } | {
        themes.picture_of_stack(team, is_new=is_new): ""
        for team in range(1, len(TEAM_COLORS) + 1)
        for is_new in (False, True)
    }
    plain_letters: ClassVar = {
        themes.picture_of_stack(team, is_new=is_new): letter
        for team, letter in enumerate("ABCDEF", 1)
        for is_new in (False, True)
    }
    score_name = points_name = "production"
    turns_per_s = 0.5

    def __init__(self, settings: Settings, teams: int) -> None:
        super().__init__(settings, teams)
        self._side: int = settings.side_for(teams)
        self._key_height = terrain_key.ROW * terrain_key.rows(self._side)

    @property
    def extent(self) -> Extent:
        return Extent(-MARGIN, -MARGIN, self._side + EDGE, self._side + BELOW + self._key_height)

    @property
    def grids(self) -> tuple[Grid]:
        return (Grid(f"Dish of {self._side} by {self._side} cells", 0, 0, self._side, self._side),)

    def key(self) -> Sequence[KeyEntry]:
        return cells.key()

    def backdrop(self) -> Sequence[Tile | Label]:
        numbers = range(self._side)
        above = [coordinate_label(number + 0.5, -MARGIN / 2, number) for number in numbers]
        beside = [coordinate_label(-MARGIN / 2, number + 0.5, number) for number in numbers]
        return [*above, *beside]

    def ids(self, state: Dish) -> Iterator[int]:
        yield from cells.ids_of_all(state)
        for thing_id in self.of_teams():
            if self.thing(state, thing_id) is not None:
                yield thing_id
        yield from terrain_key.ids()

    def thing(self, state: Dish, thing_id: int) -> Thing | None:
        if thing_id >= themes.KEY:
            return terrain_key.make_key_thing(self._side, BELOW, thing_id)
        if thing_id >= themes.TEAM:
            return shares.make_thing(state, thing_id)
        return cells.thing_in(state, thing_id)

    def panel(self, state: Dish, team: int) -> Panel:
        of_team, layer = state.team(team), state.layer(team)
        special = of_team.selection.special if of_team.selection else None
        return (
            ("share", f"{100 * shares.production_share(state, team):.0f} %"),
            ("cells", len(layer) - layer.count(0)),
            *([("bank", of_team.bank // (MILLI // 10) / 10)] if of_team.bank is not None else []),
            *_used_levels(state, of_team.levels),
            *([("special", str(special))] if special else []),
        )

    def team_of(self, thing_id: int, thing: Thing | None) -> int | None:
        if themes.TEAM <= thing_id < themes.SHARE:
            return thing_id - themes.TEAM
        return super().team_of(thing_id, thing)

    def explain_end(self, state: Dish, reason: str, winners: Sequence[int]) -> EndWords:
        of_all = [shares.production_share(state, team) for team in self.in_order(winners)]
        winning, why = state.settings.threshold_pct(state.turn), reason
        if reason == PRODUCTION:
            share = f"it makes {100 * of_all[0]:.0f} % of all production"
            why = f"{share} in turn {state.turn}, and {winning} % are enough"
        elif reason == LAST_TURN:
            why = f"{'most' if winners else 'equal'} production after the last turn, {state.turn}"
        elif reason == SOLE_SURVIVOR:
            why = f"nobody else has a stack left in turn {state.turn}"
        layers = (state.layer(team) for team in range(1, self.teams + 1))
        cells = [len(layer) - layer.count(0) for layer in layers]
        return EndWords(why, (self.compare(cells, "cells", winners),))

    def threshold(self, state: Dish) -> float | None:
        return shares.threshold(state)

    def order_text(self, order: Order) -> str:
        return narration.order_text(order)

    def in_cells(self, dirty_ids: Collection[int]) -> Collection[int]:
        """Return the ids of all that may be in these cells."""
        return [thing_id for cell in dirty_ids for thing_id in cells.ids_in(cell, self.teams)]

    def of_teams(self) -> Collection[int]:
        return shares.ids(self.teams)

    def ids_of_stage(self, event: Stage) -> Collection[int]:
        """Return the things that lose the marks of the last turn: new cells and red borders."""
        if event.name != NEW_TURN:
            return ()
        layers = themes.CELL, themes.INNER, themes.TERRAIN, themes.STACK
        return [*self.everywhere(*layers), *self.of_teams()]

    def everywhere(self, *layers: int) -> Collection[int]:
        """Return the ids of these layers in every cell."""
        size = self._side * self._side
        return [thing_id for layer in layers for thing_id in range(layer, layer + size)]


def _used_levels(state: Dish, levels: Characteristics) -> Iterator[tuple[str, int]]:
    """Yield the levels that some team has: the same lines in all panels."""
    highest = (max(of_all) for of_all in zip(*(each.levels for each in state.teams), strict=True))
    for name, level, most in zip(levels._fields, levels, highest, strict=True):
        if most:
            yield name, level


SCENE = SmacScene
