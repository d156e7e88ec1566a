"""What the engine's rules lead to, to compare it with what a simulator says."""

from collections.abc import Iterable
from typing import Any

from engine.game import Event


def apply_events(state: Any, events: Iterable[Event]) -> list[Event]:
    """Apply events to a state as they come; return them."""
    happened = []
    for event in events:
        state.apply(event)
        happened.append(event)
    return happened
