"""Shows replays in the terminal until the viewer quits."""

import os
import select
import signal
import sys
import time
from math import inf

from visualizer.backends.terminal.actions import obey
from visualizer.backends.terminal.canvas import Painter
from visualizer.backends.terminal.colors import abilities
from visualizer.backends.terminal.frame import Frames
from visualizer.backends.terminal.keys import keys_in
from visualizer.backends.terminal.plain import print_plainly
from visualizer.backends.terminal.raw_mode import Modes
from visualizer.backends.terminal.terminal_model import ReplayView, TerminalModel
from visualizer.drawing.shown_replays import ShownReplays

PICTURES_PER_S = 15
READING_S = 0.03
"""Seconds between two pictures for reading what was recorded meanwhile."""


def show_in_terminal(shown: ShownReplays) -> None:
    """Show replays in the whole terminal, or as plain text elsewhere. Raises: NoTerminal."""
    views = [
        ReplayView(timeline, own)
        for timeline, own in zip(shown.timelines, shown.sprites, strict=True)
    ]
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        print_plainly(views, shown.turn)
        return
    for view in views:
        if not view.timeline.replay.is_growing:
            view.read_on(inf)
    Session(TerminalModel(views, shown.turn), Modes()).run()


class Session:
    """Takes over the terminal, draws and handles keys."""

    def __init__(self, model: TerminalModel, modes: Modes) -> None:
        self._model = model
        self._modes = modes
        able = abilities(os.environ)
        self._frames = Frames(model, able)
        self._painter = Painter(able)

    def run(self) -> None:
        """Run until the viewer quits; restore the terminal whatever happens."""
        try:
            self._modes.take_over()
            self._go_on()
        finally:
            self._modes.restore()

    def _go_on(self) -> None:
        last = time.monotonic()
        while not self._model.is_over:
            now = time.monotonic()
            self._model.tick(now - last, READING_S)
            last = now
            self._draw()
            self._hear(max(0.0, now + 1 / PICTURES_PER_S - time.monotonic()))

    def _draw(self) -> None:
        try:
            width, height = os.get_terminal_size(self._modes.descriptor)
        except OSError:  # it is gone
            self._model.quit()
            return
        self._modes.write(self._painter.words_for(self._frames.draw(width, height)))

    def _hear(self, patience_s: float) -> None:
        """Wait for keys, and do their actions."""
        if not select.select([self._modes.descriptor], [], [], patience_s)[0]:
            return
        content = self._modes.read()
        # End of file on a terminal: it was closed.
        if not content:  # nobody sits there any more
            self._model.quit()
        for key in keys_in(content):
            if key == "suspend":
                self._suspend()
            else:
                obey(self._model, key)

    def _suspend(self) -> None:
        """Stop on Ctrl-Z, with the whole process group, and redraw when continued."""
        self._modes.restore()
        # The whole group: main.py, which started us, must stop as well.
        if sys.platform != "win32":  # which has no SIGTSTP
            os.kill(0, signal.SIGTSTP)
        self._modes.take_over()
        self._painter.forget()
