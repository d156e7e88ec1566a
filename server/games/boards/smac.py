"""What the page of SMAC is told beside the scene: the turn, what can be chosen, own skipped orders.

What stands on the dish and what happened there comes with the scene.
"""

from collections.abc import Collection, Sequence

import msgspec

from engine.game import Event
from engine.games.smac.events import OrdersLost
from engine.games.smac.orders import ORDERS
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import Characteristic
from engine.games.smac.state import Dish

CHARACTERISTIC_WORDS = {
    Characteristic.ATTACK: "added to each attack in combat",
    Characteristic.DEFENSE: "added to the defense of each stack",
    Characteristic.JUMP: "how far from your stacks you can place",
    Characteristic.PRODUCTIVITY: "10 % more points per level",
    Characteristic.STACKING: "how high your stacks can be",
    Characteristic.PINIT: "placement initiative: whose placement comes first in an empty cell",
    Characteristic.CINIT: "combat initiative: who attacks first",
}
"""What a level is good for (rules 4.1)."""
SPECIAL_WORDS = {
    Special.SHELL: "+2 defense of your stacks in this turn's combats",
    Special.BLIGHT: "halves another team's points this turn",
    Special.ENRICH: "BARE becomes plain, plain becomes SUGAR",
    Special.BLOOM: "easier extra growth within 2 of a cell",
    Special.SPORE: "a stack of 1 in empty cells of 3 x 3",
    Special.NUKE: "removes all stacks in 3 x 3 cells",
}
"""What a special does (rules 8.3)."""


class BoardShown(msgspec.Struct, frozen=True):
    """What the page of a dish says beside it."""

    turn: int
    stage: str
    last_turn: int
    threshold_pct: int | None
    """The share of production that wins this turn; None if none does yet (rules 6.1)."""
    victory_from_turn: int
    skips: tuple[Skip, ...]
    """The viewer's orders of the last turn that were not carried out."""
    lost: str | None
    """Why the viewer gave no orders at all last time; None if it did."""
    ending: str | None
    characteristic_words: dict[Characteristic, str]
    special_words: dict[Special, str]


def view(
    known: Dish, viewer: int | None, teams: Collection[int], observed: Sequence[Sequence[Event]]
) -> BoardShown:
    """Return what a team (None: the public) is told; `known` is the dish as it knows it."""
    return BoardShown(
        turn=known.turn,
        stage=known.stage,
        last_turn=known.settings.last_turn,
        threshold_pct=known.settings.threshold_pct(known.turn),
        victory_from_turn=known.settings.victory_from_turn,
        skips=() if viewer is None else _skips(known, viewer),
        lost=_lost(observed[-1], viewer) if observed else None,
        ending=known.ending.reason if known.ending else None,
        characteristic_words=CHARACTERISTIC_WORDS,
        special_words=SPECIAL_WORDS,
    )


def words(event: Event) -> str | None:
    """Return nothing: the scene tells what happened."""
    return None


def _lost(events: Sequence[Event], team: int | None) -> str | None:
    lost = (e.reason for e in events if isinstance(e, OrdersLost) and e.team == team)
    return next(lost, None)


def _skips(dish: Dish, team: int) -> tuple[Skip, ...]:
    """Return the orders of the last turn that were not carried out, while orders are awaited."""
    skips = dish.team(team).skips
    shown = dish.turn - 1 if dish.stage == ORDERS and dish.turn > 1 else dish.turn
    return skips.skips if skips and skips.turn >= shown else ()
