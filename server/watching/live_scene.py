"""A match that is being played, as all its viewers share it, and the loop by which each follows."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool

from server.http.event_streams import Events, Followers, StreamEvent, alive_until
from server.watching.scene_messages import OVER, scene, waiting
from visualizer.backends.page.growing import GrowingPage

HIDDEN = "hidden"
"""What a page knows that was told why there is nothing to see."""
OVER_S = 2.0
"""From the end of a match of which nothing was seen to when its page is loaded again."""


class EventSource(Protocol):
    """Where the events of a match come from while it is played."""

    @property
    def page(self) -> GrowingPage | None:
        """Return what may be seen so far; another one where the match has begun anew."""

    @property
    def moments(self) -> Sequence[str]:
        """Return what stands for all that was seen at each moment of the page."""

    @property
    def why_hidden(self) -> str:
        """Return why there is nothing to see before the end; '' where there is."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing comes any more."""

    @property
    def is_reloaded(self) -> bool:
        """Return whether its page, loaded again after the end, shows what was recorded."""

    def has_news(self) -> bool:
        """Return whether there may be something to read; it costs little."""

    def read_new_entries(self) -> None:
        """Take in what happened since the last call."""

    def describe(self) -> dict[str, object]:
        """Return what a page says of the match besides what happens in it."""

    def render_whole(self) -> bytes | None:
        """Return the message for who comes after the end; None before, or where there is none."""


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
                return Update(moment, scene(whole, moment), is_over)
        if source.page is None or moment is None:
            if is_over and source.is_reloaded:
                return Update(last, OVER, is_over)
            if source.why_hidden and last is None:
                return Update(HIDDEN, waiting(source.why_hidden), is_over)
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
        return Update(moment, scene(self._made[wanted], moment), is_over)


class LiveScenes:
    """The scenes of those matches that somebody follows, by a name of theirs.

    A source that cannot tell of its news is looked at again and again while somebody follows it,
    once for all who do. Used on the event loop.
    """

    def __init__(self, followers: Followers, poll_interval_s: float | None = None) -> None:
        """`followers`: who is woken when something has happened; by whom, else, is their matter."""
        self.followers = followers
        self._poll_interval_s = poll_interval_s
        self._scenes: dict[str, LiveScene] = {}
        self._polls: dict[str, asyncio.Task[None]] = {}
        self._followed = Counter[str]()

    @property
    def sources(self) -> list[EventSource]:
        """Return where the events of the open scenes come from."""
        return [one.source for one in self._scenes.values()]

    @contextmanager
    def open_scene(self, name: str, make_source: Callable[[], EventSource]) -> Iterator[LiveScene]:
        """Give the scene that all who follow a match share."""
        found = self._scenes.get(name)
        if found is None:
            found = self._scenes[name] = LiveScene(make_source())
            if self._poll_interval_s is not None:
                polling = self._poll(name, found, self._poll_interval_s)
                self._polls[name] = asyncio.create_task(polling)
        self._followed[name] += 1
        try:
            yield found
        finally:
            self._followed[name] -= 1
            if not self._followed[name]:
                del self._followed[name], self._scenes[name]
                if name in self._polls:
                    self._polls.pop(name).cancel()

    async def _poll(self, name: str, found: LiveScene, interval_s: float) -> None:
        while True:
            await asyncio.sleep(interval_s)
            if await run_in_threadpool(found.has_news):
                self.followers.wake(name)


def may_always_go_on() -> bool:
    return True


async def follow(
    scenes: LiveScenes,
    name: str,
    make_source: Callable[[], EventSource],
    last: str | None,
    may_go_on: Callable[[], bool] = may_always_go_on,
) -> Events:
    """Follow a match from what was seen last to its end, as long as one may.

    `may_go_on` is asked on a thread before anything is sent. Where too many follow the match, it
    ends without an event.
    """
    news = scenes.followers
    with news.following(name) as woken, scenes.open_scene(name, make_source) as watched:

        def look() -> Update | None:
            return watched.update_since(last) if may_go_on() else None

        while woken is not None and not news.is_closing:
            woken.clear()
            update = await run_in_threadpool(look)
            if update is None:
                return
            last = update.last
            if update.event is OVER:
                await asyncio.sleep(OVER_S)
            if update.event is not None:
                yield update.event
            if update.is_over:
                return
            async for _ in alive_until(woken):
                yield None
