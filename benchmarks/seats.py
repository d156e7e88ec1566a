"""Seats of the benchmarks' own bots, and the specs of their matches."""

import time
from pathlib import Path
from typing import Any

from benchmarks.boards import GAME, SEED
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.game import AnyGame, Ask
from engine.spec import MatchSpec

BOTS = Path(__file__).resolve().parent / "bots"


class WarmSeat(ProcessSeat):
    """A seat that starts its process as the match begins, so that no order waits for it."""

    ready_at = 0.0

    def prepare(self, state: Any) -> None:
        super().prepare(state)
        self._start()
        self.ready_at = time.perf_counter()


def make_match(game: AnyGame, settings: Any, *bots: str, seed: int = SEED) -> MatchSpec:
    """Return the spec of a match of these bots."""
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=settings,
        limits=game.limits,
        bots=bots,
        seed=seed,
    )


def make_spec(bot: str, numbers: dict[str, int]) -> MatchSpec:
    """Return the spec of a match of Slime Mind of a bot against itself."""
    return make_match(GAME, GAME.settings(**numbers), bot, bot)


def make_config(bot: Path, spec: MatchSpec, team: int, folder: Path) -> SeatConfig:
    """Return the seat configuration of a bot."""
    return SeatConfig(
        name=bot.stem,
        bot=bot,
        log=folder / f"{team}-{bot.stem}.log",
        team=team,
        game=spec.game,
        match_seed=spec.seed,
        limits=spec.limits,
    )


def make_bot_config(bot: str, spec: MatchSpec, team: int, folder: Path) -> SeatConfig:
    """Return the seat configuration of a bot of this folder's `bots/`."""
    return make_config(BOTS / f"{bot}.py", spec, team, folder)


def ask_seat(seat: ProcessSeat, piece_id: int) -> Any:
    """Return what a bot of team 1 answers for a piece."""
    seat.put(Ask(1, piece_id), None)
    return seat.take()


def call_us(seat: ProcessSeat, piece_id: int, calls: int) -> float:
    """Return the mean time of an answer, us."""
    began = time.perf_counter()
    for _ in range(calls):
        seat.put(Ask(1, piece_id), None)
        seat.take()
    return (time.perf_counter() - began) / calls * 1e6
