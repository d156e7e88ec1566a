"""Bots' sources are parsed in a confined child: what one of them costs, it costs the child."""

import signal
from hashlib import sha256
from typing import Self

import msgspec

from engine.bots.confined_child import MEMORY_MB, ConfinedChild
from engine.bots.source import Source, read_source

ANSWER_BYTES = 1 << 16
UNPARSABLE_PREFIX = "its source"
"""How the flaws of sources begin that the parser did not survive."""
MAX_CACHED_SOURCES = 1_000
"""How many answers are remembered."""

_known: dict[bytes, Source] = {}
"""Earlier answers by the hash of the source: a tournament reads its bots twice."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Source).decode


class Parser:
    """A context in which sources are parsed; one child parses many of them.

    A child that a source was too much for is not used again, and no source pays for those before
    it: it is tried in a fresh child, too.
    """

    def __init__(self) -> None:
        self._child: ConfinedChild | None = None
        """Started when it is first needed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_child()

    def parse(self, source: bytes) -> Source:
        """Return what a source says of itself, or its flaw. Raises: EngineFailure."""
        key = sha256(source).digest()
        if key not in _known:
            found = self._parse_in_child(source)
            if len(_known) >= MAX_CACHED_SOURCES:
                _known.clear()
            _known[key] = found
        return _known[key]

    def _parse_in_child(self, source: bytes) -> Source:
        is_fresh = self._child is None
        child = self._child = self._child or ConfinedChild(_parse, most_bytes=ANSWER_BYTES)
        try:
            return decode(child.ask(source))
        except TimeoutError as slow:
            self._end_child()
            return Source(flaw=f"{UNPARSABLE_PREFIX} cannot be parsed: {slow}")
        except (EOFError, msgspec.MsgspecError):
            ended = self._end_child()
            return (
                Source(flaw=_describe_parser_exit(ended))
                if is_fresh
                else self._parse_in_child(source)
            )

    def _end_child(self) -> int:
        """End the child; return its exit code."""
        child, self._child = self._child, None
        return 0 if child is None else child.end()


def _parse(source: bytes) -> bytes:
    return encode(read_source(source))


def is_unparsable(flaw: str) -> bool:
    """Return whether a flaw says that a source was too much for Python's parser."""
    return flaw.startswith(UNPARSABLE_PREFIX)


def _describe_parser_exit(ended: int) -> str:
    if ended < 0:
        return f"{UNPARSABLE_PREFIX} broke Python's parser ({signal.Signals(-ended).name})"
    return f"{UNPARSABLE_PREFIX} is nested too deeply, or takes more than {MEMORY_MB} MB to parse"
