"""Seats the bots, plays a match, and keeps its record."""

import errno
import shutil
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from engine.bots.finding import Copies
from engine.bots.launching import Launcher, new_launcher
from engine.bots.local_seat import LocalSeat
from engine.bots.sandbox import PLAYED_ANYWHERE, Failings, Level, layers_for
from engine.bots.seat import Entry, ProcessSeat
from engine.catalogue import game_named
from engine.errors import BadResult, EngineFailure, HostStarved, UnknownGame
from engine.match import Observer, Watcher, play_match
from engine.record import Contestant, Recorder
from engine.result import FaultTally, MatchResult, Protection, TeamResult, cpu_use
from engine.spec import MatchSpec, decode_spec

REPLAY = "replay.jsonl.gz"
RESULT = "match.json"
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


class Referee:
    """Plays matches one after another and files them under `out`.

    `out/bots/DIGEST/` holds the copies of bots, `out/matches/KEY/` a match's result, replay
    and logs; a match's folder is made beside its place and put there when all is written.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._copies = Copies(out / "bots")
        self._launcher: Launcher | None = None
        self._level: Level | None = None
        """That of the launcher."""
        self._playing: Path | None = None

    def play(
        self, job: Job, observers: Iterable[Observer] = (), live: Path | None = None
    ) -> MatchResult:
        """Raises: EngineFailure if the match could not be played or kept.

        `live` is a file for those that watch meanwhile (engine/live.py). A match that the
        machine gave no time to is void, and played again.
        """
        for _ in range(VOID_MATCHES):
            with suppress(HostStarved):
                return self._play_once(job, observers, live)
        return self._play_once(job, observers, live)

    def _play_once(self, job: Job, observers: Iterable[Observer], live: Path | None) -> MatchResult:
        beside = self._make_folder_beside(job.spec.key)
        try:
            result = self._play(job, beside, observers, live)
            self._file(result, beside)
        except EngineFailure:
            self.close()  # whatever broke, the next match starts afresh
            raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            self._playing = None
        return result

    def abandon(self) -> None:
        """Drop the match that is being played, for a process that is about to end."""
        if self._playing is not None:
            shutil.rmtree(self._playing, ignore_errors=True)

    def close(self) -> None:
        """End the process that starts bots, and drop what a Ctrl-C left of a match."""
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
            calls_us = [seat.call_us for seat in seats]
            recorder = Recorder(game, job.spec, job.contestants, replay, calls_us, live)
            stack.callback(recorder.close)
            tally, last = FaultTally(len(seats)), _LastState()
            outcome = play_match(game, job.spec, seats, (recorder, tally, last, *observers))
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
            sandbox=self._protection(job),
            replay=str(self._home(job.spec.key) / REPLAY) if job.keep_replay else None,
        )

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

    def _file(self, result: MatchResult, beside: Path) -> None:
        try:
            (beside / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(result)))
            _put_in_place(beside, self._home(result.key))
        except OSError as error:
            where = error.filename or self._out
            raise EngineFailure(f"{where}: cannot be written: {error.strerror}") from error

    def _protection(self, job: Job) -> Protection:
        """What the bots of a match were confined by."""
        if job.in_process or self._launcher is None:
            return Protection(level=Level.OFF, layers=(), failings={})
        failings: Failings = self._launcher.failings
        layers = layers_for(job.sandbox, failings)
        return Protection(level=job.sandbox, layers=layers, failings=failings)

    def _home(self, key: str) -> Path:
        return self._out / "matches" / key

    def _make_folder_beside(self, key: str) -> Path:
        """Known before it is there, so that `abandon` misses none."""
        folder = self._playing = self._out / "matches" / f".{key}-{token_hex(4)}"
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise EngineFailure(f"{folder}: cannot be written: {error.strerror}") from error
        return folder


class _LastState(Watcher):
    """Remembers the board, for what is said of its end."""

    state: Any = None

    def began(self, state: Any) -> None:
        self.state = state


def recorded_job(out: Path, key: str) -> Job:
    """The job of a match that was played here; `key` may be its first letters.

    Raises: BadResult if there is none, or several.
    """
    found = sorted((out / "matches").glob(f"{key}*/{RESULT}")) if key.isalnum() else []
    if len(found) != 1:
        what = "several matches begin" if found else "no match was played that begins"
        raise BadResult(f"{out / 'matches'}: {what} with '{key}'")
    try:
        kept = msgspec.json.decode(found[0].read_bytes(), type=_Kept)
        spec = decode_spec(kept.spec)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError, UnknownGame) as error:
        raise BadResult(f"{found[0]}: cannot be read: {error}") from error
    return Job(spec=spec, contestants=tuple(team.bot for team in kept.teams))


class _KeptTeam(msgspec.Struct):
    bot: Contestant


class _Kept(msgspec.Struct):
    """What of a kept result is needed to play it again."""

    spec: msgspec.Raw
    teams: tuple[_KeptTeam, ...]


def _put_in_place(beside: Path, home: Path) -> None:
    """Put a finished folder where it belongs; an older playing of the same match gives way."""
    for log in beside.glob("*.log"):
        if log.stat().st_size == 0:
            log.unlink()
    beside.chmod(0o755)
    older = beside.with_name(f"{beside.name}.older")
    while True:
        with suppress(FileNotFoundError):
            home.rename(older)
        try:
            beside.rename(home)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return
        finally:
            shutil.rmtree(older, ignore_errors=True)
