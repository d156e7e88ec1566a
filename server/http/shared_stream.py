"""One stream for all that a browser follows.

With HTTP/1.1 a browser has six connections to a server: a stream for each page leaves none for
moves. So its pages share one. It names its topics, each with the last event that was seen of it;
what each of them sends is what their own streams do, and who may see what is asked there.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from http import HTTPStatus

from msgspec.json import encode
from starlette.requests import Request
from starlette.responses import Response

from server.http.bodies import MAX_TOPICS
from server.http.errors import RequestRefused
from server.http.event_streams import Events, EventStream, Followers, StreamEvent
from server.http.responses import problem_response

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
