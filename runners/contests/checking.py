"""Checks bots before a tournament begins: those that cannot play are left out, with a reason."""

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from engine.bots.fault_advice import in_full
from engine.bots.finding import Bot
from engine.errors import SandboxMissing, UsageError
from engine.fault import Fault
from engine.referee import Job, Referee
from engine.spec import MatchSpec
from engine.support.process_pool import ProcessLost
from runners.contests.plan import Entrant, Field, TournamentPlan
from runners.contests.registration import Registration, require_playable
from runners.execution.local_executor import Processes
from runners.formats.round_robin import Gauntlet
from runners.planning import contestant_of
from runners.run_options import RunOptions

FEW = 4
"""Up to so many bots, checking them here is faster than starting processes."""
SEED = 0
"""The seed of the board on which all are checked; no match of a tournament is played on it."""


def checked(entries: Registration, run_options: RunOptions, out: Path) -> Registration:
    """Return a registration without the bots that cannot play; each bot is checked only once.

    Copies of the bots are in `out`. Raises: UsageError if nobody is left to play.
    """
    try:
        faults = _look_at(_unknown(entries), entries.field.plan, run_options, out)
    except SandboxMissing as missing:
        if run_options.cluster is None:
            raise
        note = f"the bots were not checked before the start: {missing}"
        return msgspec.structs.replace(entries, notes=[*entries.notes, note])
    return _without(entries, faults)


def _unknown(entries: Registration) -> list[Bot]:
    """Return the bots that were not checked before."""
    known = {entrant.bot.digest for entrant in _entrants_before(entries)}
    return [bot for bot in entries.bots if bot.digest not in known]


def _entrants_before(entries: Registration) -> tuple[Entrant, ...]:
    return () if entries.before is None else entries.before.entrants


def _look_at(
    bots: Sequence[Bot], plan: TournamentPlan, run_options: RunOptions, out: Path
) -> dict[str, Fault]:
    """Return why some of these cannot play, by digest.

    Raises: EngineFailure, SandboxMissing.
    """
    if not bots:
        return {}
    jobs = {bot.digest: _job(bot, plan, run_options) for bot in bots}
    look = _one_by_one if len(bots) <= FEW or run_options.workers == 1 else _side_by_side
    found = look(jobs, run_options.workers, out)
    return {digest: fault for digest, fault in found.items() if fault is not None}


def _one_by_one(jobs: Mapping[str, Job], workers: int, out: Path) -> dict[str, Fault | None]:
    """Check in this process: a few are done sooner than others have started."""
    with closing(Referee(out)) as referee:
        return {digest: referee.why_it_cannot_play(job) for digest, job in jobs.items()}


def _side_by_side(jobs: Mapping[str, Job], workers: int, out: Path) -> dict[str, Fault | None]:
    """Check in pool processes; what was lost with one that was killed is done again in this one."""
    executor = Processes(out, min(workers, len(jobs)))
    found: dict[str, Fault | None] = {}
    is_done = False
    try:
        futures = {digest: executor.look_at(job) for digest, job in jobs.items()}
        for digest, future in futures.items():
            with suppress(ProcessLost):
                found[digest] = future.result()
        is_done = True
    finally:
        executor.end(at_once=not is_done)
    lost = {digest: job for digest, job in jobs.items() if digest not in found}
    return found | _one_by_one(lost, workers, out)


def _job(bot: Bot, plan: TournamentPlan, run_options: RunOptions) -> Job:
    """Return the job to check a bot by: the beginning of a match against itself."""
    spec = MatchSpec(
        game=plan.game,
        rules_version=plan.rules_version,
        settings=plan.settings,
        limits=plan.limits,
        bots=(bot.digest,) * plan.table,
        packages=plan.packages,
        seed=SEED,
    )
    contestants = (contestant_of(bot),) * plan.table
    return Job(spec=spec, contestants=contestants, play=run_options.play.judged)


def _without(entries: Registration, faults: Mapping[str, Fault]) -> Registration:
    if not faults:
        return entries
    field = entries.field
    broken = [bot for bot in entries.bots if bot.digest in faults]
    entrants = [
        msgspec.structs.replace(entrant, flaw=_flaw(faults[entrant.bot.digest]))
        for entrant in field.entrants
        if entrant.bot.digest in faults
    ]
    left = Field(field.plan, tuple(_playing(entries, faults)), (*field.broken, *entrants))
    names = {bot.name for bot in broken}
    notes = [
        *(_note(bot, faults[bot.digest], entries) for bot in broken),
        *(note for note in entries.notes if note.partition(" ")[0] not in names),  # "... joins"
    ]
    if entries.before is None:
        _require_begun(field, left, notes)
    return msgspec.structs.replace(entries, field=left, notes=notes)


def _flaw(fault: Fault) -> str:
    return f"{fault.cause}: {fault.detail}"


def _playing(entries: Registration, faults: Mapping[str, Fault]) -> list[Entrant]:
    """Return the entrants that can play; a broken version leaves the one before in place."""
    entrants = list(entries.field.entrants)
    for number, kept in enumerate(_entrants_before(entries)):
        if entrants[number].bot.digest in faults:
            entrants[number] = kept
    return [entrant for entrant in entrants if entrant.bot.digest not in faults]


def _note(bot: Bot, fault: Fault, entries: Registration) -> str:
    entered = {entrant.bot.name for entrant in _entrants_before(entries)}
    stays = "; the version registered before plays on" if bot.name in entered else ""
    words = in_full(bot.name, fault, entries.field.plan.limits, bot.path)
    return f"cannot play{stays}: {words}"


def _require_begun(asked: Field, left: Field, notes: Sequence[str]) -> None:
    """Raises: UsageError if too few are left, or not the one whom all others are to meet."""
    try:
        require_playable(left)
    except UsageError as error:
        raise UsageError("\n".join([*notes, str(error)])) from error
    first = asked.entrants[0]
    if asked.plan.format == Gauntlet.name and left.entrants[0] != first:
        words = f"the gauntlet is run by {first.bot.name}, which cannot play: fix it first"
        raise UsageError("\n".join([*notes, words]))
