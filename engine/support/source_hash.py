"""Hash the source of a bot (SHA-256), to stand for it where it is not to be read."""

import re
from hashlib import sha256

PREFIX = "sha256:"
HASHED = re.compile(f"{PREFIX}[0-9a-f]{{64}}")


def source_hash(source: str) -> str:
    """Return what stands for a source text; '' where there is none, and a hash as it is.

    Whoever has the text can check it: it is the SHA-256 of its UTF-8, in hexadecimal.
    """
    if not source or is_source_hash(source):
        return source
    return f"{PREFIX}{sha256(source.encode(errors='surrogatepass')).hexdigest()}"


def is_source_hash(text: str) -> bool:
    """Return whether a text only stands for a source."""
    return HASHED.fullmatch(text) is not None
