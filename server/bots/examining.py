"""What is found out about a bot that was handed in: in a process of its own, in the sandbox."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from engine.bots.fault_advice import advice_on_syntax, advice_to_author
from engine.bots.finding import Packed, is_packed_program
from engine.bots.imports import ALWAYS_ALLOWED
from engine.bots.own_files import SUFFIX
from engine.bots.parsing import Parser, is_unparsable
from engine.bots.programs.manifest import MANIFEST, BadManifest, read_manifest
from engine.bots.programs.seat import ProgramSeat
from engine.bots.sandbox import Level
from engine.bots.source import SYNTAX_ERROR, Source
from engine.bots.syntax_hints import THIS_PYTHON
from engine.catalog import find_game
from engine.fault import Fault
from engine.limits import Limits
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.result import MatchResult, TeamResult
from engine.stepper import AnyStepper
from engine.support.fair_queue import Priority
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.execution.local_executor import Processes, referee_here


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What a step of the checks found."""

    is_good: bool
    words: str
    match: str | None = None
    """The key of the match that was played."""


class BotExaminer:
    """Finds out about bots, one after another, in a process that is started with the first of them.

    What is found out raises ProcessLost and SlimeMindError, which are no fault of the bot's.
    """

    def __init__(self, out: Path, level: Level) -> None:
        self._executor = Processes(out, 1, is_pinned=False)
        self._level = level

    def source(self, packed: Packed, packages: Sequence[str]) -> Finding:
        """Look at the source; `packages`: those that bots may import."""
        return examine_source(packed, packages)

    def loading(self, job: Job) -> Finding:
        """Import the bot and make its Player, as a match does."""
        return self._find_out(_load, job)

    def first_decision(self, job: Job) -> Finding:
        """Ask the bot for one decision."""
        return self._find_out(_decide, job)

    def first_match(self, job: Job) -> Finding:
        """Play a whole match, whose replay is kept; one that was played before is not again."""
        return self._find_out(_play, job)

    def terminate(self) -> None:
        """Lose what is being found out, at once. May be called from another thread."""
        self._executor.terminate()

    def restart(self) -> None:
        """Begin anew with another process."""
        self._executor.restart()

    def close(self) -> None:
        self._executor.end(at_once=True)

    def _find_out(self, step: Callable[[Job], Finding], job: Job) -> Finding:
        confined = msgspec.structs.replace(job, play=PlayOptions(sandbox=self._level), once=True)
        return self._executor.call((), Priority.WAITED_FOR, step, confined).result()


def _load(job: Job) -> Finding:
    referee = referee_here()
    with (
        tempfile.TemporaryDirectory(prefix="slime-mind-") as folder,
        closing(referee.make_seat(job, 1, Path(folder))) as seat,
    ):
        game = find_game(job.spec.game)
        stepper = AnyStepper(game, job.spec, listeners={1: seat.notify})
        seat.prepare(stepper.known[1])
        fault = seat.start()
    is_program = isinstance(seat, ProgramSeat)
    if fault is not None:
        return _make_failure_finding(fault, job.spec.limits, is_program=is_program)
    message = "it is a Player of this game, and its signatures fit"
    if is_program:
        message = "it was built, and says hello"
    return Finding(is_good=True, words=message)


def _decide(job: Job) -> Finding:
    referee = referee_here()
    fault = referee.why_it_cannot_play(job)
    if fault is not None:
        is_program = referee.is_program(job.contestants[0])
        return _make_failure_finding(fault, job.spec.limits, is_program=is_program)
    return Finding(is_good=True, words="it answers with a legal order")


def _play(job: Job) -> Finding:
    result = referee_here().play(job)
    own = result.teams[0]
    message = f"{outcome_in_words(result)}. {faults_in_words(own)}".strip()
    if own.out is not None:
        message = f"it was out of its first match: {own.out}. {faults_in_words(own)}".strip()
    return Finding(is_good=own.out is None, words=message, match=result.key)


def examine_source(packed: Packed, packages: Sequence[str]) -> Finding:
    """Look at a bot's source, which is parsed in a confined child. Raises: EngineFailure."""
    if is_packed_program(packed):
        return _examine_manifest(packed)
    for name, flaw in flaws_of_source(packed, packages):
        return Finding(is_good=False, words=f"{name}: {flaw}" if packed.is_folder else flaw)
    return Finding(is_good=True, words=f"{THIS_PYTHON} reads it, and it defines a class Player")


def flaws_of_source(packed: Packed, packages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the files of a Python bot that are not in order, and why. Raises: EngineFailure."""
    entry = "__init__.py" if packed.is_folder else next(iter(packed.files))
    with Parser() as parser:
        for name, content in packed.files.items():
            if name.endswith(SUFFIX):
                source = parser.parse(content)
                flaw = _find_flaw(source, packages, is_entry=name == entry)
                if flaw:
                    yield name, flaw


def _examine_manifest(packed: Packed) -> Finding:
    """Look at what a program's folder says of itself; its source is its compiler's to read."""
    try:
        manifest = read_manifest(packed.files[MANIFEST])
    except BadManifest as error:
        return Finding(is_good=False, words=f"{error}; docs/protocol.md has what it may say")
    if manifest.url:
        message = f"{MANIFEST}: has url, and no bot is asked over HTTP here"
        return Finding(is_good=False, words=message)
    return Finding(is_good=True, words=f"{MANIFEST} is in order: {manifest.language}")


def _find_flaw(source: Source, packages: Sequence[str], *, is_entry: bool) -> str:
    """Return what is wrong with a file, and what to do; '' for nothing."""
    if is_unparsable(source.flaw):
        return f"{source.flaw}; make it smaller and flatter"
    if source.flaw.startswith(SYNTAX_ERROR):
        return f"{source.flaw}; {advice_on_syntax(source.flaw)} (bots play in {THIS_PYTHON} here)"
    if not is_entry:
        return ""
    if source.flaw:
        return f"{source.flaw}; the template of the starter kit is a bot to begin with"
    lacks = sorted(set(source.needs) - {*ALWAYS_ALLOWED, *packages})
    if lacks:
        allowed = ", ".join(sorted({*ALWAYS_ALLOWED, *packages} - {"engine"}))
        return f"needs {', '.join(lacks)}, and bots may import {allowed} here; do without"
    return ""


def _make_failure_finding(fault: Fault, limits: Limits, *, is_program: bool) -> Finding:
    advice = advice_to_author(fault, limits, is_program=is_program)
    message = f"{fault.cause}: {fault.detail}. What to do: {advice}"
    return Finding(is_good=False, words=message)


def outcome_in_words(result: MatchResult) -> str:
    """Return what came of the match for team 1."""
    verb = {1: "won", None: "drew"}.get(result.winner, "lost")
    others = " and ".join(sorted({team.bot.name for team in result.teams[1:]}))
    scores = " : ".join(f"{team.score:g}" for team in result.teams)
    return (
        f"it {verb} against {others}, {scores} ({pluralize(result.turns, 'turn')}, {result.reason})"
    )


def faults_in_words(team: TeamResult) -> str:
    """Return what went wrong for a team, in words; '' for nothing."""
    lost = [
        f"{pluralize(count, 'decision')} lost by {cause}: {one_line(team.details.get(cause, ''))}"
        for cause, count in team.faults.items()
    ]
    refused = ""
    if team.refused:
        refused = f"{pluralize(team.refused, 'part')} of its orders refused"
    return "; ".join(filter(None, [*lost, refused, *team.refusals]))
