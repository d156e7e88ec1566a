"""Shows films in the terminal one sits at, until one has seen enough."""

import os
import select
import signal
import sys
import time
from math import inf

from visualizer.terminal.actions import obey
from visualizer.terminal.canvas import Painter
from visualizer.terminal.colours import abilities
from visualizer.terminal.frame import Frames
from visualizer.terminal.keys import keys_in
from visualizer.terminal.modes import Modes
from visualizer.terminal.plain import print_plainly
from visualizer.terminal.viewing import Reel, Viewing
from visualizer.watching import Show

PICTURES_PER_S = 15
READING_S = 0.03
"""For what was recorded meanwhile, between two pictures."""


def show_in_terminal(show: Show) -> None:
    """On the whole of it; where the output is no terminal, as plain text. Raises: NoTerminal."""
    reels = [Reel(film, own) for film, own in zip(show.films, show.sprites, strict=True)]
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        print_plainly(reels, show.turn)
        return
    for reel in reels:
        if not reel.film.replay.is_growing:
            reel.read_on(inf)
    Session(Viewing(reels, show.turn), Modes()).run()


class Session:
    """A terminal that is ours for a while."""

    def __init__(self, viewing: Viewing, modes: Modes) -> None:
        self._viewing = viewing
        self._modes = modes
        able = abilities(os.environ)
        self._frames = Frames(viewing, able)
        self._painter = Painter(able)

    def run(self) -> None:
        """Whatever happens, the terminal is as it was afterwards."""
        try:
            self._modes.take_over()
            self._go_on()
        finally:
            self._modes.restore()

    def _go_on(self) -> None:
        last = time.monotonic()
        while not self._viewing.is_over:
            now = time.monotonic()
            self._viewing.tick(now - last, READING_S)
            last = now
            self._draw()
            self._hear(max(0.0, now + 1 / PICTURES_PER_S - time.monotonic()))

    def _draw(self) -> None:
        try:
            width, height = os.get_terminal_size(self._modes.descriptor)
        except OSError:  # it is gone
            self._viewing.quit()
            return
        self._modes.write(self._painter.words_for(self._frames.draw(width, height)))

    def _hear(self, patience_s: float) -> None:
        """Do what keys are pressed for."""
        if not select.select([self._modes.descriptor], [], [], patience_s)[0]:
            return
        content = self._modes.read()
        if not content:  # nobody sits there any more
            self._viewing.quit()
        for key in keys_in(content):
            if key == "suspend":
                self._suspend()
            else:
                obey(self._viewing, key)

    def _suspend(self) -> None:
        """Ctrl-Z: stop, with all that were started together, and go on when told to."""
        self._modes.restore()
        os.kill(0, signal.SIGTSTP)
        self._modes.take_over()
        self._painter.forget()
