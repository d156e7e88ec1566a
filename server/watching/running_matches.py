"""The matches of bots that are being played on this machine, for whoever watches them meanwhile.

Whoever plays a match writes its lines to a file (engine/result_folder.py). What is sent is made
for the public alone, and once for all who watch: a file is read now and then, and few at a time.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from engine.errors import BadReplay
from engine.replays.reading import Replay
from engine.result_folder import LIVE, REPLAY, ResultFolder, live_file
from server.http.bundles import WATCH_RUNNING
from server.http.event_streams import Events, EventStream, Followers, encode_events
from server.watching.live_scene import HIDDEN, Followed, LiveScene, Topics, Update, follow
from server.watching.match_file import MatchFile
from server.watching.scene_messages import (
    OVER,
    WholeMatches,
    last_event_id,
    live_page,
    waiting_event,
)
from server.watching.visibility import Role
from visualizer.drawing.sprites import Sprites, load_match_sprites

POLL_INTERVAL_S = 0.5
"""A match that is watched is looked at so often."""
CACHE_S = 1.0
"""So long what is known of those that are played is good."""
STILL_S = 900.0
"""One whose file nobody has written to for so long is not being played: its server was killed."""
MAX_WATCHED_MATCHES = 8
"""Matches that are watched at once; more of them are shown when they are over."""
MAX_RECORD_BYTES = 24 * 2**20
"""A longer record is not read while it grows."""
PATIENCE_S = 20.0
"""So long one waits for the record of a match that has just ended."""
TAIL = 1 << 16
"""Bytes at the end of a file in which its turn is looked for."""
STAGE = b'[["stage",'
TOO_LONG = "This match is a long one: it is shown once it is over."
NOT_NOW = "Other matches are watched just now: this one is shown once it is over."


class RunningMatches:
    """What is being played, by the keys of matches. All methods may be called from any thread."""

    def __init__(self, out: Path) -> None:
        """`out`: the folder of results."""
        self._out = out
        self._lock = threading.Lock()
        self._turns: Mapping[str, int | None] = {}
        self._looked_at = float("-inf")
        self._posters = WholeMatches()
        self.topics = Topics(Followers(), POLL_INTERVAL_S)

    def matches_with_turns(self) -> Mapping[str, int | None]:
        """Return what is being played, each with the turn it has come to, if that is known."""
        with self._lock:
            if time.monotonic() >= self._looked_at + CACHE_S:
                self._turns, self._looked_at = dict(self._find_running()), time.monotonic()
            return self._turns

    def is_running(self, key: str) -> bool:
        """Return whether a match is being played now."""
        return live_file(self._out, key).exists()

    def _find_running(self) -> Iterator[tuple[str, int | None]]:
        with suppress(OSError):
            for path in (self._out / LIVE).glob("*.jsonl"):
                with suppress(OSError):
                    if path.stat().st_mtime > time.time() - STILL_S:
                        yield path.stem, _turn_in(path)

    def page(self, key: str, names: Iterable[str], title: str, public_path: str) -> Response:
        """Return the page of a match of a game that has this title, while it is played."""
        poster = self._posters.load_poster(key, RunningMatch(self._out, key).draw_first_board)
        page = live_page(names, title, public_path, script=WATCH_RUNNING, poster=poster)
        return HTMLResponse(page, headers={"cache-control": "no-store"})

    def stream_scene(
        self, request: Request, key: str, may_go_on: Callable[[], bool] | None = None
    ) -> Response:
        """Return the stream of what there is to see of a match, as long as one may."""
        return EventStream(encode_events(self.follow(key, last_event_id(request), may_go_on)))

    def follow(
        self, key: str, last: str | None, may_go_on: Callable[[], bool] | None = None
    ) -> Events:
        """Follow a match to its end from what was seen last, as long as one may."""
        return follow(self.topics, key, partial(self._make_followed, key), last, may_go_on)

    def _make_followed(self, key: str) -> Followed:
        read = sum(isinstance(one, LiveScene) for one in self.topics.open_topics)
        has_room = read < MAX_WATCHED_MATCHES
        return LiveScene(RunningMatch(self._out, key)) if has_room else UnreadMatch(self, key)


class RunningMatch(MatchFile):
    """A match that is read while it is played, and its record when that is over."""

    is_reloaded = True

    def __init__(self, out: Path, key: str) -> None:
        def load_sprites(replay: Replay) -> Sprites:
            digests = [bot.digest for bot in replay.bots]
            return load_match_sprites(replay.game.name, digests, out)

        super().__init__(live_file(out, key), Role.SPECTATOR, load_sprites)
        self._replay = out / ResultFolder.MATCHES / key / REPLAY
        self._patient_until: float | None = None

    def has_news(self) -> bool:
        return not self._path.exists() or super().has_news()

    def read_new_entries(self) -> None:
        """Take in what was played meanwhile, or what was recorded of it."""
        if self.is_over:
            return
        try:
            size = self._path.stat().st_size
        except FileNotFoundError:
            self._end()
            return
        if size > MAX_RECORD_BYTES:
            self.why_hidden = TOO_LONG
            return
        with suppress(BadReplay):  # whatever is wrong with it, it is shown once it is over
            super().read_new_entries()

    def _end(self) -> None:
        """Take in what is recorded of a match that is played no more."""
        if self._patient_until is None:
            self._patient_until = time.monotonic() + PATIENCE_S
        try:
            self.take(Replay(self._replay))
            self.is_over = True
        except BadReplay:
            self.is_over = time.monotonic() > self._patient_until


class UnreadMatch:
    """A match that is not read, as too many are: who follows it learns when it is over."""

    def __init__(self, running: RunningMatches, key: str) -> None:
        self._running = running
        self._key = key

    def has_news(self) -> bool:
        return not self._running.is_running(self._key)

    def update_since(self, last: str | None) -> Update:
        if self.has_news():
            return Update(last, OVER, is_over=True)
        return Update(HIDDEN, waiting_event(NOT_NOW) if last is None else None, is_over=False)


def _turn_in(path: Path) -> int | None:
    """Return the turn in which the last lines of a record begin; None where they do not say."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        tail = file.read(TAIL)
    _, found, rest = tail.rpartition(STAGE)
    turn = rest[:12].partition(b",")[0]
    return int(turn) if found and turn.isdigit() else None
