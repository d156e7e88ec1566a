"""The matches of bots that are being played on this machine, for whoever watches them meanwhile.

Whoever plays a match writes its lines to a file (engine/result_folder.py). What is sent is made
for the public alone, and once for all who watch: a file is read now and then, and few at a time.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.json import encode
from starlette.concurrency import run_in_threadpool

from engine.errors import BadReplay
from engine.replays.live import LiveReplay
from engine.replays.reading import Replay
from engine.result_folder import LIVE, REPLAY, ResultFolder, live_file
from engine.streams import seed_hash, seed_text
from server.games.live_match import parse_event_id, with_event_id
from server.games.public_page import PublicPage
from server.games.watching import scene, waiting
from server.http.event_streams import KEEPALIVE_S, Events, StreamEvent
from visualizer.drawing.sprites import load_match_sprites

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
OVER_S = 2.0
"""From the end of a match of which nothing was seen to when its page is loaded again."""
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
        self._watched = dict[str, _Watched]()
        self.is_closing = False

    def close(self) -> None:
        """End all streams."""
        self.is_closing = True

    def turns(self) -> Mapping[str, int | None]:
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

    async def follow(
        self, key: str, last: str | None, may_go_on: Callable[[], bool] = lambda: True
    ) -> Events:
        """Follow a match to its end from what was seen last, as long as one may."""
        since, quiet_s = parse_event_id(last or ""), 0.0
        with self._following(key) as watched:
            if watched is None:
                yield StreamEvent("wait", _words(NOT_NOW))
            while not self.is_closing and may_go_on():
                if watched is None:
                    is_over, event = not self.is_running(key), None
                else:
                    since, event, is_over = await run_in_threadpool(watched.event_since, since)
                if event is not None or quiet_s >= KEEPALIVE_S:
                    quiet_s = 0.0
                    yield event
                if is_over:
                    if since is None or watched is None or watched.is_unseen:
                        await asyncio.sleep(OVER_S)
                        yield StreamEvent("over", b"{}")
                    return
                quiet_s += POLL_INTERVAL_S
                await asyncio.sleep(POLL_INTERVAL_S)

    @contextmanager
    def _following(self, key: str) -> "Iterator[_Watched | None]":
        """Give what all who follow a match share; None where too many are followed."""
        with self._lock:
            watched = self._watched.get(key)
            if watched is None and len(self._watched) < MAX_WATCHED_MATCHES:
                watched = self._watched[key] = _Watched(self._out, key)
            if watched is not None:
                watched.followers += 1
        try:
            yield watched
        finally:
            if watched is not None:
                with self._lock:
                    watched.followers -= 1
                    if not watched.followers:
                        self._watched.pop(key, None)


class _Watched:
    """A match that somebody watches."""

    def __init__(self, out: Path, key: str) -> None:
        self.followers = 0
        """How many watch it; whoever changes it holds the lock of all matches."""
        self._out = out
        self._live = live_file(out, key)
        self._replay = out / ResultFolder.MATCHES / key / REPLAY
        self._lock = threading.Lock()
        self._source: LiveReplay | None = None
        self._page: PublicPage | None = None
        self._beginnings = 0
        self._read_at = self._ended_at = float("-inf")
        self._is_over = False
        self._about: dict[str, object] = {}
        self._why = b""
        """Why there is nothing to see before its end; empty where there is."""
        self._made = dict[tuple[int, int] | None, StreamEvent]()
        """What whoever knows so much is sent now."""

    @property
    def is_unseen(self) -> bool:
        """Return whether there was nothing to see of it."""
        return self._page is None

    def event_since(
        self, since: tuple[int, int] | None
    ) -> tuple[tuple[int, int] | None, StreamEvent | None, bool]:
        """Return what a page knows then, the event that tells it so if any, and if that was all."""
        with self._lock:
            if not self._is_over and time.monotonic() >= self._read_at + POLL_INTERVAL_S:
                self._read_at = time.monotonic()
                self._read()
            if self._page is None or not self._page.moments:
                event = StreamEvent("wait", self._why) if self._why and since is None else None
                return (0, 0) if self._why else None, event, self._is_over
            now = self._beginnings, self._page.moments - 1
            if since == now:
                return now, None, self._is_over
            if since not in self._made:
                known = since[1] if since is not None and since[0] == now[0] else None
                if known is not None and known >= self._page.moments:
                    known = None  # of another process's count
                self._made[since] = scene(self._page.message(known, self._about))
            return now, with_event_id(self._made[since], now), self._is_over

    def _read(self) -> None:
        """Take in what was played meanwhile, or what was recorded of it."""
        try:
            size = self._live.stat().st_size
        except FileNotFoundError:
            self._end()
            return
        if size > MAX_RECORD_BYTES or not size:
            self._why = _words(TOO_LONG) if size else self._why
            return
        with suppress(BadReplay):  # whatever is wrong with it, it is shown once it is over
            if self._source is None:
                self._source = LiveReplay(self._live)
            else:
                self._source.read_new_entries()
            self._take(self._source)

    def _end(self) -> None:
        """Take in what is recorded of a match that is played no more."""
        if self._ended_at < 0:
            self._ended_at = time.monotonic()
        try:
            self._take(Replay(self._replay))
            self._is_over = True
        except BadReplay:
            self._is_over = time.monotonic() > self._ended_at + PATIENCE_S

    def _take(self, source: Replay) -> None:
        if source.game.public_is_late:  # and its source is taken out of the copy for everybody
            self._why = waiting(source.game.title).data
            return
        if self._page is None or (isinstance(source, LiveReplay) and self._is_new(source)):
            sprites = load_match_sprites(
                source.game.name, [bot.digest for bot in source.bots], self._out
            )
            self._page = PublicPage(source, sprites)
            self._beginnings = source.beginnings
            self._made.clear()
        if self._page.take(source):
            self._made.clear()
        self._about = about(source)

    def _is_new(self, source: LiveReplay) -> bool:
        """Return whether the match was void, and is played again."""
        return source.beginnings != self._beginnings


def about(source: Replay) -> dict[str, object]:
    """Return what a page says of a match besides what happens in it."""
    is_over = source.outcome is not None
    return {
        "isGrowing": not is_over,
        "isWhole": is_over and source.game.open_information,
        "isContinuable": False,
        "follows": False,
        "seats": [bot.name for bot in source.bots],
        "seed": seed_text(source.spec.seed) if is_over else None,
        "seedHash": seed_hash(source.spec.seed),
    }


def _turn_in(path: Path) -> int | None:
    """Return the turn in which the last lines of a record begin; None where they do not say."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        tail = file.read(TAIL)
    _, found, rest = tail.rpartition(STAGE)
    turn = rest[:12].partition(b",")[0]
    return int(turn) if found and turn.isdigit() else None


def _words(words: str) -> bytes:
    return encode({"words": words})
