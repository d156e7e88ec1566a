"""The source text of types: to whom it is shown after a match (rules 7.4), and what others see."""

import ast
import re
import sys
from collections.abc import Container
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar

from msgspec.structs import replace

from engine.game import DesignPart, Event
from engine.games.game_of_death.events import Deployed
from engine.games.game_of_death.orders import Design, Order, TypeDesign
from engine.games.game_of_death.pieces import ShapeType
from engine.games.game_of_death.state import Battle
from engine.support.interpreter_state import parse_module

HASH_PREFIX = "sha256:"
T = TypeVar("T", ShapeType, TypeDesign)
HASH_PATTERN = re.compile(f"{HASH_PREFIX}[0-9a-f]{{64}}")


def readable_parts(state: Battle, team: int) -> frozenset[DesignPart]:
    """Return the types whose code a team may read: its own, and those disclosed to it."""
    own = {(team, number) for number in range(len(state.types[team - 1]))}
    disclosed = {
        (enemy, number)
        for enemy in state.enemy_teams(team)
        for number in state.disclosed[state.pair_index(team, enemy)]
    }
    return frozenset(own | disclosed)


def public_event(event: Event, readable: Container[DesignPart] = ()) -> Event:
    """Return an event with hashes in place of the code of all other types."""
    if type(event) is not Deployed:
        return event
    return replace(event, types=_hide_code(event.types, event.team, readable))


def public_order(order: Order, team: int, readable: Container[DesignPart] = ()) -> Order:
    """Return the same of an order of a team."""
    if type(order) is not Design:
        return order
    return replace(order, types=_hide_code(order.types, team, readable))


def _hide_code(types: tuple[T, ...], team: int, readable: Container[DesignPart]) -> tuple[T, ...]:
    return tuple(
        one if (team, number) in readable else replace(one, code=source_hash(one.code))
        for number, one in enumerate(types)
    )


def source_hash(source: str) -> str:
    """Return what stands for a source text; '' where there is none, and a hash as it is.

    Whoever has the text can check it: it is the SHA-256 of its UTF-8, in hexadecimal.
    """
    if not source or is_source_hash(source):
        return source
    return f"{HASH_PREFIX}{sha256(source.encode(errors='surrogatepass')).hexdigest()}"


def is_source_hash(text: str) -> bool:
    """Return whether a text only stands for a source."""
    return HASH_PATTERN.fullmatch(text) is not None


def class_source(kind: type, base: type) -> str:
    """Return the source of a class and of its bases below `base`; '' where it is not known."""
    own = [cls for cls in kind.__mro__ if issubclass(cls, base) and cls is not base]
    parts = [_classes_in(cls.__module__).get(cls.__name__, "") for cls in reversed(own)]
    return "\n\n\n".join(part for part in parts if part)


@lru_cache(maxsize=64)
def _classes_in(module: str) -> dict[str, str]:
    """Return the source of the classes at the top of a module, by name."""
    loader = getattr(sys.modules.get(module), "__loader__", None)
    try:
        source = loader.get_source(module)  # type: ignore[union-attr]
        tree = parse_module(source)
    except (AttributeError, ImportError, SyntaxError, TypeError, ValueError):
        return {}
    return {
        node.name: ast.get_source_segment(source, node) or ""
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
