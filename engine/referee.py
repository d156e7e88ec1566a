"""Seat the bots, play a match, and keep its record."""

import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from engine.bots.fault_advice import in_full
from engine.bots.finding import Copies, compute_bot_digest, find_entry_file, is_over_http
from engine.bots.launching import Launcher, new_launcher
from engine.bots.local_seat import LocalSeat
from engine.bots.lone_pieces import LonePiecesSeat
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.bots.programs.builds import Builds
from engine.bots.programs.manifest import MANIFEST, BadManifest, read_manifest
from engine.bots.programs.seat import ProgramSeat
from engine.bots.sandbox import PLAYED_ANYWHERE, Failings, Level, is_root, layers_for
from engine.catalog import find_game
from engine.errors import BadBot, EngineFailure, HostStarved, UsageError
from engine.fault import Fault
from engine.game import AnyGame, Ask, DesignInspection, Game, Outcome, State
from engine.match import inspect_design, play_match, rehearse_design, try_first_decision
from engine.observer import Observer, SeatObserver
from engine.play_options import PlayOptions
from engine.replays.archive import Archive, find_recorded
from engine.replays.interrupted import InterruptedMatch
from engine.replays.reading import Replay
from engine.replays.resuming import ResumedMatch, require_continuable
from engine.replays.writing import Contestant, Continued, Recorder
from engine.result import FaultTally, MatchResult, Protection, RefusalTally, TeamResult, cpu_use
from engine.result_folder import REPLAY
from engine.spec import MatchSpec
from engine.support.background_sync import BackgroundSync
from engine.support.staging import clear_staging_folders

if TYPE_CHECKING:
    from engine.bots.over_http.seat import HttpSeat

BotSeat: TypeAlias = "ProcessSeat | LonePiecesSeat | LocalSeat | HttpSeat"

VOID_MATCHES = 2
"""How often a match may be void before that is reported."""
DECISION_TRIES = 3
"""A bot that loses its first decision so many times in a row cannot play."""
LOG_LETTERS = 60
"""The letters of a bot's name in the name of its log: the most that always fit."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A match to play: what decides it, and what its bots are called."""

    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    play: PlayOptions = PlayOptions()
    once: bool = False
    """A match that has its result is not played again: that result is returned."""
    is_kept: bool = False
    """Whether what was played is kept if the match is interrupted, so that it can be resumed."""
    past: Path | None = None
    """The replay of an interrupted match, which is resumed."""
    past_before: int | None = None
    """The turn from which on no order of that replay counts; None: all do."""
    own_files: Mapping[Contestant, Path] = {}
    """Where authors keep their bots, as far as that is known: in process those are played."""
    noted_teams: tuple[int, ...] | None = None
    """The teams of which what bots draw and log is recorded, where it is; None: all of them."""
    must_start: tuple[int, ...] = ()
    """Teams whose bots must be able to play: else there is no match, and nothing is filed."""


class Referee:
    """Plays matches one after another and files them under `out`.

    `out/bots/DIGEST/` holds the copies of bots; the archive has the results, replays and logs.
    """

    def __init__(self, out: Path) -> None:
        self._archive = Archive(out)
        self._copies = Copies(out / "bots")
        self._builds = Builds(out / "built")
        for folder in ("bots", "built"):
            clear_staging_folders(out / folder)
        # Elsewhere no folder is put in its place while a file in it is open.
        self._sync = BackgroundSync() if os.name == "posix" else None
        self._launcher: Launcher | None = None
        self._level: Level | None = None
        """The sandbox level of the launcher."""

    @property
    def interrupted(self) -> InterruptedMatch | None:
        """Return what was kept of the last match, if it was interrupted."""
        return self._archive.interrupted

    def play(
        self, job: Job, observers: Iterable[Observer] = (), live: Path | None = None
    ) -> MatchResult:
        """Raises: EngineFailure if the match could not be played or kept, BadResult, BadBot.

        `live` is a file for those that watch meanwhile (engine/replays/live.py). A match in which a
        bot got no processor is void, and played again; its result says so.
        """
        if job.once and (filed := self._archive.find_result(job.spec.key)) is not None:
            return filed
        void_tries: list[str] = []
        for _ in range(VOID_MATCHES):
            try:
                return self._play_once(job, observers, live, void_tries)
            except HostStarved as error:
                void_tries.append(str(error))
        # Once more, and now HostStarved is passed on: this machine has no time for the bots.
        return self._play_once(job, observers, live, void_tries)

    def _play_once(
        self, job: Job, observers: Iterable[Observer], live: Path | None, void_tries: Sequence[str]
    ) -> MatchResult:
        """Raises: HostStarved, and whatever `play` raises."""
        try:
            folder = self._archive.open(job.spec.key, is_kept=job.is_kept)
            result = self._play(job, folder, observers, live)
            return self._archive.file_result(
                msgspec.structs.replace(result, void_tries=tuple(void_tries))
            )
        except (HostStarved, BadBot):  # nothing is broken, and what was played does not count
            self._archive.remove()
            raise
        except EngineFailure:
            self.close()  # whatever broke, the next match starts afresh
            raise
        finally:
            self._archive.drop()

    def inspect(self, job: Job, folder: Path) -> DesignInspection:
        """Return what the game says of the first bot's design; its log goes to `folder`.

        Raises: EngineFailure, SandboxMissing.
        """
        with closing(self.make_seat(job, 1, folder)) as seat:
            return inspect_design(find_game(job.spec.game), job.spec, seat)

    def why_it_cannot_play(self, job: Job) -> Fault | None:
        """Start the first bot of a job and ask it for one decision, as in a match.

        A decision that is lost is asked for again: the first one may take longer than any other.
        A machine that gave it no time says nothing against a bot.
        Raises: EngineFailure, SandboxMissing.
        """
        with (
            suppress(HostStarved),
            tempfile.TemporaryDirectory(prefix="slime-mind-") as folder,
            closing(self.make_seat(job, 1, Path(folder))) as seat,
        ):
            return try_first_decision(find_game(job.spec.game), job.spec, seat, DECISION_TRIES)
        return None

    def play_trial(self, job: Job, folder: Path, turns: int, seconds: float) -> "Rehearsal":
        """Play at most that much of a match of which nothing is kept, but logs in `folder`.

        Raises: EngineFailure, SandboxMissing.
        """
        collector, end = _FaultCollector(), time.monotonic() + seconds
        with ExitStack() as stack:
            seats = [
                self.make_seat(job, team, folder) for team in range(1, len(job.contestants) + 1)
            ]
            for seat in seats:
                stack.callback(seat.close)
            untried = rehearse_design(
                find_game(job.spec.game),
                job.spec,
                seats,
                (collector,),
                lambda turn: turn > turns or time.monotonic() > end,
            )
        return Rehearsal(tuple(collector.seen.values()), untried)

    def abandon(self) -> None:
        """Leave the match that is being played, for a process that is about to end."""
        self._archive.drop()

    def close(self) -> None:
        """End the process that starts bots, and leave what a Ctrl-C left of a match.

        Raises: EngineFailure if the last match did not come to the disk.
        """
        self.abandon()
        self._close_launcher()
        if self._sync is not None:
            self._sync.wait()

    def _close_launcher(self) -> None:
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None

    def _play(
        self, job: Job, folder: Path, observers: Iterable[Observer], live: Path | None
    ) -> MatchResult:
        game = find_game(job.spec.game)
        with ExitStack() as stack:
            # Closed in reverse: the record, then the bots, and at last their copies are checked.
            stack.enter_context(self._copies.require_unchanged(job.spec.bots))
            seats = [
                self.make_seat(job, team, folder) for team in range(1, len(job.contestants) + 1)
            ]
            for seat in seats:
                stack.callback(seat.close)
            replay = folder / REPLAY if job.play.keep_replay else None
            recorder = Recorder(game, job.spec, job.contestants, replay, seats, live, self._sync)
            stack.callback(recorder.close)
            past = self._resume_from_past(job, seats, recorder, stack)
            counts = _MatchCounts(game, len(seats))
            began, cpu_before = time.perf_counter(), time.process_time()
            watchers = [recorder, *counts.watchers, *observers]
            for one in watchers:
                if isinstance(one, SeatObserver):
                    one.on_seats(seats)
            outcome = play_match(
                game, job.spec, seats, watchers, past, lambda: start_bots(job, seats)
            )
            wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_before
        teams = tuple(
            counts.team_result(team, contestant, seat, outcome)
            for team, (contestant, seat) in enumerate(zip(job.contestants, seats, strict=True), 1)
        )
        return MatchResult(
            key=job.spec.key,
            spec=job.spec,
            winner=outcome.winner,
            reason=outcome.reason,
            turns=counts.turns,
            teams=teams,
            fingerprint=recorder.fingerprint,
            wall_ms=round(wall_s * 1_000),
            cpu_ms=round(cpu_s * 1_000) + sum(team.cpu.total_ms for team in teams if team.ran_here),
            sandbox=self._describe_protection(job),
            in_process=job.play.in_process,
            groups=outcome.groups,
            continued=None if past is None else past.continued,
        )

    def _resume_from_past(
        self, job: Job, seats: Sequence[BotSeat], recorder: Recorder, stack: ExitStack
    ) -> ResumedMatch | None:
        """Return what was played before; no bot stops there for its author's debugger."""
        if job.past is None:
            return None
        silence = stack.enter_context(ExitStack())
        silence.enter_context(disable_breakpoints())

        def go_on(continued: Continued) -> None:
            recorder.note_continuation(continued)
            silence.close()

        return ResumedMatch(Replay(job.past), seats, go_on, job.past_before)

    def make_seat(self, job: Job, team: int, folder: Path) -> BotSeat:
        contestant = job.contestants[team - 1]
        own = job.own_files.get(contestant) if job.play.in_process else None
        config = SeatConfig(
            name=contestant.name,
            bot=self._copies.find_path(contestant.digest) if own is None else find_entry_file(own),
            is_own=own is not None,
            log=folder / f"{team}-{contestant.name[:LOG_LETTERS]}.log",
            team=team,
            game=job.spec.game,
            match_seed=job.spec.seed,
            limits=job.spec.limits,
            packages=job.spec.packages,
            level=job.play.sandbox,
            keeps_notes=_keeps_notes(job, team),
        )
        game = find_game(job.spec.game)
        if job.play.in_process:
            if config.bot.name == MANIFEST:
                only = "--in-process, profile and ask --debug are for bots in Python"
                raise UsageError(f"{contestant.name} is a program: {only}")
            return LocalSeat(config, game)
        launcher = self._open_launcher(job.play.sandbox)
        is_split = game.has_lone_pieces(job.spec.settings)
        if config.bot.name == MANIFEST:
            if is_split:
                raise UsageError(
                    f"{contestant.name}: a program is one process, and with these settings each "
                    "piece has its own"
                )
            if is_over_http(config.bot.parent):
                return _seat_over_http(config, job.play.http_origins)
            return ProgramSeat(config, launcher, self._builds)
        if is_split:
            return LonePiecesSeat(config, launcher, game)
        return ProcessSeat(config, launcher)

    def is_program(self, contestant: Contestant) -> bool:
        """Return whether a bot is a program in another language. Raises: BadBot."""
        return self._copies.find_path(contestant.digest).name == MANIFEST

    def _open_launcher(self, level: Level) -> Launcher:
        """Raises: SandboxMissing if the level is not available here."""
        # Only a new launcher finds out whether a level can be had here; these two always can.
        if self._level is not level and not {self._level, level} <= PLAYED_ANYWHERE:
            self._close_launcher()
        if self._launcher is None:
            self._launcher = new_launcher(level)
            self._level = level
        return self._launcher

    def _describe_protection(self, job: Job) -> Protection:
        """Return what the bots of a match were confined by."""
        as_root = is_root()
        if job.play.in_process or self._launcher is None:
            return Protection(level=Level.OFF, layers=(), failings={}, as_root=as_root)
        failings: Failings = self._launcher.failings
        layers = layers_for(job.play.sandbox, failings)
        return Protection(level=job.play.sandbox, layers=layers, failings=failings, as_root=as_root)


def _seat_over_http(config: SeatConfig, origins: Sequence[str]) -> "HttpSeat":
    """Return the seat of a bot at an address that is allowed. Raises: UsageError, BadBot."""
    from engine.bots.over_http.seat import HttpSeat  # HTTP takes a while to import

    try:
        manifest = read_manifest(config.bot.read_bytes())
    except (OSError, BadManifest) as error:
        raise BadBot(f"{config.name}: {error}") from error
    address = manifest.address
    assert address is not None
    if address.origin not in origins:
        raise UsageError(
            f"{config.name}: is asked over HTTP at {address.origin}, which is not allowed here; "
            f"--allow-http {address.origin} allows it"
        )
    return HttpSeat(config, address, manifest.game)


def _keeps_notes(job: Job, team: int) -> bool:
    """Return whether what a team's bot draws and logs is recorded."""
    is_noted = job.noted_teams is None or team in job.noted_teams
    return bool(job.play.keep_notes) and job.play.keep_replay and is_noted


def start_bots(job: Job, seats: Sequence[BotSeat]) -> None:
    """Start them all. Raises: BadBot, about each one without which there is no match."""
    faults = [seat.start() for seat in seats]
    for contestant, file in job.own_files.items() if job.play.in_process else ():
        # It is played from where its author keeps it, who may have saved it since it was read.
        if compute_bot_digest(file) != contestant.digest:
            raise BadBot(f"{file}: was changed while the match began; start again")
    broken = {team: fault for team in job.must_start if (fault := faults[team - 1]) is not None}
    if broken:
        raise BadBot(_describe_broken_bots(job, broken))


def _describe_broken_bots(job: Job, broken: Mapping[int, Fault]) -> str:
    """Return a message that has each bot once, though it may play several teams."""
    teams = defaultdict[str, list[str]](list)
    for team, fault in broken.items():
        contestant = job.contestants[team - 1]
        file = job.own_files.get(contestant)
        teams[in_full(contestant.name, fault, job.spec.limits, file)].append(str(team))
    lines = [f"  team {' and '.join(numbers)}: {message}" for message, numbers in teams.items()]
    return "\n".join(["the match was not played, and nothing of it is kept:", *lines])


class FaultSeen(msgspec.Struct):
    """A fault, where it came first, and how often it came."""

    fault: Fault
    turn: int
    times: int = 0


class Rehearsal(msgspec.Struct, frozen=True):
    """What came out when a design was tried out."""

    faults: tuple[FaultSeen, ...]
    untried: tuple[str, ...]
    """What of it did not come to be asked, in words."""


class _LastState(Observer):
    """Remembers the board, for what is said of its end."""

    state: State

    def on_start(self, state: State) -> None:
        self.state = state


class _FaultCollector(_LastState):
    """Collects every fault once, whoever's it is."""

    def __init__(self) -> None:
        self.seen: dict[Fault, FaultSeen] = {}

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        self.seen.setdefault(fault, FaultSeen(fault, self.state.turn)).times += 1


class _MatchCounts:
    """Counts what a result says of each team, while the match is played."""

    def __init__(self, game: AnyGame, teams: int) -> None:
        self._game = game
        self._faults = FaultTally(teams)
        self._refusals = RefusalTally(game, teams)
        self._last = _LastState()
        self.watchers: list[Observer] = [self._faults, self._last]
        if type(game).find_refusals is not Game.find_refusals:  # else it would be asked for nothing
            self.watchers.append(self._refusals)

    @property
    def turns(self) -> int:
        """Return the turn in which the match ended."""
        return self._last.state.turn

    def team_result(
        self, team: int, contestant: Contestant, seat: BotSeat, outcome: Outcome
    ) -> TeamResult:
        """Return one team's side of the match; teams are numbered from 1."""
        index = team - 1
        return TeamResult(
            bot=contestant,
            score=outcome.scores[index],
            left=self._game.describe(self._last.state, team),
            faults=dict(self._faults.counts[index]),
            details=self._faults.details[index],
            restarts=seat.restarts,
            out=None if seat.out is None else f"{seat.out.cause}: {seat.out.detail}",
            cpu=cpu_use(seat.call_us),
            refused=self._refusals.counts[index],
            refusals=tuple(self._refusals.first[index]),
        )


@contextmanager
def disable_breakpoints() -> Iterator[None]:
    """Make `breakpoint()` do nothing."""
    usual = sys.breakpointhook
    sys.breakpointhook = lambda *arguments, **named: None
    try:
        yield
    finally:
        sys.breakpointhook = usual


def load_resumed_job(path: Path, before_turn: int | None = None) -> Job:
    """Return the job of a match that is resumed from its replay, at `before_turn` if given.

    Raises: BadReplay if it cannot.
    """
    replay = Replay(path)
    require_continuable(replay, before_turn)
    return Job(spec=replay.spec, contestants=replay.bots, past=path, past_before=before_turn)


def load_recorded_job(out: Path, key: str) -> Job:
    """Return the job of a match that has its result here; `key` may be its first letters.

    Raises: BadResult if there is none, or several.
    """
    recorded = find_recorded(out, key)
    return Job(spec=recorded.spec, contestants=recorded.contestants)
