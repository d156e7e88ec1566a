"""Orders in words: as they are compared with what was expected, and as they are shown."""

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.fault import Fault
from engine.replays.recorded_asks import as_data
from engine.support.sanitizing import one_line

MOST_LETTERS = 160
"""The longest order that is shown whole."""
MOST_PARTS = 8
"""The parts in which two orders differ that are shown."""


def texts_of(order: object) -> list[str]:
    """Return the words by which an order, or a part of it, is expected.

    `LEFT`; of a move with an offer `F1-G2`; of a sheet `place 7 6`, `evolve jump` and so on.
    """
    return list(_texts(as_data(order)))


def is_order(order: object) -> bool:
    """Return whether something was ordered: no fault, and no sheet without a line."""
    return type(order) is not Fault and bool(texts_of(order))


def in_words(order: object) -> str:
    """Return an order in a line: its text, or JSON; a fault with its cause and reason."""
    if type(order) is Fault:
        return one_line(f"{order.cause}: {order.detail}" if order.detail else order.cause)
    data = as_data(order)
    words = data if isinstance(data, str) else _joined(data)
    return words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"


def difference(recorded: object, now: object) -> str:
    """Return what only one of two orders has, where both are long; '' where each is short."""
    if Fault in (type(recorded), type(now)):
        return ""
    before, after = texts_of(recorded), texts_of(now)
    if max(len(before), len(after)) <= 1:
        return ""
    less = [text for text in before if text not in after]
    more = [text for text in after if text not in before]
    sides = {"less": less, "more": more}
    parts = [f"{title}: {_some(texts)}" for title, texts in sides.items() if texts]
    return "; ".join(parts) or "the same, in another order"


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for name, value in data.items():
            if name != "type":
                yield from _texts(value)
    elif isinstance(data, list) and data and not any(isinstance(x, list | dict) for x in data):
        yield " ".join(map(str, data))
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


def _joined(data: Any) -> str:
    texts = list(_texts(data))
    return one_line(", ".join(texts)) if texts else msgspec.json.encode(data).decode()


def _some(texts: list[str]) -> str:
    more = f" and {len(texts) - MOST_PARTS} more" if len(texts) > MOST_PARTS else ""
    return one_line(", ".join(texts[:MOST_PARTS])) + more
