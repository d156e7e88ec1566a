"""Shows replays in the terminal until the viewer quits, or prints them to files and pipes."""

import os
import re
import select
import signal
import sys
import time
from collections.abc import Sequence
from math import inf

from visualizer.backends.terminal.canvas import Canvas, Painter
from visualizer.backends.terminal.colors import Abilities, Depth, detect_abilities
from visualizer.backends.terminal.frame import Frames
from visualizer.backends.terminal.raw_mode import Modes
from visualizer.backends.terminal.terminal_model import ReplayView, TerminalModel, handle_key
from visualizer.drawing.shown_replays import ShownReplays

PICTURES_PER_S = 15
READING_S = 0.03
"""Seconds between two pictures for reading what was recorded meanwhile."""
KEY_SEQUENCE = re.compile(
    rb"\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Z]))"  # a key with a name
    rb"|\x1b\[[0-9;]*$|\x1b"  # one of which the rest is missing; Escape
    rb"|[\x00-\x7f]|[\x80-\xff]+"
)
KEY_NAMES = {
    b"A": "up",
    b"B": "down",
    b"C": "right",
    b"D": "left",
    b"H": "home",
    b"F": "end",
    b"1~": "home",
    b"7~": "home",
    b"4~": "end",
    b"8~": "end",
    b"5~": "page up",
    b"6~": "page down",
    b"P": "f1",
    b"11~": "f1",
}
KEY_LETTERS = {" ": "space", "\x1b": "escape", "\x1a": "suspend"}
PLAIN_SIZE = (80, 24)
PLAIN_PARTS = 10
"""Into how many parts a match is divided, each shown by a picture at its end."""
PLAIN_PAUSE_S = 0.05


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
            view.read_new_entries(inf)
    Session(TerminalModel(views, shown.turn), Modes()).run()


class Session:
    """Takes over the terminal, draws and handles keys."""

    def __init__(self, model: TerminalModel, modes: Modes) -> None:
        self._model = model
        self._modes = modes
        able = detect_abilities(os.environ)
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
            self._handle_keys(max(0.0, now + 1 / PICTURES_PER_S - time.monotonic()))

    def _draw(self) -> None:
        try:
            width, height = os.get_terminal_size(self._modes.descriptor)
        except OSError:  # it is gone
            self._model.quit()
            return
        self._modes.write(self._painter.words_for(self._frames.draw(width, height)))

    def _handle_keys(self, patience_s: float) -> None:
        """Wait for keys, and do their actions."""
        if not select.select([self._modes.descriptor], [], [], patience_s)[0]:
            return
        content = self._modes.read()
        # End of file on a terminal: it was closed.
        if not content:  # nobody sits there any more
            self._model.quit()
        for key in keys_in(content):
            if key == "suspend":
                self._suspend_process()
            else:
                handle_key(self._model, key)

    def _suspend_process(self) -> None:
        """Stop on Ctrl-Z, with the whole process group, and redraw when continued."""
        self._modes.restore()
        # The whole group: main.py, which started us, must stop as well.
        if sys.platform != "win32":  # which has no SIGTSTP
            os.kill(0, signal.SIGTSTP)
        self._modes.take_over()
        self._painter.forget()


def keys_in(content: bytes) -> list[str]:
    """Yield the names of the pressed keys, or else their letters."""
    return [name for match in KEY_SEQUENCE.finditer(content) if (name := _key_name(match))]


def _key_name(match: "re.Match[bytes]") -> str:
    numbers, final, other = match[1], match[2], match[3]
    if other is not None:
        return KEY_NAMES.get(other, "")
    if final is None:
        text = match[0].decode(errors="replace")
        return KEY_LETTERS.get(text, text if text.isprintable() else "")
    first, _, modifier = numbers.partition(b";")
    name = KEY_NAMES.get(first + final if final == b"~" else final, "")
    return f"shift {name}" if name and modifier else name


def print_plainly(views: Sequence[ReplayView], turn: int) -> None:
    """Print the board at the start (or a turn), after every tenth of the match, and at the end."""
    model = TerminalModel(list(views))
    model.playback.pause()
    able = Abilities(Depth.NONE, (sys.stdout.encoding or "").lower() in ("utf-8", "utf8"))
    frames = Frames(model, able)
    model.tick(0, 1)
    step = max(1, max(view.last_turn for view in views) // PLAIN_PARTS)
    shown = -1
    while True:
        model.tick(0, 1)
        while shown < 0 or model.playback.end >= turn > shown:
            model.playback.seek_turn(turn)
            model.tick(0, 1)
            _print(frames.draw(*PLAIN_SIZE), able)
            shown, turn = turn, turn + step
        if not model.is_live:
            break
        time.sleep(PLAIN_PAUSE_S)
    if model.playback.end > shown:
        model.playback.to_end()
        model.tick(0, 1)
        _print(frames.draw(*PLAIN_SIZE), able)
    for view in views:
        if (ending := view.story.ending) is not None:
            sys.stdout.write(f"{able.letters(ending.line)}\n")


def _print(canvas: Canvas, able: Abilities) -> None:
    *lines, _ = able.letters(canvas.text()).split("\n")  # without that of the keys
    sys.stdout.write("\n".join([*lines, "", ""]))
    sys.stdout.flush()
