"""The scene of Slime Mind."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar

from engine.game import Event
from engine.games.slime_mind import events as ev
from engine.games.slime_mind.pieces import Piece, Plant, Slime
from engine.games.slime_mind.rules import ELIMINATION, LAST_TURN
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from visualizer.scene import (
    MARK_NAMES,
    Annotation,
    Effect,
    EndWords,
    EventStyle,
    Extent,
    Grid,
    KeyEntry,
    Kind,
    Label,
    Mark,
    Motion,
    Panel,
    Scene,
    Sprite,
    Tile,
    coordinate_label,
)
from visualizer.theme import GROUND

MARGIN = 0.9
"""Room for coordinates on the left and at the top, squares."""
EDGE = 0.1
MIN_SLIME_SIZE, MIN_PLANT_SIZE, MAX_PIECE_SIZE = 0.55, 0.35, 0.98
READY = "M"


class SlimeMindScene(Scene[Board]):
    """The scene of Slime Mind: every piece is a sprite that grows with its level."""

    kinds: ClassVar = {
        "slime": Kind("slime", ("team", "level", "xp", "attack", "ready to merge"), has_base=True),
        "plant": Kind("plant", ("level",)),
        "rock": Kind("rock"),
    }
    letters: ClassVar = {
        "slime_1": "●",
        "slime_2": "◆",
        "king_1": "♚",
        "king_2": "♛",
        "plant": "♣",
        "plant_max": "✿",
        "rock": "▲",
    }
    event_styles: ClassVar = {
        "seeded": EventStyle("spread a seed: {other}", Mark.BIRTH),
        "grown": EventStyle("grew to level {level}"),
        "levelled": EventStyle(
            "reached level {level}", Mark.RISE, "", 2, "a slime of {team} reaches level {level}",
            "{n} slimes of {team} rise, one to level {level}", "level",
        ),
        "moved": EventStyle("moved to {place}"),
        "bit": EventStyle("bit {other} ({other_bar} hp remaining)", Mark.STRIKE),
        "killed": EventStyle(
            "killed {other}", Mark.STRIKE, "kills", 40,
            "{team} kills a level-{other_level} slime of {other_team}",
            "{team} kills {n} slimes of {other_team}, one of level {other_level}", "other_level",
            sign=Mark.DEATH,
        ),
        "ate": EventStyle("ate {other}", Mark.STRIKE),
        "died": EventStyle("was killed by {other}", Mark.DEATH),
        "split": EventStyle(
            "split off {other}, {xp} xp remaining", Mark.BIRTH, "splits", 8,
            "a slime of {team} splits", "{n} slimes of {team} split",
        ),
        "ready": EventStyle("is ready to merge"),
        "merged": EventStyle(
            "merged with {other}: {xp} xp", Mark.JOIN, "merges", 10,
            "{team} merges two slimes into one of level {level}",
            "{team} merges {n} pairs, one into level {level}", "level",
        ),
        "nothing": EventStyle("had no effect: {words}", Mark.BLOCKED, weight=-1),
        "lost": EventStyle(
            "forfeited its activation: {words}", Mark.FAULT, "faults", 7,
            "{team} forfeits an order: {words}", "{team} forfeits {n} orders: {words}",
        ),
    }  # fmt: skip
    dirty_ids_by_type: ClassVar = {
        ev.RockPlaced: lambda scene, event: (event.rock.id,),
        ev.PlantPlaced: lambda scene, event: (event.plant.id,),
        ev.SlimePlaced: lambda scene, event: (event.slime.id,),
        ev.Grown: lambda scene, event: (event.plant,),
        ev.ReadyEnded: lambda scene, event: (event.slime,),
        ev.Levelled: lambda scene, event: (event.slime,),
        ev.Moved: lambda scene, event: (event.slime,),
        ev.Bitten: lambda scene, event: (event.slime, event.target),
        ev.Split: lambda scene, event: (event.slime, event.child.id),
        ev.Readied: lambda scene, event: (event.slime,),
        ev.Merged: lambda scene, event: (event.slime, event.absorbed),
        ev.Died: lambda scene, event: (event.piece,),
    }
    annotations_by_type: ClassVar = {
        ev.PlantPlaced: lambda state, event: (
            (Annotation("seeded", event.parent, event.plant.id),) if event.parent else ()
        ),
        ev.Grown: lambda state, event: (Annotation("grown", event.plant),),
        ev.Levelled: lambda state, event: (Annotation("levelled", event.slime),),
        ev.Moved: lambda state, event: (Annotation("moved", event.slime),),
        ev.Bitten: lambda state, event: (  # the death that follows says a fatal one
            (Annotation("bit", event.slime, event.target),) if event.target_hp else ()
        ),
        ev.Split: lambda state, event: (Annotation("split", event.slime, event.child.id),),
        ev.Readied: lambda state, event: (Annotation("ready", event.slime),),
        ev.Merged: lambda state, event: (Annotation("merged", event.slime, event.absorbed),),
        ev.Nothing: lambda state, event: (
            Annotation("nothing", event.slime, 0, event.reason.value),
        ),
        ev.RoundLost: lambda state, event: (Annotation("lost", event.slime, 0, event.reason),),
        ev.Died: lambda state, event: (
            Annotation("ate" if event.piece in state.plants else "killed", event.by, event.piece),
            Annotation("died", event.piece, event.by),
        ),
    }
    forfeited_name = "forfeited activations"
    mark_names: ClassVar = {**MARK_NAMES, Mark.RISE: "levels up"}

    def __init__(self, settings: Settings, teams: int) -> None:
        super().__init__(settings, teams)
        self.rows_up = settings.rows if settings.y_up else 0

    @property
    def extent(self) -> Extent:
        size = self.settings
        return Extent(-MARGIN, -MARGIN, size.columns + EDGE, size.rows + EDGE)

    @property
    def grids(self) -> tuple[Grid]:
        """Return the map; its squares have the names of the rules, whichever way y counts."""
        columns, rows = self.settings.columns, self.settings.rows
        names = [
            f"{x}, {self._row(y)}" for y in range(rows) for x in range(columns) if self.rows_up
        ]
        return (Grid(f"Map of {columns} by {rows} squares", 0, 0, columns, rows, names),)

    def key(self) -> Sequence[KeyEntry]:
        of_team = partial(Sprite, "slime", 0.5, 0.5, 0.86, "slime_1:1")
        facts = (1, 3, 0, 0, False)
        return (
            KeyEntry((of_team(facts=facts),), "slime and its level"),
            KeyEntry((of_team(badge=READY, facts=facts),), "ready to merge"),
            KeyEntry((Sprite("plant", 0.5, 0.5, 0.5, "plant"),), "plant: it grows"),
            KeyEntry((Sprite("plant", 0.5, 0.5, MAX_PIECE_SIZE, "plant_max"),), "full-grown plant"),
            KeyEntry((Sprite("plant", 0.5, 0.5, 0.7, "plant", (1, 2)),), "hp left, unless all"),
            KeyEntry((Sprite("rock", 0.5, 0.5, MAX_PIECE_SIZE, "rock"),), "rock"),
        )

    def place_of(self, x: float, y: float, piece_id: int) -> tuple[float, float]:
        return x + 0.5, (self.rows_up - 1 - y if self.rows_up else y) + 0.5

    def backdrop(self) -> Sequence[Tile | Label]:
        columns, rows = self.settings.columns, self.settings.rows
        tiles = [
            Tile("ground", x, y, 1, 1, GROUND[(x + y) % 2])
            for y in range(rows)
            for x in range(columns)
        ]
        above = [coordinate_label(x + 0.5, -MARGIN / 2, x) for x in range(columns)]
        beside = [coordinate_label(-MARGIN / 2, self._row(y) + 0.5, y) for y in range(rows)]
        return [*tiles, *above, *beside]

    def ids(self, state: Board) -> Iterator[int]:
        yield from state.rocks
        yield from state.plants
        yield from state.slimes

    def thing(self, state: Board, thing_id: int) -> Sprite | None:
        piece: Piece | None = state.slimes.get(thing_id)
        if isinstance(piece, Slime):
            return self._slime_sprite(piece)
        piece = state.plants.get(thing_id)
        if isinstance(piece, Plant):
            return self._plant_sprite(piece)
        piece = state.rocks.get(thing_id)
        if piece is None:
            return None
        return Sprite("rock", piece.x + 0.5, self._row(piece.y) + 0.5, MAX_PIECE_SIZE, "rock")

    def motions(self, state: Board, event: Event) -> Sequence[Motion]:
        match event:
            case ev.PlantPlaced(plant, parent) if parent:
                return (Motion(Effect.COME, plant.id, parent),)
            case ev.Bitten(slime, target, target_hp):
                bitten = state.slimes.get(target) or state.plants[target]
                loss = bitten.current_hp - target_hp
                rises = Motion(Effect.RISE, target, 0, f"-{loss}")
                return Motion(Effect.LUNGE, slime, target), rises
            case ev.Split(slime=slime, child=child):
                return (Motion(Effect.COME, child.id, slime),)
            case ev.Merged(slime, absorbed):
                return (Motion(Effect.JOIN, absorbed, slime),)
        return ()

    def panel(self, state: Board, team: int) -> Panel:
        levels = Counter(slime.level for slime in state.slimes.values() if slime.team == team)
        counts = tuple(levels[level] for level in range(1, self.settings.slime_max_level + 1))
        return (("slimes", levels.total()), ("slimes by level", counts))

    def explain_end(self, state: Board, reason: str, winners: Sequence[int]) -> EndWords:
        owners = Counter(slime.team for slime in state.slimes.values())
        why = reason
        if reason == ELIMINATION:
            gone = [name for team, name in enumerate(self.names, 1) if not owners[team]]
            why = f"the last slime of {' and '.join(gone)} fell in turn {state.turn}"
        elif reason == LAST_TURN:
            why = f"{'most' if winners else 'equal'} points after the last turn, {state.turn}"
        counts = [owners[team] for team in range(1, self.teams + 1)]
        return EndWords(why, (self.compare(counts, "slimes", winners),))

    def _slime_sprite(self, slime: Slime) -> Sprite:
        look = "king" if slime.level >= self.settings.king_level else "slime"
        return Sprite(
            "slime",
            slime.x + 0.5,
            self._row(slime.y) + 0.5,
            _size_by_level(MIN_SLIME_SIZE, slime.level, slime.max_level),
            f"{look}_{slime.team}:{slime.level}",
            (slime.current_hp, slime.max_hp),
            READY if slime.ready_to_merge else "",
            (slime.team, slime.level, slime.xp, slime.attack, slime.ready_to_merge),
        )

    def _plant_sprite(self, plant: Plant) -> Sprite:
        return Sprite(
            "plant",
            plant.x + 0.5,
            self._row(plant.y) + 0.5,
            _size_by_level(MIN_PLANT_SIZE, plant.level, plant.max_level),
            "plant_max" if plant.level >= plant.max_level else "plant",
            (plant.current_hp, plant.max_hp),
            "",
            (plant.level,),
        )

    def _row(self, y: int) -> int:
        """Return the row of the picture, from the top (rules 2.2)."""
        return self.rows_up - 1 - y if self.rows_up else y


@lru_cache
def _size_by_level(smallest: float, level: int, max_level: int) -> float:
    grown = (level - 1) / (max_level - 1) if max_level > 1 else 1.0
    return round(smallest + (MAX_PIECE_SIZE - smallest) * grown, 2)


SCENE = SlimeMindScene
