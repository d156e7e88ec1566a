"""What a bot author subclasses, and what the bot sees."""

from abc import abstractmethod

import msgspec

from engine.bot_output_api import NOBODY_RECORDS, Draw, Log
from engine.game import Event, Game
from engine.games.smack.orders import Order
from engine.games.smack.position import START, Move, Position, Side
from engine.games.smack.rules import team_side
from engine.games.smack.squares import SQUARE_OF, column_of, row_of
from engine.games.smack.state import Boards
from engine.limits import Limits
from engine.simulation import Simulator
from engine.support.plain_values import require_whole

__all__ = ["START", "BasePlayer", "Board", "Move", "Position", "Side", "and_end", "at"]

Answer = Move | str | dict[str, object]
"""What `decide` may return: a move, its text, or what `and_end` makes of it."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two boards, where it is our move."""

    number: int
    """1 or 2; team 1 plays nerds on board 1."""
    position: Position
    """The pieces, and whose move it is."""
    side: Side
    """The side that we play here."""
    ply: int
    """Plies played so far."""
    quiet: int
    """Plies since the last capture (rules 6.4)."""
    points: tuple[int, int]
    """Ours and theirs, on this board."""
    wants_end: bool
    """Whether the opponent's last move offered to end the half."""
    seen: dict[str, int]
    """How often each position came up since the last capture, by its text (rules 6.5)."""
    simulate: Simulator[Boards, Event, Order] | None = None
    """`board.simulate()` returns a copy of the match, both boards, that you can play on.

    Its chance is its own; there is none after the opening. None on a board made by hand."""


class BasePlayer:
    """A player of one team: nerds on one board and bullies on the other.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`.
    """

    limits: Limits
    """Resource limits: `self.limits.cpu_ms` is the CPU time for one move, and so on."""
    draw: Draw = NOBODY_RECORDS.draw
    """Draws on the board for those who watch: `self.draw.line(1, 2, 5, 2, key="plan")`."""
    log: Log = NOBODY_RECORDS.log
    """Logs lines for those who watch: `self.log.info("hungry")`."""

    def __init__(self, team: int) -> None:
        """Keep the team's number; your own `__init__` calls `super().__init__(team)`."""
        self.team = team
        """Your team: 1 or 2."""

    @abstractmethod
    def decide(self, board: Board) -> Answer:
        """Return a move: one of `board.position.moves()`, or text such as `F1-G2`.

        `and_end(move)` plays it and offers to end the half.
        """
        raise NotImplementedError("a Player needs a method decide(self, board)")


def and_end(move: Move | str) -> dict[str, object]:
    """Return a move with the offer to end the half, which ends when both sides offer in turn."""
    return {"move": str(move), "end": True}


def at(square: int | str) -> tuple[int, int]:
    """Return where a square is drawn, `"H8"` or `move.target`: `self.draw.mark(*at("H8"))`."""
    number = SQUARE_OF[square] if isinstance(square, str) else require_whole(square, "a square")
    return column_of(number), row_of(number)


class SmackHost:
    """The worker's side of the game: shows the player the board it is asked about."""

    def __init__(
        self,
        player: type[BasePlayer],
        boards: Boards,
        team: int,
        limits: Limits,
        game: Game[Boards, Event, Order] | None = None,
    ) -> None:
        self._boards = boards
        player.limits = limits
        self._team = team
        self._simulate = Simulator(game, boards, team)
        self._player = player(team)

    def decide(self, piece_id: int, view: None) -> object:
        answer = self._player.decide(make_board(self._boards, piece_id, self._team, self._simulate))
        return str(answer) if isinstance(answer, Move) else answer

    def place(self, piece_id: int) -> str:
        return f"turn {self._boards.turn}, board {piece_id}"


def make_board(
    boards: Boards, number: int, team: int, simulate: Simulator[Boards, Event, Order]
) -> Board:
    """Return one of the two boards as a team is shown it."""
    half = boards.halves[number - 1]
    own, opponent = half.points if team == 1 else half.points[::-1]
    return Board(
        number=half.number,
        position=half.position,
        side=team_side(half, team),
        ply=half.ply,
        quiet=half.quiet,
        points=(own, opponent),
        wants_end=half.is_offered_by(3 - team),
        seen=half.seen,
        simulate=simulate,
    )
