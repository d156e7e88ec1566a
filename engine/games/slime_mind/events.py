"""What can happen in Slime Mind. Every event carries results, so applying it needs no rules."""

from enum import StrEnum

from engine.game import Event
from engine.games.slime_mind.pieces import Plant, Rock, Slime


class Reason(StrEnum):
    """Why a legal order had no effect."""

    EDGE = "edge of the map"
    OCCUPIED = "square is occupied"
    NO_TARGET = "nothing to bite"
    LOW_LEVEL = "level too low to split"
    NO_ROOM = "no empty square around"


class RockPlaced(Event, tag="rock", frozen=True):
    rock: Rock


class PlantPlaced(Event, tag="plant", frozen=True):
    """A plant appeared: at the start (`parent` 0), or from the seed of the plant `parent`."""

    plant: Plant
    parent: int = 0


class SlimePlaced(Event, tag="slime", frozen=True):
    slime: Slime


class Grown(Event, tag="grown", frozen=True):
    """A plant rose a level (rules 4.2a)."""

    plant: int
    level: int
    max_hp: int
    hp: int


class Queued(Event, tag="queued", frozen=True):
    """The order in which the slimes act this turn (rules 4.3)."""

    slimes: tuple[int, ...]


class ReadyEnded(Event, tag="calm", frozen=True):
    """A slime is no longer ready to merge (rules 5.1)."""

    slime: int


class Levelled(Event, tag="level", frozen=True):
    """A slime's level was set from its xp, up or down (rules 5.2)."""

    slime: int
    level: int
    attack: int
    max_hp: int
    hp: int


class Moved(Event, tag="moved", frozen=True):
    slime: int
    x: int
    y: int


class Bitten(Event, tag="bit", frozen=True):
    """`slime` bit the plant or slime `target`; the numbers are those afterwards (rules 6.2)."""

    slime: int
    target: int
    target_hp: int
    hp: int
    xp: int


class Split(Event, tag="split", frozen=True):
    """`slime` keeps `xp`; `child` appears beside it (rules 6.3)."""

    slime: int
    xp: int
    child: Slime


class Readied(Event, tag="ready", frozen=True):
    """A slime said MERGE (rules 6.4)."""

    slime: int


class Merged(Event, tag="merged", frozen=True):
    """`slime` absorbed another one; the numbers are those afterwards (rules 6.4)."""

    slime: int
    absorbed: int
    xp: int
    hp: int


class Nothing(Event, tag="nothing", frozen=True):
    """A legal order without effect."""

    slime: int
    reason: Reason


class RoundLost(Event, tag="lost", frozen=True):
    """A slime's round passed without an order; `reason` is the cause of the fault."""

    slime: int
    team: int
    turn: int
    reason: str


class Died(Event, tag="died", frozen=True):
    """A plant or slime at 0 hp left the map; `by` bit it last (rules 5.6)."""

    piece: int
    by: int
