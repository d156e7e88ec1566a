"""Compression of the data of a page."""

import zlib

LEVEL = 7  # 9 takes eight times as long for 2 % less


def deflate(content: bytes) -> bytes:
    """Return compressed bytes in zlib's format, which browsers unpack as `deflate`."""
    return zlib.compress(content, LEVEL)
