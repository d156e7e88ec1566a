"""What a bot author subclasses, and what the bot sees."""

from typing import Any

from engine.bots.limits import Limits
from engine.games.slime_mind.pieces import Plant, Rock, Slime
from engine.games.slime_mind.settings import LEVELS, Level, Settings
from engine.games.slime_mind.sight import Sight
from engine.games.slime_mind.state import Board

__all__ = ["LEVELS", "BasePlayer", "Level", "Plant", "Rock", "Settings", "Sight", "Slime"]


class BasePlayer:
    """Decides for one team in one match; may keep whatever it likes in `self`.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`.
    """

    limits: Limits
    """What it may use: `self.limits.cpu_ms` for one order, and so on."""

    def __init__(self, board: Sight, team: int) -> None:
        """An `__init__` of your own passes both on: `super().__init__(board, team)`."""
        self.board = board
        self.team = team

    def decide(self, slime: Slime) -> str:
        """The command for `slime`, whose round it is. Called once per round of each own slime.

        There is no command to do nothing, but one that cannot be carried out does nothing and is
        no fault (rules 6); docs/writing_a_bot.md says how to have one always at hand.
        """
        raise NotImplementedError("a Player needs a method decide(self, slime)")


class SlimeHost:
    """The worker's end: looks up the slime that is asked about and calls the player."""

    def __init__(self, player: type[BasePlayer], board: Board, team: int, limits: Limits) -> None:
        self._board = board
        player.limits = limits
        self._player = player(Sight(board, team), team)

    def decide(self, about: int, view: None) -> Any:
        return self._player.decide(self._board.slimes[about])

    def place(self, about: int) -> str:
        return f"turn {self._board.turn}, slime {about}"
