"""Bots that are loaded into the test's own process."""

from pathlib import Path

from engine.bots.loading import load_module, player_of


def load_player(entry: Path, name: str, base: type) -> type:
    """Return the class `Player` of a bot. Raises: CannotStart."""
    return player_of(load_module(entry, name), entry, name, base)
