"""ConcurrencyLimit for what takes a while: nobody has many at once, and guests never have all."""

import threading
from collections import Counter

from server.http.errors import TooMany
from server.identity.rate_limits import Asker

BUSY_TEXT = "many wait already: please try again in a moment"


class ConcurrencyLimit:
    """Limits what is under way at once. All methods may be called from any thread."""

    def __init__(
        self, most: int, of_one: int, of_address: int, message: str, wait_s: float
    ) -> None:
        """`of_one` are the places of one person or browser, `of_address` those of an address.

        `message` refuses who has all of their own; `wait_s`: when it may be tried again.
        """
        self._most = most
        self._of_one = of_one
        self._of_address = of_address
        self._words = message
        self._wait_s = wait_s
        self._lock = threading.Lock()
        self._taken = Counter[str]()
        """By key, and `all` and `guests`."""

    def acquire(self, by: Asker) -> None:
        """Take a place, until `release`. Raises: TooMany where there is none."""
        *shared, own = by.keys
        most = {"all": self._most, **dict.fromkeys(shared, self._of_address)}
        if by.is_guest:  # they are many where one makes them up, and members shall not wait
            most["guests"] = self._most // 2
        with self._lock:
            if self._taken[own] >= self._of_one:
                raise TooMany(self._words, self._wait_s)
            if any(self._taken[key] >= limit for key, limit in most.items()):
                raise TooMany(BUSY_TEXT, self._wait_s)
            self._taken.update([own, *most])

    def release(self, by: Asker) -> None:
        """Give a place back."""
        others = ["all", "guests"] if by.is_guest else ["all"]
        with self._lock:
            self._taken.subtract([*by.keys, *others])
            self._taken = +self._taken  # without those that are 0
