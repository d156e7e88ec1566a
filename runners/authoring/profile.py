"""Where a bot's time goes in a match: by function, by turn, as a flame graph, and when most.

Every half millisecond it is noted where in a bot's code we are, in wall time, as that timer alone
is fine enough; a bot in our process does not wait.
"""

import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from html import escape
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from engine.bot_modules import is_own_file
from engine.bots.finding import find_entry_file
from engine.catalog import find_game
from engine.errors import BadBot, UsageError
from engine.fault import Fault
from engine.game import Ask, State
from engine.match import play_first_turns
from engine.referee import Job, Referee
from engine.replays.writing import Recorder
from engine.result import CpuUse, cpu_use
from engine.result_folder import REPLAY
from engine.seat import Seat
from engine.support.files import make_folder, write_whole
from engine.support.sanitizing import one_line
from runners.authoring.call_log import Call, CallLog, FaultsOfCause

EVERY_S = 0.0005
MAX_FRAMES = 60
"""The innermost frames that are kept of a deeper recursion."""


class Function(msgspec.Struct, frozen=True):
    """A function in a stack."""

    name: str
    file: str
    line: int
    is_own: bool
    """Whether it is in the bot's own files."""


Stack = tuple[Function, ...]
"""The functions that are being called, the outermost first."""


class Sampler:
    """Counts the stacks of a bot's calls."""

    def __init__(self, entry: Path) -> None:
        """`entry` is the bot's file that is loaded."""
        self.stacks: Counter[Stack] = Counter()
        self.is_inside = False
        self._is_sampling = False
        self._entry = entry
        self._known: dict[object, Function] = {}

    @contextmanager
    def sample_during(self) -> Iterator[None]:
        """Sample while the context is open; a timer of somebody else goes on afterwards.

        Raises: UsageError where there is no such timer.
        """
        if sys.platform == "win32":
            raise UsageError("profile needs a timer that this system does not have (setitimer)")
        else:
            handler = signal.signal(signal.SIGALRM, self._sample)
            remaining, interval = signal.setitimer(signal.ITIMER_REAL, EVERY_S, EVERY_S)
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, handler)
                signal.setitimer(signal.ITIMER_REAL, remaining, interval)

    def _sample(self, signum: int, frame: FrameType | None) -> None:
        if not self.is_inside or self._is_sampling:  # the last sample is still being taken
            return
        self._is_sampling = True
        try:
            self._count_stack(frame)
        finally:
            self._is_sampling = False

    def _count_stack(self, frame: FrameType | None) -> None:
        """Count the stack of the bot's own code, and of what it calls."""
        stack: list[Function] = []
        outermost_own = 0
        while frame is not None:
            function = self._function_in_frame(frame)
            stack.append(function)
            if function.is_own:
                outermost_own = len(stack)
            frame = frame.f_back
        if outermost_own:
            self.stacks[tuple(stack[:outermost_own][:MAX_FRAMES][::-1])] += 1

    def _function_in_frame(self, frame: FrameType) -> Function:
        code = frame.f_code
        known = self._known.get(code)
        if known is None:
            path = code.co_filename
            known = self._known[code] = Function(
                name=code.co_qualname,
                file=Path(path).name,
                line=code.co_firstlineno,
                is_own=is_own_file(path, self._entry),
            )
        return known


class SampledSeat(Seat):
    """A seat whose calls are sampled."""

    def __init__(self, seat: Seat, sampler: Sampler) -> None:
        self._seat = seat
        self._sampler = sampler
        self.notify = seat.notify
        self.call_us = seat.call_us

    def prepare(self, state: State) -> None:
        self._seat.prepare(state)

    def start(self) -> Fault | None:
        return self._seat.start()

    def put(self, ask: Ask, view: object) -> None:
        self._seat.put(ask, view)

    def take(self) -> object:
        self._sampler.is_inside = True
        try:
            return self._seat.take()
        finally:
            self._sampler.is_inside = False


MAX_SLOW_CALLS = 5
"""The slowest calls, and the slowest turns, that are named."""
MAX_FUNCTIONS = 20
WIDTH, ROW, EDGE, HEAD = 1_200, 20, 10, 46
LETTER_WIDTH = 6.6
"""The width of a letter, about."""
MIN_BOX_WIDTH = 0.4
"""The narrowest box that is drawn, pixels."""
OWN_COLORS = ("#f4a259", "#f2b36d", "#ee964b", "#f7c58a")
OTHER_COLORS = ("#9fb8ad", "#aebfd0", "#b7c3b0", "#a9b7c9")
"""The colors of the bot's own functions, and of what they call."""
SCHEMA = "https://www.speedscope.app/file-format-schema.json"


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
    sampler, path = Sampler(find_entry_file(job.own_files[job.contestants[0]])), folder / REPLAY
    with closing(Referee(out)) as referee, ExitStack() as stack:
        own, *others = (
            stack.enter_context(
                closing(referee.make_seat(_seat_in_process(job, team), team, folder))
            )
            for team in range(1, len(job.contestants) + 1)
        )
        log = CallLog(find_game(job.spec.game), own, 1)
        seats = [SampledSeat(own, sampler), *others]
        with sampler.sample_during():
            _play(job, seats, log, path, _Enough(turns, seconds))
    return _make_profile(job, log, sampler.stacks, path)


def _seat_in_process(job: Job, team: int) -> Job:
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


def _play(job: Job, seats: Sequence[Seat], log: CallLog, replay: Path, is_enough: _Enough) -> None:
    """Play and record. Raises: BadBot if the bot of team 1 cannot start."""
    game = find_game(job.spec.game)

    def start() -> None:
        if (fault := seats[0].start()) is not None:
            raise BadBot(f"{job.contestants[0].name}: {fault.cause}: {fault.detail}")

    with closing(Recorder(game, job.spec, job.contestants, replay, seats)) as recorder:
        play_first_turns(game, job.spec, seats, (recorder, log), is_enough, start)


def _make_profile(job: Job, log: CallLog, stacks: Counter[Stack], replay: Path) -> Profile:
    by_turn = _turn_times(log)
    return Profile(
        bot=job.contestants[0].name,
        opponent=" and ".join(each.name for each in job.contestants[1:]),
        team=1,
        turns=len(by_turn),
        cpu=cpu_use([call.us for call in log.calls]),
        functions=_function_times(stacks)[:MAX_FUNCTIONS],
        by_turn=by_turn,
        slowest=tuple(sorted(log.calls, key=lambda call: -call.us)[:MAX_SLOW_CALLS]),
        samples=stacks.total(),
        faults=tuple(log.faults.values()),
        replay=str(replay),
        stacks=dict(stacks),
    )


def _function_times(stacks: Counter[Stack]) -> tuple[FunctionTime, ...]:
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


def _turn_times(log: CallLog) -> tuple[TurnTime, ...]:
    us, calls = defaultdict[int, int](int), Counter[int]()
    for call in log.calls:
        us[call.turn] += call.us
        calls[call.turn] += 1
    return tuple(TurnTime(turn=turn, us=us[turn], calls=calls[turn]) for turn in sorted(us))


class Node:
    """A function with its callers above it: how often it was seen, and what it calls."""

    def __init__(self) -> None:
        self.count = 0
        self.below: dict[Function, Node] = {}

    def add(self, stack: Stack, count: int) -> None:
        """Count a stack, the outermost function first."""
        node = self
        node.count += count
        for function in stack:
            node = node.below.setdefault(function, Node())
            node.count += count

    @property
    def depth(self) -> int:
        """Return how many functions call each other below."""
        return 1 + max((node.depth for node in self.below.values()), default=0)


def write_flame_graph(path: Path, title: str, stacks: Mapping[Stack, int], total_us: int) -> None:
    """Write it as the end of the name says. Raises: UsageError, EngineFailure."""
    if path.suffix == ".svg":
        write_whole(path, flame_svg(title, stacks, total_us).encode())
    elif path.suffix == ".json":
        write_whole(path, msgspec.json.encode(export_speedscope(title, stacks, total_us)))
    else:
        raise UsageError(f"{path}: a flame graph is a .svg, or a .json for speedscope.app")


def flame_svg(title: str, stacks: Mapping[Stack, int], total_us: int) -> str:
    """Return the picture: callers above, what they call below, as wide as the time they took."""
    root = Node()
    for stack, count in sorted(stacks.items(), key=lambda item: [str(f) for f in item[0]]):
        root.add(stack, count)
    height = HEAD + root.depth * ROW + EDGE
    us = total_us / max(1, root.count)
    boxes = "\n".join(_flame_boxes(root, EDGE, HEAD, (WIDTH - 2 * EDGE) / max(1, root.count), us))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n'
        f'<text x="{EDGE}" y="18" font-size="14" fill="#222222">{escape(one_line(title))}</text>\n'
        f'<text x="{EDGE}" y="36" fill="#666666">as wide as its time; orange is your own code; '
        "point at a box for its figures</text>\n"
        f"{boxes}\n</svg>\n"
    )


def _flame_boxes(node: Node, left: float, top: int, per_sample: float, us: float) -> Iterator[str]:
    for function, below in node.below.items():
        width = below.count * per_sample
        if width >= MIN_BOX_WIDTH:
            yield _flame_box(function, below.count, (left, top, width), us)
            yield from _flame_boxes(below, left, top + ROW, per_sample, us)
        left += width


def _flame_box(function: Function, count: int, place: tuple[float, int, float], us: float) -> str:
    left, top, width = place
    colors = OWN_COLORS if function.is_own else OTHER_COLORS
    color = colors[sum(map(ord, function.name)) % len(colors)]
    letters = int((width - 6) / LETTER_WIDTH)
    name = one_line(function.name)
    shown = name if len(name) <= letters else f"{name[: letters - 1]}…" if letters > 3 else ""
    text = f"{name} ({one_line(function.file)}, line {function.line}): {count * us / 1_000:.1f} ms"
    return (
        f"<g><title>{escape(text)}</title>"
        f'<rect x="{left:.2f}" y="{top}" width="{max(0.3, width - 0.5):.2f}" height="{ROW - 1}" '
        f'fill="{color}" rx="2"/>'
        f'<text x="{left + 4:.2f}" y="{top + 14}" fill="#1a1a1a">{escape(shown)}</text></g>'
    )


def export_speedscope(title: str, stacks: Mapping[Stack, int], total_us: int) -> dict[str, Any]:
    """Return the profile in the file format of speedscope."""
    functions = {function: None for stack in stacks for function in stack}
    numbers = {function: number for number, function in enumerate(functions)}
    samples = sum(stacks.values())
    us = total_us / max(1, samples)
    return {
        "$schema": SCHEMA,
        "name": title,
        "shared": {
            "frames": [
                {"name": each.name, "file": each.file, "line": each.line} for each in functions
            ]
        },
        "profiles": [
            {
                "type": "sampled",
                "name": title,
                "unit": "microseconds",
                "startValue": 0,
                "endValue": total_us,
                "samples": [[numbers[function] for function in stack] for stack in stacks],
                "weights": [count * us for count in stacks.values()],
            }
        ],
    }
