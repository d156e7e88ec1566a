"""How long people wait for each kind of request, and which were refused."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

KINDS = (
    ("first page", "GET", "/"),
    ("ladder page", "GET", r"/contests/\w+"),
    ("position", "GET", r"/api/v1/games/\w+"),
    ("order", "POST", r"/api/v1/games/\w+/orders"),
    ("new game", "POST", r"/lobby/\w+(/take)?"),
    ("run of a draft", "POST", r"/api/v1/drafts/\w+/runs"),
    ("sign-in", "POST", "/sign-in"),
    ("sign-out", "POST", "/sign-out"),
)
"""A name, a method, and a pattern of paths."""
NEWS = "news of an order"
"""The kind of what nobody asks for: how long it takes until a stream tells of an order."""


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """How long requests of a kind took, seconds."""

    count: int
    p50: float
    p95: float
    max: float


class WaitingTimes:
    """Collects waits, from any thread."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.refused = Counter[str]()
        """Requests of honest people that were refused or not answered, by kind and answer."""

    def clear(self) -> None:
        """Forget what was before the attack."""
        self._seconds.clear()
        self.refused.clear()

    def note(self, kind: str, seconds: float) -> None:
        self._seconds[kind].append(seconds)

    def waits(self) -> dict[str, Waits]:
        """Return how long people waited, by kind."""
        return {kind: summarize_waits(seconds) for kind, seconds in sorted(self._seconds.items())}


def summarize_waits(seconds: Sequence[float]) -> Waits:
    """Return what such waits come to; there is at least one."""
    ordered = sorted(seconds)
    return Waits(
        count=len(ordered),
        p50=ordered[len(ordered) // 2],
        p95=ordered[len(ordered) * 95 // 100],
        max=ordered[-1],
    )


def request_kind(method: str, path: str) -> str:
    """Return the kind of a request."""
    for name, its_method, pattern in KINDS:
        if method == its_method and re.fullmatch(pattern, path):
            return name
    return "other"
