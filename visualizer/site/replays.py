"""The pages on which matches of a report are watched."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Thread

import msgspec

from engine.errors import EngineFailure, SlimeMindError
from engine.replay import Replay
from visualizer.film import Film
from visualizer.page import page_of
from visualizer.sprites import sprites_of

FEW = 4
"""So many pages are sooner made than another process is started."""


class Recording(msgspec.Struct, frozen=True):
    """A match that is to be watched."""

    replay: Path
    out: Path
    """Where the pictures of its bots are kept."""
    again: str
    """The command that plays it again."""


def watching_pages(recordings: Sequence[Recording], workers: int) -> Iterator[bytes | None]:
    """A page of each, in their order. Raises: EngineFailure if a process was killed."""
    if workers == 1 or sum(recording.replay.is_file() for recording in recordings) <= FEW:
        yield from map(watching_page, recordings)
        return
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_sit_down) as pool:
            yield from pool.map(watching_page, recordings)
    except BrokenProcessPool as broken:
        raise EngineFailure("a process that made pages of replays was killed") from broken


def watching_page(recording: Recording) -> bytes | None:
    """An HTML file that shows a match; None where its replay is gone, or damaged."""
    if not recording.replay.is_file():
        return None
    try:
        film = Film(Replay(recording.replay))
        film.read_on()
        digests = [bot.digest for bot in film.replay.bots]
        sprites = sprites_of(film.replay.game.name, digests, recording.out)
        return page_of(film, sprites, again=recording.again)
    except SlimeMindError:
        return None


def _sit_down() -> None:
    """Ctrl-C is for our parent, and without it there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
