"""Write numbers, also with their nouns, values in sentences that refuse them, and suggestions."""

from collections.abc import Iterable
from difflib import get_close_matches

THOUSANDS = "\u202f"
"""The thin space that separates thousands; no line breaks there."""
TIME_UNITS = (
    *((1_000, 1, "µs", 0), (10_000, 1_000, "ms", 1), (1_000_000, 1_000, "ms", 0)),
    (None, 1_000_000, "s", 2),
)
"""The units of short times: below how many microseconds, how many it is, its name, decimals."""


def write_number(number: float, decimals: int = 0) -> str:
    """Return `1 234.5`."""
    return f"{number:,.{decimals}f}".replace(",", THOUSANDS)


def write_scores(scores: Iterable[float]) -> list[str]:
    """Return scores that stand in a sentence: with a decimal where it is not 0."""
    rounded = [round(float(score), 1) for score in scores]
    return [write_number(score, 0 if score.is_integer() else 1) for score in rounded]


def write_time(us: int) -> str:
    """Return microseconds in a fitting unit: `86 µs`, `1.2 ms`."""
    _, divisor, name, decimals = next(
        unit for unit in TIME_UNITS if unit[0] is None or us < unit[0]
    )
    return f"{us / divisor:.{decimals}f} {name}"


def pluralize(count: int, one: str, many: str | None = None) -> str:
    """Return `1 bot` or `2 matches`; `many`: the plural, where it takes neither `s` nor `es`."""
    noun = one if count == 1 else many or f"{one}{'es' if one.endswith('ch') else 's'}"
    return f"{count} {noun}"


def times_in_words(count: int) -> str:
    """Return `once`, `3 times` and so on."""
    return "once" if count == 1 else f"{count} times"


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
