"""How often a password may be wrong, so that nobody guesses it and nobody is kept out.

Wrong passwords count for the address and for the name at that address. Many addresses together have
a limit for a name, too, which does not count in browsers where its owner has signed in before.
Right passwords do not count.
"""

from collections.abc import Callable

from runners.storage.tables import name_key
from server.http.page_requests import PageRequest
from server.identity.people import Person
from server.identity.visitors import KNOWN_BROWSER_COOKIE, is_known


def count_sign_in(request: PageRequest, name: str, person: Person | None) -> Callable[[], None]:
    """Count a sign-in; return what is called where the password was right.

    `person`: whose name it is. Raises: TooOften.
    """
    cookie = request.cookies.get(KNOWN_BROWSER_COOKIE, "")
    if person is not None and is_known(cookie, person):
        return request.count("known_sign_in", person.id)
    return request.count("sign_in", name_key(name))
