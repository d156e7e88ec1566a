"""Which page of a long list a visitor asks for."""

import msgspec

from server.http.page_requests import PageRequest
from server.identity.text_limits import parse_whole_number

MAX_DIGITS = 6
MAX_PAGE = 10**MAX_DIGITS - 1
"""The largest number of a page that is read."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a list, numbered from 1."""

    number: int
    pages: int
    first: int
    """The place in the list, from 0, of the first one on it."""
    most: int
    """How many are on it, at most."""


def parse_page(request: PageRequest, count: int, most: int) -> Page:
    """Return the page that an address names, or the nearest that there is, of `count` things."""
    wanted = parse_whole_number(request.query_params.get("page", "1"), MAX_DIGITS)
    return nearest_page(wanted or 1, count, most)


def nearest_page(wanted: int, count: int, most: int) -> Page:
    """Return a page by its number, or the nearest that there is."""
    pages = max(1, -(-count // most))
    number = min(max(1, wanted), pages)
    return Page(number=number, pages=pages, first=(number - 1) * most, most=most)
