"""What programs send to the API and are answered in all parts of it."""

from typing import Annotated

from msgspec import Meta, Struct

MAX_TOPICS = 50
"""Topics of one stream; their names fit into 8 KB, which is what proxies let through."""

MAX_INT32 = 2**31 - 1
"""The largest number that is read; every database holds it."""
Team = Annotated[int, Meta(ge=1, le=MAX_INT32, description="The team; the first is 1.")]


class Problem(Struct, frozen=True):
    """Why a request was refused, in words."""

    error: str


class Empty(Struct, frozen=True):
    """Done; there is nothing to say of it."""


Topics = Annotated[
    list[str],
    Meta(
        min_length=1,
        max_length=MAX_TOPICS,
        description="`games/ID/events`, `games/ID/scene`, `matches/ID/scene`, `runs/ID/scene`, "
        "`ladders/ID/playing`, `tournaments/NAME/news` or `tournaments/NAME/matches/KEY/scene`, "
        "and `@` with the `last` of the last event that was seen of it. "
        "Several are `topic=...&topic=...`.",
    ),
]


class StreamQuery(Struct, frozen=True):
    """What a stream follows."""

    topic: Topics
