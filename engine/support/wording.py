"""Write numbers with their nouns, values in the sentences that refuse them, and suggestions."""

from collections.abc import Iterable
from difflib import get_close_matches


def pluralize(count: int, one: str, many: str | None = None) -> str:
    """Return `1 match` or `2 matches`; without `many`, the noun gets an `s`."""
    noun = one if count == 1 else many or f"{one}s"
    return f"{count} {noun}"


def short_repr(value: object) -> str:
    """Return how Python writes a value, cut short; of what it cannot write, the type."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # a number of thousands of digits
        return f"{type(value).__name__} of many digits"


def did_you_mean(word: str, known: Iterable[str], *, before: str = "; ") -> str:
    """Return `; did you mean 'max_turns'?` to end a message with, or '' if nothing is alike."""
    alike = get_close_matches(word, list(known), n=1)
    return f"{before}did you mean '{alike[0]}'?" if alike else ""
