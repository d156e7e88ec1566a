"""Exports one replay to one file."""

import tempfile
from pathlib import Path

from engine.errors import UsageError
from engine.replays.reading import Replay
from engine.support.files import write_whole
from engine.support.lazy_import import lazy_imports
from visualizer.backends.page import render_replay_page
from visualizer.drawing.sprites import Sprites
from visualizer.export.plan import PAGE, PICTURE, ExportRequest, check_ending, check_turn
from visualizer.model.timeline import ReplayTimeline

with lazy_imports():  # a page needs no Pillow, an extra
    from visualizer.export import drawn_files


def export(replay: Replay, path: Path, request: ExportRequest, sprites: Sprites) -> str:
    """Write a file of the kind its ending says. Return what was written, in words.

    Raises: UsageError for invalid options, before anything is drawn.
    """
    ending = check_ending(path, request)
    _check_place(path)
    timeline = ReplayTimeline(replay)
    timeline.read_new_entries()
    if ending == PAGE:
        written = _write_page(timeline, path, request, sprites)
    elif ending == PICTURE:
        written = drawn_files.write_picture(timeline, path, request, sprites)
    else:
        written = drawn_files.write_clip(timeline, path, ending, request, sprites)
    return f"{written}, {_size_text(path)}"


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written: {error.strerror}; choose another place"
        ) from error


def _write_page(
    timeline: ReplayTimeline, path: Path, request: ExportRequest, sprites: Sprites
) -> str:
    turn = "" if request.turn is None else f"#t={check_turn(timeline, '--turn', request.turn)}"
    write_whole(path, render_replay_page(timeline, sprites, has_drawings=bool(request.drawings)))
    return f"{path}{turn}: {timeline.last_turn} turns"


def _size_text(path: Path) -> str:
    """Return `1.3 MB`."""
    count = path.stat().st_size
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.0f} KB"
