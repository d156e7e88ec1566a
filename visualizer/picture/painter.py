"""One frame of a film as a picture: title, panels, graph and board."""

from typing import Any

from PIL import Image

from engine.game import Outcome
from visualizer.arrangement import arrangements
from visualizer.film import Film
from visualizer.picture.board import BoardPainter
from visualizer.picture.captions import ResultPainter, TitlePainter
from visualizer.picture.frame_cursor import FrameCursor
from visualizer.picture.graph import Curves, GraphPainter
from visualizer.picture.layout import Box, layout_for
from visualizer.picture.panels import PanelPainter, Standing
from visualizer.scene import Panel
from visualizer.sprites import Sprites
from visualizer.theme import BACKGROUND, QUIET

CARD_PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""From the top of the board (0) to its bottom (1), the best first."""


class Painter:
    """Paints frames of one film, all of one size."""

    def __init__(self, film: Film, sprites: Sprites, size: tuple[int, int]) -> None:
        """The film has been read. Raises: UsageError if the size leaves the board no room."""
        replay = film.replay
        self.size = size
        self._film = film
        self._layout = layout = layout_for(size, arrangements(film.scene), len(replay.bots))
        self._board = BoardPainter(film.scene, sprites, layout)
        curves = Curves(film.scene.score_name, film.scores, film.thresholds)
        self._graph = GraphPainter(layout.graph, layout.unit, curves, film.scene.team_colour)
        self._panels = [
            PanelPainter(box, layout.unit, team, bot, film.scene.team_colour(team))
            for team, (box, bot) in enumerate(zip(layout.panels, replay.bots, strict=True), 1)
        ]
        self._title = TitlePainter(layout.title, layout.unit, replay)
        self._image = Image.new("RGB", size, BACKGROUND)

    def paint(self, frame: FrameCursor) -> Image.Image:
        """What the frame shows. The next call paints over it."""
        image, film, turn = self._image, self._film, frame.turn
        standing = film.replay.game.standing(frame.state)
        end = film.replay.outcome if frame.position == film.steps else None
        scores = standing.scores if end is None else end.scores
        for team, painter in enumerate(self._panels, 1):
            panel = self._panel(frame.state, team, turn)
            is_winner = end is not None and end.winner == team
            painter.paint(image, Standing(scores[team - 1], panel, is_winner))
        self._graph.paint(image, turn)
        self._title.paint(image, turn, standing.last_turn, frame.stage)
        image.paste(self._board.paint(frame.things, frame.signs), self._layout.board.corner)
        if end is not None:
            self._paint_result(image, frame, end)
        return image

    def _paint_result(self, image: Image.Image, frame: FrameCursor, end: Outcome) -> None:
        """In the middle of the board; further up or down if less is covered there."""
        board, film = self._layout.board, self._film
        colour = film.scene.team_colour(end.winner) if end.winner else QUIET
        card = ResultPainter(board, self._layout.unit, film.replay, end, colour)
        wide, high = card.size
        left = (board.width - wide) // 2
        tops = [round((board.height - high) * share) for share in CARD_PLACES]
        covered = [
            self._board.count_within(frame.things, Box(left, top, wide, high)) for top in tops
        ]
        card.paint(image, (board.left + left, board.top + tops[covered.index(min(covered))]))

    def _panel(self, state: Any, team: int, turn: int) -> Panel:
        """What the scene says of a team, and what we know of every bot."""
        film = self._film
        return (
            *film.scene.panel(state, team),
            ("CPU", cpu_text(film.cpu_us(team, turn))),
            ("rounds lost", film.rounds_lost(team, turn)),
        )


def cpu_text(us: int) -> str:
    """`12.3 s`; of less than a second, `45 ms`."""
    return f"{us / 1e6:.1f} s" if us >= 1_000_000 else f"{us // 1000} ms"
