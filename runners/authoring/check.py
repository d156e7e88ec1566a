"""Checking a bot before it plays: it is loaded, and plays the beginning of a few matches."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from engine.bots.finding import Bot, resolve
from engine.bots.log_reading import explain_first_exception, extract_printed
from engine.bots.process_seat import ProcessSeat
from engine.bots.programs.seat import ProgramSeat
from engine.catalog import find_game
from engine.fault import Fault
from engine.match import play_first_turns
from engine.observer import Observer
from engine.referee import BotSeat, Job, Referee
from engine.replays.writing import Recorder
from engine.result import RefusalTally
from engine.result_folder import REPLAY, OutName
from engine.support.files import make_folder
from runners.authoring.call_log import CallLog
from runners.authoring.check_report import CheckReport, Playing, load_failure_report, report_on
from runners.configuration import Configuration
from runners.match_request import MatchRequest
from runners.planning import MatchPlan, bots_folder
from runners.starter_bots import find_rivals

FOLDER = OutName.CHECKS
"""The folder of recorded checks, in that of results."""
USUAL_TURNS = 50
MATCH_S = 8.0
"""Limits of each of the matches."""


class CannotStart(Exception):
    """The bot gave no player; there is nothing to play."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


def check(
    request: MatchRequest,
    file: str,
    configuration: Configuration,
    *,
    turns: int = USUAL_TURNS,
    match_s: float = MATCH_S,
) -> CheckReport:
    """Play short matches: against starter bots in both seats, against itself, the first one again.

    They are recorded in the folder `checks` of the results. Raises: BadBot, BadSettings,
    UsageError, EngineFailure.
    """
    bot = resolve(file, bots_folder(request.game))
    jobs = jobs_of_check(request, bot, configuration)
    with closing(Referee(request.run.out)) as referee:
        records = request.run.out / FOLDER / bot.name
        return play_check(referee, bot, jobs, records, turns=turns, match_s=match_s)


def jobs_of_check(
    request: MatchRequest, bot: Bot, configuration: Configuration
) -> list[tuple[Job, int]]:
    """Return the matches of a check, each with the bot's team; copies of all bots are kept.

    Raises: BadBot, BadSettings, UsageError, EngineFailure.
    """
    return [
        (plan.make_job(), team) for plan, team in _make_check_plans(request, bot, configuration)
    ]


def play_check(
    referee: Referee,
    bot: Bot,
    jobs: Sequence[tuple[Job, int]],
    records: Path | None,
    *,
    turns: int = USUAL_TURNS,
    match_s: float = MATCH_S,
) -> CheckReport:
    """Play the matches of a check; `records` is the folder for their replays, if they are kept.

    Raises: BadBot, EngineFailure.
    """
    try:
        playings = [
            _ShortMatch(referee, job, team, turns, match_s).play(
                None if records is None else records / str(number)
            )
            for number, (job, team) in enumerate(jobs, 1)
        ]
        first = playings[0]
        again = _ShortMatch(referee, first.job, first.team, turns, match_s)
        return report_on(bot, playings, again.play(decisions=len(first.log.orders)))
    except CannotStart as problem:
        return load_failure_report(bot, jobs[0][0], problem.fault)


def _make_check_plans(
    request: MatchRequest, bot: Bot, configuration: Configuration
) -> Iterator[tuple[MatchPlan, int]]:
    """Yield the matches of a check, each with the bot's team."""
    rivals = [str(path) for path in find_rivals(bot.path, request.game)]
    own, weakest, second = str(bot.path), rivals[0], rivals[min(1, len(rivals) - 1)]
    matches = (((own, weakest), 1), ((second, own), 2), ((own, own), 1))
    for number, (players, team) in enumerate(matches):
        seed = (request.seed or 0) + number
        wish = msgspec.structs.replace(request, players=players, seed=seed)
        yield MatchPlan(wish, configuration), team


class _ShortMatch:
    """The beginning of a match, which counts as no result."""

    def __init__(self, referee: Referee, job: Job, team: int, turns: int, match_s: float) -> None:
        self._referee = referee
        self._job = job
        self._team = team
        self._turns = turns
        self._match_s = match_s

    def play(self, record: Path | None = None, *, decisions: int | None = None) -> Playing:
        """Play it, up to so many decisions of the bot; `record` is the folder for its replay.

        Raises: CannotStart, EngineFailure.
        """
        with TemporaryDirectory(prefix="slime-mind-") as name:
            folder = Path(name)
            playing = self._play_in(folder, record, decisions)
            logs = folder.glob(f"{self._team}-*.log")  # they are files once the seats are closed
            log_text = "".join(path.read_text("utf-8", "replace") for path in logs)
        playing.printed = extract_printed(log_text)
        playing.exception_lines = tuple(explain_first_exception(log_text))
        return playing

    def _play_in(self, folder: Path, record: Path | None, decisions: int | None) -> Playing:
        job, game = self._job, find_game(self._job.spec.game)
        with ExitStack() as stack:
            seats = [
                stack.enter_context(closing(self._referee.make_seat(job, number, folder)))
                for number in range(1, len(job.contestants) + 1)
            ]
            ours, refusals = seats[self._team - 1], RefusalTally(game, len(seats))
            playing = Playing(job=job, team=self._team, log=CallLog(game, ours, self._team))
            observers: list[Observer] = [playing.log, refusals]
            if record is not None:
                observers.append(
                    stack.enter_context(closing(_make_recorder(playing, record, seats)))
                )
            is_enough = self._is_enough(playing, decisions)
            start = partial(_start, ours, playing)
            play_first_turns(game, job.spec, seats, observers, is_enough, start)
            _take_down(playing, ours, refusals)
        return playing

    def _is_enough(self, playing: Playing, decisions: int | None) -> Callable[[int], bool]:
        end = time.monotonic() + self._match_s

        def is_enough(turn: int) -> bool:
            playing.turns = min(turn, self._turns)
            if decisions is not None:
                return len(playing.log.orders) >= decisions
            playing.is_cut_short = turn <= self._turns and time.monotonic() > end + playing.build_s
            playing.is_over = turn <= self._turns and not playing.is_cut_short
            return not playing.is_over

        return is_enough


def _make_recorder(playing: Playing, folder: Path, seats: Sequence[BotSeat]) -> Recorder:
    """Return what records a match in a folder. Raises: EngineFailure."""
    make_folder(folder)
    job, playing.replay = playing.job, folder / REPLAY
    return Recorder(find_game(job.spec.game), job.spec, job.contestants, playing.replay, seats)


def _start(seat: BotSeat, playing: Playing) -> None:
    """Start the bot. Raises: CannotStart."""
    began = time.perf_counter()
    fault = seat.start()
    playing.build_s = seat.build_s if isinstance(seat, ProgramSeat) else 0.0
    playing.load_s = time.perf_counter() - began - playing.build_s
    if fault is not None:
        raise CannotStart(fault)


def _take_down(playing: Playing, seat: BotSeat, refusals: RefusalTally) -> None:
    """Note what only is there while the bot's process is."""
    playing.used_s = seat.used_s()
    playing.last_turn = playing.log.last_turn
    playing.memory_mb = seat.peak_memory_mb() if isinstance(seat, ProcessSeat) else None
    playing.refused = refusals.counts[playing.team - 1]
    playing.refusals = tuple(refusals.first[playing.team - 1])
