"""The starter bots of each game in the order of their strength: the rungs of an author's climb."""

from collections.abc import Sequence

from engine.settings import read_toml
from runners.configuration import HOME

ORDERS = HOME / "resources" / "starter_bots.toml"


def starter_bots(game: str) -> tuple[str, ...]:
    """Return the names of the starter bots of a game, the weakest first; none of a new game."""
    order = read_toml(ORDERS).get(game, ())
    return tuple(map(str, order))


def next_opponent(order: Sequence[str], beaten: str, own: str) -> str | None:
    """Return the next stronger bot than the one that was beaten; None for the strongest.

    `own` is the bot that has beaten it: nobody is asked to play itself.
    """
    stronger = [name for name in order[order.index(beaten) + 1 :] if name != own]
    return stronger[0] if stronger else None
