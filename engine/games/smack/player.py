"""What a bot author subclasses, and what the bot sees."""

from typing import Any

import msgspec

from engine.bots.limits import Limits
from engine.games.smack.position import START, Move, Position, Side
from engine.games.smack.rules import side_of
from engine.games.smack.state import Boards, Half

__all__ = ["START", "BasePlayer", "Board", "Move", "Position", "Side", "and_end"]


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two boards, when it is our move there."""

    number: int
    """1 or 2; team 1 plays nerds on board 1."""
    position: Position
    side: Side
    """What we play here."""
    ply: int
    quiet: int
    """Plies since the last capture."""
    points: tuple[int, int]
    """Ours and theirs, on this board."""
    wants_end: bool
    """Whether the opponent's last move offered to end the half."""
    seen: dict[str, int]
    """How often each position came up since the last capture, by its text."""


class BasePlayer:
    """Plays nerds on one board and bullies on the other, in turns.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`.
    """

    limits: Limits
    """What it may use: `self.limits.cpu_ms` for one move, and so on."""

    def __init__(self, team: int) -> None:
        """An `__init__` of your own passes it on: `super().__init__(team)`."""
        self.team = team

    def decide(self, board: Board) -> "Move | str | dict[str, Any]":
        """The move on this board: one of `board.position.moves()`, or text such as `F1-G2`.

        `and_end(move)` plays it and offers to end the half.
        """
        raise NotImplementedError("a Player needs a method decide(self, board)")


def and_end(move: Move | str) -> dict[str, Any]:
    """A move, with the offer to end the half: it ends when both sides offer in turn."""
    return {"move": str(move), "end": True}


class SmackHost:
    """The worker's end: shows the board that is asked about, and calls the player."""

    def __init__(self, player: type[BasePlayer], boards: Boards, team: int, limits: Limits) -> None:
        self._boards = boards
        player.limits = limits
        self._team = team
        self._player = player(team)

    def decide(self, about: int, view: None) -> Any:
        answer = self._player.decide(self._board(self._boards.halves[about - 1]))
        return str(answer) if isinstance(answer, Move) else answer

    def place(self, about: int) -> str:
        return f"turn {self._boards.turn}, board {about}"

    def _board(self, half: Half) -> Board:
        mine, theirs = half.points if self._team == 1 else half.points[::-1]
        return Board(
            number=half.number,
            position=half.position,
            side=side_of(half, self._team),
            ply=half.ply,
            quiet=half.quiet,
            points=(mine, theirs),
            wants_end=half.wants_end,
            seen=half.seen,
        )
