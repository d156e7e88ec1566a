"""The title line above a picture, and the result shown over its board."""

from PIL import Image

from engine.game import Outcome
from engine.replay import Replay
from engine.streams import seed_text
from visualizer.backends.pillow.layout import SMALLEST_UNIT, Box
from visualizer.backends.pillow.lettering import Weight, fitted, font, plain, width_of, write
from visualizer.backends.pillow.shapes import paint_rounded
from visualizer.theme import BACKGROUND, QUIET, RESULT_GROUND, TEXT, WINNER

ACROSS = 45
"""The width of the board in units of the result, at least."""

Words = list[tuple[str, str, Weight]]
"""A line of text: words, their color and weight."""


class TitlePainter:
    """The game and the seed at the left, turn and stage at the right."""

    def __init__(self, box: Box, unit: int, replay: Replay) -> None:
        self._box = box
        self._size = 1.05 * unit
        self._left: Words = [
            (replay.game.title, TEXT, Weight.STRONG),
            (f"   seed {seed_text(replay.spec.seed)}", QUIET, Weight.REGULAR),
        ]
        self._shown: tuple[int, int, str] | None = None

    def paint(self, image: Image.Image, turn: int, last_turn: int, stage: str) -> None:
        """Paint it into its box, unless it is there already."""
        if (turn, last_turn, stage) == self._shown:
            return
        self._shown = turn, last_turn, stage
        box = self._box
        image.paste(BACKGROUND, (*box.corner, box.right, box.bottom))
        right: Words = [
            (f"stage: {plain(stage)}     " if stage else "", QUIET, Weight.REGULAR),
            ("turn ", QUIET, Weight.REGULAR),
            (str(turn), TEXT, Weight.STRONG),
            (f" / {last_turn}", QUIET, Weight.REGULAR),
        ]
        line = box.top + box.height // 2
        left = self._left
        # In narrow pictures the stage goes first, then the seed.
        if self._width([*left, *right]) > box.width - self._size:
            right = right[1:]
        if self._width([*left, *right]) > box.width - self._size:
            left = left[:1]
        self._write(image, box.left, line, left)
        self._write(image, box.right - self._width(right), line, right)

    def _write(self, image: Image.Image, left: float, line: int, words: Words) -> None:
        for text, color, weight in words:
            letters = font(self._size, weight)
            write(image, (left, line), text, color, letters, "lm")
            left += width_of(text, letters)

    def _width(self, words: Words) -> float:
        return sum(width_of(text, font(self._size, weight)) for text, _, weight in words)


class ResultPainter:
    """Paints the result over the board: who won, and why the match ended."""

    def __init__(self, board: Box, unit: int, replay: Replay, end: Outcome, color: str) -> None:
        """Prepare the result; `color` is that of the winner."""
        self._unit = unit = max(SMALLEST_UNIT, min(unit, board.width // ACROSS))
        self._large, self._small = font(2.0 * unit, Weight.STRONG), font(1.05 * unit)
        room = board.width - 5 * unit
        winner = end.winner
        self._color = color
        self._name, self._deed = "a draw", ""
        if winner is not None:
            self._name = fitted(replay.bots[winner - 1].name, self._large, room * 0.75)
            self._deed = " wins"
        self._why = fitted(f"ended by {end.reason}", self._small, room)
        wide = round(max(self._headline, width_of(self._why, self._small)) + 4 * unit)
        self.size = wide, round(5.4 * unit)

    @property
    def _headline(self) -> float:
        return width_of(self._name, self._large) + width_of(self._deed, self._large)

    def paint(self, image: Image.Image, corner: tuple[int, int]) -> None:
        (left, top), (wide, high), unit = corner, self.size, self._unit
        rim = max(2, round(0.18 * unit))
        outer = Box(left - rim, top - rim, wide + 2 * rim, high + 2 * rim)
        paint_rounded(image, outer, 0.9 * unit + rim, self._color)
        paint_rounded(image, Box(left, top, wide, high), 0.9 * unit, RESULT_GROUND)
        middle = left + wide / 2
        start, line = middle - self._headline / 2, top + round(2.0 * unit)
        write(image, (start, line), self._name, WINNER, self._large, "lm")
        start += width_of(self._name, self._large)
        write(image, (start, line), self._deed, TEXT, self._large, "lm")
        write(image, (middle, top + round(4.0 * unit)), self._why, QUIET, self._small, "mm")
