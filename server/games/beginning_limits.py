"""How often somebody may begin a game without having made one with others in the lobby."""

from server.http.errors import TooMany
from server.identity.rate_limits import Asker, RateLimit, address_blocks, in_words

MOST_NEW, WINDOW_S = 30, 600
"""So many games are begun this way by one person within so many seconds."""
MOST_WITHOUT_ACCOUNT = 120
"""The most that all of those without an account begin in that time: accounts are not held up."""


class BeginningLimits:
    """How often somebody may begin a game: with an account counted apart from all others."""

    def __init__(self, most_of_address: int) -> None:
        self._by_person = RateLimit(MOST_NEW, WINDOW_S)
        self._by_address = RateLimit(most_of_address, WINDOW_S)
        self._without_account = RateLimit(MOST_WITHOUT_ACCOUNT, WINDOW_S)

    def count(self, asker: Asker) -> None:
        """Count a try. Raises: TooMany."""
        if asker.person is not None:
            _count(self._by_person, "by you", asker.person)
        else:
            _count(self._by_address, "from your address", *address_blocks(asker.address))
            _count(self._without_account, "by people without an account", "")


def _count(limit: RateLimit, by_whom: str, *keys: str) -> None:
    """Raises: TooMany."""
    if not limit.allows(*keys):
        wait_s = limit.wait_s(*keys)
        words = f"too many games were begun so {by_whom}: please try again in {in_words(wait_s)}"
        raise TooMany(words, wait_s)
