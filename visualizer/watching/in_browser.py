"""Shows recorded matches as pages in the browser."""

import webbrowser
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from engine.result_folder import OutName
from engine.support.files import make_folder, write_whole
from visualizer.backends.page import render_replay_page
from visualizer.drawing.shown_replays import ShownReplays

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
