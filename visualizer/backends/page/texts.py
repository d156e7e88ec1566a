"""The texts of bots: their fault messages and the lines they printed, as far as there is room."""

import zlib
from collections.abc import Mapping, Sequence

import msgspec

from visualizer.model.drawings import DecisionKey, Drawn

LEVEL = 7
"""Of zlib: 9 takes eight times as long for 2 % less."""
DRAWING_BYTES = 400_000
"""The most bytes of all drawings, compressed."""
ENTRIES_AT_ONCE = 20
"""How many entries are measured at once: each measurement flushes the compressor, some bytes."""

encode = msgspec.json.Encoder().encode


def deflate(content: bytes) -> bytes:
    """Return compressed bytes in zlib's format, which browsers unpack as `deflate`."""
    return zlib.compress(content, LEVEL)


class Texts(msgspec.Struct, frozen=True, kw_only=True):
    """Entries, each as turn, team, piece and text."""

    faults: list[tuple[int, int, int, str]]
    logs: list[tuple[int, int, int, list[str]]]
    drawings: list[tuple[int, list[Drawn]]] = []
    """The drawings of the bots, turn by turn."""
    faults_left_out: int
    """Entries for which there was no room."""
    logs_left_out: int
    drawings_left_out: int = 0
    """Turns of which no drawing is kept."""


def select_texts(
    faults: Mapping[DecisionKey, str],
    logs: Mapping[DecisionKey, list[str]],
    most_bytes: int,
    drawings: Mapping[int, list[Drawn]] | None = None,
) -> Texts:
    """Return as many of the first entries of each as fit into so many bytes once compressed.

    Drawings, which are there only if somebody wants them, have room of their own.
    """
    drawn = sorted((drawings or {}).items())
    painted = _count_fitting(drawn, DRAWING_BYTES)
    said = [(*place, text) for place, text in sorted(faults.items()) if text]
    printed = [(*place, lines) for place, lines in sorted(logs.items())]
    fitting = _count_fitting(said, most_bytes // 2)
    taken = len(deflate(encode(said[:fitting])))
    shown = _count_fitting(printed, most_bytes - taken)
    return Texts(
        faults=said[:fitting],
        logs=printed[:shown],
        faults_left_out=len(said) - fitting,
        logs_left_out=len(printed) - shown,
        drawings=drawn[:painted],
        drawings_left_out=len(drawn) - painted,
    )


def _count_fitting(entries: Sequence[object], most_bytes: int) -> int:
    """Return how many entries, from the first, fit into so many compressed bytes."""
    packer, taken = zlib.compressobj(LEVEL), 0
    for first in range(0, len(entries), ENTRIES_AT_ONCE):
        content = encode(entries[first : first + ENTRIES_AT_ONCE])
        taken += len(packer.compress(content)) + len(packer.flush(zlib.Z_SYNC_FLUSH))
        if taken > most_bytes:
            return first
    return len(entries)
