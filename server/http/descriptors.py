"""How many files and sockets this process may have open."""

import sys
from contextlib import suppress

if sys.platform != "win32":  # which knows no such limit
    from resource import RLIMIT_NOFILE, getrlimit, setrlimit

MOST = 1 << 16
"""More are never asked for: where there is no limit the system's own may be lower."""
WITHOUT_LIMIT = 2_048
"""What we count on where the system knows no limit."""


def raise_descriptor_limit() -> int:
    """Raise our limit to the highest that we may have, and return it.

    The usual one, 1024, is for old programs that call select(2); what we start inherits ours.
    """
    if sys.platform == "win32":
        return WITHOUT_LIMIT
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        soft, hard = getrlimit(RLIMIT_NOFILE)
        highest = max(soft, min(_number(hard), MOST))
        with suppress(ValueError, OSError):  # macOS has another limit, of which it says nothing
            setrlimit(RLIMIT_NOFILE, (highest, hard))
        return min(_number(getrlimit(RLIMIT_NOFILE)[0]), MOST)


def _number(limit: int) -> int:
    """Return a limit; none at all is a negative number on some systems."""
    return limit if limit >= 0 else MOST
