"""Suggest what somebody may have meant by an unknown word."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str], *, before: str = "; ") -> str:
    """Return `; did you mean 'max_turns'?` to end a message with, or '' if nothing is alike."""
    alike = get_close_matches(word, list(known), n=1)
    return f"{before}did you mean '{alike[0]}'?" if alike else ""
