"""What a check found out about a bot, and what its author should do about a fault."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from engine.bots.fault_advice import advice_on, advise_on_exception
from engine.bots.finding import Bot, is_over_http
from engine.bots.log import LOG_BYTES
from engine.bots.remedies import is_remedied
from engine.bots.source_excerpts import find_place, read_lines, source_excerpt
from engine.fault import Cause, Fault
from engine.limits import Limits
from engine.referee import Job
from engine.result import BY_THE_CLOCK, CpuUse, cpu_use
from engine.streams import seed_text
from engine.support.wording import pluralize
from runners.authoring.call_log import Call, CallLog, first_difference
from runners.lost_decisions import NEARLY_ALL_SHARE

MAX_SLOW_CALLS = 3
"""The slowest calls that are named."""
PRINTED_LETTERS = 600
"""The beginning of what it printed that is shown."""
WARNING_SHARE = 0.5
"""From this share of a limit on, a warning says so."""
MUCH_PRINTED = LOG_BYTES // 10
"""From so many bytes on, a warning says that a log has an end."""
US_PER_MS = 1_000
LOOP_PATTERN = re.compile(r"(async\s+for|for|while)\b")
MAX_LINE_LENGTH = 60


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that costs the bot decisions, or the match."""

    cause: Cause
    detail: str
    """What happened, with the line of the bot's file if there is one."""
    where: str
    times: int
    fix: str
    """What to do about it."""
    excerpt: tuple[str, ...] = ()
    """The line that raised an exception, marked, and what the names in it stood for."""
    recorded: "RecordedFault | None" = None
    """Where the first one can be looked at again."""


class RecordedFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in a recorded match of a check."""

    replay: str
    turn: int
    team: int
    piece: int
    """What was asked about; 0: the team."""


class SlowCall(msgspec.Struct, frozen=True, kw_only=True):
    """One of the slowest calls."""

    match: int
    place: str
    us: int


class CheckMatch(msgspec.Struct, frozen=True, kw_only=True):
    """One of the matches of a check."""

    team: int
    """The team of the bot."""
    opponent: str
    seed: str
    turns: int
    decisions: int
    lost: int
    """The decisions that it lost by faults."""
    replay: str
    """The recorded match; '' where none was kept."""
    last_turn: int
    """The turn after which such a match is over at the latest."""
    is_cut_short: bool
    """Whether the time for it was over before its turns were."""
    used_s: float
    """What the bot used of its time for a whole match, sleep included, seconds."""
    projected_s: float
    """What it would use until the last turn, if it went on so."""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about a bot."""

    bot: str
    path: str
    digest: str
    game: str
    limits: Limits
    is_loaded: bool = False
    load_ms: int = 0
    build_ms: int = 0
    """How long its program was built, where there is one."""
    first_decision_us: int | None = None
    matches: tuple[CheckMatch, ...] = ()
    cpu: CpuUse = cpu_use(())
    slowest: tuple[SlowCall, ...] = ()
    memory_mb: float | None = None
    is_deterministic: bool | None = None
    """None where that could not be told."""
    first_difference: str | None = None
    """Where it ordered something else when it played the same match again."""
    printed_bytes: int = 0
    printed: str = ""
    """The beginning of what it printed."""
    refused: int = 0
    """Parts of its answers that were refused, while the rest was taken."""
    refusals: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What costs it decisions; empty if nothing does."""
    warnings: tuple[str, ...] = ()

    @property
    def is_fit(self) -> bool:
        """Return whether it plays without losing a decision."""
        return not self.problems

    @property
    def longest_ms(self) -> int:
        """Return how long a call may take: CPU time, but wall time over HTTP."""
        is_remote = is_over_http(Path(self.path))
        return self.limits.wall_ms if is_remote else self.limits.cpu_ms

    @property
    def decisions(self) -> int:
        """Return how many decisions it was asked for."""
        return sum(match.decisions for match in self.matches)

    @property
    def lost(self) -> int:
        """Return how many of them it lost by faults."""
        return sum(match.lost for match in self.matches)

    @property
    def projected_s(self) -> float:
        """Return what a whole match would take of its time, in the match that takes most."""
        return max((match.projected_s for match in self.matches), default=0.0)


class Playing(msgspec.Struct, kw_only=True):
    """One match of a check, as it was played."""

    job: Job
    team: int
    log: CallLog
    replay: Path | None = None
    turns: int = 0
    is_over: bool = True
    """Whether the match ended by its rules."""
    is_cut_short: bool = False
    last_turn: int = 0
    used_s: float = 0.0
    build_s: float = 0.0
    load_s: float = 0.0
    memory_mb: float | None = None
    printed: str = ""
    exception_lines: tuple[str, ...] = ()
    """What its log says of the first exception."""
    refused: int = 0
    refusals: tuple[str, ...] = ()

    @property
    def opponent(self) -> str:
        """Return the name of the other bot."""
        return self.job.contestants[2 - self.team].name

    @property
    def projected_s(self) -> float:
        """Return what the bot would use of its time until the last turn, if it went on so."""
        if self.is_over or not self.turns:
            return self.used_s
        return self.used_s * self.last_turn / self.turns


def load_failure_report(bot: Bot, job: Job, fault: Fault) -> CheckReport:
    """Return the report on a bot that gave no player."""
    problem = Problem(
        cause=fault.cause,
        detail=fault.detail,
        where="while it was loaded",
        times=1,
        fix=fix_for(fault, job.spec.limits, bot.path),
        excerpt=tuple(filter(None, [source_excerpt(bot.path, fault.detail)])),
    )
    return msgspec.structs.replace(_empty_report(bot, job), problems=(problem,))


def report_on(bot: Bot, playings: Sequence[Playing], again: Playing) -> CheckReport:
    """Return what the matches say; `again` is the first of them, played once more."""
    first = playings[0]
    calls = [(number, call) for number, each in enumerate(playings, 1) for call in each.log.calls]
    memory = [each.memory_mb for each in playings if each.memory_mb is not None]
    where = first_difference(first.log, again.log)
    is_told = not any(BY_THE_CLOCK & each.log.faults.keys() for each in (*playings, again))
    report = msgspec.structs.replace(
        _empty_report(bot, first.job),
        is_loaded=True,
        load_ms=round(first.load_s * US_PER_MS),
        build_ms=round(first.build_s * US_PER_MS),
        first_decision_us=calls[0][1].us if calls else None,
        matches=tuple(map(_match, playings)),
        cpu=cpu_use([call.us for _, call in calls]),
        slowest=_slowest_calls(calls),
        memory_mb=max(memory, default=None),
        is_deterministic=where is None if is_told else None,
        first_difference=where if is_told else None,
        printed_bytes=sum(len(each.printed.encode()) for each in playings),
        printed=next((each.printed for each in playings if each.printed), "")[:PRINTED_LETTERS],
        refused=sum(each.refused for each in playings),
        refusals=next((each.refusals for each in playings if each.refusals), ()),
        problems=tuple(_group_problems(playings, bot.path)),
    )
    return msgspec.structs.replace(report, warnings=tuple(_find_warnings(report)))


def _empty_report(bot: Bot, job: Job) -> CheckReport:
    return CheckReport(
        bot=bot.name,
        path=str(bot.path),
        digest=bot.digest,
        game=job.spec.game,
        limits=job.spec.limits,
    )


def _match(playing: Playing) -> CheckMatch:
    return CheckMatch(
        team=playing.team,
        opponent=playing.opponent,
        seed=seed_text(playing.job.spec.seed),
        turns=playing.turns,
        decisions=len(playing.log.orders),
        lost=sum(faults.times for faults in playing.log.faults.values()),
        replay="" if playing.replay is None else str(playing.replay),
        last_turn=playing.last_turn,
        is_cut_short=playing.is_cut_short,
        used_s=round(playing.used_s, 3),
        projected_s=round(playing.projected_s, 1),
    )


def _slowest_calls(calls: Sequence[tuple[int, Call]]) -> tuple[SlowCall, ...]:
    ordered = sorted(calls, key=lambda numbered: -numbered[1].us)[:MAX_SLOW_CALLS]
    return tuple(SlowCall(match=number, place=call.place, us=call.us) for number, call in ordered)


def _group_problems(playings: Sequence[Playing], file: Path) -> Iterator[Problem]:
    """Yield the faults of all matches, those of one cause together."""
    causes = {cause: None for each in playings for cause in each.log.faults}
    for cause in causes:
        found = [
            (number, each, each.log.faults[cause])
            for number, each in enumerate(playings, 1)
            if cause in each.log.faults
        ]
        number, playing, first = found[0]
        yield Problem(
            cause=cause,
            detail=first.fault.detail,
            where=f"match {number}, {first.place}",
            times=sum(faults.times for _, _, faults in found),
            fix=fix_for(first.fault, playing.job.spec.limits, file),
            excerpt=playing.exception_lines if cause is Cause.EXCEPTION else (),
            recorded=_recorded_fault(playing, first.turn, first.ask.piece_id),
        )
    if not causes and (refused := _refusal_problem(playings)) is not None:
        yield refused
    if Cause.BANK_EMPTY not in causes and (empty := _bank_problem(playings, file)) is not None:
        yield empty


def _recorded_fault(playing: Playing, turn: int, piece: int) -> RecordedFault | None:
    if playing.replay is None:
        return None
    return RecordedFault(replay=str(playing.replay), turn=turn, team=playing.team, piece=piece)


def _refusal_problem(playings: Sequence[Playing]) -> Problem | None:
    """Return the problem of a bot whose orders were nearly all refused; None of another."""
    refused = sum(each.refused for each in playings)
    parts = sum(each.log.parts for each in playings)
    if not refused or refused < NEARLY_ALL_SHARE * parts:
        return None
    refusals = next(each.refusals for each in playings if each.refusals)
    return Problem(
        cause=Cause.ILLEGAL,
        detail=f"{refused} of its {parts} orders were refused; the first: {refusals[0]}",
        where="all matches",
        times=refused,
        fix="order what can be carried out; docs/rules/ says when an order can be",
    )


def _bank_problem(playings: Sequence[Playing], file: Path) -> Problem | None:
    """Return the problem of a bot whose time would not last for a whole match; None of another."""
    number, playing = max(enumerate(playings, 1), key=lambda each: each[1].projected_s)
    limits = playing.job.spec.limits
    if playing.projected_s <= limits.bank_s:
        return None
    last = int(limits.bank_s / playing.projected_s * playing.last_turn)
    turns = pluralize(playing.turns, "turn")
    fault = Fault(
        Cause.BANK_EMPTY,
        f"it used {playing.used_s:.1f} s in {turns}, sleep included: its {limits.bank_s} s would "
        f"be gone in turn {last + 1} of {playing.last_turn}, and all later decisions lost",
    )
    return Problem(
        cause=fault.cause,
        detail=fault.detail,
        where=f"match {number}, if it went on so",
        times=1,
        fix=fix_for(fault, limits, file),
    )


def _find_warnings(report: CheckReport) -> Iterator[str]:
    """Yield what costs nothing today, and may cost something on another day."""
    limits, cpu = report.limits, report.cpu
    is_over = any(problem.cause in BY_THE_CLOCK for problem in report.problems)
    if cpu.max_us > WARNING_SHARE * report.longest_ms * US_PER_MS and not is_over:
        share = cpu.max_us / (report.longest_ms * US_PER_MS)
        yield (
            f"its slowest call took {share:.0%} of the {report.longest_ms} ms that it may take: a "
            "slower machine would make that a timeout"
        )
    if WARNING_SHARE * limits.bank_s < report.projected_s <= limits.bank_s:
        yield (
            f"a whole match would take {report.projected_s:.0f} of its {limits.bank_s} s: a slower "
            "machine, or a longer match, and its last decisions are lost"
        )
    if report.memory_mb is not None and report.memory_mb > WARNING_SHARE * limits.memory_mb:
        yield f"it used {report.memory_mb:.0f} of the {limits.memory_mb} MB that it may use"
    if report.is_deterministic is False:
        yield (
            f"the same match again, and it ordered something else, first in "
            f"{report.first_difference}: it uses the clock, or chance that is not seeded"
        )
    if report.printed_bytes > MUCH_PRINTED:
        yield (
            f"it printed {report.printed_bytes:,} bytes in so few turns: of a match "
            f"{LOG_BYTES:,} are kept"
        )
    if report.refused and not report.problems:
        yield (
            f"{report.refused} of its orders were refused, and the rest was played; the first: "
            f"{'; '.join(report.refusals)}"
        )


def fix_for(fault: Fault, limits: Limits, file: Path) -> str:
    """Return what to do about a fault of a bot whose file is at hand."""
    if fault.cause is Cause.OUT:
        return "correct what is said above: too many of those, and a bot is asked no more"
    place = find_place(fault.detail)
    if place is None:
        return advice_on(fault, limits, file)
    shown, number = place
    if fault.cause is Cause.EXCEPTION and not is_remedied(fault.detail):
        return advise_on_exception(fault.detail)
    if fault.cause in (Cause.TIMEOUT, Cause.SLEPT):
        loop = loop_around(read_lines(file, shown), number)
        if loop is not None:
            return f"it was in {loop}: see that it ends in time; {advice_on(fault, limits, file)}"
    return advice_on(fault, limits, file)


def loop_around(lines: list[str], number: int) -> str | None:
    """Return the loop in which a line stands: `the loop of line 6, while True:`; None without one.

    It goes by how far lines are indented: the source of a bot is not parsed here.
    """
    if not 1 <= number <= len(lines):
        return None
    depth = _indent_width(lines[number - 1]) + 1
    for index in range(number, 0, -1):
        line = lines[index - 1]
        if not line.strip() or _indent_width(line) >= depth:
            continue
        depth, text = _indent_width(line), line.strip()
        if LOOP_PATTERN.match(text):
            return f"the loop of line {index}, `{text[:MAX_LINE_LENGTH]}`"
        if text.startswith(("def ", "async def ", "class ")):
            return None
    return None


def _indent_width(line: str) -> int:
    return len(line) - len(line.lstrip())
