"""The keys of a terminal: the bytes that arrive when one is pressed."""

import re

SEQUENCE = re.compile(
    rb"\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Z]))"  # a key with a name
    rb"|\x1b\[[0-9;]*$|\x1b"  # one of which the rest is missing; Escape
    rb"|[\x00-\x7f]|[\x80-\xff]+"
)
NAMES = {
    b"A": "up",
    b"B": "down",
    b"C": "right",
    b"D": "left",
    b"H": "home",
    b"F": "end",
    b"1~": "home",
    b"7~": "home",
    b"4~": "end",
    b"8~": "end",
    b"5~": "page up",
    b"6~": "page down",
    b"P": "f1",
    b"11~": "f1",
}
LETTERS = {" ": "space", "\x1b": "escape", "\x1a": "suspend"}


def keys_in(content: bytes) -> list[str]:
    """Yield the names of the pressed keys, or else their letters."""
    return [name for match in SEQUENCE.finditer(content) if (name := _name(match))]


def _name(match: "re.Match[bytes]") -> str:
    numbers, final, other = match[1], match[2], match[3]
    if other is not None:
        return NAMES.get(other, "")
    if final is None:
        text = match[0].decode(errors="replace")
        return LETTERS.get(text, text if text.isprintable() else "")
    first, _, modifier = numbers.partition(b";")
    name = NAMES.get(first + final if final == b"~" else final, "")
    return f"shift {name}" if name and modifier else name
