"""Workers that are none: they answer at once, so that what is measured is the engine's part."""

import os
from pathlib import Path

from benchmarks.boards import GAME
from benchmarks.seats import WarmSeat, make_bot_config, make_spec
from engine.bots.channel import Channel
from engine.bots.clock import CpuClock
from engine.bots.process_start import Needs
from engine.bots.sandbox import Failings
from engine.match import play_match
from engine.observer import Observer
from engine.replays.writing import Contestant, Recorder

READY = b"[0]\n"
"""The reply to a start message (engine/bots/wire.py)."""


class InstantChannel:
    """Answers each ask with the same order."""

    def __init__(self, order: str) -> None:
        self._rest = f',"{order}"]\n'.encode()
        self._reply = READY

    def send(self, line: bytes, timeout_ms: float) -> bool:
        if line[:1] == b"[":
            self._reply = line[: line.index(b",")] + self._rest
        return True

    def receive(self, timeout_ms: float, most: int) -> bytes:
        return self._reply

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class InstantProcess:
    """Stands in for a worker's process."""

    def __init__(self, order: str) -> None:
        self.channel: Channel = InstantChannel(order)
        self.pid = os.getpid()
        self.cpu_clock: CpuClock | None = None

    def pause(self) -> None:
        """Do nothing: it never runs."""

    def resume(self) -> None:
        """Do nothing: it never runs."""

    def interrupt(self) -> bool:
        return False

    def has_ended(self, patience_ms: int) -> bool:
        return False

    def end(self) -> int:
        return 0


class InstantLauncher:
    """Launches such processes."""

    def __init__(self, order: str = "UP") -> None:
        self.failings: Failings = {}
        self._order = order

    def launch(self, log: int, needs: Needs) -> InstantProcess:
        return InstantProcess(self._order)

    def close(self) -> None:
        """Do nothing: nothing was started."""


def play_at_once(
    bot: str, numbers: dict[str, int], folder: Path, *, has_replay: bool = True
) -> int:
    """Play a match of Slime Mind in which every slime goes up at once; return its orders."""
    spec, launcher = make_spec(bot, numbers), InstantLauncher()
    seats = [WarmSeat(make_bot_config(bot, spec, team, folder), launcher) for team in (1, 2)]
    observers: tuple[Observer, ...] = ()
    if has_replay:
        contestants = (Contestant(name=bot, digest=bot),) * 2
        recorder = Recorder(GAME, spec, contestants, folder / "at_once.jsonl.gz", seats)
        observers = (recorder,)
    try:
        play_match(GAME, spec, seats, observers)
    finally:
        for seat in seats:
            seat.close()
    if has_replay:
        recorder.close()
    return sum(len(seat.call_us) for seat in seats)
