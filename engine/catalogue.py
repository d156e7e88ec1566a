"""Every game by name: the one place outside a game's folder that knows it."""

from typing import Any

from engine.errors import UnknownGame
from engine.game import Game
from engine.games.game_of_death.game import GameOfDeath
from engine.games.slime_mind.game import SlimeMind
from engine.games.smac.game import Smac
from engine.games.smack.game import Smack

GAMES: dict[str, Game[Any, Any, Any]] = {
    game.name: game for game in (SlimeMind(), Smack(), Smac(), GameOfDeath())
}

DEFAULT_GAME = SlimeMind.name
"""What is played where none is named."""


def game_named(name: str) -> Game[Any, Any, Any]:
    """Raises: UnknownGame, listing the games there are."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"no game is called '{name}'; there are: {', '.join(GAMES)}") from None
