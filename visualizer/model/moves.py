"""The moves of a board game, listed by board."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from visualizer.model.cursor import Cursor
from visualizer.model.timeline import ReplayTimeline


class Move(NamedTuple):
    """A move, and the position after its step."""

    words: str
    position: int


class MoveList:
    """The moves on each board, as far as the match is known."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._timeline = timeline
        self._cursor = Cursor(timeline)
        self._lefts = [part.left for part in timeline.scene.parts]
        self.boards: list[list[Move]] = [[] for _ in self._lefts if timeline.scene.moves]
        """The moves by board; empty for a game without boards."""

    def read_on(self) -> None:
        """Add the moves that the timeline has read since the last call."""
        cursor, moves = self._cursor, self._timeline.scene.moves
        if not self.boards:
            return
        for step in cursor.annotated_steps(self._timeline.steps):
            for annotation in step.annotations:
                one = cursor.things.get(annotation.one) or step.before.get(annotation.one)
                if one is not None and annotation.event_style in moves:
                    board = self.boards[bisect_right(self._lefts, one.x) - 1]
                    board.append(Move(annotation.words, cursor.position))

    def last(self, board: int, position: int) -> int | None:
        """Return the number of a board's last move up to a position; None before the first."""
        count = bisect_left(self.boards[board], position + 1, key=lambda move: move.position)
        return count - 1 if count else None
