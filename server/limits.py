"""How often somebody may try: a sliding window for each address or person, in memory."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_INVITATION_DAYS = 90
MOST_KEYS = 10_000
"""Addresses and people that are remembered; whoever tried longest ago is forgotten."""


class RateLimit:
    """Allows each key so many tries within a time. All methods may be called from any thread."""

    def __init__(
        self, tries: int, window_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tries = tries
        self._window_s = window_s
        self._clock = clock
        self._lock = threading.Lock()
        self._past = OrderedDict[str, deque[float]]()

    def allows(self, key: str) -> bool:
        """Count a try, and return whether it is one of those allowed; a refused one counts not."""
        with self._lock:
            now = self._clock()
            past = self._past.setdefault(key, deque())
            self._past.move_to_end(key)
            while past and past[0] <= now - self._window_s:
                past.popleft()
            is_allowed = len(past) < self._tries
            if is_allowed:
                past.append(now)
            while len(self._past) > MOST_KEYS:
                self._past.popitem(last=False)
        return is_allowed
