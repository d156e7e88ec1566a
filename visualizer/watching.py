"""Shows matches to whoever sits here: recorded ones, or one that is being played."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from engine.live import LiveReplay
from engine.replay import Replay
from visualizer.film import Film
from visualizer.parent import Parent
from visualizer.screen import Render, why_no_screen
from visualizer.sprites import Sprites, sprites_of
from visualizer.viewer import NoViewer

REMEDY = "--render terminal shows it here"
RESULTS = 2
"""So many folders above the one of a match lies that of all results."""


class Show(msgspec.Struct):
    """What a window or a terminal is given to show."""

    films: Sequence[Film]
    sprites: Sequence[Sprites]
    """Of each film."""
    turn: int = 0
    """Where to begin."""
    logs: Sequence[Path] = ()
    """For each film a folder with what the bots printed; it is there when the match is over."""


Shower = Callable[[Show], None]


def watch(
    replays: Sequence[Replay],
    render: Render,
    turn: int,
    out: Path,
    tell: Callable[[str], object],
) -> bool:
    """Show recorded matches, several side by side; False if they are not to be shown here.

    Where a window would be shown if there was a screen, `tell` is told why there is none.
    Raises: NoViewer.
    """
    show = _shower_of_recorded(render, tell)
    if show is None:
        return False
    logs = [replay.path.parent for replay in replays]
    sprites = [sprites_for(replay, out) for replay in replays]
    show(Show([Film(replay) for replay in replays], sprites, turn, logs))
    return True


def watch_live(folder: Path, render: Render, out: Path) -> None:
    """Show the match that our parent plays (visualizer/viewer.py). Raises: NoViewer."""
    with Parent(folder) as parent:
        show = shower(render)
        parent.tell_ready()
        replay = LiveReplay(parent.live)
        logs = out / "matches" / replay.spec.key
        show(Show([Film(replay)], [sprites_for(replay, out)], 0, [logs]))


def shower(render: Render) -> Shower:
    """What shows matches in a window or in the terminal. Raises: NoViewer if it cannot here."""
    if render is Render.TERMINAL:
        from visualizer.terminal.show import show_in_terminal

        return show_in_terminal
    return window_shower()


def window_shower() -> Shower:
    """Opens the window, empty yet, so that we know that there can be one. Raises: NoViewer."""
    reason = why_no_screen()
    if reason:
        raise NoViewer(reason)
    from visualizer.window import open_window, show_in_window

    window = open_window()
    return lambda show: show_in_window(window, show)


def _shower_of_recorded(render: Render, tell: Callable[[str], object]) -> Shower | None:
    if render is Render.NONE:
        return None
    try:
        return shower(render)
    except NoViewer as problem:
        if render is not Render.AUTO:
            raise NoViewer(f"--render {render}: {problem}; {REMEDY}") from problem
        if sys.stdout.isatty() or not why_no_screen():
            tell(f"not shown: {problem}; {REMEDY}")
    return None


def sprites_for(replay: Replay, out: Path) -> Sprites:
    """A match's pictures, from the results it lies in."""
    parents = replay.path.resolve().parents
    if len(parents) > RESULTS and (parents[RESULTS] / "sprites").is_dir():
        out = parents[RESULTS]
    digests = [bot.digest for bot in replay.bots]
    return sprites_of(replay.game.name, digests, out)
