"""The pages on which matches of a report are watched; those that are up to date are kept."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from engine import ENGINE_VERSION
from engine.errors import EngineFailure, SlimeMindError
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from engine.support.process_pool import ProcessLost, ProcessPool
from visualizer.backends.page import render_replay_page
from visualizer.backends.page.bundling import WEB
from visualizer.drawing.custom_sprites import find_bot_pictures, find_match_pictures
from visualizer.drawing.sprites import load_match_sprites
from visualizer.model.drawings import DecisionKey, logs_in
from visualizer.model.timeline import ReplayTimeline

MAX_PAGES_MADE_HERE = 4
"""Up to so many pages, making them here is faster than starting processes."""
STAMPS = "made_from.json"
"""The file beside the pages with the digest of what each was made from."""
HOME = Path(__file__).parents[1]
SOURCES = (
    *((HOME / name, "*.py") for name in ("report", "visualizer")),
    *((WEB / name, "*") for name in ("shared", "viewer")),
)
"""The files that make pages: if one of them has changed, all pages are made again."""


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
    is_public: bool = False
    """Whether it is for everybody: without source, the words of faults and what bots printed."""

    @property
    def page(self) -> str:
        """Return the name of its page."""
        return f"{self.key}.html"

    def compute_stamp(self) -> str | None:
        """Return a digest that changes with the page; None where its replay is gone."""
        if not self.replay.is_file():
            return None
        content = sha256(f"{_page_digest()}\n{self.again}\n{self.is_public}\n".encode())
        for file in (self.replay, *logs_in(self.replay.parent), *self._find_pictures()):
            content.update(sha256(file.read_bytes()).digest())
        return content.hexdigest()

    def _find_pictures(self) -> Iterator[Path]:
        for bot in self.bots:
            yield from find_bot_pictures(self.out, bot).values()
        given = find_match_pictures(self.out, self.key, len(self.bots))
        yield from (path for path in given if path is not None)


def write_pages(
    folder: Path, before: Path, recordings: Sequence[Recording], workers: int
) -> frozenset[str]:
    """Write pages, and return the names of those that could be made.

    They are taken from the folder `before` where they would come out the same.
    Raises: EngineFailure if a process was killed; OSError.
    """
    stamps = {one.page: stamp for one in recordings if (stamp := one.compute_stamp()) is not None}
    known = _read_stamps(before)
    saved = {
        page for page in stamps if stamps[page] == known.get(page) and (before / page).is_file()
    }
    for page in saved:
        shutil.copyfile(before / page, folder / page)
    missing = [one for one in recordings if one.page in stamps.keys() - saved]
    for one, content in zip(missing, _make_pages(missing, workers), strict=True):
        if content is None:
            del stamps[one.page]
        else:
            (folder / one.page).write_bytes(content)
    (folder / STAMPS).write_bytes(msgspec.json.encode(stamps))
    return frozenset(stamps)


def _read_stamps(folder: Path) -> Mapping[str, str]:
    """Return the stamps of the pages there; none where they cannot be read."""
    try:
        return msgspec.json.decode((folder / STAMPS).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return {}


@cache
def _page_digest() -> str:
    """Return the digest of all that pages are made with."""
    content = sha256(ENGINE_VERSION.encode())
    for folder, names in SOURCES:
        for file in sorted(path for path in folder.rglob(names) if path.is_file()):
            content.update(sha256(file.read_bytes()).digest())
    return content.hexdigest()


def _make_pages(recordings: Sequence[Recording], workers: int) -> Iterator[bytes | None]:
    """Yield a page of each, in their order."""
    if workers == 1 or len(recordings) <= MAX_PAGES_MADE_HERE:
        yield from map(watching_page, recordings)
        return
    try:
        with ProcessPool(None, [()] * workers) as pool:
            yield from pool.map(watching_page, recordings)
    except ProcessLost as lost:
        raise EngineFailure("a process that made pages of replays was killed") from lost


def watching_page(recording: Recording) -> bytes | None:
    """Return an HTML file that shows a match; None where its replay is damaged."""
    try:
        whole = Replay(recording.replay)
        if not recording.is_public:
            return _render_page(whole, recording, None)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / recording.replay.name
            write_public_copy(whole, path)
            return _render_page(Replay(path), recording, {})
    except SlimeMindError:
        return None


def _render_page(
    replay: Replay, recording: Recording, logs: dict[DecisionKey, list[str]] | None
) -> bytes:
    """`logs`: None for those beside the replay."""
    timeline = ReplayTimeline(replay)
    timeline.read_new_entries()
    digests = [bot.digest for bot in replay.bots]
    sprites = load_match_sprites(replay.game.name, digests, recording.out, recording.key)
    return render_replay_page(timeline, sprites, logs=logs, again=recording.again)
