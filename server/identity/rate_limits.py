"""How often somebody may try: a sliding window for each address or person, in memory."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from engine.support.wording import pluralize

MAX_INVITATION_DAYS = 90
MAX_KEYS = 10_000
"""Addresses and people that are remembered; whoever tried longest ago is forgotten."""
KEY_BYTES = 16
IPV6_NETWORKS = 48, 64
"""Bits of networks: who is given an IPv6 address is given all of the smaller one, and a school or a
company, or whoever rents a server, often all of the larger one."""
MAX_SHARERS = 10
"""So many times what one may do is done by all who share an address, or a network, with them."""
MAX_ADDRESS_LENGTH = 64
"""Letters of an address that are kept."""
MINUTE_S, HOUR_S = 60, 3_600

Keys = tuple[str, ...]
"""What a try counts for: last whose it is, and before that what they share with others."""


class Asker(NamedTuple):
    """Who asks for something, as limits count them."""

    address: str
    person: str | None = None
    """The id of whom that is; None for who has no account."""
    is_stranger: bool = False
    """Whether they could have an account: on a machine of one's own nobody has one."""
    cookie: str = ""
    """What the browser of a guest is known by, who may have another one with each request."""

    @property
    def is_guest(self) -> bool:
        return self.person is None

    @property
    def keys(self) -> Keys:
        """Return what their tries count for; a cookie never counts without the address."""
        if self.person is not None:
            return (self.person,)
        blocks = address_blocks(self.address)
        return (*(f"at {block}" for block in blocks), f"guest {self.cookie or blocks[-1]}")


class RateLimit:
    """Counts tries within a time; RateLimits of server/http/limits.py lets one thread at a time in.

    The last key of a try may have so many; each one before it MAX_SHARERS times as many.
    """

    def __init__(
        self, tries: int, window_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.tries = tries
        self._window_s = window_s
        self._clock = clock
        self._past = OrderedDict[bytes, deque[float]]()

    def wait_s(self, *keys: str) -> float:
        """Return the seconds until another try is allowed; 0 if it is."""
        wait_s, now = 0.0, self._clock()
        for key in keys:
            most = self.tries if key == keys[-1] else self.tries * MAX_SHARERS
            hashed = _hash_key(key)
            past = self._past.get(hashed, deque())
            while past and past[0] <= now - self._window_s:
                past.popleft()
            if len(past) >= most:
                wait_s = max(wait_s, (past[0] if past else now) + self._window_s - now)
            if past:  # who is refused is not forgotten before others
                self._past.move_to_end(hashed)
        return wait_s

    def count(self, *keys: str) -> None:
        """Count a try; whoever tried longest ago is forgotten where there are too many keys."""
        now = self._clock()
        self._forget_old(now)
        for hashed in map(_hash_key, keys):
            self._past.setdefault(hashed, deque()).append(now)
            self._past.move_to_end(hashed)
        while len(self._past) > MAX_KEYS:
            self._past.popitem(last=False)

    def give_back(self, *keys: str) -> None:
        """Count the last try no more: it was one that is not limited."""
        for hashed in map(_hash_key, keys):
            past = self._past.get(hashed)
            if past:
                past.pop()
            if not past:
                self._past.pop(hashed, None)

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._past)

    def _forget_old(self, now: float) -> None:
        """Forget the keys whose last try is older than the window; the oldest come first."""
        while self._past:
            key, past = next(iter(self._past.items()))
            if past and past[-1] > now - self._window_s:
                return
            del self._past[key]


def address_blocks(address: str) -> Keys:
    """Return what an address is counted as: itself, or the networks of an IPv6 address."""
    try:
        known = ip_address(address)
    except ValueError:  # a proxy has passed on something of its own
        return (address[:MAX_ADDRESS_LENGTH] or "?",)
    if not isinstance(known, IPv6Address):
        return (str(known),)
    if known.ipv4_mapped is not None:
        return (str(known.ipv4_mapped),)
    return tuple(str(ip_network((known, bits), strict=False)) for bits in IPV6_NETWORKS)


def in_words(wait_s: float) -> str:
    """Return how long somebody has to wait, such as `12 minutes`; never less than it is."""
    if wait_s <= MINUTE_S:
        return pluralize(max(1, -int(-wait_s // 1)), "second")
    return pluralize(-int(-wait_s // MINUTE_S), "minute")


def _hash_key(key: str) -> bytes:
    """Return what is kept of a key: what strangers type may be long, and may be a password."""
    return blake2b(key.encode(errors="surrogatepass"), digest_size=KEY_BYTES).digest()
