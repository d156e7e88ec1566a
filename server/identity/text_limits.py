"""How long each text from outside may be: looked at before anything else is done with it.

Normalizing, folding, hashing, parsing and logging a text take time and memory that grow with it,
some of them with its square. What is too long is refused; nothing is cut silently.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.support.wording import pluralize
from runners.storage.tables import MAX_TYPED_LENGTH

MAX_FORM_BYTES = 1 << 16
"""The longest body of a form without files, bytes."""
MAX_NESTING_DEPTH = 16
"""Lists and objects within each other in a value that a program sends: ours have three."""
NAME = MAX_TYPED_LENGTH
"""Letters of a name as it is typed; what is longer than a name may be is told so by its page."""
NUMBER = 40
ID = 40
FIELDS: Mapping[str, int] = {
    "accounts": NUMBER,
    "army": NAME,
    "begins": NUMBER,
    "bot": ID,
    "bot-": NUMBER,
    "break_minutes": NUMBER,
    "clock": NUMBER,
    "code": 300,
    "cpu": NUMBER,
    "days": NUMBER,
    "do": ID,
    "ends": NUMBER,
    "entries_until": NUMBER,
    "entry": NUMBER,
    "field": ID,
    "files_kb": NUMBER,
    "format": ID,
    "freezes": NUMBER,
    "game": ID,
    "games": NUMBER,
    "grid": NUMBER,
    "group": ID,
    "house": ID,
    "instead": ID,
    "ladder": NAME,
    "limit-": 200,
    "matches_per_day": NUMBER,
    "message": NUMBER,
    "mine": NUMBER,
    "name": NAME,
    "names": 16_000,
    "next": 1_000,
    "note": 60,
    "old": 1_000,
    "open": NUMBER,
    "opponent": 200,
    "order": 20_000,
    "other-": 200,
    "password": 1_000,
    "piece": NUMBER,
    "played": NUMBER,
    "rated": NUMBER,
    "reason": 300,
    "request-": NUMBER,
    "rounds": NUMBER,
    "scope": ID,
    "seats": NUMBER,
    "sealed": NUMBER,
    "set-": 200,
    "source": NUMBER,
    "source_kb": NUMBER,
    "starts": NUMBER,
    "step": NUMBER,
    "table": NUMBER,
    "team": NUMBER,
    "up_to": NUMBER,
    "username": NAME,
    "version": NUMBER,
    "versions": NUMBER,
    "where": ID,
    "words": 2_000,
}
"""The longest text of each field of a form, letters; `other-` stands for `other-1` and so on."""


TOO_DEEP = f"more than {MAX_NESTING_DEPTH} lists and objects within each other"


class BadText(Exception):
    """Why a text from outside is not looked at, in a sentence."""


def validate_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form that pages of ours have. Raises: BadText."""
    return {name: validate_text(name, text) for name, text in fields.items() if _max_length(name)}


def validate_text(field: str, text: str) -> str:
    """Return the text of a field. Raises: BadText for one that is too long, or has a NUL."""
    most = _max_length(field)
    if len(text) > most:
        raise BadText(f"{field}: at most {pluralize(most, 'letter')}; this has {len(text)}")
    if "\0" in text:
        raise BadText(f"{field}: has a NUL character in it, which is not allowed")
    return text


def require_shallow(value: object) -> None:
    """Raises: BadText for a value of JSON with too many lists and objects within each other."""
    level: list[object] = [value]
    for _ in range(MAX_NESTING_DEPTH):
        level = [inner for outer in level for inner in _child_values(outer)]
        if not level:
            return
    raise BadText(TOO_DEEP)


def _max_length(field: str) -> int:
    """Return the longest text of a field; 0 where no page of ours has it."""
    kind, dash, _ = field.partition("-")
    return FIELDS.get(kind + dash, 0)


def _child_values(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, Struct):
        yield from (getattr(value, field) for field in value.__struct_fields__)


def parse_whole_number(text: str, max_digits: int = 9) -> int | None:
    """Return the number that a visitor wrote; None for whatever is not a short row of digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= max_digits else None
