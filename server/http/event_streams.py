"""Streams of events, as browsers read them: who follows a game is woken when it has changed.

With HTTP/1.1 a browser has six connections to a server: a stream for each page leaves none for
moves. So its pages share one. It names its topics, each with the last event that was seen of it;
what each of them sends is what their own streams do, and who may see what is asked there.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from http import HTTPStatus
from typing import NamedTuple, TypeVar, cast

from msgspec.json import encode
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from engine.errors import EngineFailure
from server.http.connections import CONNECTION, Connection
from server.http.errors import RequestRefused
from server.http.responses import EVENTS, MAX_TOPICS, problem_response, retry_after
from server.identity.visitors import SESSION

T = TypeVar("T")
KEEPALIVE_S = 15
"""A stream says so often that it is alive: proxies end those that say nothing."""
STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""The headers of a stream: no proxy may hold it back."""
SHARED_S = 0.5
"""What was read is good for so long: the clocks of a game go on."""
MAX_STREAMS_PER_GAME = 1_000
"""Streams of one game."""
RETRY_S = 10
"""One that is refused is asked for again after so long."""
TOO_MANY = "too many pages follow games at once: close some of yours, or try again in a minute"
ALIVE_COMMENT = b": still here\n\n"
"""Keeps a stream alive where there is no news."""


class Followers:
    """Wakes those who follow a game. Made and used on the event loop, but for `notify`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._shared = defaultdict[str, dict[Hashable, tuple[float, asyncio.Task[object]]]](dict)
        """When what was begun to be read of each game that is followed, since its last change."""
        self.is_closing = False

    def start(self) -> None:
        """Remember the running event loop."""
        self._loop = asyncio.get_running_loop()

    def close_all_streams(self) -> None:
        """Wake everybody, to see that it is over."""
        self.is_closing = True
        for game_id in list(self._followers):
            self.wake(game_id)

    @property
    def streams(self) -> int:
        """Return how many streams are open; from any thread."""
        # A copy, as the loop may add and remove followers meanwhile.
        return sum(map(len, list(self._followers.values())))

    def notify(self, game_id: str) -> None:
        """Wake those who follow a game; from any thread."""
        # Threads report changes before the loop runs, too, and after it has ended.
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake, game_id)

    @contextmanager
    def follow(self, game_id: str) -> Iterator[asyncio.Event | None]:
        """Give an event that is set when the game has changed; None if there are too many."""
        if len(self._followers.get(game_id, ())) >= MAX_STREAMS_PER_GAME:
            yield None
            return
        woken = asyncio.Event()
        self._followers[game_id].add(woken)
        try:
            yield woken
        finally:
            followers = self._followers[game_id]
            followers.discard(woken)
            if not followers:  # games come and go: one without followers takes no memory
                del self._followers[game_id]
                self._shared.pop(game_id, None)

    async def read_shared(self, game_id: str, wanted: Hashable, read: Callable[[], T]) -> T:
        """Return what `read` finds on a thread, once for all followers who want the same.

        Raises whatever it does.
        """
        loop, made = asyncio.get_running_loop(), self._shared[game_id]
        read_at, task = made.get(wanted, (float("-inf"), None))
        if task is None or loop.time() > read_at + SHARED_S:
            # The task is shared, not its result: who asks while it runs waits for the same one.
            task = loop.create_task(run_in_threadpool(read))
            made[wanted] = loop.time(), task
        # One who leaves does not end it for the others.
        return cast("T", await asyncio.shield(task))

    def wake(self, game_id: str) -> None:
        """Wake those who follow a game; on the event loop."""
        # First, so that nobody who is woken is given what was read before the change.
        self._shared.pop(game_id, None)
        for woken in self._followers.get(game_id, ()):
            woken.set()


class EventStream(StreamingResponse):
    """An answer that goes on with each event; a browser asks again for one that has ended.

    It is refused where whoever asks, or everybody together, follows too much already.
    """

    def __init__(
        self,
        events: AsyncIterator[bytes],
        *,
        place: AbstractContextManager[None] = nullcontext(),  # noqa: B008 - it has no state
    ) -> None:
        """`place` counts the stream while it is sent; it raises where there is none for it."""
        self._place = place
        super().__init__(_until_failure(events), media_type=EVENTS, headers=STREAM_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        # Here, and not among the events: once those have begun, the status was sent.
        with self._place, _count_stream(scope) as has_room:
            if has_room:
                await super().__call__(scope, receive, send)
                return
        answer = problem_response(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY, retry_after(RETRY_S))
        await answer(scope, receive, send)


def _count_stream(scope: Scope) -> AbstractContextManager[bool]:
    """Return what counts a stream, where connections are counted."""
    connection: Connection | None = scope.get("state", {}).get(CONNECTION)
    if connection is None:
        return nullcontext(True)
    return connection.stream(scope["client"][0], Request(scope).cookies.get(SESSION, ""))


async def _until_failure(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """End the stream where a database starts again, or the game was removed.

    Its status was sent, and says nothing more.
    """
    with suppress(EngineFailure, RequestRefused):
        async for content in events:
            yield content


async def alive_until(woken: asyncio.Event, interval_s: float = KEEPALIVE_S) -> AsyncIterator[None]:
    """Yield, until there is news, whenever a stream is to say that it is alive."""
    while not woken.is_set():
        try:
            async with asyncio.timeout(interval_s):
                await woken.wait()
        except TimeoutError:
            yield


class StreamEvent(NamedTuple):
    """An event of a stream."""

    kind: str
    data: bytes
    """JSON, in one line."""
    last: str | None = None
    """Stands for all that was sent so far: who sends it back is sent what came after it."""

    def to_bytes(self) -> bytes:
        """Return the event as it is sent."""
        last = b"" if self.last is None else b"id: %b\n" % self.last.encode()
        return b"event: %b\n%bdata: %b\n\n" % (self.kind.encode(), last, self.data)


Events = AsyncIterator[StreamEvent | None]
"""What is followed: its events, and None where there is no news for a while."""


async def encode_events(events: Events) -> AsyncIterator[bytes]:
    """Yield events as they are sent."""
    async for event in events:
        yield ALIVE_COMMENT if event is None else event.to_bytes()


TOPIC = re.compile(
    r"([a-z]{1,20})/([\w-][\w.-]{0,63}(?:/matches/\w{1,64})?)/(\w{1,20})(?:@([\w-]{1,64}))?",
    re.ASCII,
)
"""What follows `topic=`: the path of a stream below /api/v1, and the last event that was seen."""
ALIVE = b'data: {"event":"alive"}\ndata: null\n\n'
"""Pages hear it, other than a comment: one that hears nothing asks again."""
END = "end"
BUSY_TEXT = "too many follow this: try again later"

Follow = Callable[[Request, str, str | None], Events]
"""Follows something, by its id, from the last event that was seen."""


class SharedStream:
    """Follows several topics at once."""

    def __init__(self, news: Followers, follows: Mapping[str, Follow]) -> None:
        """`follows`: how each kind of topic is followed, by its words besides the id."""
        self._followers = news
        self._follows = follows

    def response(self, request: Request) -> Response:
        """Return the stream of all topics that a request names."""
        names = request.query_params.getlist("topic")
        if not 1 <= len(names) <= MAX_TOPICS:
            why = f"{len(names)} topics; expected 1 to {MAX_TOPICS}"
            return problem_response(HTTPStatus.BAD_REQUEST, why)
        topics: list[_Topic] = []
        for number, each in enumerate(names):
            found = TOPIC.fullmatch(each)
            follow = self._follows.get(f"{found[1]}/{found[3]}") if found else None
            if found is None or follow is None:
                kinds = " or ".join(sorted(self._follows)).replace("/", "/ID/")
                why = f"{each!r:.100} is not a topic; expected {kinds}"
                return problem_response(HTTPStatus.BAD_REQUEST, why)
            topics.append(_Topic(number, follow(request, found[2], found[4])))
        return EventStream(self._merged_events(topics))

    async def _merged_events(self, topics: Sequence["_Topic"]) -> AsyncIterator[bytes]:
        """Yield the events of all topics as they come; each says now and then that it is alive."""
        yield ALIVE
        waiting = {topic.start_waiting(): topic for topic in topics}
        try:
            while waiting:
                done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    topic = waiting[task]
                    event = self._next_event(topic, task)
                    yield ALIVE if event is None else encode_topic_event(topic.number, event)
                    del waiting[task]
                    if not topic.is_over:
                        waiting[topic.start_waiting()] = topic
        finally:
            for task in waiting:
                task.cancel()
                if task.done() and not task.cancelled():
                    task.exception()  # of a database that is away; another topic has told of it

    def _next_event(
        self, topic: "_Topic", task: "asyncio.Task[StreamEvent | None]"
    ) -> StreamEvent | None:
        """Return the next event of a topic, None if there is no news. Raises: EngineFailure."""
        try:
            event = task.result()
        except StopAsyncIteration:
            topic.is_over = True
            if self._followers.is_closing:
                return None  # it goes on where we are started again
            is_refused = not topic.has_begun
            return (
                end_event(HTTPStatus.SERVICE_UNAVAILABLE, BUSY_TEXT) if is_refused else end_event()
            )
        except RequestRefused as refused:
            topic.is_over = True
            return end_event(refused.status, str(refused))
        topic.has_begun = True
        return event


def request_at(request: Request, **path_params: str) -> Request:
    """Return a request as if it were for the address of a topic, with these parts."""
    return Request({**request.scope, "path_params": path_params})


class _Topic:
    """Something that is followed."""

    def __init__(self, number: int, events: Events) -> None:
        """`number`: its place in the query."""
        self.number = number
        self._events = events
        self.has_begun = False
        self.is_over = False

    def start_waiting(self) -> "asyncio.Task[StreamEvent | None]":
        """Begin to wait for the next event."""
        return asyncio.ensure_future(self._next_event())

    async def _next_event(self) -> StreamEvent | None:
        return await anext(self._events)


def end_event(status: int | None = None, error: str = "") -> StreamEvent:
    """Return the event that ends a topic, with why if it was refused: nothing comes after it."""
    return StreamEvent(END, b"{}" if status is None else encode({"status": status, "error": error}))


def encode_topic_event(number: int, event: StreamEvent) -> bytes:
    """Return an event of a topic as it is sent: a line that says whose it is, and its data."""
    head = {"topic": number, "event": event.kind, "last": event.last}
    return b"data: %b\ndata: %b\n\n" % (encode(head), event.data)
