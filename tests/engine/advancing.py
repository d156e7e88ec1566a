"""Rules that are played without the loop of a match."""

from collections.abc import Iterable
from typing import Any

from engine.game import Event


def advance(state: Any, events: Iterable[Event]) -> list[Any]:
    """Apply each event before the rule resumes, as a match does, and return them."""
    received = []
    for event in events:
        state.apply(event)
        received.append(event)
    return received
