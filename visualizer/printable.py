"""Strangers' text, made fit to be shown."""


def printable(text: str) -> str:
    """Without the control characters that could command a terminal, in one line."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)
