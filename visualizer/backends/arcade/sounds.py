"""The sounds of a window: off until a key switches them on."""

import os
import wave
from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO

import numpy as np
import numpy.typing as npt

from visualizer.model.sounds import (
    ATTACK_S,
    GAP_S,
    LOUDNESS,
    SILENCE,
    SOUNDS,
    SPLIT,
    WIN,
    Sound,
    Tone,
)
from visualizer.scene import Mark

SAMPLE_RATE = 44_100
"""Samples per second."""
MAX_SAMPLE = 32_767
"""The largest sample of 16 bits."""
AUDIO_DRIVERS = ("xaudio2", "directsound", "openal", "pulse", "silent")
"""What pyglet tries in this order; the last one works everywhere."""

Samples = npt.NDArray[np.float64]


class Sounds:
    """Decides what is heard. Without somebody who plays it, nothing is."""

    def __init__(self) -> None:
        self.is_on = False
        self.play: Callable[[Sound], object] = lambda sound: None
        self._played_at: dict[Sound, float] = {}

    def toggle(self) -> None:
        """Switch them on, which is heard, or off."""
        self.is_on = not self.is_on
        if self.is_on:
            self.play(SPLIT)

    def play_marks(self, marks: Iterable[Mark], now: float) -> None:
        """Play what marks sound like, each sound once; `now` in seconds."""
        if not self.is_on:
            return
        for sound in dict.fromkeys(SOUNDS[mark] for mark in marks if mark in SOUNDS):
            if now - self._played_at.get(sound, -GAP_S) >= GAP_S:
                self._played_at[sound] = now
                self.play(sound)

    def win(self) -> None:
        if self.is_on:
            self.play(WIN)


class Loudspeaker:
    """Plays sounds by pyglet. Loudspeakers are looked for when the first one is played."""

    def __init__(self) -> None:
        self._is_open = False

    def play(self, sound: Sound) -> None:
        """Play a sound beside what is being played."""
        import pyglet

        if not self._is_open:
            self._is_open = True
            if os.environ.get("PYGLET_AUDIO") == "silent":  # as the window was opened
                pyglet.options.audio = AUDIO_DRIVERS
        pyglet.media.load("sound.wav", file=BytesIO(make_wav(sound)), streaming=False).play()


@cache
def make_wav(sound: Sound) -> bytes:
    """Return a sound as a file."""
    length = max(tone.begins_s + tone.seconds for tone in sound)
    samples = np.zeros(round(length * SAMPLE_RATE) + 1)
    for tone in sound:
        start = round(tone.begins_s * SAMPLE_RATE)
        part = make_samples(tone)
        samples[start : start + len(part)] += part
    file = BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes((samples.clip(-1, 1) * MAX_SAMPLE).astype("<i2").tobytes())
    return file.getvalue()


def make_samples(tone: Tone) -> Samples:
    """Return a tone that becomes loud at once and fades; its pitch glides evenly by octaves."""
    time = np.arange(round(tone.seconds * SAMPLE_RATE)) / SAMPLE_RATE
    steps = np.geomspace(tone.from_hz, tone.to_hz, len(time)) / SAMPLE_RATE
    phase = np.cumsum(steps) % 1
    attack = SILENCE * (LOUDNESS / SILENCE) ** (time / ATTACK_S)
    end = LOUDNESS * (SILENCE / LOUDNESS) ** ((time - ATTACK_S) / (tone.seconds - ATTACK_S))
    loudness: Samples = np.where(time < ATTACK_S, attack, end)
    return loudness * WAVE_FORMS[tone.wave](phase)


WAVE_FORMS: dict[str, Callable[[Samples], Samples]] = {
    "sine": lambda phase: np.sin(2 * np.pi * phase),
    "triangle": lambda phase: 1 - 4 * np.abs(phase - 0.5),
    "square": lambda phase: np.where(phase < 0.5, 1.0, -1.0),
    "sawtooth": lambda phase: 2 * phase - 1,
}
"""A wave's height, from -1 to 1, at places of its period, from 0 to 1."""
