"""What is heard in a window, and when."""

import wave
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from visualizer.backends.arcade.sounds import SAMPLE_RATE, Sounds, make_samples, make_wav
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.model.sounds import (
    BITE,
    CAPTURE,
    GAP_S,
    LEAD,
    LOUDNESS,
    SOUNDS,
    SPLIT,
    WIN,
    Sound,
    Tone,
)
from visualizer.scene import Mark

FRAME_S = 1 / 60
ALL = sorted({*SOUNDS.values(), WIN})


@pytest.fixture
def heard() -> list[Sound]:
    return []


@pytest.fixture
def sounds(heard: list[Sound]) -> Sounds:
    sounds = Sounds()
    sounds.play = heard.append
    return sounds


def test_nothing_is_heard_before_somebody_wants_it(sounds: Sounds, heard: list[Sound]) -> None:
    sounds.play_marks([Mark.STRIKE], 1)
    sounds.win()
    assert not heard
    sounds.toggle()
    sounds.play_marks([Mark.STRIKE], 1)
    assert heard == [SPLIT, BITE]
    sounds.toggle()
    sounds.play_marks([Mark.DEATH], 1)
    assert heard == [SPLIT, BITE]


def test_many_of_a_kind_at_once_are_one_sound(sounds: Sounds, heard: list[Sound]) -> None:
    sounds.is_on = True
    sounds.play_marks([Mark.STRIKE, Mark.HIT, Mark.STRIKE, Mark.DEATH, Mark.ATTACK_LANE], 1)
    assert heard == [BITE, CAPTURE]
    sounds.play_marks([Mark.STRIKE], 1 + GAP_S / 2)
    assert heard == [BITE, CAPTURE]
    sounds.play_marks([Mark.STRIKE], 1 + GAP_S)
    assert heard == [BITE, CAPTURE, BITE]


@pytest.mark.parametrize("sound", ALL)
def test_a_sound_is_a_file_of_its_length(sound: Sound) -> None:
    with wave.open(BytesIO(make_wav(sound))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (
            1,
            2,
            SAMPLE_RATE,
        )
        seconds = max(tone.begins_s + tone.seconds for tone in sound)
        assert file.getnframes() == pytest.approx(seconds * SAMPLE_RATE, abs=2)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    assert LOUDNESS / 2 < np.abs(samples).max() / 32767 <= LOUDNESS * len(sound)
    assert np.abs(samples[-20:]).max() < 20


@pytest.mark.parametrize("shape", ["sine", "triangle", "square", "sawtooth"])
def test_a_tone_has_its_pitch(shape: str) -> None:
    samples = make_samples(Tone(shape, 440, 440, 1))
    strength = np.abs(np.fft.rfft(samples))
    assert strength.argmax() == pytest.approx(440, abs=1)


def record_sounds(model: WindowModel) -> list[Sound]:
    heard: list[Sound] = []
    model.sounds.is_on, model.sounds.play = True, heard.append
    return heard


def test_a_match_is_heard_while_it_plays_up_to_its_end(tmp_path: Path) -> None:
    model = a_model(a_timeline(tmp_path))
    heard = record_sounds(model)
    model.playback.seek_turn(10)
    model.tick(FRAME_S)
    assert not heard
    model.playback.restart()
    model.tick(FRAME_S)
    for _ in range(4):
        model.playback.speed_up()
    while model.playback.is_playing:
        model.tick(FRAME_S)
    assert {BITE, SPLIT} <= set(heard)
    assert heard.count(WIN) == 1
    assert heard[-1] == WIN


def test_a_change_of_the_lead_is_heard(tmp_path: Path, heard: list[Sound]) -> None:
    model = a_model(a_timeline(tmp_path))
    model.sounds.play, model.sounds.is_on = heard.append, True
    model.playback.is_playing = True
    changes = sum(mark.what == "lead changes" for mark in model.views[0].timeline.marks)
    while model.playback.is_playing:
        model.tick(1 / 20)
    assert 0 < heard.count(LEAD) <= changes
