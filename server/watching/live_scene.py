"""A match that is being played, as all its viewers share it, and the loop by which each follows."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple, Protocol
from zlib import crc32

from starlette.concurrency import run_in_threadpool

from engine.errors import EngineFailure
from server.http.errors import RequestRefused
from server.http.event_streams import Events, Followers, StreamEvent, alive_until
from server.watching.scene_messages import OVER, scene_event, waiting_event
from visualizer.backends.page.growing import GrowingPage

HIDDEN = "hidden"
"""What a page knows that was told why there is nothing to see."""
NEWS_INTERVAL_S = 2.0
"""What is rendered again and again is so at most so often."""
OVER_S = 2.0
"""From the end of a match of which nothing was seen to when its page is loaded again."""


class EventSource:
    """A source of the events of a match that is being played."""

    is_reloaded = False
    """Whether its page, loaded again after the end, shows what was recorded."""

    def __init__(self) -> None:
        self.page: GrowingPage | None = None
        """What may be seen so far; another one where the match has begun anew."""
        self.moments: list[str] = []
        """What stands for all that was seen at each moment of the page."""
        self.why_hidden = ""
        """Why there is nothing to see before the end; '' where there is."""
        self.is_over = False
        """Whether nothing comes any more."""

    def has_news(self) -> bool:
        """Return whether there may be something to read; it costs little."""
        return True

    def read_new_entries(self) -> None:
        """Take in what happened since the last call."""
        raise NotImplementedError

    def describe(self) -> dict[str, object]:
        """Return what a page says of the match besides what happens in it."""
        raise NotImplementedError

    def render_whole(self) -> bytes | None:
        """Return the message for who comes after the end; None before, or where there is none."""
        return None


class Update(NamedTuple):
    """What a viewer is sent, and what is known then."""

    last: str | None
    event: StreamEvent | None
    is_over: bool


class LiveScene:
    """What all who watch a match share: each message is made once. For any thread."""

    def __init__(self, source: EventSource) -> None:
        self.source = source
        self._lock = threading.Lock()
        self._moment: str | None = None
        self._made = dict[tuple[int | None, bool], bytes]()
        """What is sent now, by the number of the moment that is known, and whether that is all."""

    def has_news(self) -> bool:
        """Return whether there may be something new; it costs little."""
        return self.source.has_news()

    def read_new_entries(self) -> None:
        """Take in what happened meanwhile. Raises whatever its source does."""
        with self._lock:
            self.source.read_new_entries()

    def update_since(self, last: str | None) -> Update:
        """Return what is new to a viewer who knows the match up to a moment; None: nothing."""
        with self._lock:
            self.source.read_new_entries()
            return self._make_update(last)

    def _make_update(self, last: str | None) -> Update:
        source, is_over = self.source, self.source.is_over
        moment = source.moments[-1] if source.moments else None
        if last is None or last == HIDDEN or (moment is None and is_over):
            whole = source.render_whole()
            if whole is not None:
                return Update(moment, scene_event(whole, moment), is_over)
        if source.page is None or moment is None:
            if is_over and source.is_reloaded:
                return Update(last, OVER, is_over)
            if source.why_hidden and last is None:
                return Update(HIDDEN, waiting_event(source.why_hidden), is_over)
            return Update(last, None, is_over)
        if last == moment and not is_over:
            return Update(last, None, is_over)
        if moment != self._moment:
            self._moment = moment
            self._made.clear()
        # Who knows another past, or a moment of another process, gets everything anew.
        known = source.moments.index(last) if last in source.moments else None
        wanted = known, is_over
        if wanted not in self._made:
            self._made[wanted] = source.page.message(known, source.describe())
        return Update(moment, scene_event(self._made[wanted], moment), is_over)


class Followed(Protocol):
    """What somebody follows. Its methods are called on threads."""

    def has_news(self) -> bool:
        """Return whether there may be something new; it costs little."""

    def update_since(self, last: str | None) -> Update:
        """Return what is new to who knows it up to a moment; None: nothing."""


class PolledNews:
    """Something that is rendered again and again, and sent where it has changed."""

    def __init__(self, kind: str, render: Callable[[], bytes]) -> None:
        """`kind`: of its events; `render` returns JSON, the same for all who follow it."""
        self._kind = kind
        self._render = render
        self._content = b""
        self._next_at = 0.0

    def has_news(self) -> bool:
        before, at = self._content, time.monotonic()
        if at >= self._next_at:
            self._content, self._next_at = self._render(), at + NEWS_INTERVAL_S
        return self._content != before

    def update_since(self, last: str | None) -> Update:
        content = self._content = self._content or self._render()
        mark = f"{crc32(content):08x}"
        event = None if last == mark else StreamEvent(self._kind, content, mark)
        return Update(mark, event, is_over=False)


class Topics:
    """What somebody follows, by its name.

    What cannot tell of its news is looked at again and again while somebody follows it, once for
    all who do. Used on the event loop.
    """

    def __init__(self, followers: Followers, poll_interval_s: float = 0.0) -> None:
        """`followers`: who is woken when something has happened; by whom, else, is their matter."""
        self.followers = followers
        self._poll_interval_s = poll_interval_s
        self._open: dict[str, Followed] = {}
        self._polls: dict[str, asyncio.Task[None]] = {}
        self._followed = Counter[str]()

    @property
    def open_topics(self) -> list[Followed]:
        """Return all that somebody follows."""
        return list(self._open.values())

    @contextmanager
    def open_topic(self, name: str, make: Callable[[], Followed]) -> Iterator[None]:
        """Keep open what all who follow something share."""
        if name not in self._open:
            found = self._open[name] = make()
            if self._poll_interval_s:
                self._polls[name] = asyncio.create_task(self._poll(name, found))
        self._followed[name] += 1
        try:
            yield
        finally:
            self._followed[name] -= 1
            if not self._followed[name]:
                del self._followed[name], self._open[name]
                if name in self._polls:
                    self._polls.pop(name).cancel()

    async def update_since(self, name: str, last: str | None) -> Update:
        """Return what is new of an open topic; it is read once for all who ask at a time."""
        read = partial(self._open[name].update_since, last)
        return await self.followers.read_shared(name, ("scene", last), read)

    async def _poll(self, name: str, found: Followed) -> None:
        while True:
            await asyncio.sleep(self._poll_interval_s)
            try:
                has_news = await run_in_threadpool(found.has_news)
            except (EngineFailure, RequestRefused, OSError):
                has_news = True  # whoever reads it is told why not
            if has_news:
                self.followers.wake(name)


async def follow(
    topics: Topics,
    name: str,
    make: Callable[[], Followed],
    last: str | None,
    may_go_on: Callable[[], bool] | None = None,
) -> Events:
    """Follow something from what was seen last to its end, as long as one may.

    `may_go_on` is asked on a thread before anything is sent. Where too many follow it, it ends
    without an event.
    """
    news = topics.followers
    with news.follow(name) as woken, topics.open_topic(name, make):
        while woken is not None and not news.is_closing:
            woken.clear()
            if may_go_on is not None and not await run_in_threadpool(may_go_on):
                return
            update = await topics.update_since(name, last)
            last = update.last
            if update.event is OVER:
                await asyncio.sleep(OVER_S)
            if update.event is not None:
                yield update.event
            if update.is_over:
                return
            async for _ in alive_until(woken):
                yield None
