"""The pages on which matches of a report are watched; those that are up to date are kept."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Thread

import msgspec

from engine import ENGINE_VERSION
from engine.errors import EngineFailure, SlimeMindError
from engine.replay import Replay
from visualizer.custom_sprites import pictures_kept
from visualizer.film import Film
from visualizer.logs import logs_in
from visualizer.page import page_of
from visualizer.page.document import FOLDER
from visualizer.sprites import sprites_of

FEW = 4
"""So many pages are sooner made than another process is started."""
STAMPS = "made_from.json"
"""Beside the pages: by their names, what each was made from."""
SOURCES = ((Path(__file__).parents[1], "*.py"), (FOLDER, "*"))
"""What makes pages; where one of these files has changed, all pages are made anew."""


class Recording(msgspec.Struct, frozen=True):
    """A match that is to be watched."""

    key: str
    replay: Path
    out: Path
    """Where the pictures of its bots are kept."""
    bots: tuple[str, ...]
    """Their digests."""
    again: str
    """The command that plays it again."""

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"{self.key}.html"

    def stamp(self) -> str | None:
        """The same for the same page; None where there is nothing to make it from."""
        if not self.replay.is_file():
            return None
        content = sha256(f"{_version()}\n{self.again}\n".encode())
        for file in (self.replay, *logs_in(self.replay.parent), *self._pictures()):
            content.update(sha256(file.read_bytes()).digest())
        return content.hexdigest()

    def _pictures(self) -> Iterator[Path]:
        for bot in self.bots:
            yield from pictures_kept(self.out, bot).values()


def write_pages(
    folder: Path, before: Path, recordings: Sequence[Recording], workers: int
) -> frozenset[str]:
    """The names of those that could be made.

    They are taken from the folder `before` where they would come out the same.
    Raises: EngineFailure if a process was killed; OSError.
    """
    stamps = {one.page: stamp for one in recordings if (stamp := one.stamp()) is not None}
    known = _stamps(before)
    kept = {
        page for page in stamps if stamps[page] == known.get(page) and (before / page).is_file()
    }
    for page in kept:
        shutil.copyfile(before / page, folder / page)
    missing = [one for one in recordings if one.page in stamps.keys() - kept]
    for one, content in zip(missing, _made(missing, workers), strict=True):
        if content is None:
            del stamps[one.page]
        else:
            (folder / one.page).write_bytes(content)
    (folder / STAMPS).write_bytes(msgspec.json.encode(stamps))
    return frozenset(stamps)


def _stamps(folder: Path) -> Mapping[str, str]:
    """Of the pages there; nothing is known of them where that cannot be read."""
    try:
        return msgspec.json.decode((folder / STAMPS).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return {}


@cache
def _version() -> str:
    """Of all that pages are made with."""
    content = sha256(ENGINE_VERSION.encode())
    for folder, names in SOURCES:
        for file in sorted(path for path in folder.rglob(names) if path.is_file()):
            content.update(sha256(file.read_bytes()).digest())
    return content.hexdigest()


def _made(recordings: Sequence[Recording], workers: int) -> Iterator[bytes | None]:
    """A page of each, in their order."""
    if workers == 1 or len(recordings) <= FEW:
        yield from map(watching_page, recordings)
        return
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_sit_down) as pool:
            yield from pool.map(watching_page, recordings)
    except BrokenProcessPool as broken:
        raise EngineFailure("a process that made pages of replays was killed") from broken


def watching_page(recording: Recording) -> bytes | None:
    """An HTML file that shows a match; None where its replay is damaged."""
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
