"""What bots said: the words of their faults and the lines they printed, as far as there is room."""

import zlib
from collections.abc import Mapping
from typing import Any

import msgspec

from visualizer.logs import Place
from visualizer.page.packing import LEVEL, deflated

ROUNDS_AT_ONCE = 20
"""Are weighed together: every weighing costs some bytes."""

encode = msgspec.json.Encoder().encode


class Texts(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds, each as turn, team, what was asked about, and what was said."""

    faults: list[tuple[int, int, int, str]]
    logs: list[tuple[int, int, int, list[str]]]
    faults_left_out: int
    """Rounds for which there was no room."""
    logs_left_out: int


def texts_of(
    faults: Mapping[Place, str], logs: Mapping[Place, list[str]], most_bytes: int
) -> Texts:
    """The first rounds of each, in so many bytes when they are deflated."""
    said = [(*place, words) for place, words in sorted(faults.items()) if words]
    printed = [(*place, lines) for place, lines in sorted(logs.items())]
    kept = _fitting(said, most_bytes // 2)
    taken = len(deflated(encode(said[:kept])))
    shown = _fitting(printed, most_bytes - taken)
    return Texts(
        faults=said[:kept],
        logs=printed[:shown],
        faults_left_out=len(said) - kept,
        logs_left_out=len(printed) - shown,
    )


def _fitting(rounds: list[Any], most_bytes: int) -> int:
    """How many of them, from the first, take no more room than that."""
    packer, taken = zlib.compressobj(LEVEL), 0
    for first in range(0, len(rounds), ROUNDS_AT_ONCE):
        content = encode(rounds[first : first + ROUNDS_AT_ONCE])
        taken += len(packer.compress(content)) + len(packer.flush(zlib.Z_SYNC_FLUSH))
        if taken > most_bytes:
            return first
    return len(rounds)
