"""What a bot author subclasses, and what the bot sees."""

from abc import abstractmethod

from engine.bot_output_api import NOBODY_RECORDS, Draw, Log
from engine.game import Event, Game
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pieces import Plant, Rock, Slime
from engine.games.slime_mind.settings import LEVELS, Level, Settings
from engine.games.slime_mind.state import Board
from engine.limits import Limits

__all__ = ["LEVELS", "BasePlayer", "BoardView", "Level", "Plant", "Rock", "Settings", "Slime"]

Sight = BoardView  # as bots written before 1.0.0 call it


class BasePlayer:
    """A player of one team in one match; it may keep whatever it likes in `self`.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`.
    """

    limits: Limits
    """Resource limits: `self.limits.cpu_ms` is the CPU time for one command, and so on."""
    draw: Draw = NOBODY_RECORDS.draw
    """Draws on the board for those who watch: `self.draw.line(1, 2, 5, 2, key="plan")`."""
    log: Log = NOBODY_RECORDS.log
    """Logs lines for those who watch: `self.log.info("hungry")`."""

    def __init__(self, board: BoardView, team: int) -> None:
        """Keep both; your own `__init__` calls `super().__init__(board, team)`."""
        self.board = board
        """The board, always up to date."""
        self.team = team
        """Your team: 1 or 2."""

    @abstractmethod
    def decide(self, slime: Slime) -> str:
        """Return the command for `slime`. Called once per round of each of your slimes.

        No command means "do nothing", but one that cannot be carried out has no effect and is not
        a fault (rules 6); docs/api/slime_mind.md shows one that always works.
        """
        raise NotImplementedError("a Player needs a method decide(self, slime)")


class SlimeHost:
    """The worker's side of the game: looks up the slime that is asked about, calls the player."""

    def __init__(
        self,
        player: type[BasePlayer],
        board: Board,
        team: int,
        limits: Limits,
        game: Game[Board, Event, Command] | None = None,
    ) -> None:
        self._board = board
        player.limits = limits
        self._player = player(BoardView(board, team, game), team)

    def decide(self, piece_id: int, view: None) -> object:
        return self._player.decide(self._board.slimes[piece_id])

    def place(self, piece_id: int) -> str:
        return f"turn {self._board.turn}, slime {piece_id}"
