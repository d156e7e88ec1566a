"""Bytes made few."""

import zlib

LEVEL = 7  # 9 takes eight times as long for 2 % less


def deflated(content: bytes) -> bytes:
    """As browsers unpack it: zlib's format."""
    return zlib.compress(content, LEVEL)
