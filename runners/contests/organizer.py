"""Opens a tournament with bots that can play, resumes one, or copies it to another database."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.bots.fault_advice import in_full
from engine.bots.finding import Bot, Copies
from engine.bots.launching import require
from engine.catalog import find_publisher
from engine.errors import EngineFailure, SandboxMissing, UsageError
from engine.fault import Fault
from engine.referee import Job, Referee
from engine.result_folder import ResultFolder
from engine.spec import MatchSpec
from engine.support.process_pool import ProcessLost
from engine.support.staging import StagingFolder
from engine.support.typed_commands import detect_commands
from runners.configuration import Configuration
from runners.contests.ledger import Ledger, State
from runners.contests.persistence import find_tournament, load_tournament, save_tournament
from runners.contests.plan import Entrant, Field, TournamentPlan
from runners.contests.registration import (
    Registration,
    first_registration,
    later_registration,
    require_current_rules,
    require_playable,
)
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import TournamentRequest
from runners.execution.local_executor import Processes
from runners.formats.round_robin import Gauntlet
from runners.match_request import RunOptions
from runners.planning import make_contestant
from runners.storage.database import Stale
from runners.storage.locks import LockHeld
from runners.storage.store import Store, existing_store, open_store

OF_SERVERS = "tournaments"
"""The work that whoever plays the tournaments of a server does: the same for all of them."""
FEW = 4
"""Up to so many bots, checking them here is faster than starting processes."""
CHECK_SEED = 0
"""The seed of the board on which all are checked; no match of a tournament is played on it."""


class Organizer:
    """Registers bots for a tournament in a store, and opens it to be played."""

    def __init__(self, wanted: TournamentRequest, configuration: Configuration, url: str) -> None:
        """Register bots; nothing is written yet. Raises: UsageError."""
        self._wanted = wanted
        self._configuration = configuration
        self._url = url
        store = existing_store(url)
        if store is None:
            self.entries = first_registration(wanted, configuration)
        else:
            with closing(store):
                self.entries = self._register(store)

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """Yield how it stands, with the bots that are to play from now on; to be read meanwhile."""
        store = existing_store(self._url)
        if store is None:
            yield Ledger(self.entries.field)
            return
        with closing(store):
            yield Tournament(self.entries.field, store).ledger()

    def try_bots(self, run_options: RunOptions) -> None:
        """Check bots as before a tournament begins, but keep nothing. Raises: UsageError."""
        with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
            out = Path(folder)
            for bot in self.entries.bots:
                Copies(out / "bots").save(bot)
            self.entries = exclude_faulty_bots(self.entries, run_options, out)

    @contextmanager
    def open(self, run_options: RunOptions) -> Iterator[Tournament]:
        """Yield the tournament, stored and ready to be played; by nobody else meanwhile.

        Raises: UsageError if somebody else is at it, or a bot's copy is gone.
        """
        if run_options.cluster is None:
            require(run_options.play.sandbox)
        with (
            closing(open_store(self._url)) as opened,
            playing_alone(opened, self._wanted.name) as store,
        ):
            self.entries = self._register(store)  # again: it may have begun meanwhile
            self._copy_bots(run_options.out)
            self.entries = exclude_faulty_bots(self.entries, run_options, run_options.out)
            save_tournament(store, self.entries.field)
            yield Tournament(self.entries.field, store)

    def _register(self, store: Store) -> Registration:
        saved = load_tournament(store, self._wanted.name)
        if saved is None:
            return first_registration(self._wanted, self._configuration)
        return later_registration(self._wanted, self._configuration, saved)

    def _copy_bots(self, out: Path) -> None:
        copies = Copies(out / "bots")
        for bot in self.entries.bots:
            copies.save(bot)
        for entrant in self.entries.field.entrants:
            copies.find_path(entrant.bot.digest)


@contextmanager
def playing_alone(store: Store, name: str) -> Iterator[Store]:
    """Play a tournament as nobody else does meanwhile; yield the store to write to.

    Two would play every match twice. Raises: UsageError if another process plays it; LeaseLost,
    later, where another has taken over.
    """
    with ExitStack() as stack:
        work = OF_SERVERS if store.is_of_server(name) else f"tournament {name}"
        try:
            alone = stack.enter_context(store.hold_lease(work))
        except LockHeld as held:
            raise UsageError(
                f"tournament '{name}' is being played by {held}; watch it with "
                f"'{detect_commands().main} standings {name}'"
            ) from held
        yield alone


def exclude_faulty_bots(entries: Registration, run_options: RunOptions, out: Path) -> Registration:
    """Return a registration without the bots that cannot play; each bot is checked only once.

    Copies of the bots are in `out`. Raises: UsageError if nobody is left to play.
    """
    try:
        known = {entrant.bot.digest for entrant in _entrants_before(entries)}
        unchecked = [bot for bot in entries.bots if bot.digest not in known]
        faults = _find_broken(unchecked, entries.field.plan, run_options, out)
    except SandboxMissing as missing:
        if run_options.cluster is None:
            raise
        note = f"the bots were not checked before the start: {missing}"
        return msgspec.structs.replace(entries, notes=[*entries.notes, note])
    return _exclude_faulty(entries, faults)


def _entrants_before(entries: Registration) -> tuple[Entrant, ...]:
    return () if entries.before is None else entries.before.entrants


def _find_broken(
    bots: Sequence[Bot], plan: TournamentPlan, run_options: RunOptions, out: Path
) -> dict[str, Fault]:
    """Return why some of these cannot play, by digest.

    Raises: EngineFailure, SandboxMissing.
    """
    if not bots:
        return {}
    jobs = {bot.digest: _check_job(bot, plan, run_options) for bot in bots}
    check_bots = _one_by_one if len(bots) <= FEW or run_options.workers == 1 else _side_by_side
    found = check_bots(jobs, run_options.workers, out)
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
        futures = {digest: executor.try_bot(job) for digest, job in jobs.items()}
        for digest, future in futures.items():
            with suppress(ProcessLost):
                found[digest] = future.result()
        is_done = True
    finally:
        executor.end(at_once=not is_done)
    lost = {digest: job for digest, job in jobs.items() if digest not in found}
    return found | _one_by_one(lost, workers, out)


def _check_job(bot: Bot, plan: TournamentPlan, run_options: RunOptions) -> Job:
    """Return the job to check a bot by: the beginning of a match against itself."""
    spec = MatchSpec(
        game=plan.game,
        rules_version=plan.rules_version,
        settings=plan.settings,
        limits=plan.limits,
        bots=(bot.digest,) * plan.table,
        packages=plan.packages,
        seed=CHECK_SEED,
        publisher=find_publisher(plan.game),
    )
    contestants = (make_contestant(bot),) * plan.table
    return Job(spec=spec, contestants=contestants, play=run_options.play.for_rated_match)


def _exclude_faulty(entries: Registration, faults: Mapping[str, Fault]) -> Registration:
    if not faults:
        return entries
    field = entries.field
    broken = [bot for bot in entries.bots if bot.digest in faults]
    entrants = [
        msgspec.structs.replace(entrant, flaw=f"{fault.cause}: {fault.detail}")
        for entrant in field.entrants
        if (fault := faults.get(entrant.bot.digest)) is not None
    ]
    left = Field(field.plan, tuple(_playable_entrants(entries, faults)), (*field.broken, *entrants))
    names = {bot.name for bot in broken}
    notes = [
        *(_quarantine_note(bot, faults[bot.digest], entries) for bot in broken),
        *(note for note in entries.notes if note.partition(" ")[0] not in names),  # "... joins"
    ]
    if entries.before is None:
        _require_enough_left(field, left, notes)
    return msgspec.structs.replace(entries, field=left, notes=notes)


def _playable_entrants(entries: Registration, faults: Mapping[str, Fault]) -> list[Entrant]:
    """Return the entrants that can play; a broken version leaves the one before in place."""
    entrants = list(entries.field.entrants)
    for number, saved in enumerate(_entrants_before(entries)):
        if entrants[number].bot.digest in faults:
            entrants[number] = saved
    return [entrant for entrant in entrants if entrant.bot.digest not in faults]


def _quarantine_note(bot: Bot, fault: Fault, entries: Registration) -> str:
    entered = {entrant.bot.name for entrant in _entrants_before(entries)}
    stays = "; the version registered before plays on" if bot.name in entered else ""
    text = in_full(bot.name, fault, entries.field.plan.limits, bot.path)
    return f"cannot play{stays}: {text}"


def _require_enough_left(asked: Field, left: Field, notes: Sequence[str]) -> None:
    """Raises: UsageError if too few are left, or not the one whom all others are to meet."""
    try:
        require_playable(left)
    except UsageError as error:
        raise UsageError("\n".join([*notes, str(error)])) from error
    first = asked.entrants[0]
    if asked.plan.format == Gauntlet.name and left.entrants[0] != first:
        message = f"the gauntlet is run by {first.bot.name}, which cannot play: fix it first"
        raise UsageError("\n".join([*notes, message]))


class Location(NamedTuple):
    """A database of tournaments, and the folder of their bots and matches."""

    store: Store
    out: Path
    """The folder of bots' copies and matches."""


class Copied(NamedTuple):
    """What was copied of a tournament."""

    bots: int
    results: int
    open: int
    """Matches that are known, and remain to be played."""


def copy_tournament(name: str, source: Location, target: Location, *, new_of: str | None) -> Copied:
    """Copy a tournament, which nobody plays meanwhile, with its bots, results and replays.

    `new_of`: the ladder of a server to which it belongs there. It is there last, whole: whoever
    plays what is there plays nothing twice. Raises: UsageError, where there is one of this name;
    BadBot, EngineFailure, BadResult.
    """
    tournament = find_tournament(source.store, name)
    if target.store.load_plan(name) is not None:
        raise UsageError(f"{target.store.display_url}: there is a tournament '{name}' already")
    is_over = all(entry.state is not State.OPEN for entry in tournament.ledger())
    if not is_over:
        require_current_rules(tournament.field.plan)
    is_quiet = is_over or source.store.is_of_server(name)  # whose organizer has paused it
    with nullcontext() if is_quiet else playing_alone(source.store, name):
        bots = _copy_bots(tournament, source.out, target.out)
        results, waiting = _copy_results(tournament, source, target)
    try:
        save_tournament(target.store, tournament.field, new_of=new_of)
    except Stale as error:
        raise UsageError(f"there is a tournament '{name}' already") from error
    return Copied(bots, results, waiting)


def _copy_bots(tournament: Tournament, source: Path, target: Path) -> int:
    here, there = Copies(source / "bots"), Copies(target / "bots")
    digests = {entrant.bot.digest for entrant in tournament.field.entrants}
    for digest in sorted(digests):
        there.unpack(digest, here.pack(digest))
    return len(digests)


def _copy_results(tournament: Tournament, source: Location, target: Location) -> tuple[int, int]:
    """Copy what was played; return how many results there are, and how many are missing."""
    known, waiting = set[str](), 0
    here, there = source.out / ResultFolder.MATCHES, target.out / ResultFolder.MATCHES
    for entry in tournament.ledger():
        waiting += entry.state is State.OPEN
        if entry.result is not None and entry.key not in known:
            known.add(entry.key)
            target.store.add_stored_result(tournament.field.plan.game, entry.result)
            _copy_match(here, there, entry.key)
    return len(known), waiting


def _copy_match(source: Path, target: Path, key: str) -> None:
    """Copy the folder of a match, where its replay is kept. Raises: EngineFailure."""
    if not (source / key).is_dir() or (target / key).exists():
        return
    staging_folder = StagingFolder(target / key)
    try:
        staging_folder.make()
        shutil.copytree(source / key, staging_folder.path, dirs_exist_ok=True)
        staging_folder.path.rename(target / key)
    except OSError as error:
        reason = error.strerror or error
        raise EngineFailure(f"{target / key}: cannot be written: {reason}") from error
    finally:
        staging_folder.drop()
