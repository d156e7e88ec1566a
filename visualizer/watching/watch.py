"""Shows matches in a window or terminal: recorded ones, or one that is being played."""

import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from engine.replays.live import LiveReplay
from engine.replays.reading import Replay
from engine.result_folder import OutName
from engine.support.files import make_folder, write_whole
from visualizer.backends import NoViewer
from visualizer.backends.page import render_replay_page
from visualizer.drawing.shown_replays import ShownReplays
from visualizer.drawing.sprites import Sprites, load_match_sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.watching.render import Render, why_no_library, why_no_screen
from visualizer.watching.viewer_process import Parent

REMEDY = "--render terminal shows it here"
LEVELS_TO_RESULTS = 2
"""The folder of a match lies this many levels below the results folder."""


Shower = Callable[[ShownReplays], None]


def watch(
    replays: Sequence[Replay], render: Render, turn: int, out: Path, tell: Callable[[str], object]
) -> bool:
    """Show recorded matches, several side by side. Return False if there is no viewer here.

    Where a window would be shown if there was a screen, `tell` is told why there is none.
    Raises: NoViewer.
    """
    show = _choose_viewer(render, out, tell)
    if show is None:
        return False
    logs = [replay.path.parent for replay in replays]
    sprites = [sprites_for(replay, out) for replay in replays]
    show(ShownReplays([ReplayTimeline(replay) for replay in replays], sprites, turn, logs))
    return True


def watch_live(folder: Path, render: Render, out: Path) -> None:
    """Show the match that our parent plays (viewer_process.py). Raises: NoViewer."""
    with Parent(folder) as parent:
        show = make_viewer(render)
        parent.tell_ready()
        replay = LiveReplay(parent.live)
        logs = out / "matches" / replay.spec.key
        show(ShownReplays([ReplayTimeline(replay)], [sprites_for(replay, out)], 0, [logs]))


def make_viewer(render: Render) -> Shower:
    """Return a function that shows matches in the terminal, or in a window, which is open then.

    Raises: NoViewer.
    """
    if render is Render.TERMINAL:
        from visualizer.backends.terminal.show import show_in_terminal

        return show_in_terminal
    reason = why_no_screen() or why_no_library()
    if reason:
        raise NoViewer(reason)
    from visualizer.backends.arcade import open_window, show_in_window

    window = open_window()
    return lambda show: show_in_window(window, show)


def _choose_viewer(render: Render, out: Path, tell: Callable[[str], object]) -> Shower | None:
    if render is Render.NONE:
        return None
    lacking = "" if why_no_screen() else why_no_library()
    if render is Render.WEB or (render is Render.AUTO and lacking):
        prefix = f"{lacking}; " if lacking else ""
        return lambda shown: show_in_browser(shown, out, lambda words: tell(f"{prefix}{words}"))
    try:
        return make_viewer(render)
    except NoViewer as problem:
        if render is not Render.AUTO:
            raise NoViewer(f"--render {render}: {problem}; {REMEDY}") from problem
        if sys.stdout.isatty() or not why_no_screen():
            tell(f"not shown: {problem}; {REMEDY}")
    return None


def sprites_for(replay: Replay, out: Path) -> Sprites:
    """Return the sprites of a match, with the bots' own from the results folder it lies in."""
    parents = replay.path.resolve().parents
    if len(parents) > LEVELS_TO_RESULTS and (parents[LEVELS_TO_RESULTS] / "sprites").is_dir():
        out = parents[LEVELS_TO_RESULTS]
    digests = [bot.digest for bot in replay.bots]
    return load_match_sprites(replay.game.name, digests, out, replay.spec.key)


PAGE = OutName.WATCHED_PAGE
"""The file in the folder of results, written anew each time: browsers may read no other folder."""


def show_in_browser(shown: ShownReplays, out: Path, tell: Callable[[str], object]) -> None:
    """Write a page for each replay, open it, and tell where it is. Raises: UsageError."""
    make_folder(out)
    for path in _write_pages(shown, out.resolve()):
        tell(f"watch it in the browser: {path.as_uri()}")
        with suppress(webbrowser.Error):
            webbrowser.open(path.as_uri())


def _write_pages(shown: ShownReplays, out: Path) -> Iterator[Path]:
    both = zip(shown.timelines, shown.sprites, strict=True)
    for number, (timeline, sprites) in enumerate(both, 1):
        path = out / (PAGE if number == 1 else f"{number}_{PAGE}")
        timeline.read_new_entries()
        write_whole(
            path, render_replay_page(timeline, sprites, has_drawings=True, begin_turn=shown.turn)
        )
        yield path
