"""What programs send to the API and are answered in all parts of it."""

from typing import Annotated

from msgspec import Meta, Struct

MAX_TOPICS = 50
"""Topics of one stream; their names fit into 8 KB, which is what proxies let through."""


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
        description="`games/ID/events` or `games/ID/scene`, and `@` with the `last` of the last "
        "event that was seen of it. Several are `topic=...&topic=...`.",
    ),
]


class StreamQuery(Struct, frozen=True):
    """What a stream follows."""

    topic: Topics
