"""What is heard while a match plays: the same tones in every view that can be heard."""

from collections.abc import Mapping
from typing import NamedTuple

from visualizer.scene import Mark


class Tone(NamedTuple):
    """A tone that glides from one pitch to another."""

    wave: str
    """`sine`, `triangle`, `square` or `sawtooth`."""
    from_hz: float
    to_hz: float
    seconds: float
    begins_s: float = 0.0
    """Seconds from the begin of its sound."""


Sound = tuple[Tone, ...]

BITE: Sound = (Tone("sawtooth", 320, 90, 0.09),)
SPLIT: Sound = (Tone("sine", 420, 840, 0.1),)
JOIN: Sound = (Tone("sine", 620, 310, 0.12),)
CAPTURE: Sound = (Tone("triangle", 260, 70, 0.2),)
LEAD: Sound = (Tone("sine", 440, 440, 0.1), Tone("sine", 659, 659, 0.18, 0.1))
FAULT: Sound = (Tone("square", 110, 100, 0.12),)
WIN: Sound = tuple(
    Tone("triangle", pitch, pitch, 0.22, number * 0.12)
    for number, pitch in enumerate((523, 659, 784, 1047))
)
"""The end of a match."""

MOVE: Sound = (Tone("triangle", 330, 300, 0.06),)
"""A person's move, or another order that the board shows at once."""
TURN: Sound = (Tone("sine", 587, 587, 0.12), Tone("sine", 784, 784, 0.16, 0.13))
"""It is a person's turn again."""

SOUNDS: Mapping[Mark, Sound] = {
    Mark.STRIKE: BITE,
    Mark.HIT: BITE,
    Mark.BIRTH: SPLIT,
    Mark.RISE: SPLIT,
    Mark.FLAG: SPLIT,
    Mark.SPECIAL: SPLIT,
    Mark.CONTEST: BITE,
    Mark.JOIN: JOIN,
    Mark.DEATH: CAPTURE,
    Mark.FAULT: FAULT,
    Mark.LEAD: LEAD,
}
"""What marks sound like; the others are silent."""

GAP_S = 0.07
"""The least time between two sounds of a kind: many bites at once are one."""
LOUDNESS, SILENCE, ATTACK_S = 0.12, 0.0001, 0.01
"""How loud a tone is at most and at its ends, of 1, and how long it takes to become so loud."""
