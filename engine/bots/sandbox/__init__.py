"""What a worker may touch: decided here, before any line of the bot runs."""

import os

from engine.bots.sandbox.process import die_with_parent


def confine(*, memory_mb: int) -> None:
    """Called by the worker on itself. The order matters: what needs rights comes first."""
    if os.name != "posix":
        return
    from engine.bots.sandbox.limits import limit_resources  # what only POSIX has

    die_with_parent()
    limit_resources(memory_mb=memory_mb)
