"""Every game by name: the one place outside a game's folder that knows it."""

from collections.abc import MutableMapping

from engine.errors import UnknownGame
from engine.game import AnyGame
from engine.support.lazy_import import LazyMapping
from engine.support.wording import did_you_mean

GAMES: MutableMapping[str, AnyGame] = LazyMapping(
    {
        "slime_mind": "engine.games.slime_mind.game:SlimeMind",
        "smack": "engine.games.smack.game:Smack",
        "smac": "engine.games.smac.game:Smac",
        "game_of_death": "engine.games.game_of_death.game:GameOfDeath",
    },
    made=lambda game: game(),
)
"""Imported when they are first used: a command that names games need not wait for their rules."""

DEFAULT_GAME = next(iter(GAMES))
"""The game that is played where none is named."""


def find_game(name: str) -> AnyGame:
    """Raises: UnknownGame, listing the games there are."""
    if name not in GAMES:
        raise UnknownGame(
            f"no game is called '{name}'; there are: {', '.join(GAMES)}{did_you_mean(name, GAMES)}"
        )
    return GAMES[name]
