"""One frame of a replay as a picture: title, panels, graph and board."""

from typing import Any

from PIL import Image

from engine.game import Outcome, Standing
from visualizer.backends.pillow.board import BoardPainter
from visualizer.backends.pillow.captions import ResultPainter, TitlePainter
from visualizer.backends.pillow.graph import Curves, GraphPainter
from visualizer.backends.pillow.layout import Box, layout_for
from visualizer.backends.pillow.panels import PanelPainter, PanelState
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Panel
from visualizer.theme import BACKGROUND, QUIET

RESULT_PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Places of the result, from the top of the board (0) to its bottom (1), the best first."""


class Painter:
    """Paints frames of one replay, all of one size."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites, size: tuple[int, int]) -> None:
        """Prepare for a replay that has been read. Raises: UsageError if the board has no room."""
        replay = timeline.replay
        self.size = size
        self._timeline = timeline
        self._layout = layout = layout_for(size, arrangements(timeline.scene), len(replay.bots))
        self._board = BoardPainter(timeline.scene, sprites, layout)
        curves = Curves(timeline.scene.score_name, timeline.scores, timeline.thresholds)
        self._graph = GraphPainter(layout.graph, layout.unit, curves, timeline.scene.team_color)
        self._panels = [
            PanelPainter(box, layout.unit, team, bot, timeline.scene.team_color(team))
            for team, (box, bot) in enumerate(zip(layout.panels, replay.bots, strict=True), 1)
        ]
        self._title = TitlePainter(layout.title, layout.unit, replay)
        self._image = Image.new("RGB", size, BACKGROUND)

    def paint(self, frame: FrameCursor) -> Image.Image:
        """Return the picture of a frame. The next call paints over it."""
        image, timeline, turn = self._image, self._timeline, frame.turn
        standing = timeline.replay.game.standing(frame.state)
        end = timeline.replay.outcome if frame.position == timeline.steps else None
        scores = standing.scores if end is None else end.scores
        for team, painter in enumerate(self._panels, 1):
            panel = self._panel(frame.state, team, turn)
            is_winner = end is not None and end.winner == team
            painter.paint(image, PanelState(scores[team - 1], panel, is_winner))
        self._graph.paint(image, turn)
        self._title.paint(image, turn, self._last_turn(standing), frame.stage)
        image.paste(self._board.paint(frame.things, frame.signs), self._layout.board.corner)
        if end is not None:
            self._paint_result(image, frame, end)
        return image

    def _last_turn(self, standing: Standing) -> int:
        """Return the turn in which the match ended, as the graph has it, or may end at most."""
        is_over = self._timeline.replay.outcome is not None
        return self._timeline.last_turn if is_over else standing.last_turn

    def _paint_result(self, image: Image.Image, frame: FrameCursor, end: Outcome) -> None:
        """Paint the result in the middle of the board, or where it covers fewer things."""
        board, timeline = self._layout.board, self._timeline
        color = timeline.scene.team_color(end.winner) if end.winner else QUIET
        result = ResultPainter(board, self._layout.unit, timeline.replay, end, color)
        wide, high = result.size
        left = (board.width - wide) // 2
        tops = [round((board.height - high) * share) for share in RESULT_PLACES]
        covered = [
            self._board.count_within(frame.things, Box(left, top, wide, high)) for top in tops
        ]
        result.paint(image, (board.left + left, board.top + tops[covered.index(min(covered))]))

    def _panel(self, state: Any, team: int, turn: int) -> Panel:
        """Return the lines of a team: those of the scene, CPU time and forfeits."""
        timeline = self._timeline
        return (
            *timeline.scene.panel(state, team),
            ("CPU", cpu_text(timeline.cpu_us(team, turn))),
            ("forfeited", timeline.forfeited_turns(team, turn)),
        )


def cpu_text(us: int) -> str:
    """Return `12.3 s`, or `45 ms` for less than a second."""
    return f"{us / 1e6:.1f} s" if us >= 1_000_000 else f"{us // 1000} ms"
