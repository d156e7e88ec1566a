"""Matches of slimes that walk at random: as many as needed, and as busy in every turn."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.boards import GAME
from benchmarks.seats import make_spec
from engine.game import Ask
from engine.match import play_match
from engine.replays.writing import Contestant, Recorder
from engine.seat import Seat

STEPS = ("LEFT", "RIGHT", "UP", "DOWN")


def record(folder: Path, numbers: Mapping[str, int], turns: int) -> Path:
    """Play and record a match of this many turns."""
    path = folder / "match.jsonl.gz"
    spec = make_spec("walker", {**numbers, "max_turns": turns})
    recorder = Recorder(GAME, spec, (Contestant(name="walker", digest="walker"),) * 2, path)
    play_match(GAME, spec, [Walker(1), Walker(2)], [recorder])
    recorder.close()
    return path


class Walker(Seat):
    """A seat that rolls where to go."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def prepare(self, state: Any) -> None: ...
    def put(self, ask: Ask, view: Any) -> None: ...

    def take(self) -> Any:
        return self._random.choice(STEPS)
