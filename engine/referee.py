"""Seats the bots, plays a match, and keeps its record."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from engine.archive import Archive, find_recorded
from engine.bots.finding import Copies
from engine.bots.launching import Launcher, new_launcher
from engine.bots.local_seat import LocalSeat
from engine.bots.sandbox import PLAYED_ANYWHERE, Failings, Level, layers_for
from engine.bots.seat import Entry, ProcessSeat
from engine.catalogue import game_named
from engine.cut_off import CutOff
from engine.errors import EngineFailure, HostStarved
from engine.game import Inspection
from engine.match import Observer, Watcher, inspect_design, play_match
from engine.past import RecordedPast, require_continuable
from engine.record import Contestant, Continued, Recorder
from engine.replay import Replay
from engine.result import (
    FaultTally,
    MatchResult,
    Protection,
    TeamResult,
    cpu_use,
    looks_starved,
)
from engine.shelves import REPLAY
from engine.spec import MatchSpec

VOID_MATCHES = 2
"""How often a match may be void before that is reported."""
LOG_LETTERS = 60
"""Of a bot's name, in the name of its log: the most that always fits into a file's name."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A match to play: what decides it, and what its bots are called."""

    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    keep_replay: bool = True
    in_process: bool = False
    sandbox: Level = Level.DEFAULT
    once: bool = False
    """A match that has its result is not played again: that is what comes of it."""
    is_kept: bool = False
    """What was played of it is kept if it is cut off, so that it can go on."""
    past: Path | None = None
    """The replay of a match that was cut off, which goes on."""
    past_before: int | None = None
    """The turn from which on no order of that replay counts; None: all do."""


class Referee:
    """Plays matches one after another and files them under `out`.

    `out/bots/DIGEST/` holds the copies of bots; the archive has the results, replays and logs.
    """

    def __init__(self, out: Path) -> None:
        self._archive = Archive(out)
        self._copies = Copies(out / "bots")
        self._launcher: Launcher | None = None
        self._level: Level | None = None
        """That of the launcher."""

    @property
    def cut_off(self) -> CutOff | None:
        """What was kept of the last match, if it was cut off."""
        return self._archive.cut_off

    def play(
        self, job: Job, observers: Iterable[Observer] = (), live: Path | None = None
    ) -> MatchResult:
        """Raises: EngineFailure if the match could not be played or kept, BadResult.

        `live` is a file for those that watch meanwhile (engine/live.py). A match that the
        machine gave no time to is void, and played again.
        """
        if job.once and (filed := self._archive.filed(job.spec.key)) is not None:
            return filed
        for _ in range(VOID_MATCHES):
            with suppress(HostStarved):
                return self._play_once(job, observers, live, is_last=False)
        return self._play_once(job, observers, live, is_last=True)

    def _play_once(
        self, job: Job, observers: Iterable[Observer], live: Path | None, *, is_last: bool
    ) -> MatchResult:
        """Raises: HostStarved where it looks so, and it is not the last try."""
        try:
            folder = self._archive.open(job.spec.key, is_kept=job.is_kept)
            result = self._play(job, folder, observers, live)
            if looks_starved(result):
                if not is_last:
                    raise HostStarved("the machine was too busy to judge the bots")
                result = msgspec.structs.replace(result, is_suspect=True)
            return self._archive.file(result)
        except HostStarved:  # nothing is broken
            self._archive.remove()
            raise
        except EngineFailure:
            self.close()  # whatever broke, the next match starts afresh
            raise
        finally:
            self._archive.drop()

    def inspect(self, job: Job, folder: Path) -> Inspection:
        """What the game says of the design of the first bot, which writes its log to `folder`.

        Raises: EngineFailure, SandboxMissing.
        """
        with closing(self._seat(job, 1, folder)) as seat:
            return inspect_design(game_named(job.spec.game), job.spec, seat)

    def abandon(self) -> None:
        """Leave the match that is being played, for a process that is about to end."""
        self._archive.drop()

    def close(self) -> None:
        """End the process that starts bots, and leave what a Ctrl-C left of a match."""
        self.abandon()
        self._close_launcher()

    def _close_launcher(self) -> None:
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None

    def _play(
        self, job: Job, folder: Path, observers: Iterable[Observer], live: Path | None
    ) -> MatchResult:
        game = game_named(job.spec.game)
        with ExitStack() as stack:
            seats = [self._seat(job, team, folder) for team in range(1, len(job.contestants) + 1)]
            for seat in seats:
                stack.callback(seat.close)
            replay = folder / REPLAY if job.keep_replay else None
            recorder = Recorder(game, job.spec, job.contestants, replay, seats, live)
            stack.callback(recorder.close)
            past = self._past(job, seats, recorder, stack)
            tally, last = FaultTally(len(seats)), _LastState()
            began, cpu_before = time.perf_counter(), time.process_time()
            watchers = (recorder, tally, last, *observers)
            outcome = play_match(game, job.spec, seats, watchers, past)
            wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_before
        teams = tuple(
            TeamResult(
                bot=contestant,
                score=outcome.scores[index],
                left=game.describe(last.state, index + 1),
                faults=dict(tally.counts[index]),
                details=tally.details[index],
                restarts=seat.restarts,
                out=None if seat.out is None else f"{seat.out.cause}: {seat.out.detail}",
                cpu=cpu_use(seat.call_us),
            )
            for index, (contestant, seat) in enumerate(zip(job.contestants, seats, strict=True))
        )
        return MatchResult(
            key=job.spec.key,
            spec=job.spec,
            winner=outcome.winner,
            reason=outcome.reason,
            turns=last.state.turn,
            teams=teams,
            fingerprint=recorder.fingerprint,
            wall_ms=round(wall_s * 1_000),
            cpu_ms=round(cpu_s * 1_000) + sum(team.cpu.total_ms for team in teams),
            sandbox=self._protection(job),
            in_process=job.in_process,
            continued=None if past is None else past.continued,
        )

    def _past(
        self,
        job: Job,
        seats: Sequence[ProcessSeat | LocalSeat],
        recorder: Recorder,
        stack: ExitStack,
    ) -> RecordedPast | None:
        """What was played before; no bot stops there for its author's debugger."""
        if job.past is None:
            return None
        silence = stack.enter_context(ExitStack())
        silence.enter_context(no_breakpoints())

        def go_on(continued: Continued) -> None:
            recorder.went_on(continued)
            silence.close()

        return RecordedPast(Replay(job.past), seats, go_on, job.past_before)

    def _seat(self, job: Job, team: int, folder: Path) -> ProcessSeat | LocalSeat:
        contestant = job.contestants[team - 1]
        entry = Entry(
            name=contestant.name,
            bot=self._copies.entry(contestant.digest),
            log=folder / f"{team}-{contestant.name[:LOG_LETTERS]}.log",
            team=team,
            game=job.spec.game,
            match_seed=job.spec.seed,
            limits=job.spec.limits,
            packages=job.spec.packages,
            level=job.sandbox,
        )
        if job.in_process:
            return LocalSeat(entry, game_named(job.spec.game))
        return ProcessSeat(entry, self._open_launcher(job.sandbox))

    def _open_launcher(self, level: Level) -> Launcher:
        """Raises: SandboxMissing if the level cannot be had here."""
        if self._level is not level and not {self._level, level} <= PLAYED_ANYWHERE:
            self._close_launcher()
        if self._launcher is None:
            self._launcher = new_launcher(level)
            self._level = level
        return self._launcher

    def _protection(self, job: Job) -> Protection:
        """What the bots of a match were confined by."""
        if job.in_process or self._launcher is None:
            return Protection(level=Level.OFF, layers=(), failings={})
        failings: Failings = self._launcher.failings
        layers = layers_for(job.sandbox, failings)
        return Protection(level=job.sandbox, layers=layers, failings=failings)


class _LastState(Watcher):
    """Remembers the board, for what is said of its end."""

    state: Any = None

    def began(self, state: Any) -> None:
        self.state = state


@contextmanager
def no_breakpoints() -> Iterator[None]:
    """`breakpoint()` does nothing."""
    usual = sys.breakpointhook
    sys.breakpointhook = lambda *words, **named: None
    try:
        yield
    finally:
        sys.breakpointhook = usual


def continued_job(path: Path, before_turn: int | None = None) -> Job:
    """The job of a match that goes on from its replay; `before_turn`: only from there on.

    Raises: BadReplay if it cannot.
    """
    replay = Replay(path)
    require_continuable(replay, before_turn)
    return Job(spec=replay.spec, contestants=replay.bots, past=path, past_before=before_turn)


def recorded_job(out: Path, key: str) -> Job:
    """The job of a match that has its result here; `key` may be its first letters.

    Raises: BadResult if there is none, or several.
    """
    recorded = find_recorded(out, key)
    return Job(spec=recorded.spec, contestants=recorded.contestants)
