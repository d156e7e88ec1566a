"""Whose code is shown to whom after a match (rules 7.4), and what others see of it."""

from collections.abc import Container
from typing import Any

from msgspec.structs import replace

from engine.game import DesignPart, Event
from engine.games.game_of_death.events import Deployed
from engine.games.game_of_death.orders import Design
from engine.games.game_of_death.state import Battle
from engine.support.source_hash import source_hash


def readable_parts(battle: Battle, team: int) -> frozenset[DesignPart]:
    """Return the types whose code a team may read: its own, and those disclosed to it."""
    own = {(team, number) for number in range(len(battle.types[team - 1]))}
    disclosed = {
        (enemy, number)
        for enemy in battle.enemies_of(team)
        for number in battle.disclosed[battle.pair(team, enemy)]
    }
    return frozenset(own | disclosed)


def public_event(event: Event, readable: Container[DesignPart]) -> Event:
    """Return an event with hashes in place of the code of all other types."""
    if type(event) is not Deployed:
        return event
    return replace(event, types=_hidden(event.types, event.team, readable))


def public_order(order: Any, team: int, readable: Container[DesignPart]) -> Any:
    """Return the same of an order of a team."""
    if type(order) is not Design:
        return order
    return replace(order, types=_hidden(order.types, team, readable))


def _hidden(types: tuple[Any, ...], team: int, readable: Container[DesignPart]) -> tuple[Any, ...]:
    return tuple(
        one if (team, number) in readable else replace(one, code=source_hash(one.code))
        for number, one in enumerate(types)
    )
