"""The rate limits of a server: the one table of how often somebody may do something.

A part counts a try by the name of what is done, such as `hand_in`, which counts for every limit of
the table whose name begins so: for all of them, or for none where one refuses.
What takes a while has a limit of its own: nobody has many at once, and guests never have all.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from engine.errors import BadSettings
from engine.settings import read_toml
from engine.support.sanitizing import one_line
from engine.support.wording import did_you_mean
from server.http.errors import TooMany
from server.identity.rate_limits import (
    HOUR_S,
    MINUTE_S,
    Asker,
    Keys,
    RateLimit,
    address_blocks,
    in_words,
)

TEN_MINUTES_S, WEEK_S = 10 * MINUTE_S, 7 * 24 * HOUR_S

COUNT_KEYS: Mapping[str, Callable[[Asker, str], Keys | None]] = {
    "person": lambda by, key: None if by.person is None else (by.person,),
    "address": lambda by, key: address_blocks(by.address),
    "guest_address": lambda by, key: address_blocks(by.address) if by.is_guest else None,
    "asker": lambda by, key: by.keys,
    "guest_asker": lambda by, key: by.keys if by.is_guest else None,
    "all": lambda by, key: ("",),
    "all_people": lambda by, key: None if by.is_guest else ("",),
    "all_guests": lambda by, key: ("",) if by.is_guest else None,
    "name_at_address": lambda by, key: (f"{address_blocks(by.address)[-1]} {key}",),
    **dict.fromkeys(("name", "link", "player"), lambda by, key: (key,)),
}
"""What the second part of a limit's name says: whose tries are counted together; None: it spares
them. A guest has no account; an asker is a person, or a browser without an account."""


class Limit(NamedTuple):
    """How often something may be done."""

    name: str
    """What is done, a point, and one of COUNTED."""
    tries: int
    window_s: int
    what: str
    """What there is too much of, as a refusal says it."""

    @property
    def action(self) -> str:
        return self.name.partition(".")[0]

    @property
    def keys(self) -> Callable[[Asker, str], Keys | None]:
        """Return what says what a try counts for; None for one that it spares."""
        return COUNT_KEYS[self.name.partition(".")[2]]


LIMITS = (
    # Signing in and accounts: what is right never counts.
    Limit("sign_in.name", 200, HOUR_S, "wrong passwords with this name"),
    Limit("sign_in.name_at_address", 10, TEN_MINUTES_S, "wrong passwords with this name"),
    Limit("sign_in.address", 60, TEN_MINUTES_S, "wrong passwords from your address"),
    # In browsers where the owner of the name has signed in before, whatever others guess.
    Limit("known_sign_in.name", 10, TEN_MINUTES_S, "wrong passwords with this name"),
    Limit("join.link", 60, HOUR_S, "tries with this link"),
    Limit("wrong_link.address", 60, HOUR_S, "wrong links from your address"),
    Limit("wrong_friend_link.address", 60, HOUR_S, "wrong links from your address"),
    Limit("group_code.person", 20, HOUR_S, "wrong codes"),
    Limit("wrong_group_code.address", 60, HOUR_S, "wrong codes from your address"),
    Limit("request.address", 30, HOUR_S, "requests for an account from your address"),
    Limit("request.all", 300, HOUR_S, "requests for an account"),
    Limit("password.person", 20, HOUR_S, "changes of your password"),
    Limit("new_link.person", 60, HOUR_S, "new links"),
    Limit("new_token.person", 30, HOUR_S, "new tokens"),
    # Games. All without an account have a limit, so that they do not hold up accounts.
    Limit("new_game.person", 30, HOUR_S, "new games"),
    Limit("new_friend_link.person", 60, HOUR_S, "new links"),
    Limit("guest_game.guest_address", 30, TEN_MINUTES_S, "new games from your address"),
    Limit("guest_game.all_guests", 120, TEN_MINUTES_S, "new games without an account"),
    Limit("play_on.person", 30, TEN_MINUTES_S, "games that you play on"),
    Limit("play_on.guest_address", 30, TEN_MINUTES_S, "games played on from your address"),
    Limit("play_on.all_guests", 120, TEN_MINUTES_S, "games played on without an account"),
    Limit("order.person", 1_200, MINUTE_S, "orders of your remote bots"),
    Limit("advice.asker", 30, TEN_MINUTES_S, "turns that a bot is asked about"),
    Limit("avoid.player", 120, HOUR_S, "people whom you mute and block"),
    Limit("report.player", 10, HOUR_S, "reports that you make"),
    Limit("report.address", 30, HOUR_S, "reports from your address"),
    Limit("report.all_people", 300, HOUR_S, "reports of all people"),
    Limit("report.all_guests", 300, HOUR_S, "reports without an account"),
    # Bots. A page asks as somebody draws, types or watches; finding room for shapes takes long.
    Limit("hand_in.person", 60, HOUR_S, "bots that you hand in"),
    Limit("hand_in.address", 1_000, HOUR_S, "bots that are handed in from your address"),
    Limit("invite_author.person", 30, HOUR_S, "people whom you invite to share a bot"),
    Limit("draw.asker", 600, MINUTE_S, "what you draw is looked at"),
    Limit("fill.asker", 60, MINUTE_S, "what you draw is looked at"),
    Limit("battle.asker", 60, HOUR_S, "mock battles"),
    Limit("write.asker", 1_500, MINUTE_S, "what you write is looked at"),
    Limit("new_draft.asker", 60, HOUR_S, "new drafts"),
    # Drafts of guests are kept for a week: those of one address fill a tenth of what all may have.
    Limit("new_draft.guest_asker", 20, WEEK_S, "new drafts without an account"),
    Limit("check.asker", 240, HOUR_S, "checks"),
    Limit("run.asker", 240, HOUR_S, "runs"),
    # Downloads: those of all matches take seconds, and each report is packed anew.
    Limit("table.address", 600, HOUR_S, "downloads of tables from your address"),
    Limit("report_file.address", 120, HOUR_S, "downloads of reports from your address"),
    # Refusals that are written into the audit log: each costs a transaction.
    Limit("audit.address", 60, HOUR_S, "refusals of an address"),
    Limit("audit.all", 2_000, HOUR_S, "refusals"),
)
LIMITS_BY_ACTION = {
    action: tuple(limits) for action, limits in groupby(LIMITS, attrgetter("action"))
}


class TooOften(TooMany):
    """A limit refuses a try."""

    def __init__(self, what: str, wait_s: float) -> None:
        message = f"too often: {what}. Please try again in {in_words(wait_s)}"
        super().__init__(message, max(1.0, wait_s))
        self.what = what


class RateLimits:
    """Counts what is limited. All methods may be called from any thread."""

    def __init__(
        self, tries: Mapping[str, int] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`tries`: how often something may be done where that is not as usual, by the limit."""
        tries = tries or {}
        self.met = {limit.name: 0 for limit in LIMITS}
        """How often each limit has refused something."""
        self._counting = {
            limit.name: RateLimit(tries.get(limit.name, limit.tries), limit.window_s, clock)
            for limit in LIMITS
        }
        self._lock = threading.Lock()

    def allowed_rate(self, name: str) -> int:
        """Return how often something may be done, by the name of the limit."""
        return self._counting[name].tries

    def count(self, action: str, by: Asker, key: str = "") -> Callable[[], None]:
        """Count a try for all limits of what is done; return what counts it no more.

        `key`: the link, name or player it is about. Raises: TooOften; a refused try counts not.
        """
        counted = [
            (limit, self._counting[limit.name], keys)
            for limit in LIMITS_BY_ACTION[action]
            if (keys := limit.keys(by, key)) is not None
        ]
        with self._lock:
            waits = [(counting.wait_s(*keys), limit) for limit, counting, keys in counted]
            wait_s, limit = max(waits, key=lambda wait: wait[0])
            if wait_s:
                self.met[limit.name] += 1
                raise TooOften(limit.what, wait_s)
            for _, counting, keys in counted:
                counting.count(*keys)

        def give_back() -> None:
            with self._lock:
                for _, counting, keys in counted:
                    counting.give_back(*keys)

        return give_back

    def count_try(self, action: str, by: Asker) -> bool:
        """Count a try, and return whether it is one of those allowed."""
        try:
            self.count(action, by)
        except TooOften:
            return False
        return True


def read_limits(path: Path) -> dict[str, int]:
    """Return what a file says in lines such as `hand_in.person = 100`. Raises: BadSettings."""
    known, said = [limit.name for limit in LIMITS], dict[str, int]()
    for action, limits in read_toml(path).items():
        for key, tries in limits.items() if isinstance(limits, dict) else [("", limits)]:
            name = f"{action}.{key}".rstrip(".")
            if name not in known:
                hint = did_you_mean(name, known, before="; ")
                raise BadSettings(f"{path}: there is no limit {one_line(name)}{hint}")
            if type(tries) is not int or tries < 1:
                raise BadSettings(f"{path}: {name} = {tries!r}: expected a whole number from 1")
            said[name] = tries
    return said


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
