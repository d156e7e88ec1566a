"""Matches between scripted players that are recorded, interrupted, and go on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.fault import Fault
from engine.game import AnyGame
from engine.match import play_match
from engine.replays.reading import Replay
from engine.replays.resuming import ResumedMatch
from engine.replays.writing import Contestant, Continued, Recorder
from engine.spec import MatchSpec
from tests.engine.recorded import read_lines, write
from tests.engine.seats import Answer, ScriptedSeat


class RestoredSeat(ScriptedSeat):
    """Counts what it was asked, and knows what it was restored to."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer)
        self.asked = 0
        self.restarts = 0
        self.out: Fault | None = None
        self.call_us: list[int] = []
        self.restored: list[tuple[int, Fault | None]] = []

    def take(self) -> Any:
        self.asked += 1
        return super().take()

    def restore(self, restarts: int, out: Fault | None) -> None:
        self.restored.append((restarts, out))


def record(path: Path, game: AnyGame, spec: MatchSpec, seats: Sequence[RestoredSeat]) -> str:
    """Play it undisturbed; the fingerprint."""
    recorder = Recorder(game, spec, contestants(spec), path, seats)
    play_match(game, spec, seats, [recorder])
    recorder.close()
    return recorder.fingerprint


class GoneOn:
    """A match that went on from a replay, and all that came of it."""

    def __init__(
        self, replay: Replay, seats: Sequence[RestoredSeat], before_turn: int | None = None
    ) -> None:
        path = replay.path.with_name("gone on")
        self.ends: list[Continued] = []
        self.asked_at_end: list[int] = []
        self._seats = seats
        recorder = self._recorder = Recorder(replay.game, replay.spec, replay.bots, path, seats)
        past = ResumedMatch(replay, seats, self._end, before_turn)
        self.outcome = play_match(replay.game, replay.spec, seats, [recorder], past)
        recorder.close()
        self.fingerprint = recorder.fingerprint
        self.continued = past.continued
        self.replay = Replay(path)

    def _end(self, continued: Continued) -> None:
        self._recorder.note_continuation(continued)
        self.ends.append(continued)
        self.asked_at_end = [seat.asked for seat in self._seats]


def contestants(spec: MatchSpec) -> tuple[Contestant, ...]:
    return tuple(Contestant(name=digest, digest=digest) for digest in spec.bots)


def cut_before(path: Path, word: bytes, *, target: str = "cut") -> Replay:
    """Return what there is of a replay up to the first line that has this word."""
    lines = read_lines(path)
    number = next(number for number, line in enumerate(lines) if word in line)
    return Replay(write(path.with_name(target), lines[:number]))
