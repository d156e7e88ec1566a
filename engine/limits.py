"""Define the time and memory limits of a bot, which are part of the MatchSpec."""

from typing import Annotated

import msgspec
from msgspec import Meta

Milliseconds = Annotated[int, Meta(ge=1, le=3_600_000)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a bot may think, how often it may break, and how much it may say."""

    cpu_ms: Annotated[Milliseconds, Meta(description="CPU time for one order, milliseconds")] = 50
    wall_ms: Annotated[
        Milliseconds, Meta(description="wall time for one order, milliseconds (catches sleepers)")
    ] = 1_000
    ponder_ms: Annotated[
        int,
        Meta(ge=0, le=3_600_000, description="CPU time allowed between two orders, milliseconds"),
    ] = 25
    is_stopped_between: Annotated[
        bool, Meta(description="bots are stopped between orders, not only once caught thinking")
    ] = False
    load_ms: Annotated[
        Milliseconds, Meta(description="time to import the bot and make its Player, milliseconds")
    ] = 5_000
    bank_s: Annotated[
        int, Meta(ge=1, le=1_000_000, description="CPU time, and sleep, for a whole match, seconds")
    ] = 60
    max_restarts: Annotated[
        int, Meta(ge=0, le=1_000, description="broken processes replaced before the bot is out")
    ] = 3
    answer_bytes: Annotated[
        int, Meta(ge=64, le=4_000_000, description="longest answer a bot may send, bytes")
    ] = 4_096
    memory_mb: Annotated[
        int, Meta(ge=16, le=1_000_000, description="memory beyond the worker's own, megabytes")
    ] = 512
