"""How often a password may be wrong, so that nobody guesses it and nobody is kept out.

Wrong passwords count for the address and for the name at that address. Many addresses together have
a limit for a name, too, which does not count in browsers where its owner has signed in before.
Right passwords do not count.
"""

from typing import NamedTuple

from runners.storage.tables import name_key
from server.http.errors import Denied
from server.http.page_requests import PageRequest
from server.identity.people import Person
from server.identity.rate_limits import HOUR_S, MINUTE_S, Keys, RateLimit, address_blocks
from server.identity.visitors import KNOWN_BROWSER_COOKIE, is_known

WINDOW_S = 10 * MINUTE_S
MAX_FAILURES_PER_NAME = 10
"""Wrong passwords of a name from one address, or in all browsers that know it, in ten minutes."""
MAX_FAILURES_PER_NAME_ANYWHERE = 200
"""Wrong passwords of a name from all addresses together, in an hour."""


class _Try(NamedTuple):
    """A limit that a sign-in counts for."""

    limit: RateLimit
    keys: Keys
    what: str


class SignIn:
    """A sign-in that was counted; a right password is given back."""

    def __init__(self, tries: list[_Try]) -> None:
        self._tries = tries

    def was_right(self) -> None:
        """Count it no more."""
        for one in self._tries:
            one.limit.give_back(*one.keys)


class SignInLimits:
    """Counts sign-ins. All methods may be called from any thread."""

    def __init__(self, wrong_passwords: int) -> None:
        """`wrong_passwords`: how many one address may send in ten minutes."""
        self._by_address = RateLimit(wrong_passwords, WINDOW_S)
        self._by_name = RateLimit(MAX_FAILURES_PER_NAME, WINDOW_S)
        self._by_name_anywhere = RateLimit(MAX_FAILURES_PER_NAME_ANYWHERE, HOUR_S)
        self._by_known_browser = RateLimit(MAX_FAILURES_PER_NAME, WINDOW_S)

    def begin(self, request: PageRequest, name: str, person: Person | None) -> SignIn:
        """Count a sign-in; `person`: whose name it is. Raises: Denied where there were too many."""
        cookie = request.cookies.get(KNOWN_BROWSER_COOKIE, "")
        if person is not None and is_known(cookie, person):
            tries = [_Try(self._by_known_browser, (person.id,), "wrong passwords with this name")]
        else:
            tries = self._of_stranger(name_key(name), address_blocks(request.address))
        for number, one in enumerate(tries):
            try:
                request.require(one.limit, one.keys, one.what)
            except Denied:  # it counts nowhere: names that are made up push no other one out
                SignIn(tries[:number]).was_right()
                raise
        return SignIn(tries)

    def _of_stranger(self, name: str, blocks: Keys) -> list[_Try]:
        what = "wrong passwords with this name"
        return [
            _Try(self._by_name, (f"{blocks[-1]} {name}",), what),
            _Try(self._by_address, blocks, "wrong passwords from your address"),
            _Try(self._by_name_anywhere, (name,), what),
        ]
