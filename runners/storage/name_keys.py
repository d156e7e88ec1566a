"""Keys of names: no two people, bots or ladders have names that look alike."""

from unicodedata import normalize

MOST_TYPED = 200
"""Letters that are looked at: putting marks into their order takes the square of their number."""


def name_key(name: str) -> str:
    """Return what two names that look alike share: nobody may take a name in other letters.

    Of a text that is longer than any name only the beginning is looked at.
    """
    return normalize("NFKC", normalize("NFKC", name[:MOST_TYPED]).casefold())
