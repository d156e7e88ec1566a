"""A match as plain text, for files and pipes."""

import sys
import time
from collections.abc import Sequence

from visualizer.backends.terminal.canvas import Canvas
from visualizer.backends.terminal.colors import Abilities, Depth
from visualizer.backends.terminal.frame import Frames
from visualizer.backends.terminal.terminal_model import ReplayView, TerminalModel

SIZE = (80, 24)
PARTS = 10
"""Into how many parts a match is divided, each shown by a picture at its end."""
PAUSE_S = 0.05


def print_plainly(views: Sequence[ReplayView], turn: int) -> None:
    """Print the board at the start (or a turn), after every tenth of the match, and at the end."""
    model = TerminalModel(list(views))
    model.playback.pause()
    able = Abilities(Depth.NONE, (sys.stdout.encoding or "").lower() in ("utf-8", "utf8"))
    frames = Frames(model, able)
    model.tick(0, 1)
    step = max(1, max(view.last_turn for view in views) // PARTS)
    shown = -1
    while True:
        model.tick(0, 1)
        while shown < 0 or model.playback.end >= turn > shown:
            model.playback.seek_turn(turn)
            model.tick(0, 1)
            _print(frames.draw(*SIZE), able)
            shown, turn = turn, turn + step
        if not model.is_live:
            break
        time.sleep(PAUSE_S)
    if model.playback.end > shown:
        model.to_end()
        model.tick(0, 1)
        _print(frames.draw(*SIZE), able)


def _print(canvas: Canvas, able: Abilities) -> None:
    *lines, _ = able.letters(canvas.text()).split("\n")  # without that of the keys
    sys.stdout.write("\n".join([*lines, "", ""]))
    sys.stdout.flush()
