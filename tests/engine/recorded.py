"""Matches played with dice for players, and recorded."""

import zlib
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.fault import Cause, Fault
from engine.game import Ask, Outcome
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.orders import COMMANDS
from engine.games.slime_mind.settings import Settings
from engine.match import play_match
from engine.observer import Observer
from engine.replays.lines import GZIP_WINDOW_BITS
from engine.replays.writing import Contestant, Recorder
from engine.seat import Seat
from engine.spec import MatchSpec


class OftenFramed(SlimeMind):
    """A game with keyframes in a short match."""

    keyframe_turns = 10


GAME = OftenFramed()
LIVELY = Settings(
    columns=8,
    rows=6,
    max_turns=45,
    slime_pairs=3,
    plant_pairs=6,
    rock_pairs=1,
    plant_level_chance_pct=40,
    min_split_level=2,
)
"""Every kind of event comes up."""
BOTS = tuple(Contestant(name=f"player_{word}", digest="0" * 16) for word in ("one", "two"))
CAUSES = (Cause.TIMEOUT, Cause.EXIT, Cause.EXCEPTION)


class Dice(Seat):
    """A seat whose orders are rolled, and sometimes faults or illegal."""

    def __init__(self, seed: int, *, faults_pct: int = 5) -> None:
        self._random = Random(seed)
        self._faults_pct = faults_pct

    def prepare(self, state: Any) -> None: ...
    def put(self, ask: Ask, view: Any) -> None: ...

    def take(self) -> Any:
        if self._random.random() * 100 < self._faults_pct:
            return Fault(self._random.choice(CAUSES), f"words of {self._random.random()}")
        return self._random.choice([*COMMANDS, "FLY"] if self._faults_pct else [*COMMANDS])


def a_spec(settings: Settings = LIVELY, *, seed: int = 1) -> MatchSpec:
    return MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=settings,
        limits=GAME.limits,
        bots=tuple(bot.digest for bot in BOTS),
        seed=seed,
    )


class Boards(Observer):
    """The board at the end of each turn, as JSON."""

    def __init__(self) -> None:
        self.at_end_of: dict[int, bytes] = {}
        self._state: Any = None

    def on_start(self, state: Any) -> None:
        self._state = state

    def on_event(self, event: Any) -> None:
        self.at_end_of[self._state.turn] = as_json(self._state)


def as_json(state: Any) -> bytes:
    return msgspec.json.encode(state)


def record(
    path: Path | None,
    *watchers: Observer,
    spec: MatchSpec | None = None,
    dice: int = 1,
    faults_pct: int = 5,
) -> tuple[Outcome, str]:
    """Play and record; the outcome, and the fingerprint."""
    spec = spec or a_spec()
    recorder = Recorder(GAME, spec, BOTS, path)
    try:
        seats = [Dice(dice, faults_pct=faults_pct), Dice(dice + 1_000, faults_pct=faults_pct)]
        outcome = play_match(GAME, spec, seats, [recorder, *watchers])
    finally:
        recorder.close()
    return outcome, recorder.fingerprint


def read_lines(path: Path) -> list[bytes]:
    """Every line of a replay that is whole."""
    return zlib.decompress(path.read_bytes(), GZIP_WINDOW_BITS).splitlines()


def write(path: Path, lines: list[bytes]) -> Path:
    """A replay of these lines."""
    deflate = zlib.compressobj(6, zlib.DEFLATED, GZIP_WINDOW_BITS)
    text = b"".join(line + b"\n" for line in lines)
    path.write_bytes(deflate.compress(text) + deflate.flush())
    return path
