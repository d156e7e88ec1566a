"""Checking a bot before it plays: it is loaded, and plays the beginning of a few matches."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from engine.bots.process_seat import ProcessSeat
from engine.catalogue import game_named
from engine.fault import Fault
from engine.match import play_first_turns
from engine.referee import BotSeat, Job, Referee
from engine.result import RefusalTally
from runners.authoring.call_log import CallLog
from runners.authoring.check_report import CheckReport, Playing, report_on, unloaded
from runners.configuration import Configuration
from runners.match_request import MatchRequest
from runners.planning import MatchPlan, all_bots, bots_folder

TURNS = 50
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
    turns: int = TURNS,
    match_s: float = MATCH_S,
) -> CheckReport:
    """Play short matches: against others in both seats, against itself, and the first one again.

    Raises: BadBot, BadSettings, UsageError, EngineFailure.
    """
    plans = list(_plans(request, file, configuration))
    jobs = [(plan.job(), team) for plan, team in plans]
    bot = plans[0][0].bots[0]
    with closing(Referee(request.run.out)) as referee:
        try:
            playings = [
                _ShortMatch(referee, job, team, turns, match_s).play() for job, team in jobs
            ]
            first = playings[0]
            again = _ShortMatch(referee, first.job, first.team, turns, match_s)
            return report_on(bot, playings, again.play(len(first.log.orders)))
        except CannotStart as problem:
            return unloaded(bot, jobs[0][0], problem.fault)


def _plans(
    request: MatchRequest, file: str, configuration: Configuration
) -> Iterator[tuple[MatchPlan, int]]:
    """Yield the matches of a check, each with the bot's team."""
    others, _ = all_bots(bots_folder(request.game), request.packages)
    own = Path(file).stem
    first, second, *_ = [*(str(bot.path) for bot in others if bot.name != own), file, file]
    matches = (((file, first), 1), ((second, file), 2), ((file, file), 1))
    for number, (players, team) in enumerate(matches):
        seed = (request.seed or 0) + number
        wish = msgspec.structs.replace(request, players=players, seed=seed)
        yield MatchPlan(wish, configuration), team


class _ShortMatch:
    """The beginning of a match, of which nothing is kept but what is said of the bot."""

    def __init__(self, referee: Referee, job: Job, team: int, turns: int, match_s: float) -> None:
        self._referee = referee
        self._job = job
        self._team = team
        self._turns = turns
        self._match_s = match_s

    def play(self, decisions: int | None = None) -> Playing:
        """Play it, up to so many decisions of the bot. Raises: CannotStart, EngineFailure."""
        game = game_named(self._job.spec.game)
        with TemporaryDirectory(prefix="slime-mind-") as name:
            folder = Path(name)
            with ExitStack() as stack:
                seats = [
                    stack.enter_context(closing(self._referee.seat(self._job, number, folder)))
                    for number in range(1, len(self._job.contestants) + 1)
                ]
                ours, refusals = seats[self._team - 1], RefusalTally(game, len(seats))
                log = CallLog(ours, self._team)
                playing = Playing(job=self._job, team=self._team, log=log)
                play_first_turns(
                    game,
                    self._job.spec,
                    seats,
                    (log, refusals),
                    self._is_enough(playing, decisions),
                    lambda: _start(ours, playing),
                )
                _take_down(playing, ours, refusals)
            logs = folder.glob(f"{self._team}-*.log")  # they are files once the seats are closed
            playing.printed = "".join(path.read_text("utf-8", "replace") for path in logs)
        return playing

    def _is_enough(self, playing: Playing, decisions: int | None) -> Callable[[int], bool]:
        end = time.monotonic() + self._match_s

        def is_enough(turn: int) -> bool:
            playing.turns = min(turn, self._turns)
            if decisions is not None:
                return len(playing.log.orders) >= decisions
            return turn > self._turns or time.monotonic() > end

        return is_enough


def _start(seat: BotSeat, playing: Playing) -> None:
    """Start the bot. Raises: CannotStart."""
    began = time.perf_counter()
    fault = seat.start()
    playing.load_s = time.perf_counter() - began
    if fault is not None:
        raise CannotStart(fault)


def _take_down(playing: Playing, seat: BotSeat, refusals: RefusalTally) -> None:
    """Note what only is there while the bot's process is."""
    playing.memory_mb = seat.peak_memory_mb() if isinstance(seat, ProcessSeat) else None
    playing.refused = refusals.counts[playing.team - 1]
    playing.refusals = tuple(refusals.first[playing.team - 1])
