"""Bots that are loaded into the test's own process."""

from pathlib import Path

from engine.bots.loading import find_player_class, load_module


def load_player(entry: Path, name: str, base: type) -> type:
    """Return the class `Player` of a bot. Raises: CannotStart."""
    return find_player_class(load_module(entry, name), entry, name, base)
