"""Where a bot's time goes in a match: by function, by turn, and the slowest positions."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from engine.bots.finding import entry_of
from engine.catalog import game_named
from engine.errors import BadBot
from engine.match import play_first_turns
from engine.referee import Job, Referee
from engine.replays.writing import Recorder
from engine.result import CpuUse, cpu_use
from engine.result_folder import REPLAY
from engine.seat import Seat
from engine.support.files import make_folder
from runners.authoring.call_log import Call, CallLog, FaultsOfCause
from runners.authoring.sampling import Function, SampledSeat, Sampler, Stack

SLOWEST = 5
"""The slowest calls, and the slowest turns, that are named."""
MOST_FUNCTIONS = 20


class FunctionTime(msgspec.Struct, frozen=True, kw_only=True):
    """The time in a function."""

    function: Function
    self_share: float
    """Without what it calls, 0 to 1."""
    total_share: float
    """With what it calls."""


class TurnTime(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a turn."""

    turn: int
    us: int
    calls: int


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot's time went into in a match."""

    bot: str
    opponent: str
    team: int
    turns: int
    cpu: CpuUse
    functions: tuple[FunctionTime, ...]
    by_turn: tuple[TurnTime, ...]
    slowest: tuple[Call, ...]
    samples: int
    faults: tuple[FaultsOfCause, ...]
    """Decisions that were lost, by cause."""
    replay: str
    stacks: dict[Stack, int]
    """How often each stack was seen."""


def profile(job: Job, out: Path, folder: Path, *, turns: int | None, seconds: float) -> Profile:
    """Play team 1 of a job in our process, and the others as always; the match is recorded.

    Raises: BadBot if the bot cannot play, EngineFailure, UsageError.
    """
    make_folder(folder)
    sampler, path = Sampler(entry_of(job.own_files[job.contestants[0]])), folder / REPLAY
    with closing(Referee(out)) as referee, ExitStack() as stack:
        mine, *others = (
            stack.enter_context(closing(referee.seat(_with_place(job, team), team, folder)))
            for team in range(1, len(job.contestants) + 1)
        )
        log = CallLog(game_named(job.spec.game), mine, 1)
        seats = [SampledSeat(mine, sampler), *others]
        with sampler.running():
            _play(job, seats, log, path, _Enough(turns, seconds))
    return _profile(job, log, sampler.stacks, path)


def _with_place(job: Job, team: int) -> Job:
    """Return a job in which a team plays in our process if it is the one that is looked at."""
    play = msgspec.structs.replace(job.play, in_process=team == 1)
    return msgspec.structs.replace(job, play=play)


class _Enough:
    """Says when a match was long enough."""

    def __init__(self, turns: int | None, seconds: float) -> None:
        self._turns = turns
        self._end = time.monotonic() + seconds

    def __call__(self, turn: int) -> bool:
        is_last = self._turns is not None and turn > self._turns
        return is_last or time.monotonic() > self._end


def _play(
    job: Job,
    seats: Sequence[Seat],
    log: CallLog,
    replay: Path,
    is_enough: _Enough,
) -> None:
    """Play and record. Raises: BadBot if the bot of team 1 cannot start."""
    game = game_named(job.spec.game)

    def start() -> None:
        if (fault := seats[0].start()) is not None:
            raise BadBot(f"{job.contestants[0].name}: {fault.cause}: {fault.detail}")

    with closing(Recorder(game, job.spec, job.contestants, replay, seats)) as recorder:
        play_first_turns(game, job.spec, seats, (recorder, log), is_enough, start)


def _profile(job: Job, log: CallLog, stacks: Counter[Stack], replay: Path) -> Profile:
    by_turn = _by_turn(log)
    return Profile(
        bot=job.contestants[0].name,
        opponent=" and ".join(each.name for each in job.contestants[1:]),
        team=1,
        turns=len(by_turn),
        cpu=cpu_use([call.us for call in log.calls]),
        functions=_functions(stacks)[:MOST_FUNCTIONS],
        by_turn=by_turn,
        slowest=tuple(sorted(log.calls, key=lambda call: -call.us)[:SLOWEST]),
        samples=stacks.total(),
        faults=tuple(log.faults.values()),
        replay=str(replay),
        stacks=dict(stacks),
    )


def _functions(stacks: Counter[Stack]) -> tuple[FunctionTime, ...]:
    """Return the functions, those with most time of their own first."""
    own, total = Counter[Function](), Counter[Function]()
    for stack, count in stacks.items():
        own[stack[-1]] += count
        for function in set(stack):
            total[function] += count
    samples = max(1, stacks.total())
    ordered = sorted(total, key=lambda function: (-own[function], -total[function]))
    return tuple(
        FunctionTime(
            function=function,
            self_share=own[function] / samples,
            total_share=total[function] / samples,
        )
        for function in ordered
    )


def _by_turn(log: CallLog) -> tuple[TurnTime, ...]:
    us, calls = defaultdict[int, int](int), Counter[int]()
    for call in log.calls:
        us[call.turn] += call.us
        calls[call.turn] += 1
    return tuple(TurnTime(turn=turn, us=us[turn], calls=calls[turn]) for turn in sorted(us))
