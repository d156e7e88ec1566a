"""A match as plain text, for files and pipes."""

import sys
import time
from collections.abc import Sequence

from visualizer.terminal.canvas import Canvas
from visualizer.terminal.colours import Abilities, Depth
from visualizer.terminal.frame import Frames
from visualizer.terminal.viewing import Reel, Viewing

SIZE = (80, 24)
PARTS = 10
"""How many pictures there are of a match that reaches its last turn, after the first."""
PAUSE_S = 0.05


def print_plainly(reels: Sequence[Reel], turn: int) -> None:
    """The board at the start, after every tenth of the match, and at the end; or from a turn on."""
    viewing = Viewing(list(reels))
    viewing.playback.pause()
    able = Abilities(Depth.NONE, (sys.stdout.encoding or "").lower() in ("utf-8", "utf8"))
    frames = Frames(viewing, able)
    viewing.tick(0, 1)
    step = max(1, max(reel.last_turn for reel in reels) // PARTS)
    shown = -1
    while True:
        viewing.tick(0, 1)
        while shown < 0 or viewing.playback.end >= turn > shown:
            viewing.playback.seek_turn(turn)
            viewing.tick(0, 1)
            _print(frames.draw(*SIZE), able)
            shown, turn = turn, turn + step
        if not viewing.is_live:
            break
        time.sleep(PAUSE_S)
    if viewing.playback.end > shown:
        viewing.to_end()
        viewing.tick(0, 1)
        _print(frames.draw(*SIZE), able)


def _print(canvas: Canvas, able: Abilities) -> None:
    *lines, _ = able.letters(canvas.text()).split("\n")  # without that of the keys
    sys.stdout.write("\n".join([*lines, "", ""]))
    sys.stdout.flush()
