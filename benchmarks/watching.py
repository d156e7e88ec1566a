"""The window, with software OpenGL: frames per second, jumping to a turn, opening a replay."""

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.display import WHAT_IS_MISSING, can_have_one, display
from benchmarks.boards import GAME, SEED
from benchmarks.table import Effort, Figure, Target, figure
from benchmarks.walkers import record
from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline
from visualizer.drawing.sprites import Sprites
from visualizer.backends.arcade import NoWindow, open_window
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel

# The standard map of 450 squares with two teams of 100, who walk and do nothing else, so that
# the last turn is as busy as the first.
NUMBERS = {"slime_pairs": 100, "plant_pairs": 40}
TURNS = 1_000
FRAME_S = 1 / 60
WARM_UP = 30
FRAMES = 120
JUMPS = 50


def measure(effort: Effort) -> list[Figure]:
    """Measure the window; nothing where there is no display or no OpenGL."""
    if not can_have_one():
        click.echo(f"needs {WHAT_IS_MISSING}", err=True)
        return []
    with TemporaryDirectory() as folder, display() as name:
        os.environ |= {"DISPLAY": name, "LIBGL_ALWAYS_SOFTWARE": "1"}
        path = record(Path(folder), NUMBERS, turns=min(TURNS, effort.orders))
        try:
            watched = Watched(path)
        except NoWindow as problem:
            click.echo(str(problem), err=True)
            return []
        try:
            return watched.figures(effort)
        finally:
            watched.close()


class Watched:
    """A recorded match in a window."""

    def __init__(self, path: Path) -> None:
        """Raises: NoWindow."""
        self._screen = open_window()
        self._path = path
        self.opening_ms = self._open_ms()
        for view in self._screen.model.views:
            view.timeline.read_new_entries()

    def close(self) -> None:
        self._screen.close()

    def figures(self, effort: Effort) -> list[Figure]:
        """Return the figures, each the best of some tries: other load only makes them slower."""
        tries = range(effort.repeats)
        jumps = [min(self._jump_ms(turn) for _ in tries) for turn in self._turns()]
        return [
            figure(
                "window", "frames/s", max(self._frames_per_s() for _ in tries), Target.at_least(60)
            ).says("frames per second at 1280x800, 450 squares and 200 slimes"),
            figure("window jump", "ms", max(jumps), Target.at_most(50)).says(
                f"to any turn of a replay of 1000, drawn; the worst of {len(jumps)}"
            ),
            figure(
                "window open",
                "ms",
                min(self.opening_ms, *(self._open_ms() for _ in tries)),
                Target.at_most(500),
            ).says("from a file of 1000 turns to its first picture"),
        ]

    def _open_ms(self) -> float:
        began = time.perf_counter()
        timeline = ReplayTimeline(Replay(self._path))
        model = WindowModel([ReplayView(timeline, Sprites(GAME.name), self._path.parent)])
        self._screen.show(model)
        self._frame()
        return (time.perf_counter() - began) * 1e3

    def _turns(self) -> Sequence[int]:
        last = self._screen.model.views[0].timeline.last_turn
        return random.Random(SEED).choices(range(last), k=JUMPS)

    def _jump_ms(self, turn: int) -> float:
        """Return the time of a jump from the beginning, ms."""
        self._screen.model.playback.seek_turn(0)
        self._frame()
        began = time.perf_counter()
        self._screen.model.playback.seek_turn(turn)
        self._frame()
        return (time.perf_counter() - began) * 1e3

    def _frames_per_s(self) -> float:
        """Return the frames per second at normal speed, from the beginning."""
        self._screen.model.playback.restart()
        for _ in range(WARM_UP):
            self._frame()
        began = time.perf_counter()
        for _ in range(FRAMES):
            self._frame()
        return FRAMES / (time.perf_counter() - began)

    def _frame(self) -> None:
        screen = self._screen
        screen.switch_to()
        screen.dispatch_events()
        screen.on_update(FRAME_S)
        screen.on_draw()
        screen.flip()
        screen.ctx.finish()
